"""Lesson 04: what no kind of judge can say. Its words are in `04.toml`."""

from collections.abc import Callable
from typing import Any

from ..language import _
from .exercises import Mistake, ReturnsNothing, Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .probes import close, points, slope
from .ways import judge_each, of_way

Table = list[list[float]]
_NO_V = "grad can be implicitly created only for scalar outputs"

# --- 04-1b: the v that picks one row ----------------------------------------------------------

_PLACE = (1, 0)  # z[1, 0], out of two rows of three


def judge_row(answer: Any) -> str | Mistake | None:
    """Judge a v of shape [2, 3] that is to pick row z[1, 0] of J."""
    v = plain(answer)
    if not isinstance(v, list) and not is_tensor(answer):
        raise Unreadable(_("Hand in v, as a tensor or as rows of numbers."))
    shape = _shape(v)
    if shape != [2, 3]:
        return "a flat v" if shape == [6] else _wrong_shape(shape)
    numbers = {(i, j): number(entry) for i, row in enumerate(v) for j, entry in enumerate(row)}
    return _of_the_right_shape({place: said for place, said in numbers.items() if said != 0})


def _shape(value: Any) -> list[int]:
    """The shape of nested lists; raises `Unreadable` where they are not equally long."""
    if not isinstance(value, list):
        return []
    inner = [_shape(entry) for entry in value]
    if any(shape != inner[0] for shape in inner):
        raise Unreadable(_("Hand in v as rows of numbers, all equally long."))
    return [len(value), *(inner[0] if inner else [])]


def _wrong_shape(shape: list[int]) -> Mistake:
    return unforeseen(_("Your v has the shape {}, and z has the shape [2, 3].").format(shape))


def _of_the_right_shape(counted: dict[tuple[int, int], float]) -> str | Mistake | None:
    """The entries of v that are not 0."""
    if counted == {_PLACE: 1.0}:
        return None
    if not counted:
        return unforeseen(_("Your v is all zeros, so every row of J is multiplied by 0."))
    if len(counted) == 6 and set(counted.values()) == {1.0}:
        return "ones"
    if len(counted) > 1:
        return "a mixture"
    ((place, factor),) = counted.items()
    if factor != 1.0:
        fact = _("Your v leaves one row of J, but multiplied by {:g}.")
        return unforeseen(fact.format(factor))
    return "another row" if place != _PLACE else None


# --- 04-2: a Jacobian, row by row -------------------------------------------------------------

# Outputs and inputs differ in number, and no table is the same when it is turned over.
_FUNCTIONS: tuple[tuple[int, Callable[[Any], list[Any]]], ...] = (
    (2, lambda x: [x[0] * x[1], x[0] * x[0] + 3 * x[1]]),
    (2, lambda x: [x[0] * x[0], x[0] * x[1], x[1] * x[1] * x[1]]),
    (3, lambda x: [x[0] * x[1] * x[2], x[2] * x[2] - x[0]]),
)


def judge_jacobian(answer: Any) -> str | Mistake | None:
    """Judge a function that is given y and x, and returns the rows of J."""
    for size, function in _FUNCTIONS:
        x, y, true = _example(size, function)
        try:
            said = plain(call(answer, y, x))
        except Unreadable as refusal:
            if "backward through the graph a second time" in str(refusal.__cause__):
                return "the graph is gone"
            if _NO_V in str(refusal.__cause__):
                return "no v"
            raise
        found = _compared(said, true)
        if found is not None:
            return found
    return None


def _example(size: int, function: Callable[[Any], list[Any]]) -> tuple[Any, Any, Table]:
    """x, y, and the table of slopes by nudges: no rule is needed to judge a rule."""
    import minigrad as mg

    at = points(size, 1.0, 3.0)
    x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
    outputs = len(function(at))

    def moved(i: int, j: int) -> Callable[[float], float]:
        return lambda value: function([*at[:j], value, *at[j + 1 :]])[i]

    true = [[slope(moved(i, j), at[j]) for j in range(size)] for i in range(outputs)]
    return x, mg.stack(function(x)), true


def _compared(said: Any, true: Table) -> str | Mistake | None:
    if _is_row(said):
        if _equal([_numbers(said)], [_sums(true)]):
            return "one pass"
        raise Unreadable(_("Return a list of rows, with as many rows as y has entries."))
    if isinstance(said, list):  # grad() returns a tuple, also for one tensor
        if len(said) == 1 and not _is_row(said[0]):
            (said,) = said
        said = [row[0] if _holds_one_row(row) else row for row in said]
    if not isinstance(said, list) or not all(_is_row(row) for row in said):
        raise Unreadable(_("Return a list of rows, each with a number for every entry of x."))
    table = [_numbers(row) for row in said]
    if _equal(table, true):
        return None
    if len(table) == 1 and _equal(table, [_sums(true)]):
        return "one pass"
    if _equal(table, [list(column) for column in zip(*true, strict=True)]):
        return "turned"
    if _equal(table, [_sums(true[: i + 1]) for i in range(len(true))]):
        return "never emptied"
    if all(_equal([row], table[:1]) for row in table) and len(table) == len(true) > 1:
        if _equal(table[:1], true[-1:]):
            return "one tray"
        if _equal(table[:1], [_sums(true)]):
            return "one tray, added up"
        return "one tray, emptied" if not any(table[0]) else _unlike(table, true)
    return _unlike(table, true)


def _unlike(table: Table, true: Table) -> Mistake:
    """A fact about a table that nobody foresaw: its shape, or the first row that is wrong."""
    if [len(row) for row in table] != [len(row) for row in true]:
        if not table:
            return unforeseen(_("For {} outputs you returned no row.").format(len(true)))
        fact = _("For {} outputs and {} inputs you returned {}, the first with {}.")
        rows = _("1 row") if len(table) == 1 else _("{} rows").format(len(table))
        size = len(table[0])
        numbers = _("1 number") if size == 1 else _("{} numbers").format(size)
        return unforeseen(fact.format(len(true), len(true[0]), rows, numbers))
    i = next(i for i, row in enumerate(table) if not _equal([row], [true[i]]))
    fact = _("Of {} rows the one of y[{}] is the first that is wrong: it begins with {:g}.")
    return unforeseen(fact.format(len(true), i, round(table[i][0], 4)))


def _is_row(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(entry, list) for entry in value)


def _holds_one_row(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and _is_row(value[0])


def _numbers(row: list[Any]) -> list[float]:
    return [number(entry) for entry in row]


def _sums(rows: Table) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _equal(said: Table, true: Table) -> bool:
    if [len(row) for row in said] != [len(row) for row in true]:
        return False
    return all(close(s, t) for a, b in zip(said, true) for s, t in zip(a, b))


# --- 04-3: one question in three spellings ----------------------------------------------------

_WAYS = ("backward", "grad", "one number")
# No v of equal numbers, and tables in which outputs share inputs.
_TABLES: tuple[Callable[[Any], Any], ...] = (
    lambda x: (x * x + 2).view(2, 2),
    lambda x: (x * x[0] * x).view(2, 2),
)
_V = [[3.0, 0.5], [-1.0, 2.0]]


def judge_three_ways(answer: Any) -> str | Mistake | None:
    """Judge three functions of z, x and v: by backward(), by grad(), and by one number."""
    keep = _('Keep the dictionary with "backward", "grad" and "one number".')
    return judge_each(answer, _WAYS, _TABLES, _judge_way, keep)


def _judge_way(way: str, function: Any, table: Callable[[Any], Any]) -> str | Mistake | None:
    import minigrad as mg

    x = mg.tensor([2.0, 1.0, 3.0, 0.5], dtype=mg.float64, requires_grad=True)
    v = mg.tensor(_V, dtype=mg.float64)
    weighted, plain_sum = (
        mg.autograd.grad(table(x), x, w)[0].tolist() for w in (v, mg.ones_like(v))
    )
    z = table(x)
    try:
        said = call(function, z, x, v)
    except ReturnsNothing as refusal:
        if way == "backward" and x.grad is not None:
            return "backward: nothing returned"
        raise of_way(way, refusal) from None
    except Unreadable as refusal:
        if way != "one number" and _NO_V in str(refusal.__cause__):
            return f"{way}: no v"
        raise of_way(way, refusal) from refusal.__cause__
    if way == "one number":
        found = _no_number(said, z * v, weighted)
        if found is not None:
            return found
        said = _gradient_of(said, x)
    elif way == "backward" and x.grad is None:
        return "backward: no tray"
    elif way == "grad" and x.grad is not None:
        return "grad: tray filled"
    return _weighed(way, _one_row(said, way), weighted, plain_sum)


def _no_number(said: Any, weighted_z: Any, gradient: list[float]) -> str | Mistake | None:
    """What is wrong with an answer that is no single number with a graph."""
    if not is_tensor(said):
        if isinstance(said, (int, float)):
            return "one number: no graph"
        fact = _("one number: you return a {}. Return a tensor that holds one number.")
        return unforeseen(fact.format(type(said).__name__))
    if said.numel() == 1:
        return None if said.requires_grad else "one number: no graph"
    if said.shape == weighted_z.shape and close_to(said, weighted_z):
        return "one number: a table"
    shape = list(said.shape)
    if shape == [4] and _equal([said.tolist()], [gradient]):
        return unforeseen(
            _("one number: you return v·J itself. Asked for is the number whose gradient it is.")
        )
    fact = _("one number: you return a tensor of shape {}. One number is asked for.")
    return unforeseen(fact.format(shape))


def close_to(one: Any, other: Any) -> bool:
    """Whether two tensors of one shape hold the same numbers."""
    flat = (tensor.detach().flatten().tolist() for tensor in (one, other))
    return all(close(a, b) for a, b in zip(*flat, strict=True))


def _gradient_of(said: Any, x: Any) -> Any:
    """The gradient of the number that was handed in, whose graph may be freed or lead elsewhere."""
    import minigrad as mg

    try:
        (found,) = mg.autograd.grad(said, x, allow_unused=True)
    except RuntimeError as error:
        fact = _("one number: going back from yours stopped: {}")
        raise Unreadable(fact.format(str(error).split(". ")[0])) from error
    if found is None:
        raise Unreadable(_("one number: from what you return no road leads back to x."))
    return found


def _one_row(said: Any, way: str) -> list[float]:
    """Read a gradient, also out of the tuple that `grad()` returns."""
    row = plain(said)
    row = row[0] if _holds_one_row(row) else row
    if not _is_row(row) or len(row) != 4:
        raise Unreadable(
            _("{}: return the gradient, with a number for each entry of x.").format(way)
        )
    return _numbers(row)


def _weighed(way: str, said: list[float], true: list[float], ones: list[float]) -> Any:
    if _equal([said], [true]):
        return None
    if _equal([said], [ones]):
        return f"{way}: no weights"
    i = next(i for i in range(4) if not close(said[i], true[i]))
    fact = _("{}: in one trial x[{}] should get {:g}, and by yours it gets {:g}.")
    return unforeseen(fact.format(way, i, round(true[i], 4), round(said[i], 4)))


def plain(value: Any) -> Any:
    """Tensors, arrays and tuples as lists, as deep as they go.

    >>> plain(((1.0, 2), [3]))
    [[1.0, 2], [3]]
    """
    if hasattr(type(value), "tolist"):  # of its type: a class has no values
        value = value.tolist()
    return [plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value
