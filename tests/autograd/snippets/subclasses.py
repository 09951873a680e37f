"""Arrays of subclasses: their memory is taken, what they mean by `*` and by a mask is not."""

import warnings

import numpy as np

from tests.oracle.snippets import snippet


class Named(np.ndarray):
    """An array with nothing of its own."""


def arrays():
    """Arrays of subclasses, by name; the second element of the masked ones is hidden."""
    return {
        "matrix": np.matrix([[1.0, 2.0], [3.0, 4.0]]),
        "float32 matrix": np.matrix([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32),
        "masked": np.ma.masked_array([3.0, 4.0], mask=[False, True]),
        "masked integers": np.ma.masked_array([3, 4], mask=[False, True]),
        "record": np.rec.array(np.arange(3.0)),
        "named": np.arange(3.0).view(Named),
        "0-d": np.array(2.0).view(Named),
        "hidden": np.ma.masked,
    }


@snippet
def tensors_made_of_them(torch, see):
    makers = {
        "tensor": torch.tensor,
        "as_tensor": torch.as_tensor,
        "from_numpy": torch.from_numpy,
        "new_tensor": torch.ones(1).new_tensor,
    }
    for kind, array in arrays().items():
        for name, make in makers.items():
            x = make(array)
            see(f"{name} of {kind}", (x, x * x, x.sum()))
            see("as an array", type(x.numpy()).__name__)
    see("Tensor", torch.Tensor(arrays()["matrix"]) * torch.Tensor(arrays()["matrix"]))


@snippet
def gradients_of_tensors_made_of_them(torch, see):
    for kind, array in arrays().items():
        if array.dtype.kind == "f":
            x = torch.tensor(array, requires_grad=True)
            (x * x).sum().backward()
            see(kind, x.grad)


@snippet
def memory_shared_with_them(torch, see):
    for kind in ("matrix", "masked", "named"):
        array = arrays()[kind]
        torch.from_numpy(array).mul_(2)
        see(kind, np.asarray(array).tolist())


@snippet
def lists_of_them(torch, see):
    masked = arrays()["masked"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is hidden becomes nan, and says so
        see("masked", torch.tensor([masked, masked]))
    see("named", torch.tensor([arrays()["named"]]))
    with see.error("matrices"):
        torch.tensor([arrays()["matrix"]])


@snippet
def a_list_that_holds_itself(torch, see):
    endless = [1.0]
    endless[0] = endless
    with see.error("alone"):
        torch.tensor(endless)
    deep = [1.0]
    for _ in range(200):
        deep = [deep]
    with see.error("deep"):
        torch.tensor(deep)


@snippet
def equal_to_them(torch, see):
    for kind in ("matrix", "float32 matrix"):
        see(kind, (torch.ones(2, 2) == arrays()[kind], torch.ones(2, 2) != torch.ones(2, 2)))
    see("masked", torch.ones(2) == arrays()["masked"])


@snippet
def operators_leave_them_to_numpy(torch, see):
    x = torch.ones(2, 2, requires_grad=True)
    matrix = arrays()["float32 matrix"]
    for name, compute in {
        "x * m": lambda: x * matrix,
        "m * x": lambda: matrix * x,
        "x + m": lambda: x + matrix,
        "m - x": lambda: matrix - x,
        "untracked": lambda: see("untracked", type(x.detach() * matrix).__name__),
    }.items():
        with warnings.catch_warnings(), see.error(name):
            warnings.simplefilter("ignore")  # NumPy's, about an argument of `__array__`
            compute()


@snippet
def written_into_a_tensor(torch, see):
    x = torch.zeros(2, 2)
    for kind in ("matrix", "masked"):
        with see.error(kind):
            x[:] = arrays()[kind]
    see("unchanged", x)
