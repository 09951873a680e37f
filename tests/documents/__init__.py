"""The 138 items of the five documents as snippets that any library with PyTorch's doors can run."""

from importlib import import_module

from tests.documents.registry import NOTHING_TO_RUN, SNIPPETS

DOCUMENTS = ("doc000", "doc001", "doc002", "doc003", "doc004")


def snippets():
    """All snippets by item, in the order of the documents."""
    for document in DOCUMENTS:
        import_module(f"tests.documents.{document}")
    return SNIPPETS


def nothing_to_run():
    """The items that no program can check, each with its reason."""
    snippets()
    return NOTHING_TO_RUN
