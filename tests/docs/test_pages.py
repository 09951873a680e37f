"""The generated pages say what the sources say."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def builder():
    spec = importlib.util.spec_from_file_location("docs_build", DOCS / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["operations.md", "differences.md"])
def test_a_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == builder().PAGES[name](), (
        "run python3 docs/build.py"
    )
