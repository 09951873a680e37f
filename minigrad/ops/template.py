"""How nodes of each kind are made and differentiated: written out from one template.

``record(value, operands…)`` makes the result of an operation and its node: elementwise operations
go on with its text (:mod:`.elementwise`), others call ``rule.record``. ``node.differentiate(g, …)``
gives each edge of a node its gradient: it is the innermost function of every backward pass. What
the two do differs from rule to rule only in names. So both are written as text when they are first
needed, and compiled: CPython then adapts the code of each rule to that rule. For ``mul``, without
what is said of ``other`` as of ``self`` (docs/reading.md has all, beginning as the operator does)::

    def record(value_, self, other):
        here = state.here
        mode = here.mode
        if mode:  # ON or WATCHED
            to_self = None
            if self.__class__ is Tensor or isinstance(self, Tensor):
                to_self = self._edge
                if self._meta is not None:
                    to_self = gradient_edge(self)
            ...
            if (to_self is not None or to_other is not None) and value_.dtype.kind == "f":
                node = NewNode()
                ...
                node.to_self = to_self
                node.kept_self = None
                if to_other:
                    node.kept_self = self
                    if ...:
                        node.kept_self = save(self)
                ...
                return result
        if isinstance(self, Tensor) or isinstance(other, Tensor):
            return Around.cut(wrap(value_), "mul", self, other)
        return value_

    def differentiate(node, g, recorded, freed):
        to_self = node.to_self
        self = node.kept_self
        ...
        if g is not None:
            if to_other:
                for_other = gradient_of_other(g, self, None)
            ...
        return ((to_self, for_self), (to_other, for_other))

Tracebacks show its lines, as those of any other function of the package.
"""

from __future__ import annotations

import linecache
import os
import weakref
from collections.abc import Callable
from types import FunctionType

import numpy as np
from numpy import ndarray  # noqa: F401  (as others below, a name in the text)

from ..autograd.around import Around  # noqa: F401
from ..autograd.node import DEAD_END, Freed, Node, next_sequence  # noqa: F401
from ..autograd.saved import SavedInput, SavedOutput, unpacked  # noqa: F401
from ..autograd.thread_state import WATCHED, state  # noqa: F401
from ..tensor import Tensor, gradient_edge, wrap  # noqa: F401
from .promotion import number

FOLDER = os.path.dirname(os.path.abspath(__file__))

# The lines that all rules have in common. Names in braces are of one operand or one saved value.
# ``scalars`` is set by elementwise operations: the values are NumPy scalars of one dtype.
RECORD = '''
def record(value_, {parameters}):
    """A Tensor around ``value_``, with a {node_name} if anybody asked for gradients.

    Where no operand is a Tensor the answer is ``value_``: a formula computes with raw values.
    """
    here = state.here'''
BEGIN = """
    mode = here.mode
    if mode:  # ON or WATCHED"""
FIND_EDGE = """
        to_{operand} = {operand}._edge
        if {operand}._meta is not None:
            to_{operand} = gradient_edge({operand})"""
FIND_ANY_EDGE = """
        to_{operand} = None
        if {operand}.__class__ is Tensor or isinstance({operand}, Tensor):"""
FIND_ANY_EDGE += FIND_EDGE.replace("\n", "\n    ")
MAKE = """
        if ({tracked}){and_floats}:
            node = NewNode()
            node.sequence = next_sequence()
            node.specs = node.extras = None
            result = new(Tensor)  # as made_by() does
            result._value = value_
            result._edge = node
            result._counter = result._meta = None"""
AND_FLOATS = ' and ({or_scalars}value_.dtype.kind == "f")'
SET = """
            node.{slot} = {value}"""
KEEP = "{name} if {name}.__class__ is Tensor and {name}._counter is None else save({name})"
KEEP_FOR = """
            node.{slot} = None
            if to_{operand}:  # a DEAD_END makes a node, and saves nothing
                node.{slot} = {name}
                if {name}.__class__ is not Tensor or {name}._counter and {name}._counter.value:
                    node.{slot} = save({name})"""
IS_OF_OTHER_DTYPE = "isinstance({operand}, Tensor) and {operand}._value.dtype is not value_.dtype"
OF_OTHER_DTYPES = """
            if {of_other_dtype}:
                node.specs = specs_of({tuple}, value_)"""
OF_OTHER_SHAPES = """
            {unless_scalars}node.specs = specs_of({tuple}, value_)"""
FINISH = """
            if mode is WATCHED:
                notify(node, {tuple}, result)
            return result
    if {tensors}:
        return Around.cut(wrap(value_), "{name}", {operands})
    return value_
"""
DERIVATIVE = '''
def differentiate(node, g, recorded, freed):
    """Each edge of a {node_name} with the gradient that travels along it."""'''
GET = """
    {name} = node.{slot}"""
VALUE = """
    if {name}.__class__ is Tensor and {name}._counter is None:  # nobody ever wrote to it
        if not recorded:
            {name} = {name}._value
    elif {name} is not None:
        {name} = unpacked({name}, node, recorded)"""
GRADIENTS = """
    {names} = None
    if g is not None:"""
GRADIENT = """
        if to_{operand}:
            for_{operand} = {value}"""
FORMULA = "gradient_of_{operand}({arguments})"
FREE = """
    if freed is not None and ({any}):"""
FREE_SLOT = """
        node.{slot} = {value}"""
RETURN = """
    return ({pairs})
"""
IDENTITY = (lambda g: g).__code__.co_code  # of a formula that is not worth a call
RESERVED = {  # no formula may ask for these: the text gives them another meaning
    "node", "g", "recorded", "freed", "value_", "here", "mode",
}  # fmt: skip


def joined(form: str, names, by: str = ", ") -> str:
    """The form filled in with each of these names."""
    return by.join([form.format(operand=name) for name in names])


def text_of_record(rule, begin: str = RECORD) -> str:
    """The text of ``record`` for a rule, or of an operation that begins otherwise."""
    operands = rule.operands
    others = [name for name in (*rule.saves, *rule.arguments) if name not in (*operands, "result")]
    or_scalars = "scalars or " if "scalars" in begin else ""
    names = {
        "name": rule.name,
        "node_name": rule.node_name,
        "parameters": ", ".join((*operands, *others)),
        "operands": ", ".join(operands),
        "tuple": f"({', '.join(operands)}{',' * (len(operands) == 1)})",
        "tracked": joined("to_{operand} is not None", operands, " or "),
        "and_floats": "" if rule.keeps_dtype else AND_FLOATS.format(or_scalars=or_scalars),
        "unless_scalars": "if not scalars:\n                " if "scalars" in begin else "",
        "of_other_dtype": joined(IS_OF_OTHER_DTYPE, operands, " or "),
        "tensors": joined("isinstance({operand}, Tensor)", operands, " or "),
    }
    text = (begin + BEGIN).format(**names)
    is_tensor = "a = self._value\n" in begin  # else it has raised or returned
    text += joined(FIND_EDGE if is_tensor else FIND_ANY_EDGE, operands[:1])
    text += joined(FIND_ANY_EDGE, operands[1:], "") + MAKE.format(**names)
    for operand in operands:
        text += SET.format(slot=f"to_{operand}", value=f"to_{operand}")
    for name in rule.arguments:
        text += SET.format(slot=f"arg_{name}", value=name)
    for name in rule.saves:
        asks, slot = rule.served_by(name), f"kept_{name}"
        value = "SavedOutput(result)" if name == "result" else KEEP.format(name=name)
        if asks:
            text += KEEP_FOR.format(operand=asks, slot=slot, name=name)
        else:
            text += SET.format(slot=slot, value=value)
    if not rule.keeps_dtype:
        text += (OF_OTHER_SHAPES if rule.broadcasts else OF_OTHER_DTYPES).format(**names)
    return text + FINISH.format(**names)


def text_of_derivative(rule) -> str:
    """The text of ``differentiate`` for a rule."""
    operands, saves = rule.operands, rule.saves
    text = DERIVATIVE.format(node_name=rule.node_name)
    for operand in operands:
        text += GET.format(name=f"to_{operand}", slot=f"to_{operand}")
    for name in saves:
        text += GET.format(name=name, slot=f"kept_{name}")
    text += "".join([VALUE.format(name=name) for name in saves])
    for name in rule.arguments:
        text += GET.format(name=name, slot=f"arg_{name}")
    text += GRADIENTS.format(names=joined("for_{operand}", operands, " = "))
    for operand in sorted(operands):  # PyTorch computes in this order
        formula = rule.formulas[operand]
        call = FORMULA.format(operand=operand, arguments=", ".join(arguments_of(formula)))
        value = "g" if formula.__code__.co_code == IDENTITY else call
        text += GRADIENT.format(operand=operand, value=value)
    if saves:
        text += FREE.format(any=" or ".join([f"{name} is not None" for name in saves]))
    for name in saves:  # the last one says that all of them were let go
        value = "freed" if name == saves[-1] else "None"
        text += FREE_SLOT.format(slot=f"kept_{name}", value=value)
    pairs = joined("(to_{operand}, for_{operand})", operands) + "," * (len(operands) == 1)
    return text + RETURN.format(pairs=pairs)


def arguments_of(formula: Callable) -> list[str]:
    """The arguments a formula is called with: ``_other`` stands for a value it does not need."""
    names = formula.__code__.co_varnames[: formula.__code__.co_argcount]
    return ["None" if name[0] == "_" else name for name in names]


def compiled(text: str, label: str, names: dict) -> Callable:
    """The function of this text, in which these names mean something besides those below."""
    filename = os.path.join(FOLDER, label)
    # With None for its time of change, linecache never looks for the file.
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    made: dict[str, Callable] = {}
    exec(compile(text, filename, "exec"), {**globals(), **names}, made)
    (function,) = made.values()
    return function


def written_when_called(stand_in: FunctionType, write: Callable[[], Callable]) -> FunctionType:
    """A function that is written on its first call; until then it has the code of ``stand_in``.

    To write all of them would take most of the time of ``import minigrad``; and the function must
    stay the same object, for methods and operators hold it by then: it is given another code.
    """

    def become() -> Callable:
        written = write()
        its_globals.update(written.__globals__)
        function.__code__ = written.__code__
        return function

    its_globals = {"__name__": stand_in.__module__, "become": become}
    function = FunctionType(stand_in.__code__, its_globals)
    return function


def in_slots(names: list[str]) -> property:
    """The values of several slots as a tuple, or a ``Freed`` in the last for all of them."""
    read = eval(f"lambda node: ({joined('node.{operand}', names)},)")  # faster than a loop

    def write(node: Node, values) -> None:
        values = (None,) * (len(names) - 1) + (values,) if values.__class__ is Freed else values
        for name, value in zip(names, values or (None,) * len(names)):
            setattr(node, name, value)

    return property(read, write)


def saved_in_slots(names: list[str]) -> property:
    """What a node saves, of which () is left where nothing was asked for, or a ``Freed``."""
    if not names:
        return property(lambda node: (), lambda node, values: None)
    every = in_slots(names)

    def read(node: Node):
        values = every.fget(node)
        nothing = values.count(None) == len(values)
        return values[-1] if values[-1].__class__ is Freed else () if nothing else values

    return property(read, every.fset)


# -- what the text calls ---------------------------------------------------------------------------

new = object.__new__


def save(operand):
    """What a node keeps of an operand: a number, or the tensor and its version unless 0."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        counter = operand._counter
        if counter is None or counter.value == 0:
            return operand
        saved = counter.saved and counter.saved()
        if saved is None or saved.kept is not operand or saved.version != counter.value:
            saved = SavedInput(operand)
            counter.saved = weakref.ref(saved)
        return saved
    return operand if operand.__class__ is np.bool_ else number(operand)


def notify(node: Node, inputs: tuple, output) -> None:
    """Tell those who watch this thread of a new node."""
    for watcher in state.here.watchers:
        watcher(node, inputs, output)


def specs_of(operands: tuple, value) -> tuple | None:
    """The shape and dtype to bring each gradient back to, where operands are unlike the result.

    None if all are like it; an operand that was neither broadcast nor promoted has None, unless
    another was promoted, for then its gradient comes in the dtype of that.
    """
    shape, dtype, specs = value.shape, value.dtype, []
    for operand in operands:
        x = operand._value if isinstance(operand, Tensor) else value
        if x.dtype is not dtype:
            break
        specs.append(None if x.shape == shape else (x.shape, dtype))
    else:
        return tuple(specs) if specs.count(None) < len(specs) else None
    xs = [operand._value if isinstance(operand, Tensor) else value for operand in operands]
    return tuple([(x.shape, x.dtype) for x in xs])
