"""Views without a name of their own are called as a reader writes them."""

import pytest

import minigrad as mg
from minigrad.trace import graph_of

VIEWS = {
    "k.T": "kᵀ",
    "k.t()": "kᵀ",
    "(k * 2).T": "(k·2)ᵀ",
    "k[1]": "k[1]",
    "k[-1]": "k[-1]",
    "k[:, 2]": "k[:,2]",
    "k[1][0]": "k[1][0]",
}


@pytest.mark.parametrize("library", ["minigrad", "torch"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_written_with_its_index(view, library):
    mine = mg if library == "minigrad" else pytest.importorskip("torch")
    k = mine.ones(2, 3, requires_grad=True)
    graph = graph_of(eval(view).sum(), names={"k": k})
    assert VIEWS[view] in [value.name for value in graph.values]


def test_the_dims_of_larger_tensors_are_permuted():
    k = mg.ones(2, 3, 4, requires_grad=True)
    graph = graph_of(k.permute(1, 0, 2).sum(), names={"k": k})
    assert "permute(k)" in [value.name for value in graph.values]
