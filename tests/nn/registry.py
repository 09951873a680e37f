"""The snippets about `torch.nn`, by name."""

SNIPPETS = {}


def snippet(run):
    """Register a snippet under its own name."""
    if run.__name__ in SNIPPETS:
        raise ValueError(f"{run.__name__} is registered twice")
    SNIPPETS[run.__name__] = run
    return run


def graph_below(node):
    """A node, and everything that it passes its gradient to, as nested lists of names."""
    if node is None:
        return None
    return [node.name(), *(graph_below(target) for target, _ in node.next_functions)]
