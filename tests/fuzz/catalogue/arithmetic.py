"""Arithmetic: one operand, two, reductions, and products of matrices."""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import NothingFits, dims, floating, small, tame, within

INF = float("inf")
# The range in which an operation gives moderate numbers.
RANGES = {
    "neg": (-INF, INF), "abs": (-INF, INF), "exp": (-9, 3), "exp2": (-9, 4), "log": (0.1, 99),
    "log2": (0.1, 99), "log1p": (-0.8, 99), "expm1": (-9, 3), "sqrt": (0.05, 999),
    "rsqrt": (0.05, 999), "square": (-9, 9), "reciprocal": (0.1, 99), "sin": (-9, 9),
    "cos": (-9, 9), "tan": (-1.3, 1.3), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9),
    "atan": (-99, 99), "sinh": (-3, 3), "cosh": (-3, 3), "tanh": (-9, 9), "sigmoid": (-9, 9),
    "relu": (-INF, INF), "sign": (-INF, INF), "floor": (-99, 99), "ceil": (-99, 99),
    "round": (-99, 99), "softplus": (-9, 9),
}  # fmt: skip


def in_range(w, name):
    """An operand for which an operation is defined, but for a few."""
    low, high = RANGES[name]
    return w.prefer(within(low, high), floating, probability=0.93)


@each("arithmetic", RANGES, 0.16)
def unary(w, name):
    x = in_range(w, name)
    if name == "softplus":
        return f"{w.new()} = torch.nn.functional.softplus({x})"
    call = f"torch.{name}({x})" if w.chance(0.3) else f"{x}.{name}()"
    if w.chance(0.08):
        call = f"torch.{name}({w.number()} * {x})"
    return f"{w.new()} = {call}"


def partner(w, x, numbers=0.3):
    """A second operand for ``x``: a number, itself, or a tensor it can be broadcast with."""
    if w.chance(numbers):
        w.note("number operand")
        return w.literal()
    if w.chance(0.12):
        w.note("same operand twice")
        return x
    value = w.value(x)

    def fits(other):
        return small(other) and tame(other) and broadcast(value.shape, other.shape) is not None

    y = w.prefer(floating, fits)
    other = w.value(y)
    if value.shape != other.shape:
        w.note("broadcasting")
    if value.dtype != other.dtype:
        w.note("promotion")
    return y


def broadcast(one, two):
    """The shape two shapes broadcast to; None if they do not, or if it is large."""
    result = []
    for place in range(1, max(len(one), len(two)) + 1):
        a = one[-place] if place <= len(one) else 1
        b = two[-place] if place <= len(two) else 1
        if a != b and 1 not in (a, b):
            return None
        result.append(b if a == 1 else a)
    size = 1
    for n in result:
        size *= n
    return result[::-1] if size <= 36 else None


@each("arithmetic", ["+", "-", "*", "/"], 1.3)
def operator(w, name):
    x = w.operand(small)
    y = partner(w, x)
    if w.chance(0.25):
        w.note("reflected")
        x, y = y, x
    return f"{w.new()} = {x} {name} {y}"


@each("arithmetic", ["add", "sub", "mul", "div"], 0.4)
def function(w, name):
    x = w.operand(small)
    y = partner(w, x)
    alpha = ", alpha=2" if name in ("add", "sub") and w.chance(0.3) else ""
    how = w.one(f"torch.{name}({x}, {y}{alpha})", f"{x}.{name}({y}{alpha})")
    return f"{w.new()} = {how}"


@kind("arithmetic", "**", 0.8)
def power(w):
    if w.chance(0.6):
        n = w.one("2", "3", "2.0", "1", "0", "0.5", "-1", "2", "3")
        x = w.prefer(within(0.1, 9)) if n in ("0.5", "-1") else w.operand(within(-9, 9))
        return f"{w.new()} = {x} ** {n}"
    x = w.prefer(within(0.1, 4), floating)
    if w.chance(0.3):
        return f"{w.new()} = {w.one('2', '0.5', '3.0')} ** {w.pick(within(-3, 3), floating)}"
    value = w.value(x)
    y = w.pick(within(-3, 3), floating, lambda o: broadcast(value.shape, o.shape) is not None)
    return f"{w.new()} = {x} ** {y}"


@each("arithmetic", ["//", "%"], 0.12)
def whole_division(w, name):
    return f"{w.new()} = {w.operand(small)} {name} {w.one('2', '1.5', '3')}"


@each("arithmetic", ["<", ">", "<=", ">=", "==", "!="], 0.12)
def comparison(w, name):
    x = w.operand(small)
    return f"{w.new()} = {x} {name} {partner(w, x)}"


@each("arithmetic", ["maximum", "minimum"], 0.25)
def extreme_of_two(w, name):
    x = w.operand(small)
    y = partner(w, x, numbers=0)
    return f"{w.new()} = torch.{name}({x}, {y})"


@kind("arithmetic", "where", 0.4)
def where(w):
    x = w.operand(small)
    condition = w.one(f"{x} > 0", f"{x} < {w.number()}", f"{x} == {x}")
    return f"{w.new()} = torch.where({condition}, {x}, {partner(w, x)})"


@kind("arithmetic", "clamp", 0.4)
def clamp(w):
    bounds = w.one("-1, 1", "min=0", "max=0.5", "-0.5, 1.25", "min=0.25")
    return f"{w.new()} = {w.operand()}.clamp({bounds})"


@kind("arithmetic", "lerp", 0.2)
def lerp(w):
    x = w.operand(small)
    y = same_shape(w, x)
    weight = w.one("0.5", "0.25", x)
    return f"{w.new()} = torch.lerp({x}, {y}, {weight})"


def same_shape(w, x):
    """A tensor of the shape and dtype of another."""
    value = w.value(x)
    return w.pick(lambda o: o.shape == value.shape and o.dtype == value.dtype)


@each("arithmetic", ["addcmul", "addcdiv"], 0.12)
def add_product(w, name):
    x = w.operand(small)
    return f"{w.new()} = torch.{name}({x}, {same_shape(w, x)}, {same_shape(w, x)}, value=0.5)"


# --- reductions ---

WHOLE = ["sum", "mean", "prod", "max", "min", "amax", "amin", "argmax", "argmin", "var", "std",
         "norm", "all", "any"]  # fmt: skip


@each("arithmetic", WHOLE, 0.3)
def reduce_all(w, name):
    x = w.operand(lambda t: t.numel() > 0)
    return f"{w.new()} = {w.one(f'{x}.{name}()', f'torch.{name}({x})')}"


@kind("arithmetic", "sum to a loss", 1.5)
def loss(w):
    return f"{w.new()} = {w.operand()}.sum()"


@each("arithmetic", ["sum dim", "mean dim", "amax dim", "amin dim", "var dim", "std dim",
                     "norm dim", "logsumexp dim"], 0.22)  # fmt: skip
def reduce_dim(w, name):
    name = name.split()[0]
    x = w.operand(dims(1), lambda t: t.numel() > 0)
    ndim = w.value(x).dim()
    dim = str(w.rng.randrange(-ndim, ndim))
    if ndim > 1 and w.chance(0.2):
        dim = f"({dim}, {(int(dim) % ndim + 1) % ndim})"
    keep = w.one("", "", ", keepdim=True")
    return f"{w.new()} = {x}.{name}(dim={dim}{keep})"


@each("arithmetic", ["max dim", "min dim"], 0.25)
def extreme_dim(w, name):
    x = w.operand(dims(1), lambda t: t.numel() > 0)
    dim = w.rng.randrange(w.value(x).dim())
    keep = w.one("", "", ", keepdim=True")
    return f"{w.new()}, {w.new()} = {x}.{name.split()[0]}({dim}{keep})"


@each("arithmetic", ["prod dim", "argmax dim", "softmax", "log_softmax", "cumsum", "cumprod"], 0.22)
def along(w, name):
    x = w.operand(dims(1), lambda t: t.numel() > 0)
    dim = w.rng.randrange(-1, w.value(x).dim())
    return f"{w.new()} = {x}.{name.split()[0]}(dim={dim})"


@each("arithmetic", ["isnan", "isinf", "isfinite", "count_nonzero"], 0.05)
def property_of(w, name):
    return f"{w.new()} = torch.{name}({w.pick()})"


@each("arithmetic", ["allclose", "equal", "isclose"], 0.06)
def closeness(w, name):
    x = w.operand(small)
    return f"see('{name}', torch.{name}({x}, {same_shape(w, x)}))"


# --- products of matrices ---


@kind("arithmetic", "@", 0.8)
def matmul(w):
    x = w.operand(dims(1, 3))
    size = w.value(x).shape[-1]

    def fits(other):
        if other.dtype != w.value(x).dtype or not 1 <= other.dim() <= 3:
            return False
        return other.shape[-2 if other.dim() > 1 else 0] == size

    y = w.pick(fits, tame)
    return f"{w.new()} = {w.one(f'{x} @ {y}', f'torch.matmul({x}, {y})')}"


@kind("arithmetic", "bmm", 0.3)
def batched(w):
    x = w.operand(dims(2, 2))
    return f"{w.new()} = torch.bmm({x}.unsqueeze(0), {x}.t().unsqueeze(0))"


@each("arithmetic", ["mm", "mv", "dot", "outer"], 0.3)
def product(w, name):
    left, right = {"mm": (2, 2), "mv": (2, 1), "dot": (1, 1), "outer": (1, 1)}[name]
    x = w.operand(dims(left, left))
    value = w.value(x)

    def fits(other):
        if other.dtype != value.dtype or other.dim() != right:
            return False
        if name == "outer":
            return True
        return other.shape[-2 if right > 1 else 0] == value.shape[-1]

    y = w.pick(fits, tame)
    return f"{w.new()} = {w.one(f'torch.{name}({x}, {y})', f'{x}.{name}({y})')}"


@kind("arithmetic", "gram", 0.3)
def gram(w):
    x = w.operand(dims(2, 2))
    return f"{w.new()} = {w.one(f'{x} @ {x}.T', f'{x}.T @ {x}', f'{x}.t().mm({x})')}"


@kind("arithmetic", "einsum", 0.3)
def einsum(w):
    x = w.operand(dims(1, 2))
    formulas = {1: ("i->", "i,i->", "i,j->ij"), 2: ("ij->ji", "ij->i", "ij,ij->", "ij,kj->ik")}
    formula = w.one(*formulas[w.value(x).dim()])
    operands = ", ".join([x] * (formula.count(",") + 1))
    return f"{w.new()} = torch.einsum('{formula}', {operands})"


# --- custom Functions ---


@each("arithmetic", ["Cube", "Grow", "Scale", "Pair", "Lazy", "Split", "Once", "Bump"], 0.16)
def custom(w, name):
    x = w.operand(small)
    if name == "Scale":
        return f"{w.new()} = Scale.apply({x}, {w.number()})"
    if name == "Pair":
        return f"{w.new()}, {w.new()} = Pair.apply({x}, {same_shape(w, x)})"
    if name in ("Lazy", "Split"):
        return f"{w.new()}, {w.new()} = {name}.apply({x})"
    return f"{w.new()} = {name}.apply({x})"


@each("arithmetic", ["Surplus", "Misfit"], 0.12)
def wrong_function(w, name):
    return f"{w.new()} = {name}.apply({w.operand(small, lambda t: t.numel() != 7)})"


@kind("arithmetic", "illegal shapes", 0.1)
def illegal(w):
    x = w.operand(dims(1))
    value = w.value(x)
    y = w.pick(lambda o: broadcast(value.shape, o.shape) is None, small)
    if not small(w.value(x)):
        raise NothingFits
    return f"{w.new()} = {x} {w.one('+', '*', '@')} {y}"
