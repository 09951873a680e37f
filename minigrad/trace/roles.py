"""What sentences call a value without a name: its role, ``the product``, ``the output of net.2``.

A result that leaves a module is the output of that module; one inside of a module is told by its
kind and the module: ``the product in block 11``. Where that does not say which one it is, it is
counted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import read
from .expressions import expressions
from .model import Group, Index, Operation
from .sentences import say, table

WORDS = 10  #: places in a row that are said as words
SHORT = 20  #: characters of an expression that is said in place of "the second"
LONG = 40  #: characters of a path that is said whole


class Role(NamedTuple):
    """What a result is called: a sentence of the table and its slots, and the module it is in."""

    key: str
    slots: dict[str, str]
    module: str = ""

    def said(self, place: int | None = None) -> str:
        """The role of the only value of its kind, or of the one at a ``place`` in a row."""
        told = say(self.key, **self.slots)
        if place is not None:
            told = say(f"{self.key}-nth", nth=nth(place), **self.slots)
        return say("role-in", role=told, module=self.module) if self.module else told


def name_values(
    index: Index, nodes: dict[str, Any], keeps: dict[str, read.Keeps], given: dict[str, str]
) -> None:
    """Give every value without a name an expression (or ``given``) as its name, and a role.

    No two have the same role, and none has the one that a named result could be called by.

    Args:
        index: a finished graph, with its groups.
        nodes: its live nodes, by the key of the operation.
        keeps: what each of them keeps.
        given: names for values that were written over.
    """
    told = {**expressions(index, nodes, keeps), **given}
    outputs, places = outputs_of_modules(index), places_of(index.graph.groups)
    short = shortened(value.name for value in index.values.values() if value.named)
    roles: dict[str, Role] = {}
    for operation in index.graph.operations:
        for key in operation.outputs:
            if key in outputs:
                roles[key] = Role("role-output", {"module": places[outputs[key]]})
            else:
                place = places.get(operation.group or "", "")
                roles[key] = _role(operation, nodes[operation.key], index, key, place, short)
    only = {key: role.said() for key, role in roles.items()}
    counts = Counter(only.values())
    expressed = Counter(told.get(key, "") for key in roles if not index.values[key].named)
    seen: Counter[str] = Counter()
    for key, role in roles.items():
        value, text, expression = index.values[key], only[key], told.get(key, "")
        seen[text] += 1
        if value.named:
            continue
        value.name, value.role = expression, text
        alone = expression and expressed[expression] == 1
        if alone and _clear(role, expression, counts[text]):
            value.role = expression
        elif alone and counts[text] > 1 and (len(expression) <= SHORT or seen[text] > WORDS):
            value.role = say("its-name", role=text, expression=expression)
        elif counts[text] > 1:
            value.role = role.said(seen[text])


def _clear(role: Role, expression: str, count: int) -> bool:
    """Whether a sentence calls a result by its expression alone: ``kᵀ``, ``exp(x)``, not ``a+b``.

    What has a word of its own, such as "the square", is called so where it is the only one.
    """
    nameless = role.key.startswith(("role-result", "role-one-result", "role-transposed"))
    one_piece = re.fullmatch(r"\w+\(.*\)|[\w.\[\]]+[⁰¹²³⁴-⁹]", expression)
    return nameless or (count > 1 and one_piece is not None)


def _role(
    operation: Operation, node: Any, index: Index, key: str, module: str, short: dict[str, str]
) -> Role:
    """The role that the kind of an operation gives its result: ``the sum``."""
    stem, name = read.stem(node), read.plain_name(node)
    operands = [index.values[edge.source] for edge in index.operands[operation.key]]
    if stem == "T" and len(operands) == 1 and operands[0].named:
        transposed = operands[0].name
        return Role("role-transposed", {"name": short.get(transposed, transposed)})
    if stem == "Pow" and operation.constants.get(1) == "2":
        stem = "Square"
    if stem == "ToCopy" and read.result_dtype(node):
        return Role("role-copy", {"dtype": name}, module)
    if f"role-{stem}" in table("sentences"):
        return Role(f"role-{stem}", {}, module)
    if read.output_count(node) > 1:
        made = next(edge for edge in index.results[operation.key] if edge.target == key)
        return Role("role-one-result", {"name": name, "place": nth(made.output + 1)}, module)
    if module:
        return Role("role-named-in", {"name": name, "module": module})
    return Role("role-result", {"name": name})


# -- modules --------------------------------------------------------------------------------


def outputs_of_modules(index: Index) -> dict[str, str]:
    """The values that leave a module as its only and last result, each with the outermost one."""
    graph, roots = index.graph, set(index.graph.roots)
    if not graph.groups:
        return {}
    modules = {group.key for group in graph.groups if group.kind == "module"}
    leaving: dict[str, dict[str, None]] = defaultdict(dict)  # module -> values used outside of it
    last: dict[str, tuple[str, ...]] = {}  # module -> what its last operation made
    for operation in graph.operations:
        if operation.kind != "accumulate":
            last.update(dict.fromkeys(index.around(operation.key), operation.outputs))
    for edge in graph.edges:
        inside = [] if edge.argument is None else index.around(edge.target)
        made = edge.target if edge.argument is None else edge.source
        if edge.argument is None and made not in roots:
            continue
        for group in index.around(made):
            if group not in inside:
                leaving[group][made] = None
    found: dict[str, str] = {}
    for group in reversed(graph.groups):  # those further in come later in the list
        values = list(leaving[group.key])
        if group.key in modules and len(values) == 1 and values[0] in last.get(group.key, ()):
            found[values[0]] = group.key
    return found


def places_of(groups: list[Group]) -> dict[str, str]:
    """What the module of each group is called: ``block 11``, ``layers.11.self_attn``.

    Of a path it is the shortest end that no other module has and that does not begin with a number.
    """
    by_key = {group.key: group for group in groups}
    names = Counter(group.name for group in groups)
    ends = Counter(end for path in {g.path for g in groups} for end in _ends(path))
    found = {}
    for group in groups:
        if group.kind != "module":
            continue
        repeated = group.parent is not None and by_key[group.parent].kind == "repeat"
        _start, call, time = group.name.rpartition(", call ")
        clear = (end for end in _ends(group.path) if ends[end] == 1 and not end[0].isdigit())
        called = next(clear, group.path)
        if call:
            found[group.key] = say("module-call", module=called, time=time)
        else:
            found[group.key] = group.name if repeated and names[group.name] == 1 else called
    return found


def shortened(names: Iterable[str], most: int = LONG) -> dict[str, str]:
    """Long paths with their middle left out, where no two become the same.

    >>> shortened(["model.encoder.layers.3.self_attn.out_proj.weight", "x"])
    {'model.encoder.layers.3.self_attn.out_proj.weight': 'model…layers.3.self_attn.out_proj.weight'}
    """
    every = set(names)
    ends = Counter(end for name in every if "." in name for end in _ends(name))
    found = {}
    for name in every:
        first, dot, rest = name.partition(".")
        if len(name) <= most or not dot:
            continue
        clear = [end for end in _ends(rest) if ends[end] == 1 and end != rest]
        whole = [f"{first}…{end}" for end in clear if not end[0].isdigit()]
        fitting = [each for each in whole if len(each) <= most]
        for short in (*fitting[::-1], *whole, *(f"{first}…{end}" for end in clear)):
            found[name] = short
            break
    return found


def _ends(path: str) -> list[str]:
    """``a.b.c`` as ``c``, ``b.c``, ``a.b.c``."""
    steps = path.split(".")
    return [".".join(steps[start:]) for start in reversed(range(len(steps)))]


def nth(place: int) -> str:
    """The place in a row, counted from 1, as a word or a number.

    >>> nth(2), nth(10), nth(11), nth(22)
    ('second', 'tenth', '11th', '22nd')
    """
    if place <= WORDS:
        return say(f"nth-{place}")
    last = 0 if 10 < place % 100 < 20 else place % 10
    return say(f"nth-{last if last < 4 else 0}-later", place=place)
