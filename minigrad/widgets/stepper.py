"""The backward stepper: what does backward do next, with which numbers, and why now?

A pass is recorded once, `minigrad.trace` turns it into frames, `minigrad.viz` draws the graph.
What is left to do here is to hold a step and to show it: live, as HTML that plays without a
kernel, or as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import index
from typing import Any

from minigrad import viz
from minigrad.trace import Trace, record_backward

from .availability import installed
from .packing import pack
from .page import page
from .quiz import live_view
from .words import PLAYER

DETAILS = ("coarse", "fine")


def stepper(
    y: Any,
    gradient: Any = None,
    *,
    names: Mapping[str, Any] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> Stepper:
    """Step through `y.backward(gradient)` without changing anything.

    The pass is recorded and then undone: every `.grad`, version and saved value is as before, and
    `y.backward()` can still be called. Only hooks of your own have run, once.

    Args:
        y: the tensor to go back from.
        gradient: what is handed to `backward`; needed when `y` has more than one element.
        names: names for tensors, `{"x": x}`; by default those of your variables.
        retain_graph, create_graph: what `backward` would be called with.

    Raises:
        TypeError: if `y` or `gradient` is no tensor.
        ValueError: if `y` has no graph.
        RuntimeError: if the graph has been freed, or the gradient is missing or does not fit.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x + 1
    >>> y = a * (x + 2)
    >>> w = stepper(y)
    >>> w
    Stepper: 4 steps; x.grad = 7
    >>> w.go(3).sentence
    'x has both of its parts: 3 (by +₁) + 4 (by a) = 7. It goes into x.grad, which was None.'
    """
    recorded = record_backward(
        y, gradient, names=names, retain_graph=retain_graph, create_graph=create_graph
    )
    return Stepper(recorded)


class Stepper:
    """A recorded pass and the step that is shown. Steps count from 0, on the screen from 1.

    `step` and `detail` can be set: `w.step = 2`, `w.detail = "fine"`. Displayed views follow,
    and a click there sets them.
    """

    def __init__(self, trace: Trace):
        self.trace = trace
        self._frames = {detail: trace.frames(detail) for detail in DETAILS}
        self._detail = DETAILS[0]
        self._step = 0

    # -- where it stands

    @property
    def frames(self) -> list[dict[str, Any]]:
        """All frames at the present detail, plain data; see `minigrad.trace.frames`."""
        return self._frames[self._detail]

    @property
    def frame(self) -> dict[str, Any]:
        """The frame that is shown."""
        return self.frames[self._step]

    @property
    def sentence(self) -> str:
        """What happens in this step, in plain words."""
        return self.frame["sentence"]

    @property
    def step(self) -> int:
        """The step that is shown, from 0. Setting it outside of the pass raises `IndexError`."""
        return self._step

    @step.setter
    def step(self, step: int) -> None:
        self.go(step)

    @property
    def detail(self) -> str:
        """`"coarse"`, a step for each node, or `"fine"`: take, multiply, send, add."""
        return self._detail

    @detail.setter
    def detail(self, detail: str) -> None:
        if detail not in DETAILS:
            known = " or ".join(repr(known) for known in DETAILS)
            raise ValueError(f"detail is {known}, not {detail!r}")
        if detail != self._detail:
            node = self.frame["coarse"]
            self._detail = detail
            # Of a very long pass only the first frames are there, so the node may have none.
            found = (i for i, frame in enumerate(self.frames) if frame["coarse"] == node)
            self._step = next(found, len(self.frames) - 1)
            self._tell_views()

    def go(self, step: int) -> Stepper:
        """Show `step`, counted from 0, or from the end if negative; returns the stepper.

        Raises `IndexError` when the pass has no such step, `TypeError` for no whole number.
        """
        step = index(step)
        if not -len(self.frames) <= step < len(self.frames):
            last = len(self.frames) - 1
            raise IndexError(f"step {step} is not in this pass: its steps are 0 to {last}")
        self._step = step % len(self.frames)
        self._tell_views()
        return self

    # -- how it looks

    def text(self) -> str:
        """All steps as text."""
        return "\n\n".join([self._picture().text(), *map(_as_text, self.frames), *self.notes])

    def svg(self) -> str | None:
        """The picture of this step as SVG; None where no Graphviz is installed."""
        return self._picture(self.frame).svg()

    def html(self) -> str:
        """A player for browsers that needs no kernel; where scripts do not run, text to unfold."""
        return page(self._data, self._frames[DETAILS[0]])

    def _picture(self, frame: dict[str, Any] | None = None) -> viz.Figure:
        """The graph at one step, or at rest; laid out alike for every step."""
        return viz.draw(self.trace.graph, view="both", frame=frame)

    @property
    def notes(self) -> list[str]:
        """What a reader has to know about the recording, if anything."""
        hooked = ", ".join(self.trace.reader_hooks)
        notes = [self.trace.note]
        if hooked:
            notes.append(f"Your own hooks ran once while this was recorded: on {hooked}.")
        return [note for note in notes if note]

    @property
    def name(self) -> str:
        """What a screen reader calls the stepper."""
        graph = self.trace.graph
        root = next(value.name for value in graph.values if value.key == graph.roots[0])
        return f"Backward stepper for {root}"

    def __repr__(self) -> str:
        steps = len(self._frames[DETAILS[0]])
        ends = [f"{steps} step{'s' if steps != 1 else ''}", *self._outcome()]
        return f"Stepper: {'; '.join(ends)}"

    def _outcome(self) -> list[str]:
        if self.trace.error:
            return ["stops with an error"]
        last = self._frames[DETAILS[0]][-1]
        if "end" not in last["tags"]:
            return ["the first of a longer pass"]
        labels = last["labels"]
        return [
            f"{leaf.name}.grad = {labels[leaf.key]['grad'].removeprefix('.grad ')}"
            for leaf in self.trace.graph.values
            if leaf.leaf and "grad" in labels.get(leaf.key, ())
        ]

    # -- live

    @cached_property
    def live(self) -> Any:
        """The live widget, with the traits `step` and `detail`; `ImportError` without anywidget."""
        from .live import LiveStepper

        live = LiveStepper(data=self._data, step=self._step, detail=self._detail)
        live.observe(lambda change: self._follow(live), ["step", "detail"])
        return live

    def _follow(self, live: Any) -> None:
        """Take over where a view stands. A step that does not exist is put right."""
        self._detail = live.detail
        self.go(min(max(live.step, 0), len(self.frames) - 1))

    def _tell_views(self) -> None:
        if "live" in self.__dict__:
            with self.live.hold_trait_notifications():
                self.live.detail = self._detail
                self.live.step = self._step

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = {"text/plain": repr(self), "text/html": self.html()}
        if installed("anywidget"):
            bundle |= live_view(self.live)
        return bundle

    @cached_property
    def _data(self) -> dict[str, Any]:
        """What the player is given; plain data, the same for the same pass."""
        outcome = self._picture(self._frames[DETAILS[0]][-1])
        svg = outcome.svg()
        return {
            "name": self.name,
            "prefix": outcome.prefix if svg else "",
            "svg": svg,
            "tree": self._picture().text(),
            "frames": {
                detail: pack(frames if svg else [self._with_tree(f) for f in frames])
                for detail, frames in self._frames.items()
            },
            "detail": DETAILS[0],
            "notes": self.notes,
            "words": PLAYER,
        }

    def _with_tree(self, frame: dict[str, Any]) -> dict[str, Any]:
        """A frame that brings its picture as text, for where nothing can be drawn."""
        return frame | {"tree": self._picture(frame).text()}


def _as_text(frame: dict[str, Any]) -> str:
    """A frame as indented lines; what has several lines stays in its column."""
    rows = [*frame["panel"], *frame["table"]]
    wide = max((len(label) for label, _ in rows), default=0)
    lines = [f"Step {frame['step'] + 1}: {frame['title']}", f"  {frame['sentence']}"]
    for label, text in rows:
        first, *more = text.split("\n")
        lines.append(f"  {label:<{wide}}  {first}".rstrip())
        lines += [f"  {'':<{wide}}  {line}".rstrip() for line in more]
    return "\n".join(lines)
