"""What holds for all tests of help."""

import sys

import pytest


@pytest.fixture(autouse=True, scope="module")
def main_module():
    """Puts the module ``__main__`` back that a notebook's shell has taken the place of."""
    kept = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = kept
