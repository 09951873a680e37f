"""Looking changes nothing: gradients, versions, saved values and the graph stay as they were."""

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward


def case_1():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    return x, a, b, a * b


def test_a_leaf_without_gradient_stays_without():
    x, _, _, y = case_1()
    record_backward(y)
    assert x.grad is None


def test_the_very_gradient_that_was_there_is_put_back():
    x, _, _, y = case_1()
    x.grad = before = mg.tensor(5.0)
    trace = record_backward(y)
    assert x.grad is before
    assert before.item() == 5.0
    assert before._version == 0
    assert trace.frames()[-1]["sentence"].endswith("x.grad: 5 + 7 = 12.")


def test_the_pass_can_still_be_run_and_gives_what_was_told():
    x, a, b, y = case_1()
    record_backward(y)
    record_backward(y)
    assert y.grad_fn._saved_self is a
    assert y.grad_fn._saved_other is b
    y.backward()
    assert x.grad.item() == 7.0


def test_recording_twice_tells_the_same():
    _, _, _, y = case_1()
    first, second = record_backward(y), record_backward(y)
    assert list(first.frames("fine")) == list(second.frames("fine"))
    assert first.graph == second.graph


def test_versions_and_creation_numbers_stay():
    x, a, b, y = case_1()
    record_backward(y)
    assert [t._version for t in (x, a, b, y)] == [0, 0, 0, 0]
    assert (y + 1).grad_fn._sequence_nr() == y.grad_fn._sequence_nr() + 1


def test_retained_gradients_are_put_back_wherever_the_tensor_is_kept():
    x = mg.tensor(2.0, requires_grad=True)
    kept = {"in a dict": [x * 3]}
    inner = kept["in a dict"][0]
    inner.retain_grad()
    y = inner * inner
    del inner
    record_backward(y)
    assert kept["in a dict"][0].grad is None
    y.backward(retain_graph=True)
    before = kept["in a dict"][0].grad
    record_backward(y)
    assert kept["in a dict"][0].grad is before


def test_a_retained_gradient_is_told():
    x = mg.tensor(2.0, requires_grad=True)
    a = x * 3
    a.retain_grad()
    y = a * a
    told = [pair for turn in record_backward(y).turns for pair in turn.retained]
    assert [float(grad) for _, grad in told] == [12.0]
    assert a.grad is None


def test_hooks_of_the_reader_run_once_and_are_named():
    x, a, _, y = case_1()
    seen = []
    a.register_hook(lambda gradient: seen.append(gradient.item()))
    trace = record_backward(y)
    assert seen == [4.0]
    assert trace.reader_hooks == ["a"]
    assert x.grad is None


def test_no_hooks_no_word_about_hooks():
    trace = record_backward(case_1()[3])
    assert trace.reader_hooks == []
    assert "hook" not in str(list(trace.frames())).lower()


def test_a_hook_that_replaces_a_gradient_is_told():
    x = mg.tensor(2.0, requires_grad=True)
    a = x * 3
    y = a * 5
    a.register_hook(lambda gradient: gradient * 100)
    frames = record_backward(y).frames()
    assert frames[1]["sentence"].startswith("A hook on a turned 5 into 500.")
    assert frames[-1]["row"][2] == "[1500.0]"


def test_an_error_in_a_hook_puts_everything_back():
    x, a, _, y = case_1()
    x.grad = before = mg.tensor(1.0)

    def fail(gradient):
        raise KeyError("mine")

    handle = a.register_hook(fail)
    with pytest.raises(KeyError, match="mine"):
        record_backward(y)
    assert x.grad is before
    assert before.item() == 1.0
    handle.remove()
    y.backward()
    assert x.grad.item() == 8.0


def test_a_hook_that_empties_the_gradient_does_not_empty_ours():
    x, _, _, y = case_1()
    x.grad = before = mg.tensor(1.0)
    x.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, "grad", None))
    trace = record_backward(y)
    assert x.grad is before
    assert trace.reader_hooks == ["x"]


def test_own_hooks_are_gone_afterwards():
    x, _, _, y = case_1()
    trace = record_backward(y)
    turns = list(trace.turns)
    y.backward()
    assert trace.turns == turns
    assert x.grad.item() == 7.0


def test_a_snapshot_does_not_follow_later_writes():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x.exp()).sum()
    told_before, told_after = record_backward(y), record_backward(y)
    before = list(told_before.frames())
    with mg.no_grad():
        x.mul_(100)
    assert list(told_after.frames()) == before


def test_reading_a_graph_leaves_a_stale_view_alone():
    base = mg.tensor([1.0, 2.0], requires_grad=True) * 1
    view = base[0]
    base.mul_(2)
    y = base.sum()
    graph_of(y)
    number = (y + 1).grad_fn._sequence_nr()
    assert view.grad_fn._sequence_nr() == number + 1
