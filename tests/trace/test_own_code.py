"""A reader's own code runs in a pass that is looked at: what it did is undone, or it is said."""

import importlib
import random
import threading

import numpy as np
import pytest

from minigrad.trace import graph_of, record_backward


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.oracle)])
def lib(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    return importlib.import_module(request.param)


def checkpoint(lib, function, *args, reentrant):
    module = importlib.import_module(f"{lib.__name__}.utils.checkpoint")
    return module.checkpoint(function, *args, use_reentrant=reentrant)


def doubling(lib, effect=lambda ctx: None):
    """A custom function, whose backward does something else besides."""

    class Double(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.calls = [0]
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            effect(ctx)
            return gradient * 2

    return Double.apply


# -- passes inside of the pass --------------------------------------------------------------


def test_a_leaf_inside_a_reentrant_checkpoint(lib):
    x = lib.tensor(2.0, requires_grad=True)
    weight = lib.tensor(3.0, requires_grad=True)
    weight.grad = before = lib.tensor(1.0)
    y = checkpoint(lib, lambda x: x * weight, x, reentrant=True) * 5
    trace = record_backward(y)
    assert weight.grad is before
    assert before.item() == 1.0
    assert before._version == 0
    assert x.grad is None
    assert any("weight" in note for note in trace.notes)
    y.backward()
    assert (weight.grad.item(), x.grad.item()) == (11.0, 15.0)


def test_a_leaf_inside_and_outside_of_a_checkpoint(lib):
    x = lib.tensor(2.0, requires_grad=True)
    weight = lib.tensor(3.0, requires_grad=True)
    y = checkpoint(lib, lambda x: x * weight, x, reentrant=True) * weight
    trace = record_backward(y)
    assert weight.grad is None
    told = [turn.accumulation for turn in trace.turns if turn.accumulation is not None]
    assert sorted(float(each.added) for each in told) == [6.0, 9.0]
    assert [each.before for each in told] == [None, None]
    y.backward()
    assert (weight.grad.item(), x.grad.item()) == (12.0, 9.0)


def test_a_custom_backward_that_calls_backward(lib):
    x = lib.tensor(2.0, requires_grad=True)
    counted = lib.tensor(1.0, requires_grad=True)

    def effect(ctx):
        with lib.enable_grad():
            (counted * 3).backward()

    y = doubling(lib, effect)(x)
    record_backward(y)
    assert counted.grad is None
    y.backward()
    assert counted.grad.item() == 3.0


def test_a_hook_that_calls_backward_on_other_leaves(lib):
    x = lib.tensor(2.0, requires_grad=True)
    other = lib.tensor(1.0, requires_grad=True)
    a, b = x * 3, other * 4
    a.register_hook(lambda g: b.backward(retain_graph=True))
    trace = record_backward(a * a)
    assert other.grad is None
    assert any("other" in note for note in trace.notes)


def test_a_hook_that_runs_through_the_same_graph_is_refused(lib):
    x = lib.tensor(2.0, requires_grad=True)
    a = x * 3
    b = a * a
    handle = b.register_hook(lambda g: a.backward(retain_graph=True))
    y = b * 2
    with pytest.raises(RuntimeError, match="another backward pass through the same graph"):
        record_backward(y)
    assert x.grad is None
    handle.remove()
    y.backward()
    assert x.grad.item() == 72.0


def test_a_checkpoint_without_reentry(lib):
    x = lib.tensor(2.0, requires_grad=True)
    runs = []
    y = checkpoint(lib, lambda x: (runs.append(1), x.exp().sin())[1], x, reentrant=False) * 5
    graph_of(y)
    assert len(runs) == 1  # reading a graph runs nothing
    trace = record_backward(y)
    assert len(runs) == 2
    assert any("checkpoint" in note for note in trace.notes)
    assert x.grad is None
    y.backward()
    assert x.grad is not None


# -- the reader's backward ------------------------------------------------------------------


def test_the_context_of_a_custom_function_is_put_back(lib):
    def effect(ctx):
        ctx.calls[0] += 1
        ctx.new = True

    x = lib.tensor(2.0, requires_grad=True)
    y = doubling(lib, effect)(x)
    trace = record_backward(y)
    assert y.grad_fn.calls == [0]
    assert not hasattr(y.grad_fn, "new")
    assert any("Double.backward" in note for note in trace.notes)


def test_random_generators_are_put_back(lib):
    def draw(ctx=None):
        return lib.rand(1).item(), random.random(), np.random.rand()

    x = lib.tensor(2.0, requires_grad=True)
    y = doubling(lib, draw)(x)
    for seed in (lib.manual_seed, random.seed, np.random.seed):
        seed(0)
    expected = draw()
    for seed in (lib.manual_seed, random.seed, np.random.seed):
        seed(0)
    record_backward(y)
    assert draw() == expected


@pytest.mark.oracle
def test_minigrad_seeds_are_put_back_for_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    import minigrad as mg

    x = torch.tensor(2.0, requires_grad=True)
    y = doubling(torch, lambda ctx: mg.rand(1))(x)
    mg.manual_seed(0)
    expected = mg.rand(1).item()
    mg.manual_seed(0)
    record_backward(y)
    assert mg.rand(1).item() == expected


def test_a_function_that_gives_its_tensors_away_is_refused(lib):
    class Once(lib.autograd.Function):
        clear_saved_tensors_on_access = True

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient * 2 * x

    x = lib.tensor(3.0, requires_grad=True)
    y = Once.apply(x)
    graph_of(y)
    with pytest.raises(RuntimeError, match="Once gives its saved tensors away"):
        record_backward(y)
    y.backward()
    assert x.grad.item() == 6.0


# -- hooks ----------------------------------------------------------------------------------


def test_hooks_on_nodes_are_named(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = x * x
    seen = []
    y.grad_fn.register_hook(lambda after, before: seen.append(1))
    trace = record_backward(y)
    assert seen == [1]
    assert trace.notes == ["Your hooks on MulBackward0 (y) ran while this pass was recorded."]


def test_prehooks_on_the_node_of_a_leaf_are_named(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = x * x
    y.grad_fn.next_functions[0][0].register_prehook(lambda grads: None)
    (note,) = record_backward(y).notes
    assert "AccumulateGrad (x)" in note


def test_hooks_of_a_tensor_in_a_list_are_named(lib):
    x = lib.tensor(2.0, requires_grad=True)
    kept = [x * 3]
    kept[0].register_hook(lambda g: None)
    y = kept[0] * 2
    assert len(record_backward(y).reader_hooks) == 1


def test_unpack_hooks_run_in_the_pass_alone(lib):
    x = lib.tensor(2.0, requires_grad=True)
    unpacked = []
    hooks = lib.autograd.graph.saved_tensors_hooks(
        lambda t: t.item(), lambda v: (unpacked.append(v), lib.tensor(v))[1]
    )
    with hooks:
        y = x.exp()
    graph_of(y)
    assert unpacked == []
    trace = record_backward(y)
    assert len(unpacked) == 1
    assert any("ExpBackward0" in note for note in trace.notes)


def test_an_optimizer_step_in_a_hook(lib):
    w = lib.tensor(2.0, requires_grad=True)
    optimizer = lib.optim.SGD([w], lr=0.5, momentum=0.9)
    w.grad = lib.tensor(1.0)
    optimizer.step()
    momentum = optimizer.state[w]["momentum_buffer"].item()
    before, version = w.item(), w._version
    w.register_post_accumulate_grad_hook(lambda leaf: optimizer.step())
    y = w * w
    trace = record_backward(y)
    assert (w.item(), w._version) == (before, version)
    assert optimizer.state[w]["momentum_buffer"].item() == momentum
    assert any(note.startswith("A hook wrote to w") for note in trace.notes)
    y.backward()  # the values it needs are still those of the forward pass


def test_an_optimizer_that_first_steps_in_a_hook_remembers_nothing(lib):
    w = lib.tensor(2.0, requires_grad=True)
    optimizer = lib.optim.Adam([w], lr=0.5)
    w.register_post_accumulate_grad_hook(lambda leaf: optimizer.step())
    record_backward(w * w)
    assert len(optimizer.state) == 0
    assert w.item() == 2.0


def test_a_hook_that_writes_without_being_counted(lib):
    w = lib.tensor([2.0, 3.0], requires_grad=True)

    def write(gradient):
        w.detach().numpy()[:] = 7

    handle = w.register_hook(write)
    trace = record_backward((w * w).sum())
    handle.remove()
    assert w.tolist() == [2.0, 3.0]
    assert trace.notes != []


def test_a_hook_that_writes_into_the_given_gradient(lib):
    x = lib.tensor([2.0, 3.0], requires_grad=True)
    y = x * 3
    given = lib.ones(2)
    y.register_hook(lambda g: g.mul_(10).sum() * 0 + g)
    record_backward(y, given)
    assert given.tolist() == [1.0, 1.0]
    assert given._version == 0


def test_tensors_without_hooks_have_no_notes(lib):
    x = lib.tensor(2.0, requires_grad=True)
    assert record_backward(x * x).notes == []


# -- threads --------------------------------------------------------------------------------


def test_a_pass_of_another_thread_waits_until_all_is_put_back(lib):
    x = lib.tensor(2.0, requires_grad=True)
    other = x * 7
    a = x * 3
    thread = threading.Thread(target=other.backward)

    def start(gradient):
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()  # it stands at x

    a.register_hook(start)
    trace = record_backward(a * a)
    thread.join()
    assert x.grad.item() == 7.0
    assert len([turn for turn in trace.turns if turn.accumulation is not None]) == 1


# -- tensors of inference mode ----------------------------------------------------------------


def test_views_of_inference_mode_among_the_variables_do_no_harm(lib):
    with lib.inference_mode():
        base = lib.ones(3)
        view = base[:2]
        view.add_(1)
    params = [view]
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = (x + view).sum()
    assert graph_of(y).operations[0].node == "AddBackward0"
    record_backward(y)
    assert params[0] is view
    assert base.tolist() == [2.0, 2.0, 1.0]


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpoint_is_told_as_such_and_not_as_a_hook_of_the_reader(lib, reentrant):
    x = lib.tensor(2.0, requires_grad=True)
    y = checkpoint(lib, lambda x: (x * x).exp(), x, reentrant=reentrant)
    (note,) = record_backward(y).notes
    assert note.startswith("The inside of a checkpoint kept no values: it ran again")


def test_hooks_of_the_reader_beside_a_checkpoint_are_named_alone(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = checkpoint(lib, lambda x: (x * x).exp(), x, reentrant=False)
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        z = (y * x).sin()
    checkpointed, hooked = record_backward(z).notes
    assert checkpointed.startswith("The inside of a checkpoint")
    assert "MulBackward0 and SinBackward0" in hooked or "SinBackward0 and MulBackward0" in hooked
    assert "ExpBackward0" not in hooked
