"""The differences from PyTorch that are meant, read from ``differences.toml``."""

import tomllib
from pathlib import Path

import pytest

ENTRIES = tomllib.loads(Path(__file__).with_name("differences.toml").read_text(encoding="utf-8"))


def accepted(suite, entries=None):
    """The cases of a suite that differ on purpose: ``{case: what is different}``."""
    entries = ENTRIES.get("difference", []) if entries is None else entries
    return {
        case: entry["what"]
        for entry in entries
        if entry["suite"] == suite
        for case in entry["cases"]
    }


def case_of(suite, name):
    """A test case; one that must fail if it differs on purpose."""
    reason = accepted(suite).get(name)
    marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
    return pytest.param(name, id=str(name), marks=marks)
