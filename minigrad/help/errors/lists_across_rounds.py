"""Lists that grow from round to round, and hold results of an earlier one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any

from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..program.program import Program
from ..source import reader
from ..source.syntax import LOOPS, around_line, is_at, is_call, names_in, words_in
from ..source.texts import Source, all_calls, assignments, everywhere, led_to, texts
from ..source.variables import Held, held, own_name, thing_at
from ..words.sentences import tell

DRAWS = {"sample", "choice", "choices"}


def collected(node: Any) -> str:
    """What to do where a list that grows from round to round holds results of an earlier one."""
    program, frame = Program.of(reader.frame()), reader.frame()
    for each in held(program.variables) if frame is not None else ():
        path, _, index = each.path.rpartition("[")
        is_result = isinstance(each.thing, Tensor) and not each.thing.is_leaf
        is_result = is_result and each.is_typed
        if is_result and index[:-1].isdecimal() and node in nodes_behind(each.thing):
            grows = list(lines_that_append(path, frame))
            runs_over = {word for loop in loops_around(frame) for word in words_in(loop.iter)}
            if carries := appended_to_be_read(path, frame):
                return carries
            if grows and not path.endswith(tuple(runs_over)):
                line = program.binding_line(path) or grows[0]
                if (around := rounds_around(frame)) and not any(map(is_in_the_loop, grows)):
                    source, loop = around[0]  # whose rounds append nothing
                    where = reader.in_brackets(source.spoken(loop.lineno))
                    listed = f"what {path} holds{reader.in_brackets(grows[0])}"
                    return tell("into-the-loop", results=listed, loop=where)
                holds = f"it still holds results of an earlier one ({line})"
                starts = [value for at, _, value in assignments(frame) if at == line]
                if len(starts) == 1 and getattr(starts[0], "elts", ()):  # which a round reads
                    return f"start each round with {path} = {ast.unparse(starts[0])}: {holds}."
                beside = "".join(f", and {other} with it" for other in grown_with(each, frame))
                return f"empty {path} in each round, as by {path}.clear(){beside}: {holds}."
    return ""


def drawn_again(node: Any) -> str:
    """What to keep in a list of which entries are drawn, where one has gone through a pass before.

    Empty where no list that a line draws from holds the node.
    """
    frame = reader.frame()
    for _, _, value in assignments(frame) if frame is not None else ():
        if not (is_call(value, DRAWS) and value.args):
            continue
        of, whole = ast.unparse(value.args[0]), thing_at(value.args[0], reader.variables())
        things = (each.thing for each in held({"drawn": whole}))
        results = (each for each in things if isinstance(each, Tensor) and not each.is_leaf)
        if any(node in nodes_behind(each) for each in results):
            lines = [*lines_that_append(of, frame)]
            line = reader.in_brackets(lines[0]) if len(lines) == 1 else ""
            return tell("drawn-again", of=of, line=line)
    return ""


def appended_to_be_read(path: str, frame: FrameType) -> str:
    """What to append to a list where a round begins with its last value, which it must not lose.

    Empty where the round uses the list in another way, too, as all of its values.
    """
    for source, loop in rounds_around(frame)[:1]:
        parts = [each for each in ast.walk(loop) if isinstance(each, ast.expr)]
        uses = [each for each in parts if ast.unparse(each) == path]
        reads = [each for each in parts if ast.unparse(each) == f"{path}[-1]"]
        is_inside = any(around_line(loop, each.lineno, LOOPS) != [loop] for each in reads)
        adds = [each for each in parts if ast.unparse(each).startswith(f"{path}.append(")]
        if reads and not is_inside and len(adds) == 1 and len(uses) == len(reads) + 1:
            (add,) = adds
            if max(each.lineno for each in reads) <= add.lineno and isinstance(add, ast.Call):
                value = ast.unparse(ast.Attribute(add.args[0], "detach"))
                holds = f"{path}[-1] in the next round still holds the graph of this one"
                return f"append {value}(): {holds} ({source.spoken(add.lineno)})."
    return ""


def grown_with(each: Held, frame: FrameType) -> Iterator[str]:
    """The other lists that grow in the loop, and have as many values as this one."""
    own = each.path.rpartition("[")[0]
    lists = [one for one in held(reader.variables_of(frame)) if isinstance(one.thing, list)]
    count = next((len(one.thing) for one in lists if one.path == own), 0)
    for one in lists:
        if len(one.thing) == count and one.path != own and any(lines_that_append(one.path, frame)):
            yield one.path


def lines_that_append(path: str, frame: FrameType) -> Iterator[str]:
    """The lines that append to a list: in a loop around the line that runs now, or a function."""
    functions = everywhere(frame, ast.FunctionDef | ast.Lambda)
    inside = {id(node) for _, function in functions for node in ast.walk(function)}
    for source, call in all_calls(frame, {"append", "extend"}):
        match call.func:
            case ast.Attribute(whole) if own_name(ast.unparse(whole)) == own_name(path):
                line = source.spoken(call.lineno)
                if is_in_the_loop(line) or id(call) in inside:
                    yield line


def loops_around(frame: FrameType | None) -> list[ast.For]:
    """The ``for`` loops around the lines that run now."""
    return [loop for _, loop in rounds_around(frame) if isinstance(loop, ast.For)]


def is_in_the_loop(line: str) -> bool:
    """Whether a line, in words, runs in a loop around the line that runs now, or may do so."""
    frame, place = reader.frame(), reader.SPOKEN_LINE.match(line)
    if frame is None or place is None:
        return True
    number, name = int(place[1]), place[2]
    rounds, known = rounds_around(frame)[:1], reader.variables_of(frame)
    called = (known.get(name) for _, loop in rounds for name in names_in(loop, ast.Load))
    given = {each.__name__ for each in called if isinstance(each, FunctionType)}  # by other names
    run = led_to(rounds, frame, ("forward", "__call__", *given))
    return any(source.name == name and is_at(node, number) for source, node in run)


def rounds_around(frame: FrameType | None) -> list[tuple[Source, ast.AST]]:
    """The loops around the lines that run now, the innermost first."""
    return [
        (source, loop)
        for each in reader.callers(frame)
        for source, tree in texts(frame)
        if source.name == reader.file_name(each.f_code.co_filename)
        for loop in reversed(around_line(tree, each.f_lineno, LOOPS))
    ]
