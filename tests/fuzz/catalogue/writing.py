"""Writing in place: into leaves' relatives, bases, views, and views of views."""

from tests.fuzz.catalogue.arithmetic import RANGES, broadcast
from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import (
    decided,
    floating,
    is_view,
    once,
    places,
    small,
    tame,
    within,
    writable,
)

NO_FORM = ("softplus",)
BY_FORM = [f"{name}_" for name in RANGES if name not in NO_FORM]


def target(w, *conditions):
    """A tensor to write into: views half of the time, now and then one that refuses."""
    wish = is_view if w.chance(0.5) else floating
    allowed = [] if w.chance(0.06) else [writable]
    x = w.prefer(wish, small, floating, w.computed, *conditions, *allowed)
    value = w.value(x)
    if value._is_view():
        w.note("write into a view")
    elif any(t._is_view() and t._base is value for t in w.tensors.values()):
        w.note("write into a base")
    return x


def source(w, x, numbers=0.3):
    """What to write with: a number, or a tensor that can be broadcast to the target."""
    if w.chance(numbers):
        return w.literal()
    value, shape = w.value(x), list(w.value(x).shape)
    return w.pick(
        decided(value),
        lambda o: once(value) or not places(o) & places(value),
        lambda o: broadcast(o.shape, shape) == shape,
        small,
        tame,
    )


@each("writing", BY_FORM, 0.1)
def unary_in_place(w, name):
    low, high = RANGES[name[:-1]]
    x = target(w, within(low, high))
    return f"{x}.{name}()"


@each("writing", ["add_", "sub_", "mul_", "div_"], 0.5)
def binary_in_place(w, name):
    x = target(w, tame)
    y = source(w, x)
    alpha = ", alpha=3" if name in ("add_", "sub_") and w.chance(0.2) else ""
    return f"{x}.{name}({y}{alpha})"


@each("writing", ["eq_", "ne_", "lt_", "le_", "gt_", "ge_"], 0.1)
def comparison_in_place(w, name):
    x = target(w, tame)
    return f"{x}.{name}({source(w, x)})"


@each("writing", ["+=", "-=", "*=", "/="], 0.4)
def augmented(w, name):
    x = target(w, tame)
    return f"{x} {name} {source(w, x)}"


@kind("writing", "pow_", 0.2)
def pow_(w):
    x = target(w, within(-6, 6))
    return f"{x}.pow_({w.one('2', '3', '1', '2')})"


@each("writing", ["fill_", "zero_", "copy_"], 0.4)
def overwrite(w, name):
    x = target(w)
    if name == "zero_":
        return f"{x}.zero_()"
    if name == "copy_":
        return f"{x}.copy_({source(w, x, numbers=0)})"
    scalar = lambda t: t.dim() == 0 and tame(t)  # noqa: E731
    value = w.pick(scalar) if w.chance(0.3) else w.literal()
    return f"{x}.fill_({value})"


@kind("writing", "clamp_", 0.2)
def clamp_(w):
    return f"{target(w)}.clamp_({w.one('-1, 1', 'min=0', 'max=0.5')})"


@each("writing", ["addcmul_", "addcdiv_", "lerp_"], 0.15)
def several_operands(w, name):
    x = target(w, tame)
    value = w.value(x)

    def alike(other):
        same = other.shape == value.shape and other.dtype == value.dtype
        return same and decided(value)(other)

    last = w.one("0.5", "0.25") if name == "lerp_" else w.pick(alike)
    return f"{x}.{name}({w.pick(alike)}, {last})"


@each("writing", ["maximum out of place", "relu_ of a copy"], 0.1)
def copies(w, name):
    x = w.operand(small)
    t = w.new()
    if name.startswith("relu"):
        return f"{t} = {x}.clone().relu_()"
    return f"{t} = {x} * 1\n{t}[...] = torch.maximum({t}, {t} * 0)"


@kind("writing", "buffer", 0.4)
def buffer(w):
    """A plain buffer that tracked values are written into."""
    x = w.operand(small, lambda t: 1 <= t.dim() <= 2 and t.numel() > 0)
    t, value = w.new(), w.value(x)
    size = list(value.shape)
    return f"{t} = torch.zeros({size})\n{t}[0] = {x}[0]"


@kind("writing", "integer target", 0.12)
def integer_target(w):
    x = w.pick(lambda t: not t.is_floating_point(), small)
    return f"{x}.{w.one('add_(1)', 'mul_(2)', 'add_(0.5)', 'zero_()', 'div_(2)')}"


@kind("writing", "random in place", 0.1)
def random_in_place(w):
    x = target(w, lambda t: t.is_contiguous())  # the numbers follow the layout
    return f"torch.manual_seed(4)\n{x}.{w.one('uniform_()', 'normal_()')}"
