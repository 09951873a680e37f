"""What one statement does to names: binds them, writes into their tensors, asks for gradients."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from ..source.syntax import is_call, is_word, names_in, parts_in
from .cuts import cut_by

BINDS, WRITES, ASKS = "binds", "writes", "asks"
ANY = ...  # an item, whichever it is
RESULT = "return"  # what a function returns has this for a name


class Part(str):
    """A name of which an expression uses one item: ``pair`` of ``pair[0]``."""

    key: Any

    def __new__(cls, name: str, key: Any) -> Part:
        part = super().__new__(cls, name)
        part.key = key
        return part


def effects(statement: ast.stmt) -> Iterator[tuple[str, ast.expr, str]]:
    """The (name, value, kind) of what a statement does; a write into ``b`` uses ``b`` too."""
    match statement:
        case ast.Assign(targets, value):
            for target in targets:
                yield from bound(target, value)
        case ast.AnnAssign(target, _, ast.expr() as value):
            yield from bound(target, value)
        case ast.For(target, value):
            parts = dict(in_turn(target, value))
            keys = keys_in(statement, parts)
            for name, part in parts.items():
                yield name, ast.Constant("") if name in keys else part, BINDS
        case ast.Return(ast.expr() as value) | ast.Expr(
            ast.Yield(ast.expr() as value)
        ):  # one of several, perhaps, like a write
            yield RESULT, together(ast.Name(RESULT), value), WRITES
        case ast.AugAssign(
            ast.Subscript(ast.Name(base) as whole, ast.Constant() as key) as old, _, value
        ):
            yield base, together(whole, ast.Dict([key], [together(old, value)])), WRITES
        case ast.AugAssign(target, _, value):
            if base := tensor_written(target):
                yield base, together(target, value), WRITES
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name) as tensor, method), args) as call):
            if method == "requires_grad_":
                if not any(is_word(each, False) for each in args):
                    yield name, call, ASKS
            elif method == "detach_":
                yield name, call, WRITES
            elif method == "append" or method.endswith("_") and not method.endswith("__"):
                yield name, together(tensor, *args), WRITES


def bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    """What ``target = value`` binds."""
    match target:
        case ast.Name(name):
            yield name, value, BINDS
        case ast.Tuple(targets) | ast.List(targets):
            starred = [isinstance(each, ast.Starred) for each in targets]
            for number, each in enumerate(targets):
                if any(starred[: number + 1]):  # those behind it are counted from the end
                    is_all = starred[number]
                    part = value if is_all else part_of(value, number - len(targets))
                    yield from bound(each.value if is_all else each, part)
                else:
                    count = None if any(starred) else len(targets)
                    yield from bound(each, part_of(value, number, count))
        case ast.Attribute(ast.Name(name) as whole, "data"):
            if name not in names_in(value):
                yield name, together(whole, ast.Attribute(value, "data")), WRITES
        case ast.Attribute(ast.Name(name), "requires_grad"):
            if not is_word(value, False):
                yield name, value, ASKS
        case ast.Subscript(ast.Name(base) as whole, ast.Constant() as key):
            yield base, together(whole, ast.Dict([key], [value])), WRITES
        case ast.Subscript():
            if base := tensor_written(target):
                yield base, together(target, value), WRITES


def part_of(value: ast.expr, key: Any, count: int | None = None) -> ast.expr:
    """What stands at a place of a tuple, a list or a dict, where the expression shows that.

    Of a call it is ``f()[0]``, whose function is asked; else it can be all of the value.
    """
    match value:
        case ast.Tuple(parts) | ast.List(parts) if count in (None, len(parts)):
            is_plain = not any(isinstance(part, ast.Starred) for part in parts)
            if is_plain and isinstance(key, int) and -len(parts) <= key < len(parts):
                return parts[key]
        case ast.Dict(keys, values):
            for own, part in zip(keys, values):
                if isinstance(own, ast.Constant) and own.value == key:
                    return part
        case ast.Call() | ast.Name() | ast.Subscript(ast.Call(), ast.Constant()):
            return ast.Subscript(value, ast.Constant(key), ast.Load())
    return value


def in_turn(target: ast.expr, over: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names that a loop binds, each with what it goes through."""
    match target, over:
        case ast.Name(name), _:
            yield name, over
        case ast.Tuple(targets), ast.Call(ast.Name("zip"), things) if len(targets) == len(things):
            for each, thing in zip(targets, things):
                yield from in_turn(each, thing)
        case ast.Tuple([_, each]), ast.Call(ast.Name("enumerate"), [thing, *_]):
            yield from in_turn(each, thing)
        case ast.Tuple([_, each]), ast.Call(ast.Attribute(thing, "items")):
            yield from in_turn(each, thing)
        case ast.Tuple(targets), ast.Call():
            for number, each in enumerate(targets):
                if isinstance(each, ast.Name):
                    yield each.id, part_of(part_of(over, ANY), number)
                else:
                    yield from in_turn(each, over)
        case _:
            names = parts_in(target, ast.Name)
            yield from ((name.id, over) for name in names)


def keys_in(tree: ast.AST, over: dict[str, ast.expr]) -> set[str]:
    """The names that run over the keys of a dict: ``k`` of ``d[k] for k in d``."""
    keys = {name for name, thing in over.items() if is_call(thing, {"keys"})}
    for each in parts_in(tree, ast.Subscript):
        match each:
            case ast.Subscript(whole, ast.Name(key)) if key in over:
                keys |= {key} if ast.unparse(whole) == ast.unparse(over[key]) else set()
    return keys


def tensor_written(target: ast.expr) -> str | None:
    """The name of what is written to: ``b`` of ``b``, ``b[0]``, ``b[0][1]`` and ``b.data[0]``."""
    while isinstance(target, ast.Subscript) or getattr(target, "attr", "") == "data":
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def together(*parts: ast.expr) -> ast.expr:
    """An expression that uses all of these."""
    return ast.Tuple(list(parts), ast.Load())


def uses(value: ast.expr, inside: Callable) -> Iterator[tuple[str, list]]:
    """Each name in an expression, and what takes its history away on the way out; last first.

    ``inside`` answers for a call with the expressions that its result is computed from, each with
    what it lost on the way, or None if that is unknown. What is lost here comes with its line.
    """
    waiting: list[tuple[ast.AST, list]] = [(value, [])]
    while waiting:
        node, lost = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id, lost
        elif is_item(node) and isinstance(node.value, ast.Name):
            yield Part(node.value.id, node.slice.value), lost
        elif mapped := of_map(node):
            waiting.append((mapped, lost))
        elif (call := call_in(node)) and (parts := inside(*call)) is not None:
            waiting.extend((part, [*lost, *cuts]) for part, cuts in parts)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            waiting.extend((part, [*lost, *cuts]) for part, cuts in of_each(node, inside))
        else:
            for child in ast.iter_child_nodes(node):
                what = cut_by(node, child)
                waiting.append((child, [*lost, (what, line_in(node))] if what else lost))


def line_in(node: ast.AST) -> int:
    """The number of the line at which a part of a statement does what it does; 0 where unknown.

    A method stands where its name is, below what it is called on.
    """
    part = getattr(node, "func", node)
    return getattr(part, "end_lineno" if isinstance(part, ast.Attribute) else "lineno", 0) or 0


def call_in(node: ast.AST) -> tuple[ast.Call, tuple] | None:
    """The call of ``f()`` and of ``f()[0][1]``, with the item of its result that is meant."""
    match node:
        case ast.Call():
            return node, ()
        case ast.Subscript(ast.Call() as call, ast.Constant(key)):
            return call, (key,)
        case ast.Subscript(ast.Subscript(ast.Call() as call, ast.Constant(key)), ast.Constant(of)):
            return call, (key, of)
    return None


def of_map(node: ast.AST) -> ast.expr | None:
    """``map(f, xs)`` as what it computes for each: ``f(xs)``, or a comprehension for a lambda."""
    match node:
        case ast.Call(ast.Name("map"), [ast.Lambda(given, body), *over]):
            names = [ast.Name(each.arg, ast.Store()) for each in given.args]
            pairs = zip(names, over) if len(names) == len(over) else ()
            return ast.GeneratorExp(body, [ast.comprehension(*pair, [], 0) for pair in pairs])
        case ast.Call(ast.Name("map"), [function, *over]) if over:
            return ast.copy_location(ast.Call(function, over, []), node)
    return None


def is_item(node: ast.AST) -> bool:
    """Whether this is ``f()[0]``, ``pair[0]`` or ``losses["a"]``."""
    match node:
        case ast.Subscript(ast.Call() | ast.Name(), ast.Constant()):
            return True
    return False


def of_each(node: Any, inside: Callable) -> Iterator:
    """What the elements of a comprehension are computed from, and what each way loses.

    A name of the comprehension's own stands for what it runs over.
    """
    over: dict[str, ast.expr] = {}
    for generator in node.generators:
        over |= in_turn(generator.target, generator.iter)
    element = node.value if isinstance(node, ast.DictComp) else node.elt
    over |= dict.fromkeys(keys_in(element, over), ast.Constant(""))
    for used, lost in uses(element, inside):
        thing: ast.expr = ast.Name(used)
        for _ in over:  # one may run over another
            thing = over.get(thing.id, thing) if isinstance(thing, ast.Name) else thing
        yield thing, lost
