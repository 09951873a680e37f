"""A forward pass that ended in an error: which operation it was, and the graph up to there."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from minigrad.help.source.reader import PACKAGE
from minigrad.language import _

from .forward import Call, tensors_in
from .model import Edge, Graph, Index, Operation, Value
from .modules import add_groups
from .names import is_tensor, variables_of
from .numbers import brief, raw
from .sentences import table, written
from .survey import Survey

if TYPE_CHECKING:
    from .tape import watch


@dataclass
class Failure:
    """Where and why a forward pass ended.

    Attributes:
        error: the class of the exception.
        message: the first line of what it says.
        symbol: the operation, or "" where only its place is known.
        operands: the tensors that it was given, as far as that is known.
        call: the call of a module that it happened in.
    """

    error: str
    message: str
    symbol: str = ""
    operands: tuple = ()
    call: Call | None = None


def failure(error: Exception, listeners: Iterable[Any]) -> Failure:
    """What is known about an error that came out of a watched block."""
    found = Failure(type(error).__name__, (str(error).splitlines() or [""])[0])
    frame, place = _readers_frame(error.__traceback__)
    for listener in listeners:
        known = listener.forward.failed_in
        failed, symbol, operands = listener.failed
        if known is not None and known[0] is error:
            _, found.call, module, arguments = known
            found.symbol = type(module).__name__
            if type(module).__module__.startswith(("torch.", "minigrad.")):
                found.operands = (*tensors_in(arguments), *module.parameters(recurse=False))
        if failed is error and operands:
            found.symbol, found.operands = symbol, operands
    if not found.operands and frame is not None:
        found.operands, written = _operands_on_the_line(frame, place)
        found.symbol = written or found.symbol
    return found


def _readers_frame(traceback: TracebackType | None) -> tuple[FrameType | None, int]:
    """The innermost frame of the reader's own code, and the instruction that it stopped at."""
    torch = getattr(sys.modules.get("torch"), "__file__", None) or PACKAGE
    libraries = (PACKAGE, os.path.join(os.path.dirname(torch), ""))
    found: tuple[FrameType | None, int] = (None, 0)
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(libraries):
            found = traceback.tb_frame, traceback.tb_lasti
        traceback = traceback.tb_next
    return found


SIGNS = {"Add": "+", "Sub": "−", "Mult": "×", "Div": "÷", "MatMult": "@", "Pow": "**"}


def _operands_on_the_line(frame: FrameType, instruction: int) -> tuple[tuple, str]:
    """The tensors that are named in the failing expression, and its operation."""
    spans = list(frame.f_code.co_positions())
    first, last, start, end = spans[instruction // 2]
    if None in (first, last, start, end):
        return (), ""
    lines = [linecache.getline(frame.f_code.co_filename, n) for n in range(first, last + 1)]
    lines[-1] = lines[-1].encode()[:end].decode()
    lines[0] = lines[0].encode()[start:].decode()
    try:
        expression = ast.parse("(" + "".join(lines).strip() + ")", mode="eval").body
    except SyntaxError:
        return (), ""
    variables = variables_of(frame)
    names = (node.id for node in ast.walk(expression) if isinstance(node, ast.Name))
    found = dict.fromkeys(names)
    tensors = tuple(variables[name] for name in found if is_tensor(variables.get(name)))
    return tensors, _sign(expression)


def _sign(expression: ast.expr) -> str:
    if isinstance(expression, ast.BinOp):
        return SIGNS.get(type(expression.op).__name__, "")
    if isinstance(expression, ast.Call):
        return getattr(expression.func, "attr", getattr(expression.func, "id", ""))
    return ""


def graph_until_error(tape: watch, names: Mapping[str, Any] | None = None) -> Graph:
    """What led to the error that ended a watched block, and the operation that failed.

    That operation has the kind ``"error"``, the exception's class as its ``node`` and the message
    as its ``error``. It made nothing; its operands are those that are known.

    Raises:
        ValueError: if the block ended without an error.

    >>> import minigrad as mg
    >>> from minigrad.trace import watch
    >>> net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Linear(4, 1))
    >>> try:
    ...     with watch(net) as tape:
    ...         loss = net(mg.ones(5, 2)).sum()
    ... except RuntimeError:
    ...     graph = graph_until_error(tape)
    >>> failed = graph.operations[-1]
    >>> failed.error, graph.groups[-1].name
    ('mat1 and mat2 shapes cannot be multiplied (5x3 and 4x1)', 'net.1')
    """
    failure = tape.failure
    if failure is None:
        raise ValueError(
            "this block ended without an error, so its results are there: pass one of them, "
            "as in draw(loss)"
        )
    # Reading the node of a view that was written to renews it, as using the view has done already.
    roots = tuple(t for t in failure.operands if t.requires_grad and t.grad_fn is not None)
    survey = Survey(roots, names, tape)
    graph = survey.graph
    failed = _failed(failure, f"n{len(graph.operations)}")
    graph.operations.append(failed)
    for tensor in failure.operands:
        made = survey.made_by(tensor.grad_fn, tensor.output_nr)
        source = made or survey.key_of_tensor(tensor) or _operand(survey, tensor)
        argument = sum(1 for edge in graph.edges if edge.target == failed.key)
        graph.edges.append(Edge(f"e{len(graph.edges)}", source, failed.key, argument))
    graph.groups.clear()
    known = {} if failure.call is None else {failed.key: failure.call}
    add_groups(graph, survey.nodes, survey.tensors, known)
    _without_outputs(graph, failed)
    return graph


def _without_outputs(graph: Graph, failed: Operation) -> None:
    """What was made in a module that failed is not its output."""
    index = Index(graph)
    unfinished = index.around(failed.key)
    for operation in graph.operations:
        for value in (index.values[key] for key in operation.outputs):
            if operation.group in unfinished and not value.named:
                value.role = _("the result of {sign}").format(sign=operation.symbol)


def _failed(failure: Failure, key: str) -> Operation:
    stems = {stem.lower(): stem for stem in table("operations")}
    stem = stems.get(failure.symbol.strip("_"), "")
    symbol = written(stem, "symbol") or failure.symbol or "?"
    operands = tuple(f"operand{number}" for number in range(len(failure.operands)))
    return Operation(
        key, failure.error, symbol, None, None, "error", operands=operands, error=failure.message
    )


def _operand(survey: Survey, tensor: Any) -> str:
    """An operand that no operation made: a leaf, or one that asks for no gradient."""
    name = survey.names.of_tensor(tensor)
    key = f"v{len(survey.graph.values)}"
    value = Value(key, name or "", brief(raw(tensor)), tuple(tensor.shape), named=name is not None)
    value.requires_grad = value.leaf = bool(tensor.requires_grad)
    value.frozen = survey.names.is_frozen(tensor)
    survey.graph.values.append(value)
    survey.tensors[key] = tensor
    return key


def error_frame(graph: Graph) -> dict:
    """What a picture of `graph_until_error` marks: the operation that failed, and why.

    It has the fields of a frame that a picture reads; the groups around the operation are marked
    like it.

    >>> graph = Graph(operations=[Operation("n0", "RuntimeError", "@", None, None, "error")])
    >>> error_frame(graph)["marks"]
    {'n0': ['error']}
    """
    failed = graph.operations[-1]
    marked = [failed.key, *Index(graph).around(failed.key)]
    sentence = _("{error}: {message}").format(error=failed.node, message=failed.error)
    return {
        "step": 0,
        "title": _("The forward pass stopped here"),
        "tags": ["error"],
        "sentence": sentence,
        "marks": {key: ["error"] for key in marked},
        "labels": {key: {"state": _("stopped")} for key in marked},
    }
