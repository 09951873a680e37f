"""The mode J·u: each column of J times its number of u, then added across."""

from __future__ import annotations

from ...language import _
from ..board import Button, Part
from .cases import Case, Row
from .common import Drawn, Setting, sum_of
from .parts import (
    Grid,
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


def choices_of(case: Case) -> dict[str, str]:
    """The u that have a button: the name in a state, and what the button says."""
    columns = {f"column {j}": _("column {}").format(name) for j, name in enumerate(case.inputs)}
    return {**columns, "ones": _("ones")}


def screen(setting: Setting) -> Drawn:
    """All of the mode J·u."""
    case, i, u = setting.case, setting.at, setting.vector
    exact = case.forward(u)
    values = without_noise(exact, case.jacobian)
    first = {"f": setting.name, "m": "Ju", "u": "ones", "at": 0}
    return Drawn(
        setting.title("J·u"),
        _("`torch.func.jvp` once: one pass"),
        (
            _u_part(setting, u),
            _table_part(setting, u, values, exact),
            _sum_part(setting, u, values[i]),
        ),
        _sentence(setting, u, values[i]),
        (setting.stepping(case.outputs), ("", (Button(_("reset"), first, key="Home"),))),
    )


def _u_part(setting: Setting, u: Row) -> Part:
    case = setting.case
    shape = tuple(case.x().shape)
    buttons = (
        (says, setting.to(u=name), name == setting.pick) for name, says in choices_of(case).items()
    )
    html = (
        note(_("It has the shape of x:"))
        + boxes("u", case.inputs, u, shape)
        + note(_("Its numbers stand above the columns of J. They say how far each input moves."))
        + choices(buttons)
    )
    return Part("u", html, row_text(u), _("u, a direction in which x moves"), share=30)


def _table_part(setting: Setting, u: Row, values: Row, exact: Row) -> Part:
    case = setting.case
    grid = Grid(case, len(case.outputs), lambda i, j: setting.to(at=i))
    head = ["<td></td>", *(heading(name, "col") for name in case.inputs)]
    head.append(heading("J·u", "col", "weight"))
    above = ["<td></td>", *(weight(f"× {shown(number)}", "weight above") for number in u)]
    body = [f"<tr>{''.join(above)}<td></td></tr>"]
    for i, name in enumerate(case.outputs):
        here = "here" if i == setting.at else ""
        cells = [grid.entry(i, j, chosen=i == setting.at) for j in range(len(case.inputs))]
        cells.append(grid.product(values[i], name, setting.to(at=i), i == setting.at))
        body.append(f"<tr>{heading(name, 'row', here)}{''.join(cells)}</tr>")
    label = _("J, with u above its columns and J·u beside its rows")
    html = table(head, body, label, grid=True) + grid.scale()
    rows = [["", *case.inputs, "J·u"], ["u", *(f"× {shown(number)}" for number in u), ""]]
    for i, name in enumerate(case.outputs):
        rows.append([name, *map(boxed, case.jacobian[i]), f"{exact[i]:.6g}"])
    title = _("Each column of J, times its number of u; then add across")
    return Part("table", html, as_text(rows), title, stays=True, share=52)


def _sum_part(setting: Setting, u: Row, value: float) -> Part:
    case, i = setting.case, setting.at
    terms = list(zip(case.jacobian[i], u, strict=True))
    notes = [
        _("How far {} moves, for a small step of x in the direction u, per step.").format(
            case.outputs[i]
        ),
        _("PyTorch computes this on the way forward: no graph is kept, and nothing walks back."),
    ]
    html = written_out(terms, value, first=False) + "".join(map(note, notes))
    text = "\n".join([in_text(terms, value), *notes])
    title = _("{}, written out").format(case.outputs[i])
    return Part("sum", html, text, title, beside=True, share=34)


def _sentence(setting: Setting, u: Row, value: float) -> str:
    case, i = setting.case, setting.at
    terms = list(zip(case.jacobian[i], u, strict=True))
    gets = _("{} gets {}.").format(case.outputs[i], sum_of(terms, value))
    if setting.unit is not None:
        name = case.inputs[setting.unit]
        said = _("This u moves {} alone, so the pass returns column {} of J.").format(name, name)
        return f"{gets} {said}"
    return f"{gets} {_('One pass gives J·u, a mixture of the columns of J.')}"
