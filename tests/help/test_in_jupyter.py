"""Notes and explanations in a notebook: cells are named, and the traceback ends with the note."""

import pytest

from tests.kernel import outputs_of, traceback_of

CELLS = {
    1: "import minigrad as torch\nx = torch.tensor([1., 2.], requires_grad=True)",
    2: "y = x.exp()\nz = y.sum()",
    3: "# a cell with two lines\ny.add_(1)",
    4: "z.backward()",
    5: "w = (x * x).sum()\nw.backward()",
    6: "w.backward()",
    7: "n = x.sum().item()",
    8: "v = torch.tensor(n) * 2\ntorch.explain(v, x)",
    9: "def cut(t):\n    u = t.detach()\n    return torch.explain(u * 1, t)",
    10: "print(cut(x))",
    11: "def score(t):\n    h = t * 2\n    return h.detach().sum()",
    12: "torch.explain(score(x), x)",
    13: "score(x).backward()",
}


@pytest.fixture(scope="module")
def outputs():
    """The one output of each cell that has one."""
    found = outputs_of(CELLS.values())
    return {number: own[0] for number, own in zip(CELLS, found) if own}


def test_the_cell_that_changed_the_value_is_named(outputs):
    shown = traceback_of(outputs[4])
    message = shown.index("modified by an inplace operation")
    note = shown.index("Where: line 2 of cell In[3]: `y.add_(1)` changed the value in place")
    assert message < note < shown.index("Try:   make a new tensor instead: `y = y.add(1)`")


def test_the_cell_that_freed_the_graph_is_named(outputs):
    assert "line 2 of cell In[5]: `w.backward()` ran a backward pass" in traceback_of(outputs[6])


def test_the_error_itself_is_as_without_notes(outputs):
    assert outputs[4].ename == "RuntimeError"
    assert outputs[4].evalue.startswith("one of the variables needed for gradient computation")
    assert "Where:" not in outputs[4].evalue


def test_explain_reads_earlier_cells_and_is_shown_as_a_list(outputs):
    data = outputs[8].data
    assert "item() gives a plain Python number (line 1 of cell In[7]:" in data["text/plain"]
    assert (
        "tensor(...) makes a new leaf from the values alone (line 1 of cell In[8]"
        in (data["text/plain"])
    )
    assert data["text/html"].startswith("<p><b>There is no recorded path from v back to x")


def test_explain_reads_the_function_it_is_called_in(outputs):
    shown = outputs[10].text
    assert "There is no recorded path" in shown
    assert "detach() gives the same value without history" in shown


def test_functions_of_earlier_cells_are_followed(outputs):
    line = "line 3 of cell In[11]: `return h.detach().sum()`"
    assert (
        f"detach() gives the same value without history ({line})" in outputs[12].data["text/plain"]
    )
    assert line in traceback_of(outputs[13])
