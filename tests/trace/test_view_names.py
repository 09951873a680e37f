"""Views without a name of their own are called as a reader writes them."""

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward

VIEWS = {
    "k.T": "kᵀ",
    "k.t()": "kᵀ",
    "(k * 2).T": "(k·2)ᵀ",
    "k[1]": "k[1]",
    "k[-1]": "k[-1]",
    "k[:, 2]": "k[:,2]",
    "k[1][0]": "k[1][0]",
    "k[1:]": "k[1:]",
    "k[:-1]": "k[:-1]",
    "k[:, 1:3]": "k[:,1:3]",
    "k[:, ::2]": "k[:,::2]",
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


def test_a_view_alone_is_called_by_its_expression_in_sentences_too():
    k = mg.ones(2, 3, requires_grad=True)
    y = (k.T @ mg.tensor([1.0, -2.0])).sum()
    _first, second, third, _ = record_backward(y, names={"k": k, "y": y}).frames()
    assert "The product sends 3×2 numbers to kᵀ. kᵀ is ready." in second["sentence"]
    assert third["sentence"].startswith("kᵀ sends ")
    w = mg.ones(2, requires_grad=True)
    y = w[0].exp()
    said = [frame["sentence"] for frame in record_backward(y, names={"w": w, "y": y}).frames()]
    assert "y sends ≈2.72 to w[0]. w[0] is ready." in said[0]
    assert said[1].startswith("w[0] sends ≈[2.72, 0] to w.")
