"""So that plain `pytest --nbval notebooks/` compares what machines have in common."""

from pathlib import Path


def pytest_configure(config):
    """Use the patterns of `sanitize.cfg`, unless the command line names others."""
    if getattr(config.option, "nbval_sanitize_with", "") is None:
        config.option.nbval_sanitize_with = str(Path(__file__).with_name("sanitize.cfg"))
