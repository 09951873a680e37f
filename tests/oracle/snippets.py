"""The snippets of a room: functions of its folder ``snippets``, each asked of PyTorch and minigrad.

A snippet is written ``def name(torch, see)`` (see `observer`) and marked ``@snippet``. A new module
in the folder needs no other mention.
"""

from collections import defaultdict
from importlib import import_module
from pkgutil import iter_modules

SNIPPETS = defaultdict(dict)  # by room, then by ``module/function``


def snippet(run):
    """Register a snippet under its module and its own name."""
    _tests, room, _snippets, module = run.__module__.split(".")
    name = f"{module}/{run.__name__}"
    if name in SNIPPETS[room]:
        raise ValueError(f"{name} is there twice")
    SNIPPETS[room][name] = run
    return run


def snippets_of(room):
    """All snippets of ``tests/<room>/snippets``, by name; no module there is without one."""
    folder = import_module(f"tests.{room}.snippets")
    modules = [module.name for module in iter_modules(folder.__path__)]
    for module in modules:
        import_module(f"tests.{room}.snippets.{module}")
    assert modules == sorted({name.partition("/")[0] for name in SNIPPETS[room]})
    return SNIPPETS[room]
