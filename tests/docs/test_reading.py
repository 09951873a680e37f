"""The page that leads through the engine names what Python calls, in order, and it is not much."""

import inspect
import re
import sys
from pathlib import Path

import minigrad as mg

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\d+\. `(\S+)`: `(\S+)`[.,]", re.MULTILINE)
PACKAGE = f"{ROOT / 'minigrad'}/"


def calls_of(run):
    """The functions of the engine that are called, as (file, name); comprehensions do not count."""
    calls = []

    def heard(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and "comp>" not in code.co_name:
            is_written = "<" in code.co_filename
            file = Path(PACKAGE, "ops/template.py") if is_written else Path(code.co_filename)
            made_inside = "<locals>" in code.co_qualname
            name = code.co_name if made_inside or "<" in code.co_qualname else code.co_qualname
            calls.append((file.relative_to(ROOT).as_posix(), name))

    before = sys.getprofile()
    sys.setprofile(heard)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls


def the_walk():
    """What the program of the page calls, once everything has been used before."""

    def run():
        z = x * y
        z.backward()

    for _ in range(2):
        x = mg.tensor(2.0, requires_grad=True)
        y = mg.tensor(3.0, requires_grad=True)
        calls = calls_of(run)
    assert (x.grad.item(), y.grad.item()) == (3.0, 2.0)
    return [call for call in calls if call[1] != "run"]


def test_the_page_names_what_is_called_in_order():
    assert STEP.findall(PAGE) == list(dict.fromkeys(the_walk()))


def test_the_steps_are_numbered():
    numbers = [int(n) for n in re.findall(r"^(\d+)\. `", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_way_is_short():
    calls = the_walk()
    assert len(calls) <= 30
    assert len({file for file, _ in calls}) <= 8


def test_what_is_written_for_mul_on_the_page_is_what_runs():
    node = (mg.ones(1, requires_grad=True) * mg.ones(1)).grad_fn
    assert f"```python\n{inspect.getsource(mg.Tensor.__mul__)}```" in PAGE
    assert f"```python\n{inspect.getsource(node.differentiate)}```" in PAGE


def test_what_is_named_exists():
    for file, name in STEP.findall(PAGE):
        source = (ROOT / file).read_text(encoding="utf-8")
        assert name.split("_gradient_of_")[0].rsplit(".", 1)[-1] in source, (file, name)
