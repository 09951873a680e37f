"""The snippets of the behaviors, by name."""

BEHAVIORS = {}


def behavior(run):
    """Register a snippet under its own name, in words: ``a_leaf_has_no_grad_fn``."""
    name = run.__name__.replace("_", " ").strip()
    if name in BEHAVIORS:
        raise ValueError(f"the behavior {name!r} is registered twice")
    BEHAVIORS[name] = run
    return run
