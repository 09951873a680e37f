"""The mode v·J: each row of J times its number of v, then added down; one backward does it."""

from __future__ import annotations

from html import escape

from ...language import _
from ..board import Button, Part
from .cases import Case, Row
from .common import Drawn, Setting, sum_of
from .parts import (
    Grid,
    as_row,
    as_text,
    boxed,
    boxes,
    choices,
    heading,
    in_text,
    note,
    row_text,
    shown,
    table,
    weight,
    without_noise,
    written_out,
)

REFUSED = ("nothing", "flat")  #: what backward refuses where there are several outputs


def choices_of(case: Case) -> dict[str, str]:
    """What may be handed over by a button: the name in a state, and what the button says."""
    rows = {f"row {i}": _("row {}").format(name) for i, name in enumerate(case.outputs)}
    named = {"ones": _("ones"), "weights": _("weights"), "nothing": _("nothing")}
    flat = {"flat": _("{} in one row").format(len(case.outputs))} if len(case.shape) > 1 else {}
    return {**rows, **named, **flat}


def product(setting: Setting) -> tuple[Row | None, str]:
    """v·J by one backward; or None, and what backward said."""
    case, numbers = setting.case, setting.vector
    v = None
    if numbers is not None:
        v = case.tensor(numbers)
    elif setting.pick == "flat":
        v = case.tensor((1.0,) * len(case.outputs)).reshape(len(case.outputs))
    try:
        return case.backward(v), ""
    except RuntimeError as refusal:
        return None, str(refusal).partition("\n")[0]


def product_text(setting: Setting) -> str:
    """v·J between brackets."""
    values, refused = product(setting)
    if values is None:
        return refused
    return f"[{', '.join(map(shown, without_noise(values, setting.case.jacobian)))}]"


def screen(setting: Setting) -> Drawn:
    """All of the mode v·J."""
    case, j = setting.case, setting.at
    exact, refused = product(setting)
    values = None if exact is None else without_noise(exact, case.jacobian)
    v = setting.vector
    if v is None and values is not None:
        v = (1.0,)  # nothing was handed over, and one number was enough
    handed = "" if setting.pick == "nothing" else "v"
    tables = _v_part(setting, v), _table_part(setting, v, values, exact)
    if values is not None and is_asked(setting):
        parts = _question_part(setting), *tables  # its box stands with the buttons
    else:
        parts = *tables, _sum_part(setting, v, None if values is None else values[j])
    return Drawn(
        setting.title("v·J"),
        _place(case, handed, bool(refused)),
        parts,
        _refusal(case, handed, refused) if values is None else _sentence(setting, v, values[j]),
        (setting.stepping(case.inputs, values is None), ("", tuple(_more(setting)))),
    )


def _place(case: Case, handed: str, refused: bool) -> str:
    said = _("`{}.backward({})` is refused") if refused else _("`{}.backward({})` once: one pass")
    return said.format(case.out, handed)


def _more(setting: Setting) -> list[Button]:
    first = {"f": setting.name, "m": "vJ", "v": "ones", "at": 0}
    buttons = [Button(_("reset"), first, key="Home")]
    if setting.vector is not None:
        asks = bool(setting.state.get("ask"))
        to = {key: value for key, value in setting.to().items() if key != "ask"}
        buttons.append(Button(_("ask me"), to if asks else {**to, "ask": True}, pressed=asks))
    if setting.case.entrywise:
        blank = not setting.state.get("zeros", True)
        to = {key: value for key, value in setting.to().items() if key != "zeros"}
        if not blank:
            to["zeros"] = False
        buttons.append(Button(_("show zeros I assumed"), to, pressed=not blank))
    return buttons


def is_asked(setting: Setting) -> bool:
    """Whether a guess is wanted before v·J is shown."""
    return bool(setting.state.get("ask")) and "guess" not in setting.state


def _is_right(guess: float, value: float) -> bool:
    return shown(guess) == shown(value) or abs(guess - value) <= 1e-3 * abs(value)


# --- The parts --------------------------------------------------------------------------------


def _v_part(setting: Setting, v: Row | None) -> Part:
    case, j = setting.case, setting.at
    shape = _("It has the shape of {}:").format(case.out)
    pieces = [note(shape), boxes("v", case.outputs, setting.vector, case.shape)]
    if setting.pick == "flat":
        pieces[0] = note(_("This one has not the shape of {}:").format(case.out))
        pieces[1] = as_row((1.0,) * len(case.outputs))
    elif setting.pick == "nothing":
        pieces[0] = note(_("Nothing stands between the brackets."))
    elif len(case.shape) > 1:
        pieces.append(note(_("Read row by row, it is one row v:")))
        pieces.append(as_row(v, _only(case, j)))
        pieces.append(note(_("Turned upright, its numbers stand beside the rows of J.")))
    else:
        pieces.append(note(_("Turned upright, its numbers stand beside the rows of J.")))
    buttons = (
        (says, setting.to(v=name, at=0 if name in REFUSED else j), name == setting.pick)
        for name, says in choices_of(case).items()
    )
    pieces.append(choices(buttons))
    said = "—" if v is None else row_text(v)
    named = choices_of(case).get(setting.pick if isinstance(setting.pick, str) else "", "")
    text = f"{said} ({named})" if named else said
    title = _("v, what you hand to backward")
    return Part("v", "".join(pieces), text, title, share=30)


def _only(case: Case, j: int) -> int | None:
    """The one output that depends on input j, where there is only one."""
    depend = [i for i, row in enumerate(case.jacobian) if row[j]]
    return depend[0] if len(depend) == 1 else None


def _table_part(setting: Setting, v: Row | None, values: Row | None, exact: Row | None) -> Part:
    case = setting.case
    grid = Grid(
        case,
        len(case.outputs),
        None if values is None else lambda i, j: setting.to(at=j),
        blank=case.entrywise and not setting.state.get("zeros", True),
    )
    head = [heading("v", "col", "weight"), "<td></td>"]
    head += [
        heading(name, "col", "here" if j == setting.at else "")
        for j, name in enumerate(case.inputs)
    ]
    body = [_row(grid, setting, v, i) for i in range(len(case.outputs))]
    if values is not None and is_asked(setting):
        exact = None
    products = "".join(
        grid.product(value, name, grid.place(0, j), j == setting.at, is_asked(setting))
        for j, (name, value) in enumerate(
            zip(case.inputs, values or (None,) * len(case.inputs), strict=True)
        )
    )
    ends = heading("v·J", "row", "weight") + heading(_("= x.grad"), "row")
    body.append(f"{_tr('product-row')}{ends}{products}</tr>")
    label = _("J, with v beside its rows and v·J below")
    html = table(head, body, label, grid=values is not None) + grid.scale()
    rows = [["v", "", *case.inputs]]
    for i, name in enumerate(case.outputs):
        rows.append([_beside(v, i), name, *map(boxed, case.jacobian[i])])
    unknown = "—" if values is None else "?"
    last = [unknown] * len(case.inputs) if exact is None else [f"{value:.6g}" for value in exact]
    rows.append(["v·J", "= x.grad", *last])
    title = _("Each row of J, times its number of v; then add down")
    return Part("table", html, as_text(rows), title, stays=True, share=52)


def _row(grid: Grid, setting: Setting, v: Row | None, i: int) -> str:
    case = setting.case
    cells = (grid.entry(i, j, chosen=j == setting.at) for j in range(len(case.inputs)))
    return f"{_tr('')}{weight(_beside(v, i))}{heading(case.outputs[i], 'row')}{''.join(cells)}</tr>"


def _tr(looks: str) -> str:
    return f'<tr class="{looks}">' if looks else "<tr>"


def _beside(v: Row | None, i: int) -> str:
    return "" if v is None else f"{shown(v[i])} ×"


def _question_part(setting: Setting) -> Part:
    name = setting.case.inputs[setting.at]
    asks = _("Multiply each number of v by the entry of J in the column of {}, and add up.")
    label = _("your guess for {}").format(name)
    html = (
        f'<div class="own" data-answer><label>{escape(label)} '
        f'<input type="text" data-input="guess" data-key="guess"></label> '
        f'<button type="button" data-enter>{escape(_("check"))}</button>'
        f"{note(asks.format(name))}</div>"
    )
    return Part("question", html, f"{asks.format(name)}\n{label}: …")


def _sum_part(setting: Setting, v: Row | None, value: float | None) -> Part:
    case, j = setting.case, setting.at
    title = _("{}, written out").format(case.inputs[j])
    if v is None or value is None:
        said = _("There is no v, so there is no sum.")
        return Part("sum", note(said), said, title, beside=True, share=34)
    terms = [(number, row[j]) for number, row in zip(v, case.jacobian, strict=True)]
    notes = [_why(case, j, v), _never_built(case)]
    html = written_out(terms, value, first=True) + "".join(map(note, notes))
    text = "\n".join([in_text(terms, value), *notes])
    return Part("sum", html, text, title, beside=True, share=34)


def _why(case: Case, j: int, v: Row) -> str:
    """Which outputs move with an input, and how much v counts them."""
    name, moved = case.inputs[j], [i for i, row in enumerate(case.jacobian) if row[j]]
    if not moved:
        return _("No output moves with {}.").format(name)
    if len(moved) == 1:
        i = moved[0]
        said = _("Only {} moves with {}. It moves {} times as far, and v counts it {} times.")
        return said.format(case.outputs[i], name, shown(case.jacobian[i][j]), shown(v[i]))
    slopes = ", ".join(f"{case.outputs[i]}: {shown(case.jacobian[i][j])}" for i in moved)
    said = _("How many times as far as {} each output moves: {}. v says how much each counts.")
    return said.format(name, slopes)


def _never_built(case: Case) -> str:
    if not case.entrywise:
        return _("Backward never builds J: it runs once, and J has {} rows.").format(
            len(case.outputs)
        )
    zeros = len(case.outputs) * (len(case.outputs) - 1)
    said = _("Backward never builds J: it works entry by entry. These {} zeros are never computed.")
    return said.format(zeros)


# --- The sentence -----------------------------------------------------------------------------


def _refusal(case: Case, handed: str, refused: str) -> str:
    count = len(case.outputs)
    if not handed:
        why = _("{} has {} entries: say how much each of them counts.")
        why = why.format(case.out, count)
    else:
        why = _("{} numbers are there, but in another shape.").format(count)
    return (
        _("`{}.backward({})` stops: {}").format(case.out, handed, refused.rstrip(".")) + f". {why}"
    )


def _sentence(setting: Setting, v: Row, value: float) -> str:
    case, j = setting.case, setting.at
    if is_asked(setting):
        return _("Your guess first: what does {} get?").format(case.inputs[j])
    terms = [(number, row[j]) for number, row in zip(v, case.jacobian, strict=True)]
    gets = _("{} gets {}.").format(case.inputs[j], sum_of(terms, value))
    if "guess" in setting.state:
        guess = setting.state["guess"]
        said = _("Right.") if _is_right(guess, value) else _("Not quite.")
        return f"{_('You said {}.').format(shown(guess))} {said} {gets}"
    if setting.name == "softmax" and setting.is_ones:
        said = _("The {} outputs always sum to 1. With v = ones you ask how that sum changes: {}.")
        return said.format(_("three") if len(v) == 3 else len(v), _("not at all"))
    if setting.unit is not None:
        name = case.outputs[setting.unit]
        said = _("This v has a 1 for {} and 0 elsewhere, so the pass returns row {} of J.")
        return f"{gets} {said.format(name, name)}"
    if setting.is_ones:
        return f"{gets} {_('With v = ones you ask about the sum of all outputs.')}"
    if len(case.outputs) == 1:
        return f"{gets} {_('With one output, v·J is its only row, times v.')}"
    return f"{gets} {_('One backward gives v·J, a mixture of the rows of J.')}"
