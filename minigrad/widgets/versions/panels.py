"""What stands below the timeline: the message, the gradients, the six ways side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from ...language import _
from ..screen import Part, coded
from . import scripts
from .message import phrases
from .timeline import Look
from .words import Trial, alike, because, grads_text, tried, versions_of


def message(look: Look, at: Callable[[str], Any]) -> Part:
    """What PyTorch says at this line; `at` gives the state in which a phrase is pressed."""
    title = _("What PyTorch says, and where to look")
    stopped = look.record.stopped
    if stopped is None or stopped.line != look.line:
        said = _("No message: this line runs.")
        return Part("message", f'<p class="small-note">{escape(said)}</p>', said, title, share=7)
    pieces = []
    for phrase in phrases(stopped.message):
        if not phrase.letter:
            text = escape(phrase.text)
            pieces.append(f'<span class="hint">{text}</span>' if phrase.hint else text)
            continue
        chosen = phrase.letter == look.letter
        to = escape(json.dumps(at("" if chosen else phrase.letter)))
        pieces.append(
            f'<span class="phrase" data-to="{to}" data-key="{phrase.letter}" '
            f'aria-pressed="{str(chosen).lower()}"><b class="letter">{phrase.letter}</b> '
            f"{escape(phrase.text)}</span>"
        )
    html = f'<p class="message">{escape(stopped.kind)}: {"".join(pieces)}</p>'
    return Part("message", html, f"{stopped.kind}: {stopped.message}", title, share=7)


def gradients(look: Look) -> Part:
    """The gradients there are, the true ones, and those that a check prevented."""
    trial, found = look.trial, look.complaint
    note = ""
    if found:
        ticket = found.check.ticket
        name = found.storage.first
        then = found.storage.cells[ticket.line]
        now = found.storage.cells[look.line].value
        used = _("with {} as line {} used it").format(name, ticket.line)
        if then.version == ticket.version:  # else the line itself has written to it since
            used += f", {then.value}"
        rows = [(used, trial.true, True)]
        if trial.silent is not None:
            same = alike(trial.silent, trial.true)
            rows.append((_("with {} as it is now, {}").format(name, now), trial.silent, same))
            note = _("The error saved you from the second row.")
            if same:
                note = _("Here both are the same. PyTorch compares versions, not values.")
        title = _("What would the gradient have been?")
    else:
        title = _("Gradients")
        rows, note = _given(look)
    return _gradient_table(title, rows, note)


def _given(look: Look) -> tuple[list[tuple], str]:
    """What backward has given so far, and the true gradients if those are others."""
    trial, record = look.trial, look.record
    ran = [
        one.number
        for one in record.lines[: look.line]
        if one.calls_backward and not (record.stopped and record.stopped.line == one.number)
    ]
    if not ran:
        return [], _("None yet: backward has not run.")
    grads = record.grads_at[look.line]
    if not grads:
        return [], _("No leaf asks for a gradient.")
    if not alike(grads, record.raw_grads):  # they go on changing: the verdict comes at the end
        return [(_("so far"), grads, None)], ""
    right = trial.verdict != "wrong"
    rows = [(_("what backward gives"), grads, right)]
    if not right:
        rows.append((_("what the forward pass asks for"), trial.true, True))
    return rows, ""


def _gradient_table(title: str, rows: Sequence[tuple], note: str) -> Part:
    html, lines = "", []
    for said, grads, right in rows:
        verdict = "" if right is None else _("true") if right else _("wrong")
        text = grads_text(grads)
        if len(grads) == 1:
            text = f"{next(iter(grads))}.grad = {text}"
        kind = "grad wrong" if right is False else "grad"
        html += (
            f'<tr><th scope="row">{escape(said)}</th><td class="{kind}">{escape(text)}</td>'
            f"<td>{escape(verdict)}</td></tr>"
        )
        lines.append(f"{said}: {text}" + (f"  ({verdict})" if verdict else ""))
    html = f'<table class="gradients"><tbody>{html}</tbody></table>' if html else ""
    if note:
        html += f'<p class="small-note">{escape(note)}</p>'
        lines.append(note)
    return Part("gradients", html, "\n".join(lines), title, beside=True, share=4)


def ways(script: str, chosen: str) -> Part:
    """All ways to write the write of a script, side by side."""
    name = scripts.SCRIPTS[script].name
    heads = [_("written as"), _("{}, version").format(name), _("verdict"), "a.grad", _("because")]
    rows, lines = "", []
    for way in scripts.WAYS:
        trial = tried(scripts.program(script, way))
        said = scripts.says(script, way)
        verdict = verdict_of(trial)
        grad = grads_text(trial.record.raw_grads)
        why = because(trial, way, name)
        version = versions_of(trial, [name])
        here = ' class="here"' if way == chosen else ""
        wrong = " wrong" if trial.verdict == "wrong" else ""
        grad_kind = "none" if grad == "None" else f"grad{wrong}"
        rows += (
            f'<tr{here}><th scope="row">{coded(said)}</th><td>{version}</td>'
            f'<td class="verdict{wrong}">{escape(verdict)}</td>'
            f'<td class="{grad_kind}">{escape(grad)}</td><td class="why">{coded(why)}</td></tr>'
        )
        lines.append(" | ".join([said, version, verdict, grad, why]).replace("`", ""))
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    html = f'<table class="facts ways"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return Part("ways", html, "\n".join([" | ".join(heads), *lines]), share=7)


def verdict_of(trial: Trial) -> str:
    """A verdict in a word or two."""
    return {
        "stale": _("✗ error"),
        "stopped": _("✗ error"),
        "true": _("✓ true"),
        "wrong": _("no error, wrong"),
    }[trial.verdict]
