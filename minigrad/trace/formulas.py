"""The rule of one step: how an operand's gradient comes from what came in.

An entry of the table (`minigrad.trace.derivatives`) is filled in with the names and numbers of this
very graph: in words, in symbols, and as a line of Python that computes it.
"""

from __future__ import annotations

import ast
import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minigrad.language import _

from .derivatives import Entry, entries_of
from .numbers import DETAILS, constant, extent, fits, in_code, raw, show
from .read import signed, taken, written_index

if TYPE_CHECKING:
    from .model import Operation
    from .survey import Survey

FUNCTIONS = (
    *("exp", "log", "sqrt", "sign", "abs", "floor", "trunc"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "sigmoid"),
)


class Rule(NamedTuple):
    """One operand's gradient in three spellings.

    ``number`` is the local derivative with the numbers in, None where there is none or a value
    in it is not known. ``gradient`` is the expression of a whole gradient with its values; a step
    shows it only where it gives what was sent (`minigrad.trace.factors`).
    """

    words: str
    symbols: str
    code: str
    number: np.ndarray | None = None
    gradient: tuple[str, dict[str, Any]] | None = None


def rule(survey: Survey, operation: Operation, argument: int, made: str, target: str) -> Rule:
    """The rule by which ``operation`` sends a gradient to its operand number ``argument``.

    ``made`` and ``target`` are what the reader calls the result and the operand.
    """
    operand, values = operation.operand(argument), known_values(survey, operation)
    entries = entries_of(operation.node, _variant(values))
    entry = entries.get(operand) or Entry(_unknown(operation.node))
    facts = _facts(values, operand)
    names = {**_names(survey, operation, values), "result": made, operand: target}
    words = _(entry.words).format_map(_Slots({**names, **facts, "factor": _grouped(target)}))
    names = _without_roles(survey, operation, names)
    root = survey.index.values[survey.graph.roots[0]].name or "L"
    made, target, root = (_grouped(n) for n in (names["result"], names[operand], root))
    itself = operation.makes == survey.graph.roots[0] and np.ndim(values.get("result", [])) == 0
    slots = _Slots({**names, **facts, "g": "1" if itself else f"∂{root}/∂{made}"})
    line = _line(entry, slots, operand, values)
    if entry.slope:
        symbols, number = _slope(entry, slots, {**values, **facts})
        return Rule(words, _once(f"∂{made}/∂{target} = {symbols}"), line, number)
    symbols = f"∂{root}/∂{target}: {words}"
    if not entry.gradient:
        return Rule(words, symbols, f"# {words}")
    if "shape" not in entry.gradient:
        symbols = _once(f"∂{root}/∂{target} = {_gradient(entry, slots)}")
    return Rule(words, symbols, line, None, (entry.gradient, {**values, **facts}))


def _without_roles(survey: Survey, operation: Operation, names: dict[str, str]) -> dict[str, str]:
    """Names for a formula: ``result`` in place of "the product", ``operand`` for its only one.

    Of several operands each is called as the sentence calls it: nobody has seen ``mat2``.
    """
    edges = survey.index.operands[operation.key]
    values = [survey.index.values[k] for k in (*operation.outputs, *(e.source for e in edges))]
    roles = {value.role for value in values if not value.name}
    short = {slot for slot in names if slot == "result" or len(edges) == 1}
    plain = {s: _identifier(n, s) for s, n in names.items() if n in roles and s in short}
    # A box may be called input₁, as what went into a module, and be another one.
    return names | {s: "operand" if n == "input" else n for s, n in plain.items()}


def _unknown(node: str) -> str:
    """What can be said of an operation that the table does not know."""
    if node.endswith("Backward") or node.endswith("BackwardCFunction"):
        return f"what the backward() of {node.partition('Backward')[0]} returns"
    return f"what {node} computes"


def _variant(values: dict[str, Any]) -> str:
    """Which special case a node is."""
    if any(values.get(factor, 1) != 1 for factor in ("alpha", "beta")):
        return "scaled"
    if values.get("weight") is not None or values.get("pos_weight") is not None:
        return "weighted"
    if isinstance(power := values.get("exponent"), (int, float)) and power == 2:
        return "squared"
    rows = values.get("self") is not None and np.ndim(values["self"]) == 2
    classes = np.asarray(values.get("target", 0.5))
    ignored = (classes == values.get("ignore_index", -100)).any()
    return "plain" if rows and not ignored else ""


def _slope(entry: Entry, slots: _Slots, values: dict) -> tuple[str, np.ndarray | None]:
    """A local derivative in mathematics, with its number behind it."""
    shown = as_mathematics(entry.shown.format_map(slots) or renamed(entry.slope, _signs(slots)))
    shown = re.sub(r"^\(((?:[^()]|\([^()]*\))*)\)$", r"\1", shown)
    number = evaluated(entry.slope, values)
    value = "" if number is None else _value(number)
    return (f"{shown} = {value}" if value and value != shown else shown), number


def _value(number: np.ndarray) -> str:
    """The numbers of a slope; of many what they lie between."""
    small = number.ndim == 0 or fits(number) and not constant(number)
    return show(number) if small else extent(number, DETAILS)


def _gradient(entry: Entry, slots: _Slots) -> str:
    """A whole gradient in mathematics."""
    if entry.shown:
        return entry.shown.format_map(slots)
    signs = as_mathematics(renamed(entry.gradient, {**_signs(slots), "g": "came_in"}))
    return signs.replace("came_inᵀ", f"({slots['g']})ᵀ").replace("came_in", slots["g"])


def _signs(slots: _Slots) -> dict[str, str]:
    return {slot: _grouped(name) for slot, name in slots.items() if isinstance(name, str)}


@lru_cache(maxsize=1024)
def _grouped(name: str) -> str:
    """An expression in place of a name stands in brackets: ``∂y/∂(x + 1)``."""
    together = re.search(r"[^\w.\[\]()\"' ]|\w \w", name[1:])
    return f"({name})" if together else name


def _once(formula: str) -> str:
    """A formula whose functions have one pair of brackets each, and nothing is transposed twice.

    >>> _once("−sin((A·t)) × (x + 1)"), _once("exp((a·(b + c)))"), _once("g · kᵀᵀ")
    ('−sin(A·t) × (x + 1)', 'exp(a·(b + c))', 'g · k')
    """
    return re.sub(r"(?<=\w)\((\((?:[^()]|\([^()]*\))*\))\)", r"\1", formula).replace("ᵀᵀ", "")


# -- names and numbers ----------------------------------------------------------------------


def known_values(survey: Survey, operation: Operation) -> dict[str, Any]:
    """Operands, ``result`` and arguments of an operation, as far as anybody knows them."""
    kept = survey.keeps[operation.key]
    values: dict[str, Any] = dict(kept.arguments)
    for name in {"dim", "ignore_index"} & values.keys():
        values[name] = signed(values[name])
    for slot, tensor in kept.tensors.items():
        values[slot] = raw(tensor)
    for argument, name in enumerate(operation.operands):
        known = survey.constants.get((operation.key, argument))
        if known is not None:
            values[name] = known
    for edge in survey.index.operands[operation.key]:
        known = survey.arrays.get(edge.source)
        if known is not None and operation.operand(edge.argument):
            values[operation.operand(edge.argument)] = known
    result = survey.arrays.get(operation.makes)
    if result is not None:
        values["result"] = result
    return values


def _names(survey: Survey, operation: Operation, values: dict) -> dict[str, str]:
    """What the reader calls each operand and argument: ``other`` may be ``b``, or ``2``."""
    names = {name: name for name in operation.operands}
    for slot, value in values.items():
        if isinstance(value, (bool, int, float, np.ndarray, np.generic)) and np.ndim(value) == 0:
            names[slot] = in_code(np.asarray(value))
    for argument, text in operation.constants.items():
        name = operation.operand(argument)
        if name and name not in values and text != "?":
            names[name] = text.replace("−", "-")
    for edge in survey.index.operands[operation.key]:
        value = survey.index.values[edge.source]
        names[operation.operand(edge.argument)] = value.name or value.role or "the operand"
    return names


def _facts(values: dict[str, Any], operand: str) -> dict[str, Any]:
    """What entries ask for besides: the operand's shape, how many elements were averaged."""
    facts: dict[str, Any] = {"correction": values.get("correction", 1), "averaged": 1}
    absent = ("averaged_over", "divided", "over", "rows", "divided_rows", "over_rows")
    facts |= dict.fromkeys(absent, "")
    shape = _shape(values, operand)
    if shape is None:
        return facts
    facts |= {"shape": shape, "counted": reduced_count(shape, values.get("dim"))}
    facts |= _place(values, shape)
    many = math.prod(shape)
    if values.get("reduction", 0) in (1, "mean") and many > 1:
        facts |= {"averaged": 1 / many, "averaged_over": f", over the {many} elements"}
        facts |= {"divided": f" ÷ {many}", "over": f" / {many}"}
    if len(shape) == 2:
        facts |= {"columns": np.arange(shape[1]), "averaged_rows": 1.0}
        if facts["divided"]:
            facts |= {"rows": f", over the {shape[0]} rows", "averaged_rows": 1 / shape[0]}
            facts |= {"divided_rows": f" ÷ {shape[0]}", "over_rows": f" / {shape[0]}"}
    return facts


def _place(values: dict[str, Any], shape: tuple[int, ...]) -> dict[str, Any]:
    """Where a part was taken from: ``[:, 1]``, as text and as what puts it back."""
    part = taken(values)
    if part is None:
        return {}
    dim = values["dim"] % max(len(shape), 1)

    def placed(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(shape, g.dtype)
        whole[(slice(None),) * dim + (part,)] = g
        return whole

    return {"place": written_index(dim, part), "placed": placed}


def _shape(values: dict[str, Any], operand: str) -> tuple[int, ...] | None:
    if "self_sym_sizes" in values:
        return tuple(values["self_sym_sizes"])
    known = values.get(operand)
    return None if known is None else np.shape(known)


def reduced_count(sizes: tuple[int, ...], dim: Any) -> int:
    """How many elements each element of a reduction along ``dim`` stands for.

    >>> reduced_count((2, 3), 1), reduced_count((2, 3), None), reduced_count((), None)
    (3, 6, 1)
    """
    dims = range(len(sizes)) if dim in (None, (), []) else np.atleast_1d(dim)
    known = [d for d in dims if -len(sizes) <= d < len(sizes)]  # a new dim is not among them
    return math.prod(sizes[d] for d in known)


class _Slots(dict):
    def __missing__(self, name: str) -> str:
        return name


# -- numbers in -----------------------------------------------------------------------------


def _between(x: np.ndarray, low: Any, high: Any) -> np.ndarray:
    """1 for each element inside the bounds or at one, else 0; a bound of None is none."""
    inside = np.ones_like(x, bool)
    if low is not None:
        inside &= x >= low
    if high is not None:
        inside &= x <= high
    return inside.astype(x.dtype)


SCOPE = {
    "__builtins__": {},
    "LN2": math.log(2),
    "LN10": math.log(10),
    "between": _between,
    "where": np.where,
    "zeros": np.zeros,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    **{name: getattr(np, name) for name in FUNCTIONS if name != "sigmoid"},
}


@lru_cache(maxsize=256)
def _compiled(expression: str) -> Any:
    return compile(expression, "<rule>", "eval")


def evaluated(expression: str, values: dict[str, Any]) -> np.ndarray | None:
    """An expression of the table with numbers in; None where a value in it is not known."""
    try:
        with np.errstate(all="ignore"):
            expression = expression.replace("keepdim=", "keepdims=")
            value = np.asarray(eval(_compiled(expression), SCOPE | values))
    except Exception:  # about values that nobody knows, or that do not fit
        return None
    return None if np.iscomplexobj(value) else value


# -- spellings --------------------------------------------------------------------------------


NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w(])(?!=[^=])")  #: neither functions nor keywords
CALL = re.compile(rf"(?<![\w.])({'|'.join(FUNCTIONS)})\(([^()]+)\)")


@lru_cache(maxsize=512)
def _spaced(expression: str) -> str:
    """An expression with one space around each sign and no needless brackets."""
    return ast.unparse(ast.parse(expression, mode="eval"))


def renamed(expression: str, names: dict[str, str]) -> str:
    """An expression of the table with the reader's names in place of its own.

    >>> renamed("where(self>0, exp(other), keepdim)", {"self": "x", "other": "y"})
    'where(x > 0, exp(y), keepdim)'
    """
    return NAME.sub(lambda found: names.get(found[0], found[0]), _spaced(expression))


def _method(found: re.Match) -> str:
    """``exp(x)`` as ``x.exp()``; ``log(2)`` is worked out."""
    function, operand = found.groups()
    if _is_number(operand):
        return repr(float(evaluated(found[0], {})))
    return f"{operand}.{function}()" if operand.isidentifier() else f"({operand}).{function}()"


def _line(entry: Entry, slots: _Slots, operand: str, values: dict) -> str:
    """A line of Python that computes the gradient: ``grad_x = grad_y * (cos(x))``."""
    code = entry.code.format_map(slots) or (f"g * ({entry.slope})" if entry.slope else "")
    target = _identifier(slots[operand], operand)
    g = f"grad_{_identifier(slots['result'], 'result')}"
    if code == "put":
        return f"grad_{target} = 0 * {target}; grad_{target}{slots['place']} = {g}"
    names = {
        slot: name if _is_number(name) else _identifier(name, slot)
        for slot, name in slots.items()
        if isinstance(name, str)
    }
    names |= {"LN2": repr(math.log(2)), "LN10": repr(math.log(10)), "g": g}
    names |= {"shape": f"{target}.shape", "spread": _spread(g, values, f"{target}.shape")}
    names |= {name: str(slots[name]) for name in ("counted", "averaged") if name in slots}
    right = CALL.sub(_method, renamed(code or entry.gradient or "g", names))
    return f"grad_{target} = {right.removesuffix(' * 1')}"


def _spread(g: str, values: dict[str, Any], shape: str) -> str:
    """Give each summed element the gradient of its sum: the dims that went are put back."""
    dims = values.get("dim")
    if dims in (None, (), []) or values.get("keepdim"):
        return f"{g}.expand({shape})"
    gone = sorted(int(d) for d in np.atleast_1d(dims))
    return g + "".join(f".unsqueeze({d})" for d in gone) + f".expand({shape})"


@lru_cache(maxsize=1024)
def _identifier(name: str, instead: str) -> str:
    """A name that Python takes: the reader's, or what the operation calls it.

    >>> _identifier("w1", "self"), _identifier("x·x", "self"), _identifier("net.0.weight", "mat2")
    ('w1', 'input', 'net_0_weight')
    """
    plain = name.replace(".", "_")
    if plain.isascii() and plain.isidentifier():
        return plain
    return {"self": "input", "": "input"}.get(instead, instead)


@lru_cache(maxsize=1024)
def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?(\d+\.?\d*(e[+-]?\d+)?|inf|nan)", text) is not None


def as_mathematics(code: str) -> str:
    """A Python expression in the signs of a blackboard.

    >>> as_mathematics("2 * x ** (2 - 1)"), as_mathematics("g @ w.T")
    ('2 × x', 'g · wᵀ')
    """
    code = re.sub(r"\s*\*\*\s*\((\d+) - 1\)", lambda found: _power(int(found[1]) - 1), code)
    code = re.sub(r"\s*\*\*\s*2\b", "²", code)
    code = re.sub(r"\s*\*\*\s*3\b", "³", code)
    code = re.sub(r"\s*\*\*\s*", "^", code)
    code = re.sub(r"\.m?T\b", "ᵀ", code)
    for python, sign in ((" * ", " × "), (" - ", " − "), (" / ", " ÷ "), (" @ ", " · ")):
        code = code.replace(python, sign)
    code = re.sub(r"(?<![\w.])1 × ", "", code)
    return re.sub(r"(?<![\w)])-", "−", code)


def _power(exponent: int) -> str:
    return {0: "^0", 1: "", 2: "²", 3: "³"}.get(exponent, f"^{exponent}")
