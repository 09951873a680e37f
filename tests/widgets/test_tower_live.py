"""The counts and values of the tower's formulas are those of PyTorch itself."""

import pytest

from minigrad.widgets.safe import parse
from minigrad.widgets.tower.floors import HIGHEST, build
from minigrad.widgets.tower.screens import PRESETS

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


def counted(result):
    """How many nodes the graph of a result has."""
    seen, waiting = set(), [result.grad_fn] if result.grad_fn else []
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [one for one, _output in node.next_functions if one is not None]
    return len(seen)


@pytest.mark.parametrize("text", [*PRESETS, "1 / x", "exp(x)"])
def test_floors_have_the_nodes_and_values_that_pytorch_gives_them(text):
    built = build(text, ("x",) * HIGHEST)
    leaves = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in built.values.items()
    }
    result, error = parse(text)(leaves, torch), ""
    for count, floor in enumerate(built.floors):
        assert (counted(result), floor.value) == (floor.total, pytest.approx(result.item())), count
        try:
            (result,) = torch.autograd.grad(result, leaves["x"], create_graph=True)
        except RuntimeError as stop:
            error = str(stop)
    if len(built.floors) <= HIGHEST:
        assert built.error == error
