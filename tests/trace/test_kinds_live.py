"""Tensors of PyTorch that NumPy does not know as they are, and graphs that were compiled."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


def told(trace):
    """What was added into the leaves, by name."""
    index = trace.survey.index
    return {
        index.values[index.operations[turn.node].makes].name: turn.accumulation.added
        for turn in trace.turns
        if turn.accumulation is not None
    }


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64", "complex64", "complex128"])
def test_dtypes(dtype):
    torch.manual_seed(0)
    x = torch.rand(50, dtype=torch.float64).to(getattr(torch, dtype)).requires_grad_()
    y = (x * x + x * 3 + x / 7 + x * x * x).sum()
    trace = record_backward(y.abs() if dtype.startswith("complex") else y)
    assert [turn for turn in trace.turns if turn.changes or turn.rewrites] == []
    (y.abs() if dtype.startswith("complex") else y).backward()
    expected = x.grad.to(torch.complex128 if dtype.startswith("complex") else torch.float64)
    assert np.array_equal(told(trace)["x"], expected.numpy())


def test_a_sum_of_many_parts_in_bfloat16_is_not_taken_for_a_hook():
    x = torch.tensor([1.25], dtype=torch.bfloat16, requires_grad=True)
    parts = [x * (1 + i / 64) for i in range(20)]
    trace = record_backward(torch.cat(parts).sum())
    assert not any(turn.changes for turn in trace.turns)
    assert trace.reader_hooks == []


def test_a_sparse_gradient():
    embedding = torch.nn.Embedding(4, 2, sparse=True)
    y = embedding(torch.tensor([1, 1, 3])).sum()
    trace = record_backward(y)
    assert told(trace)["embedding.weight"].tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]
    assert embedding.weight.grad is None


def test_meta_tensors_have_a_graph_and_no_pass():
    x = torch.ones(2, device="meta", requires_grad=True)
    y = (x * x).sum()
    assert [v.shape for v in graph_of(y).values if v.name in "xy"] == [(2,), ()]
    assert graph_of(y).values[0].text == "?"
    with pytest.raises(RuntimeError, match="device meta"):
        record_backward(y)


def test_a_compiled_part_is_one_node():
    compiled = torch.compile(lambda x: (x.sin() * x).sum(), backend="aot_eager")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = compiled(x) * 2
    graph = graph_of(y)
    assert "CompiledFunctionBackward" in [operation.node for operation in graph.operations]
    trace = record_backward(y)
    assert x.grad is None
    y.backward()
    assert np.allclose(told(trace)["x"], x.grad.numpy())


# -- a changed value ------------------------------------------------------------------------


def stopped(library, change):
    x = library.tensor([1.0, 2.0], requires_grad=True)
    e, w = x.exp(), x * 2
    y = (e * w).sum()
    change(e, w)
    trace = record_backward(y, names={"x": x, "e": e, "w": w, "y": y})
    stop = trace.turns[-1].stop
    names = {value.key: value.name for value in trace.graph.values}
    assert trace.error == stop.message
    assert x.grad is None
    return names.get(stop.value), stop.slot, stop.kept_version, stop.version_now, stop.place


def write_w(e, w):
    w.detach().add_(1)


def write_e(e, w):
    e.detach().mul_(2)
    e.detach().mul_(2)


@pytest.mark.parametrize(
    ("change", "expected"),
    [(write_w, ("w", "other", 0, 1)), (write_e, ("e", "self", 0, 2))],
)
def test_which_value_was_changed(change, expected):
    import minigrad

    *known, place = stopped(minigrad, change)
    assert tuple(known) == expected
    line = change.__code__.co_firstlineno + 1
    text = {write_w: "w.detach().add_(1)", write_e: "e.detach().mul_(2)"}[change]
    assert place == f"line {line}: {text}"
    *known, place = stopped(torch, change)
    assert tuple(known) == expected
    assert place == ""  # PyTorch does not remember


@pytest.mark.parametrize("name", ["torch", "minigrad"])
def test_the_result_was_changed(name):
    import importlib

    library = importlib.import_module(name)
    x = library.tensor([1.0, 2.0], requires_grad=True)
    e = x.exp()
    y = e.sum()
    with library.no_grad():
        e += 1
    stop = record_backward(y).turns[-1].stop
    assert (stop.slot, stop.value) == ("result", "v1")


def test_a_copy_says_its_dtype_and_a_rounded_gradient_says_so():
    x = torch.tensor([0.1, 0.7], requires_grad=True)
    y = ((x * 1.3).bfloat16().float() * 1.7).sum()
    trace = record_backward(y, names={"x": x})
    copies = [o for o in trace.graph.operations if o.node == "ToCopyBackward0"]
    assert [copy.symbol for copy in copies] == ["to bfloat16", "to float32"]
    assert {v.dtype for v in trace.graph.values} == {"", "bfloat16"}
    sent = [
        (frame["details"][0]["of"], "".join(p if isinstance(p, str) else p[0] for p in row[1]))
        for frame in trace.frames()
        for row in frame["details"][0]["rows"]
        if row[0] == "sends"
    ]
    # A local slope of 1, and yet another number: bfloat16 has 8 bits for it.
    rounded = [of.split()[0] for of, text in sent if ", rounded to bfloat16 → " in text]
    assert rounded == ["ToCopyBackward0"]


def test_under_autocast_the_copies_of_weights_have_a_dtype():
    net = torch.nn.Linear(2, 1)
    with mg.watch(net), torch.autocast("cpu", dtype=torch.bfloat16):
        y = net(torch.ones(3, 2))
    index = graph_of(y, names={}).index
    assert sorted(value.dtype for value in index.values.values() if value.leaf) == ["", ""]
    assert sum(operation.symbol == "to bfloat16" for operation in index.operations.values()) == 2
    assert any("bfloat16 copy" in value.role for value in index.values.values())
