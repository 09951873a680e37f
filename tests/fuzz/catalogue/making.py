"""Making tensors, and changing what they are made of: dtypes, flags, names."""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import dims, floating, inner, leaf, small, tracked, untracked

DTYPES = ("float32", "float32", "float64", "float64", "float16", "int64", "int32", "uint8", "bool")


@kind("making", "leaf", 3)
def a_leaf(w):
    shape = w.shape()
    dtype = w.one("", "", ", dtype=torch.float64")
    wanted = w.one("True", "True", "True", "False")
    numbers = w.numbers(shape, positive=w.chance(0.4))
    return f"{w.new()} = torch.tensor({numbers}{dtype}, requires_grad={wanted})"


@each("making", ["zeros", "ones", "full", "rand", "randn", "eye", "linspace", "arange"], 0.15)
def a_factory(w, name):
    shape = w.shape()
    sizes = ", ".join(map(str, shape)) or "()"
    flags = w.one("", ", requires_grad=True", ", dtype=torch.float64", ", dtype=torch.int64")
    if name in ("linspace", "arange"):
        flags = flags.replace("int", "float")
    seed = ""
    if name in ("rand", "randn"):
        seed, flags = f"torch.manual_seed({w.rng.randrange(99)})\n", flags.replace("int", "float")
    arguments = {
        "full": f"{shape}, {w.literal()}",
        "eye": w.one("2", "3", "2, 3"),
        "linspace": f"0, {w.number(1, 3)}, {w.rng.randint(2, 4)}",
        "arange": w.one("4", "1, 4", "0., 1., 0.25", "3, 0, -1"),
    }.get(name, sizes)
    return f"{seed}{w.new()} = torch.{name}({arguments}{flags})"


@each("making", ["zeros_like", "ones_like", "full_like"], 0.2)
def a_likeness(w, name):
    t = w.pick(small)
    value = ", 2" if name == "full_like" else ""
    flags = w.one("", "", ", dtype=torch.float64", ", requires_grad=True")
    return f"{w.new()} = torch.{name}({t}{value}{flags})"


@kind("making", "integers", 0.6)
def integers(w):
    n = w.rng.randint(1, 4)
    values = [w.rng.randint(-2, 3) for _ in range(n)]
    dtype = w.one("", ", dtype=torch.int32", ", dtype=torch.uint8", ", dtype=torch.bool")
    if "uint8" in dtype:
        values = [abs(v) for v in values]
    return f"{w.new()} = torch.tensor({values}{dtype})"


@kind("making", "from_numpy", 0.15)
def from_numpy(w):
    t = w.new()
    return f"{t} = torch.from_numpy(np.array({w.numbers((3,))}))"


@kind("making", "as_tensor", 0.1)
def as_tensor(w):
    return f"{w.new()} = torch.as_tensor({w.pick()})"


@kind("making", "clone", 0.8)
def clone(w):
    return f"{w.new()} = {w.pick()}.clone()"


@kind("making", "detach", 0.8)
def detach(w):
    return f"{w.new()} = {w.prefer(tracked)}.detach()"


@kind("making", "detach_", 0.25)
def detach_(w):
    return f"{w.prefer(inner)}.detach_()"


@kind("making", ".data", 0.6)
def data(w):
    return f"{w.new()} = {w.prefer(tracked)}.data"


@kind("making", ".data =", 0.2)
def assign_data(w):
    t = w.pick(small)
    value = w.value(t)
    other = w.pick(lambda o: o.shape == value.shape and o.dtype == value.dtype, untracked)
    return f"{t}.data = {other}"


@kind("making", "contiguous", 0.3)
def contiguous(w):
    t = w.prefer(lambda t: not t.is_contiguous(), probability=0.6)
    return f"{w.new()} = {t}.contiguous()"


@each("making", ["float", "double", "half", "long", "int", "bool"], 0.15)
def cast(w, name):
    t = w.operand() if name != "half" else w.operand(small)
    return f"{w.new()} = {t}.{name}()"


@kind("making", "to", 0.4)
def to(w):
    how = w.one("to(torch.{})", "to(dtype=torch.{})", "type(torch.{})")
    return f"{w.new()} = {w.operand()}.{how.format(w.one(*DTYPES))}"


@kind("making", "to another", 0.1)
def to_another(w):
    return f"{w.new()} = {w.pick()}.to({w.pick()})"


@kind("modes", "requires_grad_", 0.6)
def requires_grad_(w):
    t = w.prefer(lambda t: floating(t) and not inner(t))
    return f"{t}.requires_grad_({w.one('', '', 'False')})"


@kind("modes", "requires_grad =", 0.3)
def assign_requires_grad(w):
    t = w.prefer(lambda t: floating(t) and not inner(t))
    return f"{t}.requires_grad = {w.one('True', 'True', 'False')}"


@kind("modes", "set_grad_enabled", 0.15)
def set_grad_enabled(w):
    enabled = w.torch.is_grad_enabled()
    return f"torch.set_grad_enabled({not enabled})\nsee('enabled', torch.is_grad_enabled())"


@kind("modes", "no_grad block", 0.4)
def no_grad_block(w):
    t, x = w.new(), w.operand(small)
    inside = w.one(f"{x} * 2", f"{x}.view(-1)", f"{x}[...]", f"{x}.t()")
    if ".t()" in inside and w.value(x).dim() > 2:
        inside = f"{x} + 1"
    return f"with torch.no_grad():\n    {t} = {inside}"


@kind("modes", "no_grad write", 0.4)
def no_grad_write(w):
    x = w.operand(small)
    how = w.one("mul_(2)", "add_(1)", "zero_()", "sub_(0.5)")
    return f"with torch.no_grad():\n    {x}.{how}"


@kind("modes", "enable_grad inside", 0.15)
def enable_inside(w):
    t, x = w.new(), w.operand(small)
    return f"with torch.no_grad():\n    with torch.enable_grad():\n        {t} = {x} * 3"


@kind("modes", "decorated", 0.15)
def decorated(w):
    t, x = w.new(), w.operand(small)
    mode = w.one("torch.no_grad()", "torch.enable_grad()", "torch.no_grad")
    return f"@{mode}\ndef inside(x):\n    return x * 2\n{t} = inside({x})"


@kind("making", "del", 0.5)
def delete(w):
    if len(w.tensors) < 3:
        return clone(w)
    return f"del {w.pick()}"


@kind("making", "item", 0.2)
def item(w):
    t = w.prefer(dims(0, 0))
    return f"see('item', {t}.item())"


@kind("making", "numpy", 0.15)
def numpy(w):
    t = w.prefer(untracked)
    return f"see('numpy', {t}.numpy().tolist())"


@kind("making", "write through numpy", 0.1)
def write_numpy(w):
    t = w.pick(untracked, floating, lambda t: t.numel() > 0)
    return f"{t}.numpy()[...] = {w.number()}"


@kind("making", "alias of a name", 0.2)
def same_object(w):
    return f"{w.new()} = {w.pick()}"


@kind("making", "tensor of a leaf", 0.1)
def leaf_copy(w):
    return f"{w.new()} = {w.pick(leaf)}.detach().clone().requires_grad_()"
