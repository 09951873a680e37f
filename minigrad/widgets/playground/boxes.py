"""The boxes of the playground: an expression and its values, as they are typed."""

from __future__ import annotations

from html import escape
from typing import Any

from ...language import _
from ..board import Part, State
from ..packing import as_json
from ..safe import LONGEST_TEXT, Refused
from .measured import Value

STEP = 0.5  # what the buttons beside a value add


def boxes(state: State, refused: Refused | None) -> Part:
    """A box for the expression, with a caret below it when it was refused, and one a value."""
    typed = state.get("typed", state["text"])
    caret = f"<pre>{escape(refused.caret())}</pre>" if refused else ""
    fields = [
        _box(
            "text", escape(_("expression")), typed, max(16, min(44, len(typed) + 1)), bool(refused)
        )
    ]
    fields += [_value(state, name, value) for name, value in state["values"].items()]
    html = (
        f'<div class="fields">{"".join(fields)}<button type="button" data-enter>'
        f'{escape(_("Enter"))}</button></div><div class="caret">{caret}</div>'
    )
    text = [typed if refused is None else refused.caret()]
    text += [f"{name} = {written(value)}" for name, value in state["values"].items()]
    return Part("boxes", html, "\n".join(text))


def _box(name: str, label: str, value: str, size: int, wrong: bool = False) -> str:
    invalid = ' aria-invalid="true"' if wrong else ""
    return (
        f'<label>{label} <input type="text" data-input="{escape(name)}" '
        f'value="{escape(value)}" style="width:calc({size}ch + 24px)" maxlength="{LONGEST_TEXT}" '
        f'spellcheck="false" autocapitalize="off" autocomplete="off"{invalid}></label>'
    )


def _value(state: State, name: str, value: Value) -> str:
    """A box for a value; a single number can be stepped."""
    box = _box(f"value {name}", as_code(name), written(value), max(5, len(written(value)) + 1))
    if isinstance(value, list):
        return f'<span class="leaf">{box}</span>'
    buttons = []
    for sign, step, words in (("−", -STEP, _("{} down")), ("+", STEP, _("{} up"))):
        to = without(state, values={**state["values"], name: value + step})
        buttons.append(
            f'<button type="button" data-key="{name}{sign}" data-to="{escape(as_json(to))}" '
            f'aria-label="{escape(words.format(name))}">{sign}</button>'
        )
    return f'<span class="leaf">{buttons[0]}{box}{buttons[1]}</span>'


def as_code(text: str) -> str:
    """Escaped text, set as code."""
    return f"<code>{escape(text)}</code>"


def written(value: Value) -> str:
    """A value as it is typed."""
    entries = value if isinstance(value, list) else [value]
    return ", ".join(f"{entry:.10g}" for entry in entries)


def without(state: State, **changed: Any) -> State:
    """The state with a change; what was typed wrongly is forgotten."""
    return {**{name: said for name, said in state.items() if name != "typed"}, **changed}
