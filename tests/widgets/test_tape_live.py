"""The programs of the control-flow tape, run by PyTorch: the same values, gradients and tapes."""

import warnings

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

from minigrad.widgets.tape.programs import PROGRAMS
from minigrad.widgets.tape.recording import tape_of
from minigrad.widgets.tape.running import replay, run


def f(a):
    return PROGRAMS["f"].function(a)


STARTS = [-3e5, -300.0, -2.61, -1.0, -0.7056439518928528, 1e-20, 0.3, 0.97, 0.98, 250.0, 500.0]


@pytest.mark.parametrize("at", STARTS)
def test_a_run_is_that_of_pytorch(at):
    a = torch.tensor(at, requires_grad=True)
    d = PROGRAMS["f"].function(a)
    d.backward()
    found = run("f", at)
    assert (found.value, found.gradient) == (d.item(), a.grad.item())
    assert found.quotient == (d / a).item()


@pytest.mark.parametrize("at", STARTS)
def test_a_replay_is_that_of_pytorch(at):
    tape = tape_of(PROGRAMS["f"].function, torch.tensor(300.0))
    assert str(tape) == str(replay("f", 300.0, at).tape)
    a = torch.tensor(at, requires_grad=True)
    d = tape.replay(a)
    d.backward()
    found = replay("f", 300.0, at)
    assert (found.value, found.gradient) == (d.item(), a.grad.item())
    assert str(tape.refused(a)) == str(found.refused)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("at", STARTS)
def test_a_trace_of_pytorch_goes_wrong_in_the_same_way(at):
    """What the lesson says of `torch.jit.trace`: no error, and the recorded branch."""
    traced = torch.jit.trace(f, (torch.tensor(300.0),), check_trace=False)
    assert traced(torch.tensor(at)).item() == replay("f", 300.0, at).value


def test_a_trace_warns_where_a_tensor_is_asked():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        torch.jit.trace(f, (torch.tensor(300.0),), check_trace=False)
    said = [str(one.message) for one in heard]
    assert any("is deprecated" in one for one in said)
    assert any("Converting a tensor to a Python boolean" in one for one in said)


def test_export_refuses_the_program_and_compile_runs_it_rightly():
    class Module(torch.nn.Module):
        def forward(self, a):
            return f(a)

    with pytest.raises(Exception, match="Could not guard on data-dependent expression"):
        torch.export.export(Module(), (torch.tensor(300.0),))
    compiled = torch.compile(f, backend="eager")
    for at in (300.0, 200.0, -300.0):
        assert compiled(torch.tensor(at)).item() == run("f", at).value


def test_the_vector_is_that_of_pytorch():
    x = torch.tensor([1.54, -0.29, -2.18], requires_grad=True)
    y = PROGRAMS["doubled"].function(x)
    y.backward(torch.tensor([0.1, 1.0, 0.0001]))
    found = run("doubled", (1.54, -0.29, -2.18))
    assert found.value == tuple(y.tolist())
    assert found.gradient == tuple(x.grad.tolist())
