"""Writes the generated pages: ``python3 docs/build.py``; ``--check`` only compares.

``operations.md`` comes from the declarations of the operations and the table of their rules,
``differences.md`` from the tables the tests use: what is written there is what is tested.
"""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

from minigrad.ops.more import WHERE, load  # noqa: E402
from minigrad.ops.rule import OPERATIONS, Rule  # noqa: E402
from minigrad.trace.derivatives import Entry, entries_of  # noqa: E402

GENERATED = (
    "<!-- Written by docs/build.py; change the source it is made from, not this page. -->\n\n"
)


OPERATIONS_HEAD = """\
# Operations

For each operation: the node it records, what that node keeps for backward, and so whether the
input or the result **may be changed in place** before backward. Changing a kept value makes
backward raise. An operation without a node is not differentiable: its result has no history.
"""

ROOM_HEAD = """
## {room}

| operation | node | keeps | change the input? | change the result? | what is sent |
|---|---|---|---|---|---|
"""


def operations_page() -> str:
    """Every operation: its node, what that keeps, and what may therefore be changed in place."""
    lines = [GENERATED, OPERATIONS_HEAD]
    for room, names in by_room().items():
        lines.append(ROOM_HEAD.format(room=room))
        lines += [row(name, OPERATIONS[name].rule) for name in sorted(names)]
    return "".join(lines)


def by_room() -> dict[str, list[str]]:
    """Operation names by the module they live in: the core first, in the order of the source."""
    rooms: dict[str, list[str]] = {}
    for name in WHERE:
        load(name)
    core = [name for name in OPERATIONS if name not in WHERE]
    for name in [*core, *(name for name in WHERE if name in OPERATIONS)]:
        declared = operation = inspect.unwrap(OPERATIONS[name])
        if operation.rule is not None and operation.__module__.endswith("elementwise"):
            declared = next(iter(operation.rule.formulas.values()))  # made by `unary` or `binary`
        path = Path(declared.__code__.co_filename).stem
        rooms.setdefault(path, []).append(name)
    return rooms


def row(name: str, rule: Rule | None) -> str:
    """One line of the table."""
    if rule is None:
        return f"| `{name}` | — | — | yes | yes | — |\n"
    inputs = [kept for kept in rule.saves if kept != "result"]
    kept = ", ".join(f"`{value}`" for value in rule.saves) or "nothing"
    entries = entries_of(rule.node_name)
    words = "; ".join(told(operand, entries[operand]) for operand in rule.operands)
    may_input = "yes" if not inputs else "no: " + ", ".join(f"`{value}`" for value in inputs)
    may_result = "no" if "result" in rule.saves else "yes"
    cells = (f"`{name}`", f"`{rule.node_name}`", kept, may_input, may_result, words or "—")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


#: What a graph with numbers says here, and a page without them leaves out.
ENDINGS = {"averaged_over": "", "rows": "", "counted": "n"}


def told(operand: str, entry: Entry) -> str:
    """What becomes of a gradient on its way to one operand."""
    named = {name: f"`{name}`" for name in re.findall(r"{(\w+)}", entry.words)}
    return f"to `{operand}`: {entry.words.format(**{**named, **ENDINGS})}"


DIFFERENCES_PAGE = """\
# Differences from PyTorch 2.13

{introduction}

## Not done

| what | why |
|---|---|
{not_done}

## Done differently

| what | why |
|---|---|
{different}

## Differences that tests hold

Each of these is an entry in a table that the comparison with PyTorch reads: the tests fail when
one of them is no longer true.

{tested}
"""


def differences_page() -> str:
    """What minigrad does not do, and what it does differently."""
    notes = tomllib.loads((DOCS / "differences.toml").read_text(encoding="utf-8"))
    return GENERATED + DIFFERENCES_PAGE.format(
        introduction=notes["introduction"].strip(),
        not_done=table(notes["not_done"]),
        different=table(notes["different"]),
        tested="\n".join(f"* {what}" for what in tested_differences()),
    )


def table(entries: list[dict]) -> str:
    """Lines of a table from entries with ``what`` and ``why``."""
    return "\n".join(f"| {entry['what']} | {entry['why']} |" for entry in entries)


def tested_differences() -> list[str]:
    """The sentences of the tables of meant differences."""
    sentences = []
    for path in sorted((ROOT / "tests").rglob("differences.toml")):
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("difference", [])
        sentences += [entry.get("why", entry["what"]) for entry in entries]
    return sentences


PAGES = {"operations.md": operations_page, "differences.md": differences_page}


def main(check: bool) -> int:
    """Write the pages, or name those that are out of date."""
    stale = []
    for name, page in PAGES.items():
        path, text = DOCS / name, page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name} {'is out of date: run python3 docs/build.py' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
