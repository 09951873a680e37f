"""Tensors where Python wants numbers, numbers where PyTorch wants tensors, and old constructors."""

import math
import warnings

import numpy as np

from tests.oracle.snippets import snippet

NUMBERS = {"float": float, "int": int, "math.sqrt": math.sqrt, "complex": complex}


@snippet
def a_number_out_of_a_tensor_that_requires_grad(torch, see):
    x = torch.tensor([4.0], requires_grad=True)
    for name, number in {**NUMBERS, "bool": bool, "item": torch.Tensor.item}.items():
        see(name, str(number(x)))
        see(f"{name} of what is computed", str(number(x * 1)))
    see("format", f"{x[0]:.1f}")


@snippet
def the_warning_comes_once(torch, see):
    x = torch.ones(2, requires_grad=True)
    torch.set_warn_always(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        float(x[0]), x.T
    see("again", (float(x[0]), complex(x[1]).real, x.T, torch.ones(1, 2, 3).T.shape))
    torch.set_warn_always(True)
    see("always", (float(x[0]), x.T))
    see("always, once more", (float(x[0]), x.T))


@snippet
def a_number_out_of_a_tensor_of_several_elements(torch, see):
    several = [torch.ones(2), torch.ones(0), torch.ones(2, requires_grad=True)]
    for x in [*several, torch.ones(1, 2).int(), torch.ones(0).bool()]:
        for name, number in {**NUMBERS, "bool": bool, "range": range}.items():
            with see.error(f"{name} of {x}"):
                number(x)
        with see.error("item"):
            x.item()
    see("one element", (float(torch.ones(1, 1)), int(torch.ones(1, 1))))


@snippet
def a_tensor_made_of_a_tensor(torch, see):
    x = torch.ones(2, requires_grad=True)
    for given in [x, x.detach(), torch.tensor(3), torch.nn.Parameter(torch.zeros(1))]:
        see("a copy", torch.tensor(given))
    see("of another dtype", torch.tensor(x, dtype=torch.int64, requires_grad=False))
    see("one that requires grad", torch.tensor(x.detach(), requires_grad=True))
    see("as_tensor", (torch.as_tensor(x) is x, torch.as_tensor(x, dtype=torch.float64)))


@snippet
def a_tensor_made_of_several(torch, see):
    x, one = torch.tensor([1.0, 2.0], requires_grad=True), torch.ones
    whole = torch.tensor(3)
    for given in [
        [x[0], x[1]],
        [1, x[0]],
        [[1, 2], x],
        [[[1, 2]], [x]],
        [one(1), one(1, 1)],
        [[one(1)], one(1)],
        [whole, 2.5],
        [whole, True],
        [torch.tensor(3.0, dtype=torch.float16)],
        [torch.tensor(3.0, dtype=torch.float64), 1.0],
    ]:
        see(f"of {given}", torch.tensor(given))
        see("as_tensor", torch.as_tensor(given))
    see("whole numbers", torch.tensor([whole, torch.tensor(True)], dtype=torch.int64))
    for given in [[x, x], [[x, x]], [1, x], [x, 1], [x, [1, 2]], [x.detach()] * 2, [one(0)]]:
        with see.error(f"of {given}"):
            torch.tensor(given)
        with see.error("as_tensor"):
            torch.as_tensor(given)
    for given in [[one(2).long()], [[1], x], [[1], whole]]:
        with see.error(f"of {given}"):
            torch.tensor(given)
    for dtype in [torch.int64, torch.bool]:
        with see.error(f"as {dtype}"):
            torch.tensor([x[0]], dtype=dtype)


@snippet
def where_of_a_condition_alone(torch, see):
    x = torch.tensor([1.0, 0.0, 2.0], requires_grad=True)
    bits = torch.tensor([[1, 0], [0, 3]], dtype=torch.uint8)
    for condition in [x, x > 1, bits, torch.tensor(3), torch.tensor(0), torch.zeros(2)]:
        see(f"where {condition} is not 0", torch.where(condition))
    see("by name", torch.where(condition=x > 1))


@snippet
def numbers_as_a_condition(torch, see):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    for condition in [x.int(), x, x.long()]:
        with see.error("no condition"):
            torch.where(condition, x, 0.0)


@snippet
def old_constructors_of_a_tensor(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name in ["Tensor", "FloatTensor"]:
        make = getattr(torch, name)
        y, z = make(x), make(x * 2)
        see(f"{name} of a leaf", y)
        see("its node", (y.grad_fn.name(), y.grad_fn.next_functions[0][0].name(), y.is_leaf))
        see("a view", (y._base is x, y.data_ptr() == x.data_ptr(), z._is_view()))
        see("of a result", z)
        see("its gradient", torch.autograd.grad((y * z).sum(), x))
        z.mul_(3)
        see("written to", (z.grad_fn.name(), z._base.grad_fn.name(), z._base))
        with torch.no_grad():
            see("under no_grad", make(x))
        see("of what needs no gradient", make(x.detach()))
        see("of a list", make([x[0], x[1]]))
        see("of a parameter", make(torch.nn.Parameter(torch.ones(1))))
        plain = torch.zeros(2)
        make(plain).add_(1)
        see("the same memory", (plain, plain._version))
    for other in [torch.tensor([1, 2]), torch.tensor([True]), x.double(), torch.tensor(3)]:
        see("of another dtype", torch.Tensor(other))


@snippet
def flags_and_attributes_that_cannot_be_set(torch, see):
    x = torch.ones(2)
    y = torch.ones(2, requires_grad=True) * 2
    for flag in [1, 1.0, None, "yes", x, np.True_, np.ones(2)]:
        with see.error(f"requires_grad_ of {flag!r}"):
            x.requires_grad_(flag)
        for tensor in [x, y]:
            with see.error(f"requires_grad = {flag!r}"):
                tensor.requires_grad = flag
    for grad in [np.ones(2), np.float32(1), 1, [1.0]]:
        with see.error(f"grad = {grad!r}"):
            x.grad = grad
    see("unchanged", (x, x.requires_grad, x.grad, x.is_leaf, y.grad_fn.name()))


@snippet
def tensors_as_sizes_and_numbers(torch, see):
    x, three = torch.tensor(3.0, requires_grad=True), torch.tensor(3)
    for number in [x, x.detach().view(1), x.detach().expand(2)]:
        for name in ["full", "arange"]:
            with see.error(f"{name} of {number}"):
                torch.full((2,), number) if name == "full" else torch.arange(number)
    for size in [x, x.detach(), torch.tensor([2, 3]), 2.0]:
        for name in ["zeros", "ones", "randn", "empty"]:
            for given in [(size,), ((size,),), (2, size), ((2, size),)]:
                with see.error(f"{name} of {given}"):
                    getattr(torch, name)(*given)
    see("full", (torch.full((2,), x.detach()), torch.full((2,), three)))
    see("arange", (torch.arange(x.detach()), torch.arange(1, three), torch.arange(0, 9, three)))
    see("zeros", (torch.zeros(three), torch.zeros(2, three), torch.zeros((three,))))
    see("linspace", (torch.linspace(0, x.detach(), 4), torch.linspace(three, x, 2)))
    see("steps", torch.linspace(0, 1, three))
    for end in [torch.ones(1), torch.ones(1, 2)]:
        with see.error("linspace"):
            torch.linspace(0, end, 3)


@snippet
def tensors_as_dims(torch, see):
    x = torch.arange(6.0, requires_grad=True).view(2, 3)
    zero, last = torch.tensor(0), torch.tensor(-1)
    for name in ["sum", "mean", "prod", "amax", "std", "logsumexp", "softmax", "cumsum", "argmax"]:
        see(name, getattr(x, name)(zero))
        see("the last", getattr(x, name)(dim=last))
    see("several", (x.sum((zero, last)), x.sum(torch.tensor([1])), x.sum(dim=[zero])))
    see("numbers of NumPy", (x.sum(np.int64(0)), x.mean((np.int64(1),)), x.sum(())))
    see("max", tuple(x.max(zero)))
    see("unsqueeze", (x.unsqueeze(zero).shape, x.unbind(last)))
    see("its node", x.sum(zero).grad_fn._saved_dim)
    see("gradient", torch.autograd.grad((x.mean(zero) * x.sum(zero)).sum(), x))


@snippet
def ints_that_are_too_large(torch, see):
    for dtype in [torch.int64, torch.int32, torch.float32, torch.bool]:
        x = torch.ones(2, dtype=dtype)
        for number in [1 << 70, -1 << 70, 1 << 63]:
            for key in [0, slice(None), [0], torch.tensor([True, False])]:
                with see.error(f"{dtype}: [{key}] = {number}"):
                    x[key] = number
    x = torch.ones(2, dtype=torch.int64)
    x[0], x[1] = (1 << 63) - 1, -1 << 63
    see("the largest", x)


@snippet
def arrays_beside_tensors(torch, see):
    warnings.simplefilter("ignore", DeprecationWarning)  # NumPy's, of how PyTorch wraps arrays
    array = np.array([1.0, 2.0])
    for x in [torch.tensor([3.0, 4.0]), torch.tensor(array), torch.tensor(array, dtype=torch.half)]:
        for tracked in [False, True]:
            t = x.clone().requires_grad_(tracked)
            for sign in ["+", "-", "*", "/", "@", "**", "<", "==", "!="]:
                with see.error(f"tensor {sign} array of {x.dtype}, {tracked}"):
                    see("result", eval(f"t {sign} array", {"t": t, "array": array}))
                if sign == "/":
                    continue  # PyTorch computes the other order by way of the reciprocal
                with see.error(f"array {sign} tensor of {x.dtype}, {tracked}"):
                    see("result", eval(f"array {sign} t", {"t": t, "array": array}))
            with see.error("written to"):
                t = t * 1
                t += array


@snippet
def what_programs_ask_first(torch, see):
    see("the device", str(torch.device("cuda" if torch.cuda.is_available() else "cpu")))
    see("constants", [torch.pi, torch.e, torch.inf, -torch.inf, str(torch.nan)])
    see("a mode", str(torch.set_grad_enabled(True)))


@snippet
def arrays_made_of_tensors(torch, see):
    warnings.simplefilter("ignore", DeprecationWarning)  # NumPy's, of how PyTorch makes arrays
    x = torch.tensor([1.0, 2.0])
    for name, make in {
        "array": np.array,
        "copy": lambda x: np.array(x, copy=True),
        "another dtype": lambda x: np.array(x, np.float64),
        "asarray": np.asarray,
        "asarray, another dtype": lambda x: np.asarray(x, np.float64),
    }.items():
        made = make(x)
        made[0] += 1
        see(name, (made.tolist(), str(made.dtype), x.tolist()))
    see("compared", (np.greater(x, 1), np.isnan(x), np.maximum(x, 2)))


@snippet
def what_is_in_a_tensor(torch, see):
    x = torch.tensor([1.0, float("nan")])
    for element in [1, 1.0, True, float("nan"), np.float32(1), torch.tensor(1), torch.ones(1, 1)]:
        see(f"{element}", element in x)
    see("nothing", 1 in torch.empty(0))
    for element in ["a", None, [1.0], np.ones(2), torch.ones(3)]:
        with see.error(f"{element}"):
            see("in it", element in x)


@snippet
def classes_that_inherit(torch, see):
    class Temperature(torch.Tensor):
        pass

    class Weight(torch.nn.Parameter):
        def double(self):
            return self * 2

    see("values", Temperature([20.5, 21.0]))
    see("wide", Temperature(list(range(40))))
    see("a parameter", Weight(torch.ones(2)).double().detach().tolist())
    see("plain ones", (torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.empty(0, 2))))


@snippet
def what_old_constructors_refuse(torch, see):
    kinds = [torch.Tensor, torch.FloatTensor, torch.LongTensor]
    for given in [3.0, True, None, np.float32(3), {1: 2}, "abc", -1, [2, 3], (), range(2)]:
        for kind in kinds:
            with see.error(f"{kind.__name__} of {given}"):
                see("made", kind(given))
    for sizes in [(2, 3.0), (2, None), (2, -1)]:
        with see.error(f"sizes {sizes}"):
            torch.Tensor(*sizes)
    see("sizes", [tuple(torch.Tensor(*n).shape) for n in [(np.int64(3),), (2, 0), ()]])


@snippet
def sizes_that_are_not_there(torch, see):
    x = torch.ones(2, 3)
    for dim in [2, -3, 1, -1]:
        for name in ["size", "stride"]:
            with see.error(f"{name} {dim}"):
                see("is", getattr(x, name)(dim))
    for name in ["torch.FooTensor", "torch.DoubleTensor"]:
        with see.error(name):
            see("as", x.type(name))


@snippet
def ranges(torch, see):
    see("named", (torch.arange(end=3), torch.arange(start=1, end=3), torch.arange(3.0)))
    for numbers in [(-0.6, 1.6), (1, 2.5), (0, 1, 0.1), (2.7, -1.3, -1.9), (2**60, 2**60 + 3)]:
        for dtype in [None, torch.uint8, torch.int32, torch.int64, torch.float64, torch.bool]:
            with see.error(f"{numbers}, {dtype}"):
                see("made", torch.arange(*numbers, dtype=dtype))
    for dtype, n in [(torch.bool, 5), (torch.uint8, 300)]:
        with see.error(f"permuted, {dtype}"):
            torch.randperm(n, dtype=dtype)


@snippet
def numbers_that_are_bools(torch, see):
    x = torch.tensor([1.5, -2.0], requires_grad=True)
    see("divided", (True // x, x // True, True % x, x % True))
    (x % True).sum().backward()
    see("gradient", x.grad)
    see("halves", x.detach().half() * True)
    for dtype in [torch.int64, torch.bool]:
        with see.error(f"{dtype}"):
            see("divided", torch.tensor([1], dtype=dtype) // True)


@snippet
def what_has_to_be_a_tensor(torch, see):
    x = torch.ones(2)
    calls = {
        "zeros_like": lambda: torch.zeros_like(2.0),
        "rand_like": lambda: torch.rand_like([1.0]),
        "addcmul": lambda: torch.addcmul(x, 2, x),
        "addcdiv": lambda: torch.addcdiv(x, x, 2),
        "default dtype": lambda: torch.set_default_dtype("float64"),
    }
    for name, call in calls.items():
        with see.error(name):
            call()


@snippet
def arrays_that_cannot_be_written(torch, see):
    array = np.ones(2)
    array.flags.writeable = False
    see("copied", torch.tensor(array))
    see("shared", torch.from_numpy(array))
    see("maybe shared", torch.as_tensor(array))
    see("converted", torch.as_tensor(array, dtype=torch.float32))


@snippet
def tensors_in_the_dtype_of_another(torch, see):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    see("zeros and ones", (x.new_zeros(2, 1), x.new_ones((2,), dtype=torch.int64)))
    see("full", (x.new_full((2,), 7), x.new_full([1], 1.5, requires_grad=True)))
    see("empty", x.new_empty(0, 2).shape)
    see("tensor", (x.new_tensor([1, 2]), torch.ones(2, dtype=torch.int64).new_tensor([1.5])))
    y = torch.ones(2, requires_grad=True).type_as(x)
    see("type_as", (y, x.type_as(y) is x))
    see("its gradient", torch.autograd.grad((y * x).sum(), x))
    with see.error("no tensor"):
        x.type_as(3)
