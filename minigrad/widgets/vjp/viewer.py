"""The v·J viewer: what does the v that is handed to backward pick out?

    w = vjp_viewer()
    w.press("`softmax(x)`")
    w.text()

J stands as a table of numbers. A v beside its rows, multiplied in and added down, gives what one
backward gives; a u above its columns gives J·u; and *build J* goes back once for each row. All
numbers come out of real passes (`cases`). A state is a dict: `f` the function, `m` the mode,
`v` or `u` a name or numbers, `at` the entry that is written out, or how many rows are built; `ask`
whether a guess is wanted first, and `guess` what was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...language import _
from ..board import Board, Button, Screen
from ..safe import numbers
from . import back, build, forward
from .cases import CASES, Case, case_of
from .common import Setting, own_part

FUNCTIONS = {
    "square": "`x * x`",
    "table": "`x*x + 2`, viewed 2 × 2",
    "matrix": "`M @ x`",
    "softmax": "`softmax(x)`",
}  #: what their buttons say
MODES = {"vJ": "v·J", "Ju": "J·u", "build": "build J"}
SHOWS = {"vJ": back.screen, "Ju": forward.screen, "build": build.screen}


class VjpViewer(Board):
    """The board of `vjp_viewer`."""


def vjp_viewer(function: str = "table", v: str = "weights") -> VjpViewer:
    """Look at what a v picks out of the Jacobian of a function with many outputs.

    Args:
        function: ``"square"``, ``"table"``, ``"matrix"`` or ``"softmax"``, or one to type:
            ``"=x * x * x"``, with the operations of `minigrad.widgets.safe`.
        v: ``"ones"``, ``"weights"``, or ``"row 0"`` and so on.

    Raises:
        ValueError: for another function or another v.

    >>> vjp_viewer("matrix", "ones")
    VjpViewer: x[0] gets 1 × 1 + 1 × 3 = 4. With v = ones you ask about the sum of all outputs.
    """
    if function not in CASES and not function.startswith("="):
        raise ValueError(f"function is one of {', '.join(map(repr, CASES))}, not {function!r}")
    start = {"f": function, "m": "vJ", "v": v, "at": 0}
    known = back.choices_of(case_of(function))
    if v not in known:
        raise ValueError(f"v is one of {', '.join(map(repr, known))}, not {v!r}")
    if function == "table" and v == "weights":
        start["at"] = 1  # the entry whose weight is not 1
    return VjpViewer(
        _("v·J viewer"),
        show,
        start,
        stored=stored_states(),
        told=[told_line(state) for state in told_states()],
        style="vjp",
        entered=entered,
    )


def show(state: dict[str, Any]) -> Screen:
    """The screen of a state."""
    setting = Setting(state)
    drawn = SHOWS[setting.mode](setting)
    rows = (
        (_("function"), tuple(_functions(setting))),
        ("", tuple(_modes(setting))),
    )
    parts = (*drawn.parts, own_part(setting))
    return Screen(drawn.title, drawn.place, rows, parts, drawn.sentence, drawn.actions)


def _functions(setting: Setting) -> Iterator[Button]:
    for name, says in FUNCTIONS.items():
        to = begin(name, setting.mode)
        if setting.state.get("ask"):
            to["ask"] = True
        yield Button(_(says), to, setting.name == name)


def _modes(setting: Setting) -> Iterator[Button]:
    for mode, says in MODES.items():
        to = setting.state if mode == setting.mode else begin(setting.name, mode, setting.own_x)
        yield Button(_(says), to, mode == setting.mode)


def begin(name: str, mode: str, x: Any = None) -> dict[str, Any]:
    """The first state of a function in a mode."""
    picks = {"vJ": {"v": "ones"}, "Ju": {"u": "ones"}, "build": {}}[mode]
    place = {} if x is None else {"x": x}
    return {"f": name, "m": mode, **picks, "at": 0, **place}


# --- What a page without a kernel has ---------------------------------------------------------


def stored_states() -> Iterator[dict[str, Any]]:
    """All functions with a button, in all modes, with each v and u that has one, at all entries."""
    for name, case in CASES.items():
        for v in back.choices_of(case):
            entries = len(case.inputs) if v not in back.REFUSED else 1
            for at in range(entries):
                yield {"f": name, "m": "vJ", "v": v, "at": at}
                if case.entrywise:
                    yield {"f": name, "m": "vJ", "v": v, "at": at, "zeros": False}
        for u in forward.choices_of(case):
            for at in range(len(case.outputs)):
                yield {"f": name, "m": "Ju", "u": u, "at": at}
        for at in range(len(case.outputs) + 1):
            yield {"f": name, "m": "build", "at": at}


def told_states() -> Iterator[dict[str, Any]]:
    """Those that are told where no script runs."""
    for name in CASES:
        for v in ("ones", "weights"):
            yield {"f": name, "m": "vJ", "v": v, "at": 0}


def told_line(state: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A summary such as ``softmax(x), v = ones: [0, 0, 0]``, and the state."""
    setting = Setting(state)
    result = back.product_text(setting)
    return f"{_(FUNCTIONS[setting.name])}, v = {state['v']}: {result}", state


# --- What is typed ----------------------------------------------------------------------------


def entered(state: dict[str, Any], typed: dict[str, str]) -> dict[str, Any]:
    """The state after a function, an x, a guess, or numbers of v or u were typed.

    All boxes come at once. Only those whose text is another than before are read, and a text that
    cannot be read is told only where nothing else was typed: it does not hold up another box.
    """
    setting = Setting(state)
    wrong: list[ValueError] = []
    for read in (_typed_function, _typed_numbers, _typed_guess):
        try:
            after = read(setting, typed)
        except ValueError as error:
            wrong.append(error)
            continue
        if after is not None:
            return after
    if wrong:
        raise wrong[0]
    return state


def _typed_numbers(setting: Setting, typed: dict[str, str]) -> dict[str, Any] | None:
    """The state with other numbers of v or u; None where none was typed."""
    letter = {"vJ": "v", "Ju": "u"}.get(setting.mode)
    boxes = [name for name in typed if name[0] == letter and name[1:].isdigit()]
    boxes.sort(key=lambda name: int(name[1:]))
    now = setting.vector if letter and boxes else None
    before = [""] * len(boxes) if now is None else [f"{number:g}" for number in now]
    texts = [typed[name].strip() for name in boxes]
    if texts == before:
        return None
    kept = [None] * len(boxes) if now is None else now
    pairs = zip(texts, before, kept, strict=True)
    said = [n if n is not None and text == was else _number(text) for text, was, n in pairs]
    return None if now is not None and list(now) == said else setting.to(**{letter: said})


def _typed_guess(setting: Setting, typed: dict[str, str]) -> dict[str, Any] | None:
    guess = typed.get("guess", "").strip()
    return {**setting.state, "guess": _number(guess)} if guess else None


def _typed_function(setting: Setting, typed: dict[str, str]) -> dict[str, Any] | None:
    """The first state of another function or another x; None where neither was typed."""
    text = typed.get("f", "").strip()
    other = bool(text) and f"={text}" != setting.name
    name = f"={text}" if other else setting.name
    at = _typed_x(setting, typed)
    if not other and at == setting.own_x:
        return None
    return _checked(begin(name, setting.mode, at))


def _typed_x(setting: Setting, typed: dict[str, str]) -> Any:
    """What stands in the box of x, unless it is what stood there before."""
    text = typed.get("x", "").strip()
    if not text or text == setting.x_text:
        return setting.own_x
    said = numbers(text)
    return said if isinstance(said, float) else list(said)


def _number(text: str) -> float:
    said = numbers(text.strip())
    if not isinstance(said, float):
        raise ValueError(_("One number is wanted in each box, not “{}”.").format(text.strip()))
    return said


def _checked(state: dict[str, Any]) -> dict[str, Any]:
    """The state, once its function has run at its place."""
    case: Case = Setting(state).case
    _ = case.jacobian
    return state
