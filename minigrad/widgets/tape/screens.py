"""The screens of the control-flow tape: one run, and a tape that is repeated with another input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any

from ...language import _
from ..board import Button, Part, Screen
from ..safe import numbers
from . import drawn
from .curve import curve, curve_of_replay
from .drawn import asked, shown
from .graphs import folded, graphs
from .programs import PROGRAMS, Input, Program, written
from .running import ROUNDS, Replay, Run, replay, run

LARGEST = 1e30  #: larger inputs, and smaller than its inverse, leave the numbers of float32


def show(state: dict[str, Any]) -> Screen:
    """The screen of a state.

    A state has the name of the program, ``p``, its input, ``a``, the input whose run was recorded,
    ``rec``, None while single runs are looked at, and ``guard``.
    """
    program, at, recorded = PROGRAMS[state["p"]], as_input(state["a"]), as_input(state["rec"])
    if recorded is None:
        return _one_run(state, program, at)
    return _repeated(state, program, at, recorded)


def as_input(told: Any) -> Input | None:
    """An input out of a state."""
    return tuple(told) if isinstance(told, list) else told


def begin(name: str) -> dict[str, Any]:
    """The first state of a program."""
    first = next(iter(PROGRAMS[name].inputs.values()))
    return {"p": name, "a": first, "rec": None, "guard": False}


def _one_run(state: dict[str, Any], program: Program, at: Input) -> Screen:
    found = run(program.name, at)
    named = program.input_named(at)
    results = replace(with_box(drawn.results(program, found), program, at), beside=True, stays=True)
    tape = replace(drawn.tape_of_run(program, found), stays=True)
    runs = replace(graphs(program, at), beside=True)
    parts = [results, drawn.lines(program, found), tape, runs, folded(runs)]
    if not program.v and not found.stopped:
        parts.insert(0, curve(program, at, found))
    record = Button(
        _("record here, replay with another input"),
        {**state, "rec": state["a"]},
        off=_("A run that never ends leaves no tape.") if found.stopped else "",
    )
    return Screen(
        _("One run: `{}({})`").format(program.name, named),
        _("stopped") if found.stopped else _count(len(found.nodes)),
        (*_programs(state), *_inputs(state, program)),
        tuple(parts),
        _said_of_run(program, found, named),
        (("", (record,)),),
    )


def _count(operations: int) -> str:
    if operations == 1:
        return _("1 operation in the graph")
    return _("{} operations in the graph").format(operations)


def _said_of_run(program: Program, found: Run, named: str) -> str:
    if found.stopped:
        said = _(
            "Twice 0 is 0, so the norm never reaches 1000. After {:,} rounds the run was stopped."
        )
        return said.format(ROUNDS)
    loop = 4
    often = found.counts[loop]
    times = {0: _("did not run"), 1: _("ran once")}.get(often, _("ran {} times").format(often))
    code = program.lines[loop - 1].strip()
    if len(found.nodes) == 1:
        said = _("With {} the line `{}` {}. The graph holds one multiplication and no `while`.")
        return said.format(named, code, times)
    said = _("With {} the line `{}` {}. The graph holds {} multiplications and no `while`.")
    return said.format(named, code, times, len(found.nodes))


def _repeated(state: dict[str, Any], program: Program, at: Input, recorded: Input) -> Screen:
    found = replay(program.name, recorded, at)
    before, now = program.input_named(recorded), program.input_named(at)
    guarded = state["guard"]
    tape = drawn.tape_of_replay(program, found, before, now, guarded)
    results = with_box(drawn.two_results(program, found, guarded), program, at)
    parts = [replace(results, beside=not program.v, stays=not program.v)]
    if not program.v:
        drawn_curve = curve_of_replay(recorded, at, program.name, found, guarded)
        parts.insert(0, replace(drawn_curve, beside=False))
    parts.append(replace(tape, beside=False))
    parts.append(replace(drawn.lines(program, found.true), beside=True, stays=True))
    guard = Button(_("guard: look at the answers"), {**state, "guard": not guarded}, guarded)
    other = Button(
        _("record at {} instead").format(now),
        {**state, "rec": state["a"]},
        off=_("A run that never ends leaves no tape.")
        if found.true.stopped
        else _("The tape is the one recorded here.") * (at == recorded),
    )
    away = Button(_("put the tape away"), {**state, "rec": None, "guard": False})
    return Screen(
        _("Tape of `{}({})`, repeated with {}").format(program.name, before, now),
        _place(found, guarded),
        (*_programs(state), *_inputs(state, program)),
        tuple(parts),
        _said_of_replay(program, found, before, now, guarded),
        (("", (guard, other)), ("", (away,))),
    )


def _place(found: Replay, guarded: bool) -> str:
    if guarded and found.refused is not None:
        return _("refused")
    if found.true.stopped:
        return _("nothing to compare with")
    return _("right") if found.right else _("wrong, and no error")


def _said_of_replay(program: Program, found: Replay, before: str, now: str, guarded: bool) -> str:
    differs = found.refused
    if differs is None:
        said = _("Every answer is the one it was at {}, so the tape does what `{}` does: {}.")
        return said.format(before, program.name, shown(found.value))
    answers = shown(differs.answer), shown(not differs.answer)
    question = f"`{asked(found.tape, differs)}`"
    if guarded:
        said = _("Refused: {} was answered {} at {}, and with {} it is {}. Nothing is returned.")
        return said.format(question, answers[0], before, now, answers[1])
    if found.true.stopped:
        said = _("The tape gives {}. `{}` itself never ends with {}, so no value is the true one.")
        return said.format(shown(found.value), program.name, now)
    said = _("The tape gives {} and no error; `{}` gives {}. {} was answered {}, now it is {}.")
    return said.format(
        shown(found.value), program.name, shown(found.true.value), question, *answers
    )


# --- Buttons ----------------------------------------------------------------------------------


def _programs(state: dict[str, Any]) -> Iterator[tuple[str, tuple[Button, ...]]]:
    buttons = []
    for name, program in PROGRAMS.items():
        to = state if name == state["p"] else begin(name)
        buttons.append(Button(_(program.says), to, name == state["p"]))
    yield _("program"), tuple(buttons)


def _inputs(state: dict[str, Any], program: Program) -> Iterator[tuple[str, tuple[Button, ...]]]:
    at = as_input(state["a"])
    buttons = tuple(
        Button(says, {**state, "a": known}, known == at) for says, known in program.inputs.items()
    )
    yield f"{program.letter} =", buttons


def with_box(part: Part, program: Program, at: Input) -> Part:
    """A part with a box for an input of one's own at its end."""
    said = _("your own: {} =").format(program.letter)
    typed = written(at).replace("−", "-")
    html = (
        f'<div class="own"><label>{escape(said)} <input type="text" data-input="a" '
        f'value="{escape(typed)}"></label> '
        f'<button type="button" data-enter>{escape(_("show it"))}</button></div>'
    )
    return replace(part, html=part.html + html, text=f"{part.text}\n\n{said} {typed}")


def entered(state: dict[str, Any], typed: dict[str, str]) -> dict[str, Any]:
    """The state with the input that was typed; raises `ValueError` for what is none."""
    said = numbers(typed["a"].replace("−", "-").strip())
    size = 3 if PROGRAMS[state["p"]].v else 1
    entries = (said,) if isinstance(said, float) else said
    if len(entries) != size:
        wanted = _("One number is wanted.") if size == 1 else _("Three numbers are wanted.")
        raise ValueError(wanted)
    if any(entry and not 1 / LARGEST < abs(entry) < LARGEST for entry in entries):
        raise ValueError(_("Between 1e-30 and 1e30 there is room enough; 0 may be tried, too."))
    return {**state, "a": entries[0] if size == 1 else list(entries)}


# --- What a page without a kernel has ---------------------------------------------------------

RECORDED = (300.0, 0.98)


def stored_states() -> Iterator[dict[str, Any]]:
    """All inputs with a button, and all of them with the tapes of two, with and without guard."""
    for name, program in PROGRAMS.items():
        for at in program.inputs.values():
            yield {"p": name, "a": _json(at), "rec": None, "guard": False}
        recorded = RECORDED if name == "f" else list(program.inputs.values())[:1]
        for rec in recorded:
            for at in program.inputs.values():
                for guard in (False, True):
                    yield {"p": name, "a": _json(at), "rec": _json(rec), "guard": guard}


def told_states() -> Iterator[tuple[str, dict[str, Any]]]:
    """Runs and replays that are told where no script runs."""
    for at in (300.0, 200.0, -300.0, 0.98):
        found = run("f", at)
        summary = f"f({written(at)}): {_count(len(found.nodes))}"
        yield summary, {"p": "f", "a": at, "rec": None, "guard": False}
    for at in (280.0, 200.0, -300.0):
        found = replay("f", 300.0, at)
        summary = _("tape of f(300) with {}: {}").format(written(at), _place(found, False))
        yield summary, {"p": "f", "a": at, "rec": 300.0, "guard": False}


def _json(at: Input) -> Any:
    return list(at) if isinstance(at, tuple) else at
