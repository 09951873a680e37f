"""The backward stepper: what does backward do next, with which numbers, and why now?

A pass is recorded once, `minigrad.trace` turns it into frames, `minigrad.viz` draws the graph,
and the `Player` plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad import viz
from minigrad.trace import Trace, at_depth, find_group, record_backward
from minigrad.trace.numbers import equals

from ..language import _
from .given import check_scene, ends_in_the_readers_line, need_graph
from .player import Player


@ends_in_the_readers_line
def stepper(
    y: Any,
    gradient: Any = None,
    *,
    names: Mapping[str, Any] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
    depth: int = 1,
    module: str | None = None,
    ask: bool = False,
    rules: str = "symbols",
) -> Stepper:
    """Step through `y.backward(gradient)` without changing anything.

    The pass is recorded and then undone: every `.grad`, version and saved value is as before, and
    `y.backward()` can still be called. Where code of your own had to run, `notes` says so.
    What is returned shows itself in a notebook; its `save("page.html")` writes a page that plays.

    Args:
        y: the tensor to go back from, of minigrad or of PyTorch; or a view of another engine,
            which brings a method `stepper(ask, rules)` that makes the player.
        gradient: what is handed to `backward`; needed when `y` has more than one element.
        names: names for tensors, `{"x": x}`; by default those of your variables.
        retain_graph, create_graph: what `backward` would be called with.
        depth: of a watched model: 1 draws its modules as boxes, 2 those in them, 0 no boxes.
        module: the path of a watched module that is open from the start: `"encoder.layers.0"`.
        ask: whether it asks before each step; the reader can change that.
        rules: how local slopes are spelled at first: `"symbols"`, `"words"` or `"code"`.

    Raises:
        TypeError: if `y` or `gradient` is no tensor, or `module` no path.
        ValueError: if `y` has no graph, `rules` is no spelling, or `depth` is negative.
        RuntimeError: if the graph has been freed, or the gradient is missing or does not fit.
        KeyError: if no module of that path ran.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x + 1
    >>> y = a * (x + 2)
    >>> w = mg.stepper(y)
    >>> w
    Stepper: 4 steps; x.grad = 7
    >>> w.go(3).title
    'Backward through y = a·(x + 2)'
    """
    if hasattr(type(y), "stepper"):
        return y.stepper(ask=ask, rules=rules)
    need_graph(y, "stepper")
    check_scene(depth, module, "stepper")
    recorded = record_backward(
        y, gradient, names=names, retain_graph=retain_graph, create_graph=create_graph
    )
    begin = {"ask": ask, "rules": rules}
    if module is not None:
        found = find_group(recorded.graph, module)
        return Stepper(recorded, opened=found.key if found else None, **begin)
    recorded.graph = at_depth(recorded.graph, depth)
    return Stepper(recorded, **begin)


class Stepper(Player):
    """The player of a recorded pass, `Stepper.trace`; `opened` is the key of a group."""

    def __init__(
        self,
        trace: Trace,
        opened: str | None = None,
        *,
        ask: bool = False,
        rules: str = "symbols",
    ):
        self.trace = trace
        graph = trace.graph
        root = next(value.name for value in graph.values if value.key == graph.roots[0])
        super().__init__(
            _("Backward stepper for {root}").format(root=root),
            {"coarse": trace.frames("coarse"), "fine": lambda: trace.frames("fine")},
            self._figure,
            title=_("Backward through {root}").format(root=trace.title),
            groups=graph.groups,
            opened=opened,
            notes=_notes(trace),
            ask=ask,
            rules=rules,
        )

    def _figure(self, frame: dict[str, Any] | None, inside: str | None) -> viz.Figure:
        room = self.trace.frames("coarse").room
        return viz.draw(self.trace.graph, view="both", frame=frame, inside=inside, room=room)

    def _outcome(self) -> list[str]:
        if self.trace.error:
            return [_("stops with an error")]
        trays = self._trays(self._frames("coarse")[-1])
        return [equals(f"{name}.grad", grad) for name, grad in trays.items()]

    @property
    def trays(self) -> dict[str, str]:
        """What the `.grad` of each leaf holds at the step that is shown, as it is printed there.

        >>> import minigrad as mg
        >>> x = mg.tensor(2.0, requires_grad=True)
        >>> w = mg.stepper(x * 3)
        >>> w.trays, w.go(-1).trays
        ({'x': 'None'}, {'x': '3'})
        """
        return self._trays(self.frame)

    def _trays(self, frame: dict[str, Any]) -> dict[str, str]:
        labels = frame["labels"]
        leaves = [value for value in self.trace.graph.values if value.leaf]
        grads = [(leaf.name, labels.get(leaf.key, {}).get("grad")) for leaf in leaves]
        return {name: grad for name, grad in grads if grad is not None}


def _notes(trace: Trace) -> list[str]:
    """What a reader has to know about the recording, if anything."""
    notes = list(trace.notes)
    if trace.reader_hooks:
        hooked = ", ".join(trace.reader_hooks)
        notes.append(
            _("Your own hooks ran once while this was recorded: on {hooked}.").format(hooked=hooked)
        )
    return notes
