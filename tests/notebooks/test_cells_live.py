"""Every code cell of every lesson, run with PyTorch as `mg`: it shows what the notebook stores."""

from functools import cache

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch
from nbformat.v4 import new_code_cell, new_notebook, new_output

import minigrad as mg
from tests.notebooks.as_torch import Engine, played, stored
from tests.notebooks.reading import COURSE_PAGE, LESSONS, read

#: Cells that cannot show the same, and why. One that does fails until it is taken off.
DIFFERENT = {
    "00 game": "the points of `two_moons` and the grid of `Boundary` are minigrad's tensors",
    "11 step-checklist": "the checklist tries classes made from minigrad's Function",
    "11 try-clamp": "the exercise wants a class made from minigrad's Function",
    "11 try-own": "the checklist tries classes made from minigrad's Function",
    "03 run-explain": "of a tensor of PyTorch, `explain` tells what its graph shows, which is less",
    "03 run-none": "an error of PyTorch has no note: `why` tells what its text means",
    "12 moons": "the points of `two_moons` and the grid of `Boundary` are minigrad's tensors",
}
PATHS = {path.name[:2]: path for path in (COURSE_PAGE, *LESSONS)}
CELLS = [
    f"{number} {cell.id}"
    for number, path in PATHS.items()
    for cell in read(path).cells
    if cell.cell_type == "code"
]


@cache
def shown(number: str) -> dict[str, str]:
    return played(read(PATHS[number]), torch)


@pytest.mark.parametrize("place", CELLS)
def test_the_cell_shows_the_same_with_pytorch(place):
    number, cell_id = place.split()
    (cell,) = (cell for cell in read(PATHS[number]).cells if cell.id == cell_id)
    if place in DIFFERENT:
        assert shown(number)[cell_id] != stored(cell), "take it off the list"
    else:
        assert shown(number)[cell_id] == stored(cell)


def test_the_list_names_cells_that_exist():
    assert DIFFERENT.keys() <= set(CELLS)


def test_pytorch_is_what_runs():
    source = "import minigrad as mg\nfrom minigrad import nn\nimport minigrad.optim as o\nmg, nn, o"
    notebook = new_notebook(cells=[new_code_cell(source, id="a")])
    said = played(notebook, torch)["a"]
    assert repr(torch.nn) in said
    assert repr(torch.optim) in said
    assert isinstance(Engine(torch).tensor(1.0), torch.Tensor)


def test_what_only_minigrad_has_is_for_looking():
    """A lesson that calls an operation which PyTorch lacks is told so."""
    engine = Engine(torch)
    assert engine.draw is mg.draw
    assert engine.watch is mg.watch
    with pytest.raises(AttributeError, match="manners"):
        engine.manners  # noqa: B018
    mg.manners = mg.tensor
    try:
        with pytest.raises(AttributeError, match="manners"):
            engine.manners  # noqa: B018
    finally:
        del mg.manners


def test_a_cell_that_shows_something_else_is_noticed():
    source = "import minigrad as mg\nprint(mg.__name__)\nmg.tensor(1.), mg.ones(2)"
    cell = new_code_cell(source, id="a")
    cell.outputs = [
        new_output("stream", name="stdout", text="minigrad\n"),
        new_output("execute_result", {"text/plain": "(tensor(1.), tensor([1., 1.]))"}),
    ]
    assert played(new_notebook(cells=[cell]), torch)["a"] == stored(cell)
    cell.source += " * 2"
    assert played(new_notebook(cells=[cell]), torch)["a"] != stored(cell)


def test_an_error_is_compared_by_its_message():
    cell = new_code_cell("import minigrad as mg\nmg.tensor(1, requires_grad=True)", id="a")
    said = "Only Tensors of floating point and complex dtype can require gradients"
    cell.outputs = [new_output("error", ename="RuntimeError", evalue=said, traceback=[])]
    assert played(new_notebook(cells=[cell]), torch)["a"] == stored(cell)
