"""Every item of the five documents, run on minigrad and compared with what PyTorch showed."""

import json
from pathlib import Path

import pytest

import minigrad
from tests.items import snippets
from tests.oracle.observer import observe, unlike

ANSWERS = json.loads(
    (Path(__file__).parents[1] / "data" / "items.json").read_text(encoding="utf-8")
)["answers"]


def cases():
    """One test per snippet. Where a whole room is not built yet, the test must fail, and does."""
    for name, snippet in snippets().items():
        absent = pytest.mark.xfail(
            not snippet.can_run_on(minigrad),
            reason=f"minigrad.{snippet.needs} does not exist",
            raises=(AttributeError, ImportError),
            strict=True,
        )
        yield pytest.param(name, id=name, marks=[absent] if snippet.needs else [])


@pytest.mark.parametrize("name", list(cases()))
def test_item(name):
    found = unlike(ANSWERS[name], observe(snippets()[name].run, minigrad))
    assert not found, "\n".join(found)
