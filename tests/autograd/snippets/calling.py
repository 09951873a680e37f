"""How operations are called: the names, the kinds and the forms of their arguments."""

import copy

import numpy as np

from tests.autograd.snippets.registry import snippet


def refused(call, *args, **named):
    """The kind of error that a call raises; PyTorch's text names all signatures there are."""
    try:
        call(*args, **named)
    except (TypeError, RuntimeError) as error:
        return type(error).__name__
    return "accepted"


@snippet
def dims_by_the_names_of_numpy(torch, see):
    x = torch.tensor([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]], requires_grad=True)
    for name in ("sum", "mean", "prod", "amax", "var", "logsumexp"):
        y = getattr(x, name)(axis=1, keepdims=True)
        see(name, (y, torch.autograd.grad(y.sum(), x)))
    for name in ("softmax", "cumsum", "unbind", "unsqueeze", "squeeze", "argmax", "sort"):
        see(name, getattr(torch, name)(x, axis=0))
    for name in ("cat", "stack"):
        see(name, getattr(torch, name)([x, x], axis=1))
    see("in place", torch.ones(2, 3).cumsum_(axis=1))
    see("both dims", x.sum(axis=(0, 1)))


@snippet
def dims_that_are_numpy_ints(torch, see):
    x = torch.tensor([[1.5, -2.0, 0.5]], requires_grad=True)
    for name in ("unsqueeze", "squeeze", "sum", "amax", "cumsum", "softmax", "std"):
        y = getattr(x, name)(np.int64(0))
        see(name, (y.shape, torch.autograd.grad((y * y).sum(), x)))
    see("all", (x > 0).all(np.int64(0)))


@snippet
def arguments_of_a_wrong_kind(torch, see):
    x = torch.tensor([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
    calls = {
        "keepdim": lambda: torch.sum(x, 0, 1),
        "dim": lambda: torch.argmax(x, (0,)),
        "float": lambda: torch.tril(x, 1.0),
        "bool": lambda: torch.unsqueeze(x, True),
        "text": lambda: torch.unbind(x, "a"),
        "None": lambda: torch.softmax(x, None),
        "number": lambda: torch.maximum(x, 2),
        "named number": lambda: torch.minimum(x, other=2.0),
        "logic": lambda: torch.logical_and(x, 3),
        "list": lambda: torch.logical_or(x, [1]),
        "sizes apart": lambda: torch.reshape(x, 3, 2),
        "dims apart": lambda: torch.permute(x, 1, 0),
        "one dim": lambda: torch.flip(x, 0),
        "less True": lambda: x - True,
        "True less": lambda: True - x,
    }
    for name, call in calls.items():
        with see.error(name):
            call()
    calls = {
        "dims for keepdim": lambda: x.sum(0, 1),
        "dim for sorted": lambda: torch.unique(x, 0),
        "number for descending": lambda: x.sort(descending=1),
    }
    see("refused", {name: refused(call) for name, call in calls.items()})


@snippet
def arrays_beside_tensors(torch, see):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    array = np.array([1.0, 3.0])
    for name, call in {
        "x * array": lambda: x * array,
        "array * x": lambda: array * x,
        "x @ array": lambda: x @ array,
        "x / array": lambda: x / array,
    }.items():
        with see.error(name):
            call()
    see("compared", (x == array, array == x, x != array, x.float() == array))
    whole = torch.tensor([1, 2])
    see("one of NumPy's bools", (whole + np.bool_(True), whole * np.bool_(True)))
    see("clamp", x.detach().float().clamp(np.float64(1.5), np.int64(3)))


@snippet
def a_value_that_is_a_tensor(torch, see):
    x, y = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    z = torch.addcmul(x, x, y, value=torch.tensor(0.5))
    z.sum().backward()
    see("gradients", (x.grad, y.grad))


@snippet
def copies_and_reversals(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    twin = copy.copy(y)
    see("copy", (twin.is_leaf, twin.requires_grad, twin.data_ptr() == y.data_ptr(), twin))
    see("reversed", (reversed(y), reversed(torch.tensor(3))))
    moved = y.to(torch.float32, copy=True)
    see("to", (moved.grad_fn.name(), moved.data_ptr() == y.data_ptr()))
