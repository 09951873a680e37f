"""Custom functions whose ``backward`` is not the derivative of their ``forward``.

The two are compared where all arguments are known. Surrogates are meant to differ and are left in
peace: for a function that rounds, passes on its input, or treats gradients in a way of its own.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from ...autograd.function import FunctionNode
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import is_call, names_in, root
from ..source.texts import definition_of
from ..words.sentences import tell
from .applied_arguments import arguments_of
from .custom_backwards import Returned, argument_at, gradients_unread, unread
from .finite_differences import CLEAR, Applied, Compared, aside, differing, is_array, is_close
from .idle_hooks import idle_hooks
from .second_derivatives import part_missing

#: what makes steps of values, or is not to be run once more
MEANT = {
    "sign", "sgn", "round", "floor", "ceil", "trunc", "heaviside", "argmax", "argmin", "one_hot",
    "bernoulli", "multinomial", "int", "long", "detach", "random", "open", "write", "input",
}  # fmt: skip
SAID_TO_BE = re.compile(r"surrogate|straight|approx|pseudo|revers|stabil|smooth|estimat", re.I)
CHANGES = {"append", "extend", "add", "update", "insert", "pop", "remove", "clear", "setdefault"}


def wrong_on_the_way(nodes: Iterable[Any], program: Program) -> Iterator[str]:
    """Sentences on hooks whose work is thrown away, and on each ``backward`` that is wrong."""
    nodes = [*nodes]
    yield from chain(*idle_hooks(nodes))
    yield from gradients_unread(nodes)
    known = {each.node.function for each in unread(nodes)}
    own = {node.function: node for node in nodes if isinstance(node, FunctionNode)}
    for node in (node for function, node in own.items() if function not in known):
        yield from of_function(node, node is nodes[0], program)


def of_function(node: FunctionNode, is_last: bool, program: Program) -> Iterator[str]:
    """What ``backward`` answers for one element, beside the finite differences, and what helps."""
    if not is_plain(node.function) or (known := arguments_of(node, program)) is None:
        return
    is_loss = is_last and node.output_specs[0][0] == ()  # whose backward() brings 1
    try:
        with aside():
            for seed in ("1",) if is_loss else ("1", "random numbers"):
                applied = Applied(node.function, *known, seed == "1")
                if wrong := differing(found := applied.compared()):
                    break
            if not wrong:
                names = [argument_at(node, at) for at in range(len(known[0]))]
                # Nothing is found of what is meant to be no derivative.
                yield from [*part_missing(node, known, names, program)] if found else ()
                return
            nearby = Applied(node.function, *known, seed == "1", is_nearby=True)
            if not differing(found := nearby.compared()):
                return
            do = saved_instead(nearby, found, node) or corrected(found, wrong[0].place, node)
    except Exception:  # of the reader's code, with other numbers: then nothing is known
        return
    own, name = node.function.__name__, argument_at(node, wrong[0].place)
    told = {key: f"{getattr(wrong[0], key):.4g}" for key in ("answer", "slope", "at")}
    element = name + str([*wrong[0].element]) * bool(wrong[0].element)
    line = in_brackets(Returned(node, wrong[0].place).line)
    yield tell("wrong-derivative", own=own, line=line, element=element, seed=seed, **told)
    yield do or tell("derive-anew", own=own, name=name)


def is_plain(function: type) -> bool:
    """Whether a function can be run once more, and is neither said nor seen to be a surrogate."""
    said = [function.__name__, function.__doc__ or ""]
    for method in {"forward", "backward", "setup_context"} & {*vars(function)}:
        source, body = definition_of(inspect.unwrap(getattr(function, method)))
        if source is None or function.__module__.startswith("minigrad."):
            return False
        said += source.lines[body.lineno - 1 : body.end_lineno]
        parts = [*ast.walk(body)]
        own = names_in(body, ast.Store) | {e.arg for e in parts if isinstance(e, ast.arg)}
        changed = [e for e in parts if isinstance(e, ast.Attribute | ast.Subscript)]
        changed = [each for each in changed if not isinstance(each.ctx, ast.Load)]
        changed += [each.func for each in parts if is_call(each, CHANGES)]
        is_meant = any(isinstance(e, ast.Global | ast.Nonlocal) or is_call(e, MEANT) for e in parts)
        if is_meant or any(root(each) not in own for each in changed):
            return False
    return not SAID_TO_BE.search(" ".join(said))


def saved_instead(applied: Applied, found: list[Compared], node: FunctionNode) -> str:
    """That ``backward`` is right with another value in the place of one it saved; empty if not."""
    source, body = definition_of(inspect.unwrap(node.function.forward))
    calls = [each for each in ast.walk(body) if is_call(each, {"save_for_backward"})]
    returned = [e.value for e in ast.walk(body) if isinstance(e, ast.Return)]
    if [*map(len, (calls, returned, applied.outputs))] != [1, 1, 1]:
        return ""
    known = {argument_at(node, at): v for at, v in enumerate(applied.values) if is_array(v)}
    known = {name: value for name, value in known.items() if name not in names_in(body, ast.Store)}
    given = [f"`result = {ast.unparse(returned[0])}`"] * (not isinstance(returned[0], ast.Name))
    result = "result" if given else returned[0].id
    known[result] = applied.outputs[0]._value
    written = [*map(ast.unparse, calls[0].args)]
    for at, saved in enumerate(written):
        for name, other in known.items() if saved in known else ():
            if name in written or other.shape != known[saved].shape:
                continue
            answers = applied.answers(1, at, other)
            if all(is_close(answers[e.place][e.element], e.slope, CLEAR, 1e-6) for e in found):
                instead = ", ".join([*written[:at], name, *written[at + 1 :]])
                ends = [*given, f"`{ast.unparse(calls[0].func)}({instead})`"]
                told = {"ends": ", ".join(ends), "line": source.spoken(calls[0].lineno)}
                return tell("save-another", name=name, saved=saved, result=result, **told)
    return ""


def corrected(found: list[Compared], place: int, node: FunctionNode) -> str:
    """That each answer for an input is wrong by one factor, or by its sign; empty if not."""
    found, written = [each for each in found if each.place == place], Returned(node, place).returns
    ratio = found[0].answer / found[0].slope if found and found[0].slope else 0
    if (
        not ratio
        or is_close(ratio, 1, CLEAR)
        or not all(is_close(e.answer, ratio * e.slope, 1e-3) for e in found)
    ):
        return ""
    value = written[0].value if len(written) == 1 else ast.Tuple([])
    parts = [*map(ast.unparse, value.elts if isinstance(value, ast.Tuple) else [value])]
    if is_close(ratio, -1, 1e-3) and len(parts) == len(node.input_specs):
        parts[place] = f"-({parts[place]})"
        return tell("wrong-sign", instead=", ".join(parts))
    told = {"name": argument_at(node, place), "own": node.function.__name__}
    return tell("wrong-factor", ratio=f"{ratio:.4g}", **told) if len(found) > 1 else ""
