"""The question before the decisive line: will it stop, and if not, is the gradient right?"""

from __future__ import annotations

from typing import Any

from ...language import _
from ..screen import Button
from ..words import QUIZ
from .words import Trial

State = dict[str, Any]

STOPS, TRUE, WRONG = ANSWERS = ("stops", "true", "wrong")


def says(answer: str) -> str:
    """What the button of an answer says."""
    return {
        STOPS: _("it stops"),
        TRUE: _("it runs, right gradient"),
        WRONG: _("it runs, wrong gradient"),
    }[answer]


def right(trial: Trial) -> str:
    """The answer that is right for a program."""
    return trial.verdict if trial.verdict in (TRUE, WRONG) else STOPS


def decisive(trial: Trial) -> int:
    """The line that stops, or else the last one that runs backward; 0 where there is none."""
    if trial.record.stopped:
        return trial.record.stopped.line
    backward = [line.number for line in trial.record.lines if line.calls_backward]
    return backward[-1] if backward else 0


def is_open(state: State) -> bool:
    """Whether an answer is waited for."""
    return "ask" in state and "guess" not in state


def opened(state: State, trial: Trial) -> State:
    """The state that asks about a program, before its decisive line; the same if it has none."""
    line = decisive(trial) - 1
    if line < 1:
        return closed(state)
    return {**closed(state), "line": line, "letter": "", "compare": False, "ask": True}


def closed(state: State) -> State:
    """The state without the question."""
    return {key: value for key, value in state.items() if key not in ("ask", "guess")}


def answered(state: State, trial: Trial, answer: str) -> State:
    """The state that shows the decisive line beside an answer."""
    return {**opened(state, trial), "line": decisive(trial), "guess": answer}


def states(state: State, trial: Trial) -> list[State]:
    """All states of the question about a program."""
    return [opened(state, trial), *(answered(state, trial, one) for one in ANSWERS)]


def question(trial: Trial) -> str:
    """What is asked."""
    line = trial.record.lines[decisive(trial) - 1]
    return _("Next comes line {}, `{}`. What will it do?").format(line.number, line.text)


def reply(trial: Trial, answer: str) -> str:
    """The answer, repeated, and whether it is right."""
    verdict = QUIZ["right" if answer == right(trial) else "not_quite"]
    return f"{_(QUIZ['you_said']).format(says(answer))} {_(verdict)}"


def answers(state: State, trial: Trial) -> tuple[Button, ...]:
    """The buttons of the answers, while one is waited for."""
    if not is_open(state):
        return ()
    return tuple(Button(says(one), answered(state, trial, one)) for one in ANSWERS)


def button(state: State, trial: Trial, end: State) -> Button:
    """What begins the question, and what ends it, in the state `end`."""
    asks = "ask" in state
    none = "" if decisive(trial) > 1 else _("No line before the end decides anything here.")
    to = end if asks else opened(state, trial)
    return Button(_("ask me"), to, pressed=asks, off="" if asks else none)
