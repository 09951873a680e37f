"""Views and other changes of shape."""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import dims, is_view, small


def source(w, *conditions):
    """Something to take a view of: a view already, as often as not."""
    return w.prefer(is_view, small, *conditions, probability=0.4)


def a_dim(w, x, extra=0):
    n = w.value(x).dim() + extra
    return w.rng.randrange(-n, n) if n else w.one(0, -1)


def factors(w, n):
    """A shape of ``n`` elements."""
    shapes = {0: [(0,)], 1: [(), (1,), (1, 1)], 4: [(2, 2), (4,)], 6: [(2, 3), (3, 2), (6,)]}
    return w.one(*shapes.get(n, [(n,), (1, n), (n, 1), (-1,)]))


@each("shapes", ["view", "reshape"], 0.6)
def reshaped(w, name):
    x = source(w) if name == "reshape" else w.prefer(lambda t: t.is_contiguous(), small)
    return f"{w.new()} = {x}.{name}({list(factors(w, w.value(x).numel()))})"


@kind("shapes", "view_as", 0.1)
def view_as(w):
    x = w.pick(small, lambda t: t.is_contiguous())
    return f"{w.new()} = {x}.view_as({w.pick(lambda o: o.numel() == w.value(x).numel())})"


@each("shapes", ["T", "mT", "t()"], 0.4)
def transposed(w, name):
    high = 3 if name == "mT" else 2
    return f"{w.new()} = {source(w, dims(2 if name != 't()' else 1, high))}.{name}"


@kind("shapes", "transpose", 0.5)
def transpose(w):
    x = source(w, dims(1))
    return f"{w.new()} = {x}.transpose({a_dim(w, x)}, {a_dim(w, x)})"


@kind("shapes", "permute", 0.3)
def permute(w):
    x = source(w, dims(1))
    order = list(range(w.value(x).dim()))
    w.rng.shuffle(order)
    return f"{w.new()} = {x}.permute({', '.join(map(str, order))})"


@kind("shapes", "movedim", 0.15)
def movedim(w):
    x = source(w, dims(2))
    return f"{w.new()} = {x}.movedim({a_dim(w, x)}, {a_dim(w, x)})"


@kind("shapes", "squeeze", 0.3)
def squeeze(w):
    x = w.prefer(lambda t: 1 in t.shape, small)
    dim = w.one("", str(a_dim(w, x)))
    return f"{w.new()} = {x}.squeeze({dim})"


@kind("shapes", "unsqueeze", 0.4)
def unsqueeze(w):
    x = source(w, dims(0, 3))
    return f"{w.new()} = {x}.unsqueeze({a_dim(w, x, extra=1)})"


@each("shapes", ["expand", "broadcast_to", "expand_as"], 0.3)
def expand(w, name):
    x = w.prefer(lambda t: 1 in t.shape or t.dim() == 0, dims(0, 2), lambda t: t.numel() <= 6)
    shape = [2 if n == 1 else n for n in w.value(x).shape]
    if w.chance(0.4):
        shape = [2, *shape]
    if name == "expand_as":
        return f"{w.new()} = {x}.expand_as(torch.zeros({shape}))"
    if name == "broadcast_to":
        return f"{w.new()} = torch.broadcast_to({x}, {shape})"
    return f"{w.new()} = {x}.expand({shape})"


@kind("shapes", "flatten", 0.3)
def flatten(w):
    return f"{w.new()} = {source(w)}.flatten()"


@kind("shapes", "narrow", 0.3)
def narrow(w):
    x = source(w, dims(1), lambda t: t.numel() > 0)
    dim = w.rng.randrange(w.value(x).dim())
    size = w.value(x).shape[dim]
    start = w.rng.randrange(size)
    return f"{w.new()} = {x}.narrow({dim}, {start}, {w.rng.randint(1, size - start)})"


@kind("shapes", "select", 0.3)
def select(w):
    x = source(w, dims(1), lambda t: t.numel() > 0)
    dim = w.rng.randrange(w.value(x).dim())
    size = w.value(x).shape[dim]
    return f"{w.new()} = {x}.select({dim}, {w.rng.randrange(-size, size)})"


@kind("shapes", "diagonal", 0.2)
def diagonal(w):
    x = source(w, dims(2, 2))
    return f"{w.new()} = {x}.diagonal({w.one('', '', '1', '-1')})"


@kind("shapes", "unbind", 0.3)
def unbind(w):
    x = source(w, dims(1), lambda t: 1 <= t.shape[0] <= 3)
    parts = ", ".join(w.new() for _ in range(w.value(x).shape[0]))
    return f"{parts}{',' if ',' not in parts else ''} = {x}.unbind()"


@kind("shapes", "unpack", 0.1)
def unpack(w):
    x = source(w, dims(1), lambda t: 2 <= t.shape[0] <= 3)
    parts = ", ".join(w.new() for _ in range(w.value(x).shape[0]))
    return f"{parts} = {x}"


@each("shapes", ["split", "chunk"], 0.2)
def split(w, name):
    x = source(w, dims(1), lambda t: 2 <= t.shape[0] <= 4)
    size = w.value(x).shape[0]
    argument = (size + 1) // 2 if name == "split" else 2
    return f"{w.new()}, {w.new()} = {x}.{name}({argument})"


@kind("shapes", "repeat", 0.15)
def repeat(w):
    x = w.operand(dims(0, 2), lambda t: t.numel() <= 6)
    ndim = w.value(x).dim()
    return f"{w.new()} = {x}.repeat({', '.join(['2'] * max(ndim, 1))})"


@each("shapes", ["flip", "roll"], 0.15)
def moved(w, name):
    x = w.operand(dims(1))
    arguments = {"flip": "0", "roll": w.one("1", "1, 0", "-1, 0")}[name]
    return f"{w.new()} = {x}.{name}({arguments})"


@each("shapes", ["tril", "triu"], 0.15)
def triangle(w, name):
    return f"{w.new()} = {w.operand(dims(2))}.{name}({w.one('', '', '1', '-1')})"


@each("shapes", ["stack", "cat"], 0.4)
def joined(w, name):
    # PyTorch's cat skips empty 1-d tensors, whatever the others look like.
    x = w.operand(dims(1 if name == "cat" else 0, 2), lambda t: 1 <= t.numel() <= 9)
    value = w.value(x)
    y = w.pick(lambda o: o.shape == value.shape)
    dim = w.rng.randrange(value.dim() or 1)
    return f"{w.new()} = torch.{name}([{x}, {y}], {w.one(dim, 0)})"


@kind("shapes", "illegal view", 0.1)
def illegal_view(w):
    x = w.pick(dims(2), lambda t: t.numel() > 3)
    call = w.one("view(5)", "view(-1)", "squeeze(4)", "expand(7)", "select(0, 9)")
    return f"{w.new()} = {x}.{call}"
