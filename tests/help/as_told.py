"""A program with its `Try:` done as it is written: no more is changed than what is told."""

import ast
import re

TRY = re.compile(r"^Try: +(.*)$", re.MULTILINE)
AT = re.compile(r"(.*?)\(line (\d+) of [^)]*\)[;,. ]*(?:and )?")
LEFT_OUT = re.compile(r"leave \.?(\w+)(?:\(.*?\))? out")
WRITTEN = re.compile(r"((?:mg|torch)\..+) for (math\.\w+)\(\.\.\.\)")
MOVED = re.compile("move the line out of ")


def mended(text, answer):
    """The program as an answer advises; the same text where nothing can be done literally."""
    for advice in TRY.findall(answer)[:1]:
        for told, number in reversed(AT.findall(advice)):
            for name in LEFT_OUT.findall(told) + re.findall(r"in the place of (\w+)\(", told):
                text = without(text, name, int(number))
            for new, name in WRITTEN.findall(told):
                text = with_call(text, int(number), name, new)
            if MOVED.search(told):
                text = moved_out(text, int(number))
    return text


def without(text, name, number):
    """The text without the calls or the attribute of this name in a line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call | ast.Attribute) and node.end_lineno == number:
            kept = kept_of(node, name)
            if kept is not None:
                whole, part = (ast.get_source_segment(text, each) for each in (node, kept))
                part = f"({part})" if isinstance(kept, ast.BinOp) else part
                return without(on_line(text, number, whole, part), name, number)
    return text


def kept_of(node, name):
    """``x`` of ``x.name()``, of ``x.name`` and of ``name(x)``; None for anything else."""
    match node:
        case ast.Call(ast.Attribute(owner, own), []) if own == name:
            return owner
        case ast.Call(ast.Name(own) | ast.Attribute(attr=own), [given]) if own == name:
            return given
        case ast.Attribute(owner, own) if own == name:
            return owner
    return None


def with_call(text, number, name, new):
    """The text with the call of this name in a line written anew."""
    for node in ast.walk(ast.parse(text)):
        is_call = isinstance(node, ast.Call) and node.lineno == number
        if is_call and ast.unparse(node.func) == name:
            return on_line(text, number, ast.get_source_segment(text, node), new)
    return text


def on_line(text, number, old, new):
    """The text with one line changed."""
    lines = text.split("\n")
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return "\n".join(lines)


def moved_out(text, number):
    """The text with the line of a block of one line out of that; the block is left out."""
    lines = text.split("\n")
    lines[number - 1] = lines[number - 1].removeprefix("    ")
    lines[number - 2] = ""
    return "\n".join(lines)
