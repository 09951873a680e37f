"""The memory lab: what does a graph keep, for how long, and what would it cost to keep less?

A state is a dict: `op` the operation, `d` how many of them, `w` how many numbers each, `grad`
whether they are recorded, `keep` for ``retain_graph=True``, `every` the length of the parts that
run again in backward or 0, `done` how often backward was called; `ask` whether a guess is wanted
first, and `guess` what was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from ...language import _
from ..board import Board, Button, Part, Screen
from ..tables import rows
from .drawn import STAGES, describe, picture
from .running import AGAIN, BACK, FORWARD, OPERATIONS, Run, Setting, ran
from .sentences import sentence

DEPTHS = (1, 2, 4, 8, 16, 32, 64)
WIDTHS = (10, 1000, 100_000)
PARTS = (0, 2, 4, 8, 16)
MOST_PASSES = 2
STORED_DEPTHS = (2, 8, 32)

State = dict[str, Any]


class MemoryLab(Board):
    """The board of `memory_lab`."""

    @property
    def run(self) -> Run:
        """What the setting that is shown did: bytes, and how often its operations ran.

        >>> memory_lab(depth=10).press("loss.backward()").run.before
        40000
        """
        return ran(setting_of(self.state))


def memory_lab(operation: str = "tanh", depth: int = 8, width: int = 1000) -> MemoryLab:
    """Count what the graph of a chain of equal operations keeps, before and after backward.

    Args:
        operation: "+", "×" or "tanh".
        depth: how many operations the chain has, 1 to 64.
        width: how many numbers each of them works on, 1 to 100,000.

    Raises:
        ValueError: for another operation, depth or width.

    >>> memory_lab("+")
    MemoryLab: + keeps no tensor, so the graph keeps 0 bytes, however long the chain is.
    """
    if operation not in OPERATIONS:
        known = ", ".join(map(repr, OPERATIONS))
        raise ValueError(f"operation is one of {known}, not {operation!r}")
    if not (1 <= depth <= DEPTHS[-1] and 1 <= width <= WIDTHS[-1]):
        raise ValueError(f"depth is 1 to {DEPTHS[-1]}, width is 1 to {WIDTHS[-1]}")
    start = {"op": operation, "d": depth, "w": width, "grad": True, "keep": False, "every": 0}
    return MemoryLab(
        _("memory lab"),
        show,
        {**start, "done": 0},
        stored=stored_states(),
        told=[(told(state), state) for state in told_states()],
        style="memory",
        entered=entered,
    )


def setting_of(state: State, done: int | None = None) -> Setting:
    """What a state runs."""
    return Setting(
        state["op"],
        state["d"],
        state["w"],
        state["grad"],
        state["keep"],
        state["every"],
        state["done"] if done is None else done,
    )


def plain(state: State) -> Run:
    """The same chain, recorded and without parts that run again, before any backward."""
    return ran(Setting(state["op"], state["d"], state["w"]))


def show(state: State) -> Screen:
    """The screen of a state."""
    run = ran(setting_of(state))
    asking = bool(state.get("ask")) and "guess" not in state
    said = _("Your guess first: how many bytes does this graph keep after the forward pass?")
    if not asking:
        said = f"{_judged(state, run)}{sentence(run)}"
    return Screen(
        _("Memory lab: {} in a chain, {:,} numbers in each").format(_many(state), state["w"]),
        _place(state),
        _rows(state),
        (_picture(state, run, asking), _facts(run, asking), _code(state)),
        said,
        (("", _actions(state, asking)),),
    )


def _many(state: State) -> str:
    return f"{state['d']} `{state['op']}`"


def _place(state: State) -> str:
    return _("after {}").format(_(STAGES[state["done"]]))


# --- buttons ----------------------------------------------------------------------------------


def _to(state: State, **changed: Any) -> State:
    """Another setting, before any backward, in which nothing has been guessed."""
    kept = {key: value for key, value in state.items() if key != "guess"}
    return {**kept, "done": 0, **changed}


def _rows(state: State) -> tuple[tuple[str, tuple[Button, ...]], ...]:
    return (
        _choices(_("operation"), state, "op", {op: f"`{op}`" for op in OPERATIONS}),
        _choices(_("how many"), state, "d", {d: str(d) for d in DEPTHS}),
        _choices(_("numbers in each"), state, "w", {w: f"{w:,}" for w in WIDTHS}),
        ("", _switches(state)),
        (_("run again in parts"), _parts(state)),
    )


def _choices(
    label: str, state: State, key: str, says: dict[Any, str]
) -> tuple[str, tuple[Button, ...]]:
    """A row of values of a setting; a screen reader hears what is seen before the row as well."""
    named = {value: f"{label}: {said.replace('`', '')}" for value, said in says.items()}
    return label, tuple(
        Button(said, _to(state, **{key: value}), state[key] == value, name=named[value])
        for value, said in says.items()
    )


def _switches(state: State) -> tuple[Button, ...]:
    return (
        Button("`no_grad()`", _to(state, grad=not state["grad"]), not state["grad"]),
        Button("`retain_graph=True`", _to(state, keep=not state["keep"]), state["keep"]),
    )


def _parts(state: State) -> tuple[Button, ...]:
    off = "" if state["grad"] else _("Under no_grad() there is no backward that would run again.")
    return tuple(
        Button(
            _("of {}").format(every) if every else _("off"),
            _to(state, every=every),
            state["every"] == every,
            off=off,
            name=_("parts of {}").format(every) if every else _("off: nothing runs again"),
        )
        for every in PARTS
    )


def _actions(state: State, asking: bool) -> tuple[Button, ...]:
    done = state["done"]
    off = _("Say your guess first, or switch Ask me off.") if asking else ""
    over = off or (_("That is as far as this goes; press Reset.") if done >= MOST_PASSES else "")
    nothing = "" if done else _("No backward was called yet.")
    asked = _to(state, ask=not state.get("ask"))
    on = {**state, "done": min(done + 1, MOST_PASSES)}
    return (
        Button("`loss.backward()`", on, off=over, key="ArrowRight"),
        Button("◀", {**state, "done": max(done - 1, 0)}, off=nothing, key="ArrowLeft",
               name=_("one backward less")),
        Button(_("Reset"), _to(state), off=nothing, key="Home"),
        Button(_("Ask me"), asked, bool(state.get("ask"))),
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------


def _picture(state: State, run: Run, asking: bool) -> Part:
    ahead = max(1, state["done"]) if state["grad"] else state["done"]
    planned = ran(setting_of(state, ahead))
    drawn = picture(run, planned, plain(state), asking)
    if asking:
        drawn += (
            f'<div class="own" data-answer><label>{escape(_("bytes kept:"))} '
            '<input type="text" inputmode="numeric" data-input="guess" value=""></label> '
            f'<button type="button" data-enter>{escape(_("Check"))}</button></div>'
        )
    return Part("picture", drawn, describe(run, plain(state), asking))


def _facts(run: Run, asking: bool) -> Part:
    head = ("", _("operations that ran"), _("at most kept"), _("kept after it"))
    body = [(_stage(number), *_counted(run, number)) for number in range(len(run.stages))]
    if asking:
        body = [(name, ran_, "?", "?") for name, ran_, *_bytes in body]
    nudges = _by_nudges(run.setting)
    html = f'<table class="facts">{rows(head, body)}</table>'
    html += f'<p class="small-note">{escape(nudges)}</p>'
    text = "\n".join(" | ".join(row).strip(" |") for row in (head, *body))
    text += f"\n{nudges}"
    return Part("facts", html, text, _("Counted"), share=6)


def _by_nudges(setting: Setting) -> str:
    """What all slopes would cost without any backward."""
    passes = setting.width + 1
    said = _(
        "By nudges, {:,} slopes take {:,} forward passes: {:,} operations, and nothing is kept."
    )
    return said.format(setting.width, passes, passes * setting.depth)


def _stage(number: int) -> str:
    return _(STAGES[min(number, 2)])


def _counted(run: Run, number: int) -> tuple[str, str, str]:
    stage = run.stages[number]
    runs = {kind: sum(one.kind == kind for one in stage) for kind in (FORWARD, BACK, AGAIN)}
    says = {FORWARD: _("{} forward"), BACK: _("{} back"), AGAIN: _("{} forward again")}
    told = ", ".join(says[kind].format(count) for kind, count in runs.items() if count)
    if not stage:
        return _("none"), "—", "—"
    return told, f"{run.most_in(number):,}", f"{stage[-1].bytes:,}"


def _code(state: State) -> Part:
    code = "\n".join(lines(state))
    html = f'<pre class="code memory-code" tabindex="0">{escape(code)}</pre>'
    return Part("code", html, code, _("Code of this setting"), beside=True, share=7)


def lines(state: State) -> Iterator[str]:
    """The code of a state: copied into a cell, it does the same."""
    setting = setting_of(state)
    loop = f"    {OPERATIONS[setting.operation]}"
    yield f"x = mg.full(({setting.width},), 0.5, requires_grad=True)"
    yield "y = x"
    if setting.every and setting.recorded:
        count = min(setting.every, setting.depth)
        yield from ("def part(y):", f"    for _ in range({count}):", f"    {loop}", "    return y")
        yield f"for _ in range({setting.depth // count}):"
        yield "    y = mg.utils.checkpoint.checkpoint(part, y, use_reentrant=False)"
    elif setting.recorded:
        yield from (f"for _ in range({setting.depth}):", loop)
    else:
        yield from ("with mg.no_grad():", f"    for _ in range({setting.depth}):", f"    {loop}")
    yield "loss = y.sum()"
    given = "retain_graph=True" if setting.retain else ""
    yield from [f"loss.backward({given})"] * setting.passes


# --- what is typed and stored -----------------------------------------------------------------


def entered(state: State, typed: dict[str, str]) -> State:
    """The state after a guess was typed.

    Raises `ValueError` with a sentence for what is no whole number.
    """
    text = typed.get("guess", "").strip()
    plain_text = text.replace(",", "").replace(" ", "").replace("_", "")
    if not plain_text.isdecimal():
        raise ValueError(_("A whole number of bytes is wanted, and this is {!r}.").format(text))
    return {**state, "guess": int(plain_text)}


def _judged(state: State, run: Run) -> str:
    if "guess" not in state or state["done"]:
        return ""
    right = _("Right.") if state["guess"] == run.before else _("Not quite.")
    return _("You said {:,}. {} ").format(state["guess"], right)


def stored_states() -> Iterator[State]:
    """What a page without a kernel has: some depths, with each switch, up to two backwards."""
    switches = [{}, {"grad": False}, {"keep": True}, *({"every": every} for every in PARTS[1:])]
    for op in OPERATIONS:
        for d in STORED_DEPTHS:
            for more in switches:
                for done in range(MOST_PASSES + 1):
                    base = {"op": op, "d": d, "w": 1000, "grad": True, "keep": False, "every": 0}
                    yield {**base, **more, "done": done}


def told_states() -> Iterator[State]:
    """Those that are told where no script runs."""
    chosen = (state for state in stored_states() if state["d"] == 8 and state["done"] == 1)
    return (state for state in chosen if state["every"] in (0, 4))


def told(state: State) -> str:
    """A setting and its result in a line."""
    run = ran(setting_of(state))
    more = [
        _("under no_grad()") * (not state["grad"]),
        _("with retain_graph=True") * state["keep"],
        _("run again in parts of {}").format(state["every"]) if state["every"] else "",
    ]
    name = ", ".join(filter(None, [_many(state), *more]))
    return _("{}: {:,} bytes before backward, {:,} after it").format(name, run.before, run.after)
