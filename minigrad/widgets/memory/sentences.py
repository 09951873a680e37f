"""The one sentence of a screen: what is kept now, and because of what."""

from __future__ import annotations

from ...language import _
from .running import AGAIN, BACK, Run, Setting

WHAT = {
    "+": "+ keeps no tensor, so the graph keeps 0 bytes, however long the chain is.",
    "×": "Each × keeps its two factors, y and x, because each is the other one's slope.",
    "tanh": "Each tanh keeps its result, because its slope is computed from it.",
}


def sentence(run: Run) -> str:
    """What happened last in a run."""
    if not run.setting.recorded:
        return _unrecorded(run)
    return _after(run) if run.setting.passes else _before(run)


def _unrecorded(run: Run) -> str:
    if run.error:
        said = _("Nothing was recorded, so there is no way back: {}").format(run.error)
        return said if said.endswith(".") else f"{said}."
    return _("Under `no_grad()` no node is made, so nothing is kept. There is no way back, either.")


def _before(run: Run) -> str:
    setting = run.setting
    if not run.before:
        return _(WHAT[setting.operation])
    kept = f"{run.tensors} × {setting.width:,} × 4 = {run.before:,}"
    if setting.every:
        said = _("Each part keeps what it began with, and nothing between: {} bytes.")
        if run.tensors == 1:
            said = _("The one part keeps what it began with, and nothing between: {} bytes.")
        return said.format(kept)
    last = _("Together {} bytes: tensors × numbers × 4.").format(kept)
    if setting.operation == "×":
        last = _("x counts once. {}").format(last)
    return f"{_(WHAT[setting.operation])} {last}"


def _after(run: Run) -> str:
    setting = run.setting
    if run.error:
        return _("What was saved is gone. It raises: {}").format(run.error.partition(". ")[0] + ".")
    again = sum(moment.kind == AGAIN for moment in run.stages[-1])
    if not run.before:
        words = _("Nothing was saved, so nothing could be let go: backward may run again.")
        return _("Backward ran {} operations. {}").format(_back(run), words)
    if again:
        said = _(
            "Backward ran {} operations again for what was not kept: at most {:,} bytes at once."
        )
        said = said.format(again, run.most_in(len(run.stages) - 1))
    else:
        said = _("Backward ran {} operations, newest first.").format(_back(run))
    return f"{said} {_left(run, setting)}"


def _back(run: Run) -> int:
    return sum(moment.kind == BACK for moment in run.stages[-1])


def _left(run: Run, setting: Setting) -> str:
    if setting.retain:
        return _("`retain_graph=True`: {:,} bytes are still kept.").format(run.after)
    words = _("Each node let go of what it had saved: {:,} bytes are left, and {} nodes.")
    return words.format(run.after, run.nodes)
