"""Reading and writing by index, and the operations that take indices."""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.catalogue.shapes import source
from tests.fuzz.writer import (
    decided,
    dims,
    floating,
    once,
    places,
    small,
    tame,
    untracked,
    writable,
)


def a_slice(w, size):
    start = w.rng.randrange(size) if size else 0
    return w.one(":", f"{start}:", f":{start + 1}", "::2", f"-{max(size - 1, 1)}:")


def basic_key(w, shape):
    """An index made of ints, slices, None and ``...``: a view."""
    parts = []
    for size in shape[: w.rng.randint(1, len(shape))] if shape else ():
        single = size and w.chance(0.5)
        parts.append(str(w.rng.randrange(-size, size)) if single else a_slice(w, size))
    if w.chance(0.12):
        w.note("index None")
        parts.insert(w.rng.randint(0, len(parts)), "None")
    if w.chance(0.12) or not parts:
        w.note("index ...")
        parts.insert(w.rng.randint(0, len(parts)), "...")
    return ", ".join(parts)


def advanced_key(w, x):
    """An index with a mask or integer arrays: a copy."""
    shape = w.value(x).shape
    size = shape[0]
    rows = [w.rng.randrange(-size, size) for _ in range(w.rng.randint(1, 3))]
    choices = [f"{rows}", f"torch.tensor({rows})", f"{x} > 0", f"{x} < {w.number()}", f"{rows}"]
    if len(shape) > 1:
        columns = [w.rng.randrange(shape[1]) for _ in rows]
        choices += [f"{rows}, {columns}", f":, {columns}", f"{rows}, 0", f"{x}[:, 0] > 0"]
        choices += [f"..., {[w.rng.randrange(shape[-1])]}", f"{rows}, 1:"]
    key = w.one(*choices)
    w.note("mask" if ">" in key or "<" in key else "integer array")
    return key


def indexable(t):
    return t.dim() > 0 and 0 not in t.shape


@kind("indexing", "x[basic]", 1.5)
def read(w):
    x = source(w)
    return f"{w.new()} = {x}[{basic_key(w, w.value(x).shape)}]"


@kind("indexing", "x[advanced]", 0.8)
def read_advanced(w):
    x = w.pick(small, indexable)
    return f"{w.new()} = {x}[{advanced_key(w, x)}]"


@kind("indexing", "x[illegal]", 0.08)
def read_illegal(w):
    x = w.pick(small, indexable)
    return f"{w.new()} = {x}[{w.one('9', '0, 0, 0, 0', '1.5', '[9]', '0.0')}]"


def alike(value):
    """The condition that a tensor has the dtype of another."""
    return lambda other: other.dtype == value.dtype


def target(w):
    """A tensor to write into: now and then one that refuses."""
    return w.prefer(writable, small, floating, w.computed, probability=0.93)


def content(w, x, key):
    """Something to write at an index: a number, or a tensor that can be broadcast to there."""
    if w.chance(0.35):
        return w.literal()
    try:
        place = eval(f"{x}[{key}]", dict(w.player.names))
    except Exception:
        return w.literal()

    def fits(other):
        shape, wanted = list(other.shape), list(place.shape)
        if len(shape) > len(wanted):
            return False
        return all(n in (1, m) for n, m in zip(shape[::-1], wanted[::-1]))

    view = place.numel() and place.data_ptr() in places(w.value(x))
    if not view and key.rsplit(", ", 1)[-1] in ("0", "1:"):  # written at rows of a part of x
        return w.pick(fits, small, tame, lambda other: not places(other) & places(w.value(x)))
    target = place if view else w.value(x)

    def whole(other):
        """What is broadcast has repeats, so PyTorch does not see that it overlaps; nor does it
        look where one element goes to all places of a mask, which minigrad refuses.
        """
        seen = once(target) and other.shape == target.shape and (view or other.numel() > 1)
        return seen or not places(other) & places(target)

    return w.pick(fits, small, tame, decided(target, elsewhere=not view), whole)


@kind("writing", "x[basic] =", 1.2)
def write(w):
    x = target(w)
    key = w.one(basic_key(w, w.value(x).shape), basic_key(w, w.value(x).shape), ":", "...")
    if key == ":" and w.value(x).dim() == 0:
        key = "..."
    return f"{x}[{key}] = {content(w, x, key)}"


@kind("writing", "x[advanced] =", 0.6)
def write_advanced(w):
    x = w.prefer(writable, small, floating, indexable, w.computed, once)
    key = advanced_key(w, x)
    return f"{x}[{key}] = {content(w, x, key)}"


@kind("writing", "x[key] +=", 0.6)
def augment(w):
    basic = w.chance(0.75)
    x = w.prefer(writable, small, floating, indexable, w.computed, *([] if basic else [once]))
    key = basic_key(w, w.value(x).shape) if basic else advanced_key(w, x)
    sign = w.one("+=", "*=", "-=")
    return f"{x}[{key}] {sign} {content(w, x, key)}"


def rows_of(w, x, dim=0):
    size = w.value(x).shape[dim]
    return [w.rng.randrange(size) for _ in range(w.rng.randint(1, 3))]


@kind("indexing", "index_select", 0.25)
def index_select(w):
    x = w.pick(small, indexable)
    return f"{w.new()} = {x}.index_select(0, torch.tensor({rows_of(w, x)}))"


@kind("indexing", "gather", 0.25)
def gather(w):
    x = w.operand(small, indexable, dims(1, 2))
    if w.value(x).dim() == 1:
        return f"{w.new()} = {x}.gather(0, torch.tensor({rows_of(w, x)}))"
    size = w.value(x).shape[1]
    rows = [[w.rng.randrange(size) for _ in range(2)] for _ in range(w.value(x).shape[0])]
    return f"{w.new()} = {x}.gather(1, torch.tensor({rows}))"


@each("indexing", ["scatter", "scatter_add"], 0.2)
def scatter(w, name):
    x = w.operand(small, indexable, dims(1, 1))
    value = w.value(x)
    # As many values as places: PyTorch's derivative of a shorter index is wrong and says so.
    y = w.operand(
        dims(1, 1),
        lambda o: 1 <= o.numel() <= value.numel(),
        alike(value),
        decided(value, elsewhere=True),
    )
    n = w.value(y).numel()
    index = [w.rng.randrange(value.numel()) for _ in range(n)]
    if name == "scatter":  # where two values go to one place, either may win
        index = w.rng.sample(range(value.numel()), n)
    ending = "_" if writable(value) and w.chance(0.3) else ""
    result = f"{x}." if ending else f"{w.new()} = {x}."
    return f"{result}{name}{ending}(0, torch.tensor({index}), {y})"


@kind("indexing", "index_add", 0.2)
def index_add(w):
    x = w.operand(small, indexable)
    value = w.value(x)
    y = w.pick(lambda o: o.shape == value.shape, alike(value), decided(value, elsewhere=True))
    index = [w.rng.randrange(value.shape[0]) for _ in range(value.shape[0])]
    ending = "_" if writable(value) and w.chance(0.4) else ""
    result = f"{x}." if ending else f"{w.new()} = {x}."
    return f"{result}index_add{ending}(0, torch.tensor({index}), {y})"


@kind("indexing", "masked_fill", 0.25)
def masked_fill(w):
    x = w.operand(small)
    value = w.value(x)
    ending = "_" if writable(value) and once(value) and w.chance(0.4) else ""
    result = f"{x}." if ending else f"{w.new()} = {x}."
    return f"{result}masked_fill{ending}({x} > {w.number()}, {w.literal()})"


@kind("indexing", "masked_select", 0.2)
def masked_select(w):
    x = w.operand(small)
    return f"{w.new()} = {x}.masked_select({x} > {w.number()})"


@kind("indexing", "take", 0.2)
def take(w):
    x = w.operand(small, lambda t: t.numel() > 0)
    index = [w.rng.randrange(w.value(x).numel()) for _ in range(2)]
    return f"{w.new()} = {x}.take(torch.tensor({index}))"


def different(t):
    """Whether no elements are equal; nans count as equal.

    Among equal ones `topk` here chooses the first, PyTorch any: docs/differences.md says so.
    """
    x = t.detach()
    return t.numel() > 0 and x.unique().numel() == x.numel() and not bool(x.isnan().any())


def surely_ordered(t):
    """Whether rounding has no say in the order: no elements are equal, or all are exact."""
    return different(t) or bool((t.detach() * 4 % 1 == 0).all()) and t.numel() > 0


@each("indexing", ["sort", "topk"], 0.2)
def sort(w, name):
    x = w.operand(small, dims(1), surely_ordered if name == "sort" else different)
    count = w.rng.randint(1, w.value(x).shape[-1])
    arguments = {
        "sort": w.one("", "0", "descending=True"),
        "topk": w.one("1", f"{count}", f"{count}, largest=False"),
    }[name]
    return f"{w.new()}, {w.new()} = {x}.{name}({arguments})"


@each("indexing", ["unique", "nonzero"], 0.1)
def found(w, name):
    return f"{w.new()} = {w.operand(small, untracked)}.{name}()"
