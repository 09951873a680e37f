"""The stepper as a live widget: the player in the browser, its step a trait that Python shares."""

from __future__ import annotations

import anywidget
import traitlets

from .assets import read


class LiveStepper(anywidget.AnyWidget):
    """What `Stepper.live` is: `data` goes to the browser once, `step` and `detail` both ways.

    `live.observe(callback, "step")` is told of every step, whoever made it.
    """

    _esm = read("player.js")
    _css = read("player.css")
    data = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    detail = traitlets.Enum(["coarse", "fine"], "coarse").tag(sync=True)
