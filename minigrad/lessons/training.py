"""What lesson 12 trains with.

ready(Array, detach, no_grad)  # the learner's own if they are done, else the reference
grads(x=x)                     # what has come to values of an own engine, in words
moons()                        # 400 points in two moons
Boundary(points, kinds)        # where a model changes its mind between them
digits()                       # images and digits, to train on and held out
gallery(images, kinds)         # the first of them, drawn
curves()                       # five runs, A to E, something broken in four of them
runs()                         # five more, P to T, with the gradient norms of both layers
dashboard()                    # a training to walk through, and to break
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import starmap
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from ..viz.plot import card
from . import training_runs as trainings
from .array_steps import built_before
from .charts import Chart, Curve, digit_image
from .dashboard import dashboard, number, of_the_loss, of_the_norms
from .digits import DARKEST, digits
from .exercises import Blank, Unreadable
from .lesson_12 import PATIENTS
from .moons import Boundary, two_moons
from .predictions import as_words

__all__ = [
    "Boundary",
    "curves",
    "dashboard",
    "digits",
    "gallery",
    "grads",
    "moons",
    "ready",
    "runs",
]


def ready(array: type, detach: Any, no_grad: Any) -> tuple[type, Any, Any]:
    """Return the three if the steps of 12-1 are right in them, else the reference's.

    The reference stands on the engine that `array` stands on; a line says that it runs.
    """
    given = {"12-1c": array, "12-1d": (array, detach, no_grad)}
    if all(_is_right(name, answer) for name, answer in given.items()):
        return array, detach, no_grad
    print(_("12-1 is not done yet, so a reference runs here, on the engine that you loaded."))
    arrays = getattr(detach, "__globals__", {}).get("mg", mg)
    scope = built_before(None, array.__base__, arrays)
    return scope["Array"], scope["detach"], scope["no_grad"]


def _is_right(name: str, answer: Any) -> bool:
    from . import LESSONS

    try:
        return LESSONS.find("exercise", name).judge(answer) is None
    except (Blank, Unreadable):
        return False


@dataclass(frozen=True)
class Said:
    """A line of text, shown as it is."""

    text: str

    def __repr__(self) -> str:
        return self.text


def grads(**values: Any) -> Said:
    """Say what `.grad` of each value holds.

    >>> from minigrad.lessons.reference_engine import Value
    >>> x = Value(3.0)
    >>> (x * x).backward()
    >>> grads(x=x)
    x.grad = 6
    """
    told = (f"{name}.grad = {_short(value.grad)}" for name, value in values.items())
    return Said("; ".join(told))


def _short(grad: Any) -> str:
    """Numbers as they are written by hand: what float32 adds to 0.4 is left out."""
    plain = grad.tolist() if hasattr(grad, "tolist") else grad
    return as_words(_rounded(plain))


def _rounded(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_rounded(entry) for entry in plain]
    return float(f"{plain:.6g}") if isinstance(plain, float) else plain


def moons() -> tuple[Any, Any]:
    """400 points in two moons, and 1 or −1 for each."""
    return two_moons(200)


def gallery(images: Any, kinds: Any, count: int = 10) -> "Panels":
    """The first digits of a table of images, each with what it is."""
    shown = list(zip(np.asarray(images)[:count], np.asarray(kinds)[:count].tolist(), strict=True))
    alt = _("{} handwritten digits: {}.").format(
        len(shown), ", ".join(str(kind) for _image, kind in shown)
    )
    pictures = "".join(
        '<figure style="display:inline-block;margin:4px 8px;text-align:center">'
        + digit_image((image * DARKEST).round(), _("a {}").format(kind), 56)
        + f"<figcaption>{kind}</figcaption></figure>"
        for image, kind in shown
    )
    return Panels(alt, card(pictures))


@dataclass(frozen=True)
class Panels:
    """A picture with what it says: HTML, and a text that stands for it."""

    alt: str
    html: str

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return self.html


# --- runs that are not named ------------------------------------------------------------------

UNNAMED = {
    "A": trainings.Setting(trainings.RATE),
    "B": trainings.Setting(trainings.ROUND),
    "C": trainings.Setting(trainings.ZERO),
    "D": trainings.Setting(trainings.DETACH),
    "E": trainings.Setting(seed=8),  # so that the last of four questions is no remainder
}
CLOSE = 0.02  #: two runs of one fault differ by less, as a share of the loss
SIZE = (360, 150)  #: of a chart; two stand side by side beside JupyterLab's list of files
COMPARED = 12  #: turns; later what has leapt hangs on the last digit of each number


class Curves(Panels):
    """The losses of five runs, A to E, each beside that of a run with nothing broken."""

    def __init__(self) -> None:
        whole = trainings.trained(trainings.Setting())
        found = {name: trainings.trained(setting) for name, setting in UNNAMED.items()}
        told = (f"{name}: {of_the_loss(run, trainings.TURNS)}" for name, run in found.items())
        alt = " ".join([_("Five curves of the loss over 60 turns."), *told])
        charts = [(_("curve {}").format(name), _loss(run, whole)) for name, run in found.items()]
        super().__init__(alt, _images(charts, alt))

    def like(self, losses: Sequence[float]) -> str:
        """Which of the five curves these losses follow."""
        for name, setting in UNNAMED.items():
            known = trainings.trained(setting).losses[:COMPARED]
            pairs = zip(losses, known, strict=False)
            if len(losses) >= COMPARED and all(abs(a - b) <= CLOSE * b for a, b in pairs):
                return _("curve {}").format(name)
        return _("none of the five curves")


def curves() -> Curves:
    """Five runs, A to E: in four of them another thing is broken, and in E nothing is.

    >>> curves().like(trainings.trained(trainings.Setting(trainings.ZERO)).losses)
    'curve C'
    """
    return Curves()


def runs() -> Panels:
    """Five runs, P to T, with the loss and both gradient norms. In one of them nothing is broken.

    >>> print(repr(runs())[:52])
    P: the loss is falling. The gradient of the first la
    """
    told, charts = [], []
    for name, setting in PATIENTS.items():
        run = trainings.trained(setting)
        end = trainings.TURNS
        told.append(f"{name}: {of_the_loss(run, end)} {of_the_norms(run, end)}")
        charts.append((_("{}: loss").format(name), _loss(run)))
        charts.append((_("{}: gradient norms; {}").format(name, _layers(run)), _norms(run)))
    alt = " ".join(told)
    return Panels(alt, _images(charts, alt))


def _layers(run: trainings.Run) -> str:
    """At the last turn, which layer is drawn how."""
    looks = (_("first layer solid"), _("second dashed"))
    ends = [layer[-1] for layer in run.norms]
    return ", ".join(
        look if norm else f"{look}: {number(norm)}" for look, norm in zip(looks, ends, strict=True)
    )


def _loss(run: trainings.Run, whole: trainings.Run | None = None) -> Chart:
    found = [Curve(_("loss"), run.losses)]
    if whole is not None:
        found.insert(0, Curve(_("nothing broken"), whole.losses, "whole"))
    return Chart(tuple(found), trainings.TURNS, -2, 3, _("loss"), SIZE, 2)


def _norms(run: trainings.Run) -> Chart:
    looks = ("now", "other")
    found = tuple(map(Curve, trainings.LAYERS, run.norms, looks))
    return Chart(found, trainings.TURNS, -3, 2, _("gradient norms"), SIZE, 2)


def _images(charts: Sequence[tuple[str, Chart]], alt: str) -> str:
    """Charts under their headings, two in a row, or one where the page is narrow."""
    drawn = "".join(starmap(_image, charts))
    wide = 2 * (charts[0][1].size[0] + 20)
    return card(
        f'<div role="img" aria-label="{escape(alt)}" style="max-width:{wide}px;font-size:0">'
        f"{drawn}</div>"
    )


def _image(heading: str, chart: Chart) -> str:
    """A chart as an image that carries itself. Its words stand with the others of the cell."""
    wide, tall = chart.size
    wide, tall = wide + 20, tall + 26
    placed = chart.svg().replace("<svg ", '<svg y="24" ', 1)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" '
        f'width="{wide}" height="{tall}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="8" y="18" font-size="13">{escape(heading)}</text>{placed}</svg>'
    )
    coded = base64.b64encode(drawn.encode()).decode("ascii")
    source = f"data:image/svg+xml;base64,{coded}"
    return f'<img src="{source}" alt="{escape(heading)}" style="max-width:100%;height:auto">'
