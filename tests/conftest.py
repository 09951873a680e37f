"""What all tests share: markers by place, reproducible search, and no state that leaks."""

import gc
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

try:
    from hypothesis import settings
except ImportError:  # who only runs the lessons from the root needs no tool of the tests
    pass
else:
    # The same examples on every machine and in every run; slow machines are no failures.
    settings.register_profile("reproducible", derandomize=True, deadline=None)
    settings.load_profile("reproducible")


def pytest_configure():
    """Refuse to run under `python -O`, which leaves `assert` out."""
    if not __debug__:
        raise pytest.UsageError(
            "Under python -O no assert is executed: these tests would prove less."
        )


def pytest_collection_modifyitems(items):
    """Mark tests by where they live, so that `run.py test` can count each kind apart."""
    for item in items:
        if TESTS not in item.path.parents:
            continue
        place = item.path.relative_to(TESTS)
        if place.parts[0] == "browser":
            item.add_marker("browser")
        elif place.stem.endswith("_live"):
            item.add_marker("oracle")
        elif place.stem.endswith("_recorded"):
            item.add_marker("recorded")


def pytest_collection_finish():
    """Keep what stays to the end out of the garbage collector's rounds, which take long over it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # by default it walks what the tests before have left often


@pytest.fixture(autouse=True)
def nothing_leaks():
    """Fail a test that leaves a global setting of minigrad changed, and put it back."""
    import minigrad as mg
    from minigrad.autograd.thread_state import state

    settings = {
        "grad mode": (mg.is_grad_enabled, mg.set_grad_enabled),
        "default dtype": (mg.get_default_dtype, mg.set_default_dtype),
        "warn always": (mg.is_warn_always_enabled, mg.set_warn_always),
        "print options": (mg.get_printoptions, lambda options: mg.set_printoptions(**options)),
    }
    before = {name: read() for name, (read, _) in settings.items()}
    watching = state.here.watchers
    yield
    leaked = [name for name, (read, _) in settings.items() if read() != before[name]]
    for name in leaked:
        settings[name][1](before[name])
    assert not leaked, f"the test leaves changed: {', '.join(leaked)}"
    assert state.here.watchers == watching, "the test leaves an observer behind"
