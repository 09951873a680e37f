"""Kinks and corners, broadcasting, and the dtype of everything."""

from tests.autograd.behavior.registry import behavior


@behavior
def subgradients_at_corners(torch, see):
    corners = {
        "abs": (lambda x: x.abs(), [0.0]),
        "relu": (lambda x: x.relu(), [0.0]),
        "sqrt": (lambda x: x.sqrt(), [0.0]),
        "rsqrt": (lambda x: x.rsqrt(), [0.0]),
        "clamp": (lambda x: x.clamp(0, 1), [0.0, 1.0, float("nan")]),
        "norm": (lambda x: x.norm(), [0.0, 0.0]),
        "max": (lambda x: x.max(), [2.0, 1.0, 2.0]),
        "amax": (lambda x: x.amax(), [2.0, 1.0, 2.0]),
        "max(0)": (lambda x: x.max(0).values, [2.0, 1.0, 2.0]),
        "maximum": (lambda x: torch.maximum(x, x.flip(0)), [2.0, 2.0]),
        "x ** 0": (lambda x: x**0, [0.0]),
        "prod": (lambda x: x.prod(), [0.0, 2.0, 3.0]),
        "prod of two zeros": (lambda x: x.prod(), [0.0, 0.0, 3.0]),
        "cumprod": (lambda x: x.cumprod(0), [2.0, 0.0, 3.0]),
        "std of equals": (lambda x: x.std(), [1.0, 1.0]),
        "where lets nan through": (
            lambda x: torch.where(x > 0, x.sqrt(), torch.zeros_like(x)),
            [0.0],
        ),
    }
    for name, (function, point) in corners.items():
        x = torch.tensor(point, requires_grad=True)
        function(x).sum().backward()
        see(name, x.grad)


@behavior
def powers_at_corners(torch, see):
    for base, exponent in [(0.0, 0.0), (0.0, 2.0), (-2.0, 2.0), (2.0, 0.0)]:
        x = torch.tensor(base, requires_grad=True)
        y = torch.tensor(exponent, requires_grad=True)
        (x**y).backward()
        see(f"{base} ** {exponent}", [x.grad, y.grad])


@behavior
def gradients_have_the_shape_and_dtype_of_their_tensor(torch, see):
    for first, second in [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((1,), (3,))]:
        for dtypes in [("float32", "float64"), ("float64", "float32"), ("float16", "float32")]:
            x = torch.ones(first, dtype=getattr(torch, dtypes[0]), requires_grad=True)
            y = torch.ones(second, dtype=getattr(torch, dtypes[1]), requires_grad=True)
            (x * y).sum().backward()
            see(f"{first} {dtypes[0]}, {second} {dtypes[1]}", [x.grad, y.grad])


@behavior
def promotion_follows_the_categories(torch, see):
    operands = {
        "int": 2,
        "float": 1.5,
        "bool": True,
        "0-d float64": torch.tensor(1.5, dtype=torch.float64),
        "0-d int64": torch.tensor(2),
        "float32": torch.tensor([1.5]),
        "float64": torch.tensor([1.5], dtype=torch.float64),
        "float16": torch.tensor([1.5], dtype=torch.float16),
        "int64": torch.tensor([2]),
        "int32": torch.tensor([2], dtype=torch.int32),
        "uint8": torch.tensor([2], dtype=torch.uint8),
        "a mask": torch.tensor([True]),
    }
    tensors = {name: value for name, value in operands.items() if hasattr(value, "dtype")}
    for left, a in tensors.items():
        see(f"{left} *", {right: (a * b).dtype for right, b in operands.items()})
        see(f"{left} /", {right: (a / b).dtype for right, b in operands.items()})


@behavior
def the_dtype_of_what_is_made(torch, see):
    made = {
        "1.5": torch.tensor(1.5),
        "1": torch.tensor(1),
        "True": torch.tensor(True),
        "[1, 2.5]": torch.tensor([1, 2.5]),
        "[]": torch.tensor([]),
        "[[1], [2]]": torch.tensor([[1], [2]]),
        "zeros": torch.zeros(2),
        "full of an int": torch.full((2,), 3),
        "full of a float": torch.full((2,), 3.0),
        "arange(3)": torch.arange(3),
        "arange(3.)": torch.arange(3.0),
        "arange(1, 2, 0.5)": torch.arange(1, 2, 0.5),
        "linspace": torch.linspace(0, 1, 3),
        "eye": torch.eye(2),
        "FloatTensor": torch.FloatTensor([1, 2]),
        "DoubleTensor": torch.DoubleTensor([1, 2]),
        "LongTensor": torch.LongTensor([1, 2]),
    }
    for name, tensor in made.items():
        see(name, tensor)


@behavior
def what_cannot_be_made(torch, see):
    for name, make in {
        "a string": lambda: torch.tensor("a"),
        "a string in a list": lambda: torch.tensor(["a", "b"]),
        "a ragged list": lambda: torch.tensor([[1, 2], [3]]),
        "None": lambda: torch.tensor(None),
        "None in a list": lambda: torch.tensor([1, None]),
        "a negative size": lambda: torch.zeros(-1),
    }.items():
        with see.error(name):
            make()


@behavior
def one_number_out_of_a_tensor(torch, see):
    see("item", torch.tensor([[3.5]]).item())
    see("of an int", torch.tensor(3).item())
    see(
        "float, int, bool",
        [float(torch.tensor(2.5)), int(torch.tensor(2.5)), bool(torch.tensor(0))],
    )
    see("tolist", torch.tensor([[1, 2], [3, 4]]).tolist())
    see("len, iteration", [len(torch.ones(3)), [t.item() for t in torch.arange(3)]])
    with see.error("item of two"):
        torch.ones(2).item()
    with see.error("bool of two"):
        bool(torch.ones(2))
    with see.error("len of 0-d"):
        len(torch.tensor(1.0))
    x = torch.ones(2, requires_grad=True)
    see("item of a tracked one", (x.sum()).item())
    with see.error("numpy of a tracked one"):
        x.numpy()


@behavior
def reductions_of_integers_and_bools(torch, see):
    for name, tensor in {
        "ints": torch.tensor([1, 2], dtype=torch.int32),
        "mask": torch.tensor([True, True]),
        "bytes": torch.tensor([200, 100], dtype=torch.uint8),
    }.items():
        see(f"sum of {name}", tensor.sum())
        see(f"prod of {name}", tensor.prod())
        see(f"cumsum of {name}", tensor.cumsum(0))
        with see.error(f"mean of {name}"):
            tensor.mean()
