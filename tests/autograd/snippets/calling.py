"""How operations are called: the names, the kinds and the forms of their arguments."""

import copy
import warnings

import numpy as np

from tests.oracle.snippets import snippet


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
        "logic": lambda: torch.logical_and(x, 3),
        "list": lambda: torch.logical_or(x, [1]),
        "list for a matrix": lambda: torch.mm(x, [1.0, 2.0]),
        "number for a source": lambda: torch.scatter_add(x, 0, torch.zeros(1, 1).long(), 1.0),
        "array": lambda: torch.isclose(x, x.numpy()),
        "a median of no dim": lambda: torch.median(x, keepdim=True),
        "a test of a list": lambda: torch.isnan([1.0]),
        "a square of a number": lambda: torch.square(2),
        "inverted": lambda: ~x,
        "less True": lambda: x - True,
        "True less": lambda: True - x,
    }
    for name, call in calls.items():
        with see.error(name):
            call()
    calls = {
        "dims for keepdim": lambda: x.sum(0, 1),
        "dim for sorted": lambda: torch.unique(x, 0),
        "keepdim without a dim": lambda: x.max(keepdim=True),
        "the same of prod": lambda: x.prod(keepdim=True),
        "number for unbiased": lambda: x.var(0, 1),
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


@snippet
def numbers_that_do_not_fit(torch, see):
    tensor, nan, byte = torch.tensor, float("nan"), torch.uint8
    calls = {
        "a number": lambda: tensor(300, dtype=byte),
        "a list": lambda: tensor([1, 300], dtype=byte),
        "a negative float": lambda: tensor(-1.5, dtype=byte),
        "nan": lambda: tensor(nan, dtype=torch.int64),
        "a long one": lambda: tensor([2**63]),
        "one of NumPy's": lambda: tensor(np.float32(2.5), dtype=torch.int64),
        "full": lambda: torch.full((2,), 300, dtype=byte),
        "fill_": lambda: torch.zeros(2).fill_(1e40),
        "fill_ with nan": lambda: torch.zeros(2).long().fill_(nan),
        "masked_fill": lambda: torch.zeros(2).long().masked_fill(tensor([True, False]), -np.inf),
        "written": lambda: torch.zeros(2).__setitem__(0, 1e40),
    }
    for name, call in calls.items():
        with see.error(name):
            call()
    see("wraps", (tensor(-1, dtype=byte), torch.full((2,), -1, dtype=byte)))
    half = torch.zeros(4, dtype=torch.float16)
    half[0], half[1:3] = -1e40, 3
    see("infinite", half)
    with see.error("filled"):
        half.fill_(70000)
    see("infinite", (tensor(1e40), tensor([1e40]), tensor([2**63], dtype=torch.float32)))


@snippet
def arrays_that_tensors_are_made_of(torch, see):
    array = np.arange(6.0)
    for name in ("tensor", "as_tensor", "from_numpy"):
        with see.error(name):
            getattr(torch, name)(array[::-1])
    see("with its steps", torch.as_tensor(array[::2], dtype=float).stride())
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        see("one by one", torch.tensor([array, array]))
    see("which is slow", str(given[0].message).partition(" (Triggered")[0])
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    row = x[np.array(1)]
    see("an index", (row, row.grad_fn.name(), row._is_view()))


@snippet
def factories_and_their_arguments(torch, see):
    for name in ("zeros", "ones", "empty"):
        with see.error(f"{name}, requires_grad=1"):
            getattr(torch, name)(2, requires_grad=1)
    for name in ("zeros", "ones", "rand", "randn"):
        see(f"five sizes of {name}", getattr(torch, name)(2, 1, 3, 1, 2).shape)
    calls = {
        "no sizes": lambda: torch.zeros(),
        "one size": lambda: torch.full(3, 0.0),
        "a text": lambda: torch.tensor(1.0, requires_grad="yes"),
    }
    for name, call in calls.items():
        with see.error(name):
            call()
    torch.manual_seed(0)
    state = torch.get_rng_state()
    see("state", (repr(state), torch.Generator().set_state(state).get_state().equal(state)))
    see("randint", torch.randint(high=5, size=(3,)))
    see("randint_like", torch.randint_like(torch.zeros(2), low=1, high=4))
    see("randn_like", torch.randn_like(torch.zeros(4, 5).t()))


@snippet
def dtypes_by_the_types_of_python(torch, see):
    x = torch.tensor([[1, 2], [3, 5]])
    for name in ("sum", "mean", "prod"):
        see(name, (getattr(x, name)(dtype=float), getattr(x, name)(0, dtype=float)))
    see("others", (x.cumsum(0, dtype=float), x.softmax(0, dtype=float), x.to(float)))
    with see.error("no mean of ints"):
        x.mean(dtype=int)
    see("refused", [refused(x.sum, dtype="float"), refused(x.softmax, 0, "float")])


@snippet
def numbers_in_even_steps(torch, see):
    for dtype in (torch.float32, torch.float64):
        for start, end, step in ((-1, 1, 0.1), (-3, 3, 0.2), (0, 1, 0.05), (1, -1, -0.3)):
            see(f"arange {start} {end} {step}", repr(torch.arange(start, end, step, dtype=dtype)))
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int64):
        for start, end, steps in ((-1, 1, 7), (-1, 1, 11), (1, -1, 5), (0, 3, 1), (0, 2, 0)):
            x = torch.linspace(start, end, steps, dtype=dtype)
            see(f"linspace {start} {end} {steps}", repr(x))
    x = torch.linspace(-1, 1, 7, requires_grad=True)
    see("not at 0", torch.autograd.grad(x.abs().sum(), x))
    with see.error("too large"):
        torch.linspace(0, 1e300, 3)


@snippet
def dtypes_to_compute_in(torch, see):
    x = torch.tensor([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]], requires_grad=True)
    for dtype in (torch.float32, torch.float64):
        for name in ("softmax", "log_softmax", "cumsum", "cumprod", "sum", "mean", "prod"):
            y = getattr(x, name)(1, dtype=dtype)
            see(f"{name}, {dtype}", (y, y.grad_fn.next_functions[0][0].name()))
        for order in (2, 1, 3, float("inf")):
            y = x.norm(order, 1, dtype=dtype)
            below = y.grad_fn.next_functions[0][0].name()
            see(f"norm {order}, {dtype}", (y, below, torch.autograd.grad(y.sum(), x)))
    for dtype in (torch.float16, torch.int64):
        with see.error(f"norm, {dtype}"):
            x.norm(dtype=dtype)


@snippet
def types_of_tensors(torch, see):
    x = torch.zeros(2)
    kinds = (torch.FloatTensor, torch.DoubleTensor, torch.LongTensor)
    see("isinstance", [isinstance(x, kind) for kind in kinds])
    see("of a parameter", isinstance(torch.nn.Parameter(x), torch.FloatTensor))
    see("dtypes", [kind.dtype for kind in kinds])
    see("converted", (x.type(torch.DoubleTensor), torch.LongTensor([1, 2])))


@snippet
def strides_of_dims_that_are_kept(torch, see):
    x = torch.arange(6.0).reshape(2, 3).t()
    for name in ("sum", "mean", "prod", "amax", "var", "all"):
        see(name, getattr(x, name)(0, keepdim=True).stride())
    see("repeated", x.repeat(1, 1).stride())


@snippet
def sizes_beside_tuples(torch, see):
    size = torch.Size([2, 3])
    see("joined", ((1,) + size, size + (1,), 2 * size, size * 2))


@snippet
def what_cannot_be_saved(torch, see):
    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, 3)
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return grad

    with see.error("the second"):
        Saves.apply(torch.ones(2, requires_grad=True))


@snippet
def what_bools_and_integers_are_not_for(torch, see):
    yes, count = torch.tensor([True, False]), torch.tensor([12, 25])
    byte = torch.tensor([1, 2], dtype=torch.uint8)
    for name, call in {
        "relu": lambda: torch.relu(yes),
        "relu_": lambda: yes.clone().relu_(),
        "floor": lambda: torch.floor(yes),
        "ceil": lambda: torch.ceil(yes),
        "round": lambda: torch.round(yes),
        "trunc": lambda: torch.trunc(yes),
        "sign": lambda: torch.sign(yes),
        "round to tens": lambda: torch.round(count, decimals=-1),
        "round to tenths": lambda: torch.round(byte, decimals=1),
        "softplus of ints": lambda: torch.nn.functional.softplus(count),
        "softplus of bools": lambda: torch.nn.functional.softplus(yes),
        "bool % bool": lambda: yes % True,
        "bool // bool": lambda: yes // yes,
        "bool ** bool": lambda: yes**yes,
        "bool, twice": lambda: torch.add(yes, yes, alpha=2),
        "bool ** -1": lambda: yes**-1,
        "int ** -1": lambda: count**-1,
        "byte ** -1": lambda: byte**-1,
        "byte ** a byte": lambda: byte ** torch.tensor(-1),
    }.items():
        with see.error(name):
            see(name, call())


@snippet
def integers_to_negative_powers(torch, see):
    numbers = torch.tensor([1, -1, 2, -2, 0, 5, -1])
    for power in (-1, -2, -3):
        see(f"to a tensor of {power}", numbers ** torch.tensor(power))
        see("and of int8", numbers.to(torch.int8) ** torch.tensor([power]))
        see("a number to a tensor", [n ** torch.tensor([power, 2]) for n in (2, -1, 1)])
    see("some of them", torch.pow(numbers, torch.tensor([2, -1, 3, -1, 0, 1, -2])))
    see("bools", torch.pow(torch.tensor([True, False]), torch.tensor([-1, -2])))
    x = torch.tensor([2, 4])
    x.pow_(torch.tensor([-1, 2]))
    see("in place", x)


@snippet
def rsub_of_two_tensors(torch, see):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    for alpha in (1, 2):
        y = torch.rsub(a, b, alpha=alpha)
        see(f"alpha={alpha}", (y, y.grad_fn._saved_alpha))
        see("gradients", torch.autograd.grad((y * y).sum(), (a, b)))


@snippet
def truth_over_no_dim(torch, see):
    for x in (torch.tensor([[1, 0], [5, 1]]), torch.tensor([3, 0], dtype=torch.uint8)):
        see("all", (x.all(dim=()), x.all(dim=[]), x.all(), x.all(dim=0)))
        see("any", (x.any(dim=()), x.any(dim=(), keepdim=True), x.any(), x.any(dim=0)))
    see("0-d", (torch.tensor(3).all(dim=()), torch.tensor(0).any(dim=())))


@snippet
def numbers_given_as_tensors(torch, see):
    one, half = torch.ones(2), torch.tensor(0.5)
    tracked = torch.ones(2, requires_grad=True)
    for name, call in {
        "add_": lambda: torch.ones(2).add_(one, alpha=-half),
        "sub": lambda: torch.sub(one, tracked, alpha=half),
        "softplus": lambda: torch.nn.functional.softplus(tracked, half),
        "norm": lambda: tracked.norm(torch.tensor(2.0)),
        "requires grad": lambda: torch.add(one, one, alpha=half.clone().requires_grad_()),
        "a vector": lambda: torch.add(one, one, alpha=torch.tensor([0.5])),
        "copy_": lambda: (tracked * 2).copy_(3),
        "copy_ True": lambda: torch.ones(2).copy_(True),
        "sin_": lambda: torch.sin_(tracked * 2),
        "sin_ of a leaf": lambda: torch.sin_(tracked),
        "zero_": lambda: torch.zero_(tracked * 2),
        "clamp_": lambda: torch.clamp_(torch.ones(2), max=0.5),
        "relu_": lambda: torch.nn.functional.relu_(-one),
        "broadcast_to": lambda: one.broadcast_to(3, 2),
    }.items():
        with see.error(name):
            see(name, call())


@snippet
def what_has_to_be_a_tensor(torch, see):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    for name in ["maximum", "minimum", "logical_and", "logical_or", "dot", "mv", "matmul", "equal"]:
        for number in [0, 0.0, [1.0, 2.0]]:
            with see.error(f"{name} of a tensor and {number}"):
                getattr(torch, name)(x, number)
            with see.error(f"{name} of {number} and a tensor"):
                getattr(torch, name)(number, x)
    for name in ["sum", "mean", "isnan", "isfinite", "logical_not", "allclose", "isclose"]:
        for value in [2.0, [x, x], None]:
            with see.error(f"{name} of {type(value).__name__}"):
                getattr(torch, name)(value, *[x] if "close" in name else [])
    for mask in [x > 0, (x > 0).float(), (x > 0).long(), x]:
        with see.error(f"~ of {mask.dtype}"):
            see("inverted", ~mask)
    see("floating", [x.is_floating_point(), (x > 0).is_floating_point()])


@snippet
def tensors_of_many_dims(torch, see):
    for name in ("zeros", "ones", "rand", "randn", "empty"):
        see(name, getattr(torch, name)(1, 2, 1, 2, 1, 0, requires_grad=True))
    see("values", torch.ones(2, 1, 1, 2, dtype=torch.int64))
    torch.manual_seed(0)
    see("random", torch.rand(1, 2, 1, 1, 1))
    for size in [(2, 2, 2, True), (2, 2, 2, None), (2, 2, 2, 1.5)]:
        see(f"{size}", refused(torch.zeros, *size))


@snippet
def names_of_one_argument(torch, see):
    x = torch.arange(6.0, requires_grad=True).view(3, 2)
    see("method", (x.split(split_size=2), x.split(split_size=[1, 2], dim=0)))
    see("function", torch.split(x, split_size_or_sections=1, dim=1))


@snippet
def methods_that_are_functions(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    see("detach", (torch.detach(x), torch.detach(x).data_ptr() == x.data_ptr()))
    see("numel", (torch.numel(x), torch.is_floating_point(x), torch.is_inference(x)))
    see("transposed numbers", (torch.tensor(2.0).T, torch.tensor(2.0).mT))


@snippet
def norms_in_another_dtype(torch, see):
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    for dtype in [torch.float64, torch.float32, torch.float16, torch.int64, torch.bool]:
        for operand in [x, x.double(), x.half()]:
            with see.error(f"{operand.dtype} in {dtype}"):
                length = operand.norm(dtype=dtype)
                see("norm", (length, torch.autograd.grad(length, x)))
