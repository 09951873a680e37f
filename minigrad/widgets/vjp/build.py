"""The mode build J: one backward for each row, until the table is full."""

from __future__ import annotations

from ...language import _
from ..board import Button, Part
from .cases import unit
from .common import Drawn, Setting
from .parts import Grid, as_text, boxed, heading, note, table, weight


def screen(setting: Setting) -> Drawn:
    """All of the mode build J; `at` rows have been built."""
    outputs = setting.case.outputs
    done, of = setting.at, len(outputs)
    full = _("All rows are there.") if done == of else ""
    build = (
        Button(_("next row: one backward"), setting.to(at=min(done + 1, of)), off=full),
        Button(_("all rows"), setting.to(at=of), off=full),
        Button(_("reset"), setting.to(at=0), off="" if done else _("No row is there yet.")),
    )
    return Drawn(
        setting.title(_("build J")),
        _("{} of {} passes").format(done, of),
        (_table_part(setting), _cost_part(setting)),
        _sentence(setting),
        ((_("rows: {} of {}").format(done, of), build),),
    )


def _table_part(setting: Setting) -> Part:
    case, done = setting.case, setting.at
    grid = Grid(case, done)
    head = [heading("v", "col", "weight"), "<td></td>"]
    head += [heading(name, "col") for name in case.inputs]
    body = []
    for i, name in enumerate(case.outputs):
        now = i == done - 1
        v = " ".join(f"{number:g}" for number in unit(i, len(case.outputs)))
        looks = "units now" if now else "units"
        cells = "".join(grid.entry(i, j, chosen=now) for j in range(len(case.inputs)))
        named = heading(f"▶ {name}" if now else name, "row", "here" if now else "")
        body.append(f"<tr>{weight(v, looks)}{named}{cells}</tr>")
    label = _("J, {} of {} rows").format(done, len(case.outputs))
    html = table(head, body, label, grid=False) + grid.scale()
    rows = [["v", "", *case.inputs]]
    for i, name in enumerate(case.outputs):
        v = " ".join(f"{number:g}" for number in unit(i, len(case.outputs)))
        known = map(boxed, case.jacobian[i]) if i < done else ["?"] * len(case.inputs)
        rows.append([v, name, *known])
    title = _("One row for each pass")
    return Part("table", html, as_text(rows), title, share=52)


def _cost_part(setting: Setting) -> Part:
    case = setting.case
    notes = [
        _("Back: one pass for each output, here {}.").format(len(case.outputs)),
        _("Forward (J·u): one pass for each input, here {}.").format(len(case.inputs)),
        _("Before each pass the tray is emptied: `x.grad = None`."),
        _("Each pass but the last needs `retain_graph=True`."),
    ]
    html = "".join(map(note, notes))
    text = "\n".join(said.replace("`", "") for said in notes)
    return Part("cost", html, text, _("What it costs"), beside=True, share=34)


def _sentence(setting: Setting) -> str:
    outputs, done = setting.case.outputs, setting.at
    if not done:
        return _("Nothing has run yet. Each backward with one 1 in v fills one row.")
    name = outputs[done - 1]
    said = _("This v has a 1 for {} and 0 elsewhere, so the pass returns row {} of J.")
    if len(outputs) == 1:
        said = _("The only output is {0}, so one pass returns all of J.")
    said = said.format(name, name)
    if done < len(outputs) or len(outputs) == 1:
        return said
    return f"{said} {_('J is complete, after {} passes.').format(len(outputs))}"
