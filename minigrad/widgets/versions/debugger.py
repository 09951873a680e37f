"""The version debugger as a board: scripts, ways to write, lines, and a learner's own lines."""

from __future__ import annotations

from html import escape
from typing import Any

from ...language import _
from ..board import Board
from ..screen import Button, Part, Rows, Screen
from . import asking, panels, scripts
from .message import meaning
from .timeline import Look, timeline
from .words import Trial, sentence, tried

State = dict[str, Any]

OWN = "own"
START: State = {"script": "square", "way": "plain", "line": 1, "letter": "", "compare": False}


class VersionDebugger(Board):
    """What `version_debugger` gives."""


def version_debugger(script: str = "square", way: str | None = None, line: int = 1) -> Board:
    """Show which line changed what, which node complains, and whether it would matter.

    Args:
        script: ``"square"``, ``"sum"``, ``"exp"``, ``"sin"``, ``"view"`` or ``"leaf"``; or lines
            of a program of your own, at most 10, in a small safe language.
        way: how the write is written: ``"plain"``, ``"clone"``, ``"away"`` (out of place),
            ``"after"`` backward, ``"no_grad"`` or ``"data"``; by default as the script has it.
        line: the line that is shown first.

    Raises `ValueError` for another script or way, and with a sentence for lines that cannot be
    read.

    >>> debugger = version_debugger("square", line=5)
    >>> print(debugger.screen.sentence)
    MulBackward0 kept `b` at version 0. Line 4 made it version 1, so backward stops here.
    >>> print(version_debugger("square", "data", line=5).screen.sentence)
    No error, and a wrong gradient: [1000, 5]. The true one is [3, 5]. Line 4 changed `b` without \
counting it.
    """
    if "\n" in script or "=" in script:
        start = own(script)
    elif script not in scripts.SCRIPTS:
        known = ", ".join(scripts.SCRIPTS)
        raise ValueError(_("there is no script {!r}; there are: {}").format(script, known))
    else:
        way = way or scripts.SCRIPTS[script].usual
        if way not in scripts.WAYS:
            known = ", ".join(scripts.WAYS)
            raise ValueError(_("there is no way {!r}; there are: {}").format(way, known))
        start = {**START, "script": script, "way": way}
    start["line"] = min(max(line, 1), last_line(trial_of(start)))
    return VersionDebugger(
        _("Version debugger"),
        show,
        start,
        stored=stored(),
        told=told(),
        style="versions",
        entered=entered,
    )


def own(text: str) -> State:
    """The state that shows lines of one's own. Raises `Refused` for what cannot be read."""
    lines = [one.strip() for one in text.splitlines() if one.strip()]
    state = {**START, "script": OWN, "way": "", "lines": lines}
    return {**state, "line": last_line(trial_of(state))}


def entered(state: State, typed: dict[str, str]) -> State:
    """The state after lines were typed."""
    return own(typed["lines"])


def trial_of(state: State) -> Trial:
    """The program of a state, run."""
    if state["script"] == OWN:
        return tried(tuple(state["lines"]))
    return tried(scripts.program(state["script"], state["way"]))


def last_line(trial: Trial) -> int:
    """The last line that ran, or that stopped the program."""
    return trial.record.stopped.line if trial.record.stopped else len(trial.record.lines)


def stored() -> list[State]:
    """The states that a page without a kernel has: scripts, ways, lines, phrases, comparisons."""
    found = []
    for script in scripts.SCRIPTS:
        for way in scripts.WAYS:
            state = {**START, "script": script, "way": way}
            last = last_line(trial_of(state))
            found += [{**state, "line": line} for line in range(1, last + 1)]
            found += asking.states(state, trial_of(state))
            found.append({**state, "line": last, "compare": True})
            found += [{**state, "line": last, "letter": one} for one in letters(state)]
    return found


def letters(state: State) -> list[str]:
    """The phrases of the message that a state shows."""
    stopped = trial_of(state).record.stopped
    found = panels.phrases(stopped.message) if stopped else ()
    return [one.letter for one in found if one.letter]


def told() -> list[tuple[str, State]]:
    """What unfolds where no script runs: each script, and each way of the first one, at its end."""
    pairs = [(script, scripts.SCRIPTS[script].usual) for script in scripts.SCRIPTS]
    pairs += [("square", way) for way in scripts.WAYS[1:]]
    found = []
    for script, way in pairs:
        state = {**START, "script": script, "way": way}
        trial = trial_of(state)
        write = scripts.program(script, way)[scripts.write_line(script, way) - 1]
        how = "" if way == scripts.SCRIPTS[script].usual else f", {scripts.says(script, way)}"
        name = _(scripts.SCRIPTS[script].says)
        summary = f"{name}{how}: `{write}`: {panels.verdict_of(trial)}"
        found.append((summary, {**state, "line": last_line(trial)}))
    return found


# -- the screen -----------------------------------------------------------------------------------


def show(state: State) -> Screen:
    """The screen of a state."""
    trial = trial_of(state)
    line, last = state["line"], last_line(trial)
    look = Look(trial, line, state["letter"])
    plain = {**asking.closed(state), "letter": "", "compare": False}
    at = [{**plain, "line": one} for one in range(1, last + 1)]
    said = sentence(trial, line)
    if asking.is_open(state):
        said = asking.question(trial)
    elif "guess" in state:
        said = f"{asking.reply(trial, state['guess'])} {said}"
    elif look.complaint and state["letter"]:
        said = meaning(state["letter"], look.complaint, look.complaint.storage.first)
    return Screen(
        title=_("Version debugger"),
        place=place(look),
        rows=(
            (_("script"), script_buttons(state)),
            ("", (ask_button(state, trial, last),)),
            *steps(state, line, last),
        ),
        parts=(timeline(look, at), *below(state, look)),
        sentence=said,
        actions=actions(state, last),
    )


def place(look: Look) -> str:
    """Which line is shown, and how it ends."""
    line = look.record.lines[look.line - 1]
    stops = look.record.stopped is not None and look.record.stopped.line == look.line
    said = _("line {} of {}: `{}` stops") if stops else _("line {} of {}: `{}`")
    return said.format(look.line, len(look.record.lines), line.text)


def going_on(state: State, to: State) -> State:
    """The other state, asking again where this one asks."""
    return asking.opened(to, trial_of(to)) if "ask" in state else to


def script_buttons(state: State) -> tuple[Button, ...]:
    """The scripts; a new one keeps neither line nor way, because its lines are others."""
    buttons = [
        Button(
            _(one.button),
            going_on(state, {**START, "script": key, "way": one.usual}),
            pressed=key == state["script"],
            name=_(one.says).replace("`", ""),
        )
        for key, one in scripts.SCRIPTS.items()
    ]
    mine = state["script"] == OWN
    to = state if mine else own("\n".join(scripts.program(state["script"], state["way"])))
    return (*buttons, Button(_("your own lines"), to, pressed=mine))


def ask_button(state: State, trial: Trial, last: int) -> Button:
    """What begins and ends the question; at its end all is shown."""
    end = {**asking.closed(state), "line": last, "letter": "", "compare": False}
    return asking.button(state, trial, end)


def at_line(state: State, number: int) -> State:
    """The same program at another line."""
    return {**asking.closed(state), "line": number, "letter": "", "compare": False}


def steps(state: State, line: int, last: int) -> Rows:
    """The steps from line to line; none while something is asked."""
    if asking.answers(state, trial_of(state)):
        return ()
    begins = _("This is the first line.") if line == 1 else ""
    ends = _("This is the last line that runs.") if line == last else ""
    back, on = at_line(state, max(1, line - 1)), at_line(state, min(last, line + 1))
    both = (
        Button("◀", back, off=begins, key="ArrowLeft", name=_("one line back")),
        Button("▶", on, off=ends, key="ArrowRight", name=_("one line on")),
    )
    return (("", both),)


def actions(state: State, last: int) -> Rows:
    """The answers to a question, the ways to write the line, and the comparison of all ways."""
    asks = asking.answers(state, trial_of(state))
    if state["script"] == OWN:
        return (("", asks),) if asks else ()
    written = scripts.write_line(state["script"], state["way"])
    chosen = tuple(
        Button(
            scripts.says(state["script"], way),
            going_on(state, {
                **START, "script": state["script"], "way": way,
                "line": last_line(tried(scripts.program(state["script"], way))),
            }),
            pressed=way == state["way"],
        )
        for way in scripts.WAYS
    )  # fmt: skip
    compare = Button(
        _("compare all"),
        {**at_line(state, last), "compare": not state["compare"]},
        pressed=state["compare"],
    )
    ways = (_("line {} as").format(written), chosen)
    return (("", asks), ways) if asks else (ways, ("", (compare,)))


def below(state: State, look: Look) -> tuple[Part, ...]:
    """What stands below the timeline."""
    if state["compare"]:
        return (panels.ways(state["script"], state["way"]),)
    plain = asking.closed(state)
    message = panels.message(look, lambda letter: {**plain, "letter": letter})
    if state["script"] != OWN:
        return (message, panels.gradients(look))
    return (typing(state), message_beside(message), panels.gradients(look))


def message_beside(message: Part) -> Part:
    """The message next to the lines that are typed."""
    return Part(message.key, message.html, message.text, message.title, beside=True, share=5)


def typing(state: State) -> Part:
    """Where a learner types lines."""
    lines = "\n".join(state["lines"])
    label = escape(_("your lines"))
    html = (
        f'<textarea data-input="lines" rows="7" spellcheck="false" aria-label="{label}">'
        f"{escape(lines)}</textarea>"
        f'<button type="button" data-enter>{escape(_("run these lines"))}</button>'
    )
    return Part("typing", html, lines, _("Your own lines, at most 10"), share=5)
