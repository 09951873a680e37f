"""The snippets about `torch.autograd`, by name: ``file/function``."""

SNIPPETS = {}


def snippet(run):
    """Register a snippet under its file and its own name."""
    SNIPPETS[f"{run.__module__.rsplit('.', 1)[-1]}/{run.__name__}"] = run
    return run
