"""Whether a difference is what rounding makes of a program that magnifies it.

Two libraries may differ in the last bits of a number, by right: they fuse, order and approximate
in their own ways, and a sum that is 0 may have either sign. Where a program magnifies that (``tan``
near π/2, ``1 / x`` where x is what a subtraction left over), no fixed tolerance fits. So PyTorch is
asked again, with other last bits: each number that an operation computes has its last two bits
replaced. What moves as far as the two libraries are apart is rounding.

Kinks and ties stay where they are: the new bits depend on the other bits alone, so equal numbers
stay equal, copies, negatives and multiples by powers of two too; and a number with few digits,
which was computed exactly, is left alone. In half of the runs arithmetic computes as ever, and only
what it is given has other bits: whether the mean of three equal numbers equals them depends on
those. Deviations round many times on the way: they are given other bits even of exact numbers, so
that those of two different rows, which may be equal by chance alone, come apart.
"""

from tests.fuzz.compare import Precision, at_step, paired
from tests.fuzz.play import played

TIMES = 12
FACTOR = 16  # how much farther apart two libraries may be than the runs that were tried
FRACTION = {"float16": 10, "float32": 23, "float64": 52}  # the bits of a number after its point
ARITHMETIC = {"add", "sub", "rsub", "mul", "div", "neg", "sum", "mean", "mm", "mv", "dot", "bmm"}
DEVIATIONS = {"std", "var", "std_mean", "var_mean"}
EXACT = {"float16": 4, "float32": 11, "float64": 23}  # the most that are used if it is exact


class Exactly(Precision):
    """Tells numbers apart as soon as they are not the same."""

    def close(self, a, b):
        return a == b


def is_rounding(program, differences, expected, torch):
    """Whether all that differs are numbers, and other last bits move PyTorch's as far."""
    step = differences[0].step
    numbers = [d for d in differences if d.what.endswith((".numbers", ".shape"))]
    others = {d.what for d in differences if d not in numbers}
    if not numbers or others - {f"{d.what.rpartition('.')[0]}.prints" for d in numbers}:
        return False
    moves = [{} for _ in range(TIMES)]
    for seed, moved in enumerate(moves):
        with other_last_bits(torch, seed):
            shown = played(program, torch)
        wanted, got = list(paired(expected, shown))[step]
        for difference in at_step(step, wanted, got, Exactly()):
            moved[difference.what] = difference.actual
    return all(
        within(d.expected, d.actual, [moved.get(d.what, d.expected) for moved in moves])
        for d in numbers
    )


def within(expected, actual, moved):
    """Whether each number is as near to the expected one as one of those that were moved.

    Of other sizes, as after ``unique``, they have to be those that were moved.
    """
    wanted, got, *others = [
        value if isinstance(value, list) else [value] for value in (expected, actual, *moved)
    ]
    if any(len(numbers) != len(wanted) for numbers in (got, *others)):
        return any(Precision().agree(got, other) for other in others)
    return all(as_near(*numbers) for numbers in zip(wanted, got, *others, strict=True))


def as_near(wanted, got, *others):
    """Whether ``got`` is no farther than others.

    An infinity or nan has to be one of them; but where the number itself is all rounding, as of a
    division by what a subtraction left over, an infinity is as good as any. And where it may be nan
    or not, as of a logarithm of such a number, anything is.
    """
    is_number = {isinstance(other, float) for other in others}
    if isinstance(wanted, str):
        return got in (wanted, *others) or len(is_number) == 2
    reach = max((abs(wanted - other) for other in others if not isinstance(other, str)), default=0)
    if isinstance(got, str):
        return got in others or "inf" in got and reach > abs(wanted) / 2
    return abs(wanted - got) <= FACTOR * reach


def other_last_bits(torch, seed):
    """A context manager: what PyTorch computes inside has other last bits."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class OtherLastBits(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            name = function._schema.name.removeprefix("aten::").removesuffix("_")
            if name in DEVIATIONS:
                args = (args[0].clone(), *args[1:])
                replace_last_bits(torch, args[0], seed, exact_too=True)
            result = function(*args, **(kwargs or {}))
            if name == "_efficientzerotensor":
                result = torch.zeros(result.shape, dtype=result.dtype)
            as_ever = seed >= TIMES // 2 and name in ARITHMETIC
            if not any(is_view(value) for value in function._schema.returns):
                for tensor in result if isinstance(result, tuple | list) else (result,):
                    if isinstance(tensor, torch.Tensor) and has_own_memory(tensor):
                        replace_last_bits(torch, tensor, seed, zeros_alone=as_ever)
            return result

    return OtherLastBits()


def is_view(value):
    """Whether something that a function returns is a view of its operand."""
    return value.alias_info is not None and not value.alias_info.is_write


def has_own_memory(tensor):
    """Whether it is known that each element may be written."""
    steps = zip(tensor.stride(), tensor.shape, strict=True)
    return not tensor._is_zerotensor() and all(step or size < 2 for step, size in steps)


def replace_last_bits(torch, tensor, seed, zeros_alone=False, exact_too=False):
    """Replace the last two bits of each number by others, that its fraction decides.

    All zeros get the same sign; ``zeros_alone`` leaves it at that. Exact numbers are left alone.
    """
    tensor[tensor == 0] = -0.0 if seed % 2 else 0.0
    if zeros_alone:
        return
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in FRACTION:
        return
    bits = tensor.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()])
    fraction = bits.long() & ((1 << FRACTION[name]) - 1)
    exact = fraction & ((1 << (FRACTION[name] - EXACT[name])) - 1) == 0
    exact &= not exact_too
    shift = seed & 2  # so that numbers on either side of four neighbours meet
    chosen = ((fraction + shift >> 2) * 0x9E3779B1 + seed * 0x85EBCA6B >> 13) & 3
    changed = (bits.long() + shift & ~3 | chosen) - shift
    bits.copy_(torch.where(exact | ~tensor.isfinite(), bits.long(), changed))
