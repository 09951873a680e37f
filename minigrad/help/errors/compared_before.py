"""A result of before a loop that each round compares its own with, as the old policy of PPO."""

from __future__ import annotations

import ast

from ..program.program import Program
from ..source import reader
from ..source.syntax import LOOPS, around_line
from ..source.texts import texts
from ..words.sentences import tell
from .graph_across_rounds import smallest_kept


def compared_before(node: object) -> str:
    """How a result forgets its history that was computed as each round computes another.

    Empty where what holds the node stands in the innermost loop, or is computed in no other way
    there: then each round may need it anew.
    """
    frame = reader.frame()
    program = Program.of(frame)
    each = smallest_kept(node, program)
    if frame is None or each is None or each.path != each.root:
        return ""
    step = program.step(each.path)
    for source, tree in texts(frame):
        loops = around_line(tree, frame.f_lineno, LOOPS)
        if source.name != reader.file_name(frame.f_code.co_filename) or not loops or step is None:
            continue
        inside = [part for part in ast.walk(loops[-1]) if isinstance(part, ast.Assign)]
        own = {source.spoken(part.lineno) for part in inside}
        again = [p for p in inside if ast.unparse(p.value) == ast.unparse(step.value)]
        if again and step.line not in own:
            new = f"{each.path} = {ast.unparse(step.value)}.detach()"
            return tell("compared-before", new=new, name=each.path, line=step.line)
    return ""
