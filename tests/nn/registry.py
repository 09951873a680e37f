"""The snippets about `torch.nn`, by name."""

SNIPPETS = {}


def snippet(run):
    """Register a snippet under its own name."""
    if run.__name__ in SNIPPETS:
        raise ValueError(f"{run.__name__} is registered twice")
    SNIPPETS[run.__name__] = run
    return run
