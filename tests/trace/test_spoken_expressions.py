"""Of several sums a sentence says which one by its expression, as the picture does."""

import minigrad as mg
from minigrad.trace import record_backward


def test_a_sum_among_others_is_called_by_its_expression():
    a, b, c, d = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0, 3.0, 4.0))
    y = (a + b) * (c + d)
    trace = record_backward(y, names={"a": a, "b": b, "c": c, "d": d, "y": y})
    said = trace.frames()[0]["sentence"]
    assert "the sum a+b" in said
    assert "the sum c+d" in said


def test_equal_expressions_are_counted():
    a, b = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0))
    y = (a + b) * (a + b)
    said = record_backward(y, names={"a": a, "b": b, "y": y}).frames()[0]["sentence"]
    assert "the first sum" in said
    assert "the second sum" in said


def test_the_only_sum_is_the_sum():
    a, b = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0))
    y = (a + b).exp()
    said = record_backward(y, names={"a": a, "b": b, "y": y}).frames()[0]["sentence"]
    assert "to the sum." in said


def test_a_call_says_what_it_is_and_so_does_a_power():
    p = mg.tensor([0.25, 0.5], requires_grad=True)
    y = (p.log() * (1 - p).log() + p**2 * (p + 3) ** 2).sum() + p.sum()
    trace = record_backward(y, names={"p": p, "y": y})
    told = [value.role for value in trace.graph.values if value.role]
    assert {"log(p)", "log(1−p)", "p²", "sum(p)"} <= set(told)
    opening = [frame["sentence"] for frame in trace.frames()]
    assert any(said.startswith("log(1−p) sends ") for said in opening)


def test_a_formula_calls_each_of_two_operands_as_the_sentence_does():
    w = mg.tensor(2.0, requires_grad=True)
    h = w
    for _ in range(3):
        h = (w * h + 1).sigmoid()
    trace = record_backward(h, names={"w": w, "h": h})
    symbols = [frame["rules"]["symbols"] for frame in trace.frames()]
    shown = "∂result/∂w = the result of the second sigmoid = 0.9"
    assert any(shown in text for text in symbols)
    assert not any("other" in text or "mat" in text for text in symbols)
    assert any("* other" in frame["rules"]["code"] for frame in trace.frames())


def test_the_number_that_a_tensor_was_subtracted_from_is_told_from_the_result():
    p = mg.tensor([0.1, 0.7, 0.3], requires_grad=True)
    q = 1 - p
    y = (q * q).sum()
    graph = record_backward(y, names={"p": p, "q": q, "y": y}).graph
    assert graph.operations[0].constants == {1: "1"}
    assert graph.operations[0].worked_out == (1,)
    a, b = 3 - p, p - 0.5
    graph = record_backward((a * b).sum(), names={"p": p, "a": a, "b": b}).graph
    assert [operation.constants for operation in graph.operations[:2]] == [{1: "3"}, {1: "0.5"}]


def test_a_tensor_that_differs_by_no_single_number_is_not_written_as_one():
    p, shift = mg.tensor([0.1, 0.7], requires_grad=True), mg.tensor([1.0, 2.0])
    q = p + shift
    graph = record_backward((q * q).sum(), names={"p": p, "q": q}).graph
    assert graph.operations[0].constants == {1: "?"}
