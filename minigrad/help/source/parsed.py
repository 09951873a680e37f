"""The text of the reader's program, parsed, and the expression that an instruction belongs to."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from types import CodeType
from typing import Any

from ...autograd.caller import Place
from . import reader
from .prompt import PROMPTS, typed
from .syntax import parts_in, span, statements_at

CUT = ast.Call | ast.Compare | ast.Attribute | ast.BinOp  #: expressions that can end a history


def expression_at(place: Place) -> ast.AST | None:
    """The expression of the reader's that an instruction belongs to; None if it cannot be read."""
    return expressions_in(tree_of_code(place[0])).get(reader.position(place))


def text_of_code(code: CodeType) -> str:
    """The text that a piece of code was made from: a file, a cell, or an input at the prompt."""
    return typed(code) if code.co_filename in PROMPTS else text_of(code.co_filename)


def tree_of_code(code: CodeType) -> ast.Module:
    """The statements of the text that a piece of code was made from."""
    return tree_of(text_of_code(code))


def statements_at_place(place: Place) -> list[ast.stmt]:
    """The statements in the line of an instruction that hold no others."""
    return statements_at(tree_of_code(place[0]), reader.line_number(place))


def text_of(filename: str, variables: dict[str, Any] | None = None) -> str:
    """The text of a file or a cell; of one in an archive, by its global variables."""
    return "".join(linecache.getlines(filename, variables))


@lru_cache(maxsize=256)
def tree_of(text: str) -> ast.Module:
    """The statements of a text; none where it is not Python."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])


@lru_cache(maxsize=256)
def expressions_in(tree: ast.Module) -> dict[tuple, ast.AST]:
    """The expressions of a text that can take a history away, by where they are."""
    return {span(node): node for node in parts_in(tree, CUT)}
