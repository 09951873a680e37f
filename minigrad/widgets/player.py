"""The player: frames on a picture, a step at a time; live, as HTML without a kernel, or as text.

It knows no gradients. A frame is a dict with ``title``, ``sentence``, ``marks``, ``labels`` and
``details``, as `minigrad.trace` makes them; it may have ``tags``, ``rules``, ``row``,
``question``, ``coarse`` and ``line``. What draws it is a function from a frame and a scene to a
`minigrad.viz.Figure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import index
from typing import Any

from ..viz.saving import Saved
from . import stored
from .live_view import with_live_view
from .packing import Frame, changes, for_reading, packed
from .words import player_words

DRAW_FINE = 40  #: passes of so many steps bring their finer steps along; others are asked
SCENES, MORE = 6, 16  #: so many insides are stored in any case, and so many if they are small
SMALL = 150_000  #: characters of all insides together that are small; others are asked
RULES = ("symbols", "words", "code")

Steps = Sequence[Frame]


class Player(Saved):
    """Frames and the one that is shown. Steps count from 0, on the screen from 1.

    Args:
        name: what a screen reader calls it.
        frames: the frames; or several sequences by how fine they are, the first one shown first,
            each as it is or as a function that makes it when somebody asks for it.
        draw: ``draw(frame, inside)`` gives the figure of a step, or at rest; ``inside`` is the
            key of a group, or None for the overview.
        title: what stands above it; by default the name.
        groups: the groups of a large graph, each with ``key``, ``name``, ``parent``.
        opened: the key of the group that is open from the start.
        code: lines of a program; a frame's ``line``, from 1, is the one it tells.
        notes: what a reader has to know besides.
        picture: what stands for all steps where nothing plays, with ``image()``; by default the
            figure of the last one.
        ask: whether it asks before each step, to begin with.
        rules: how rules are spelled, to begin with: ``"symbols"``, ``"words"`` or ``"code"``.

    ``step`` and ``detail`` can be set: ``w.step = 2``, ``w.detail = "fine"``. Displayed views
    follow, and a click there sets them.
    """

    def __init__(
        self,
        name: str,
        frames: Steps | Mapping[str, Steps | Callable[[], Steps]],
        draw: Callable[[Frame | None, str | None], Any],
        *,
        title: str | None = None,
        groups: Sequence[Any] = (),
        opened: str | None = None,
        code: Sequence[str] | None = None,
        notes: Sequence[str] = (),
        picture: Any = None,
        ask: bool = False,
        rules: str = "symbols",
    ):
        if rules not in RULES:
            raise ValueError(f"rules is one of {', '.join(map(repr, RULES))}, not {rules!r}")
        self.name = name
        self.title = title or name
        self.notes = list(notes)
        self._sources = dict(frames) if isinstance(frames, Mapping) else {"coarse": frames}
        self._draw = draw
        self._groups = list(groups)
        self._opened = opened
        self._code = code
        self._picture = picture
        self._begin = {"ask": bool(ask), "rules": rules}
        self._detail = self.details[0]
        self._step = 0

    # -- where it stands

    @property
    def details(self) -> tuple[str, ...]:
        """How fine the steps can be: ``("coarse", "fine")``."""
        return tuple(self._sources)

    def _frames(self, detail: str) -> Steps:
        if callable(self._sources[detail]):
            self._sources[detail] = self._sources[detail]()
        return self._sources[detail]

    @property
    def frames(self) -> Steps:
        """All frames at the present detail, plain data."""
        return self._frames(self._detail)

    @property
    def frame(self) -> Frame:
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
        """How fine the steps are, one of `details`."""
        return self._detail

    @detail.setter
    def detail(self, detail: str) -> None:
        if detail not in self.details:
            known = " or ".join(repr(known) for known in self.details)
            raise ValueError(f"detail is {known}, not {detail!r}")
        if detail != self._detail:
            place = self.frame.get("coarse", self._step)
            self._detail = detail
            same = (i for i, frame in enumerate(self.frames) if frame.get("coarse", i) == place)
            self._step = next(same, len(self.frames) - 1)
            self._tell_views()

    def go(self, step: int):
        """Show `step`, counted from 0, or from the end if negative; returns the player.

        Raises `IndexError` when there is no such step, `TypeError` for no whole number.
        """
        step, steps = index(step), len(self.frames)
        if not -steps <= step < steps:
            raise IndexError(f"step {step} is not in this pass: its steps are 0 to {steps - 1}")
        self._step = step % steps
        self._tell_views()
        return self

    # -- how it looks

    @property
    def heading(self) -> str:
        """What stands above it, for the title of a page."""
        return self.title

    def text(self) -> str:
        """All steps as text."""
        told = (as_text(frame, number) for number, frame in enumerate(self.frames, 1))
        return "\n\n".join([self._draw(None, None).text(), *told, *self.notes])

    def svg(self, inside: str | None = None) -> str | None:
        """The picture of this step as SVG; None where no Graphviz is installed.

        ``inside`` is the key of a group to look into.
        """
        return self._draw(self.frame, inside).svg()

    def html(self) -> str:
        """A page's part that plays without a kernel; where scripts do not run, text to unfold."""
        return self._html() + "\n" + stored.code()

    def _html(self) -> str:
        picture = self._picture or self._end
        picture.alt = self.alt
        data = self._data
        if self._picture is None and data["scenes"][""]:
            data = data | {"scenes": {**data["scenes"], "": stored.IMAGE}}
        return stored.page(data, picture.image())

    @property
    def alt(self) -> str:
        """What the stored picture says."""
        frames = self._frames(self.details[0])
        count = f"{len(frames)} step{'s' if len(frames) != 1 else ''}"
        return f"{self.title}, {count}. {frames[-1]['sentence']}"

    def __repr__(self) -> str:
        steps = len(self._frames(self.details[0]))
        ends = [f"{steps} step{'s' if steps != 1 else ''}", *self._outcome()]
        return f"{type(self).__name__}: {'; '.join(ends)}"

    def _outcome(self) -> list[str]:
        """What came out, for the line that stands where nothing can be shown."""
        return []

    # -- live

    @cached_property
    def live(self) -> Any:
        """The live widget, with the traits `step` and `detail`; `ImportError` without anywidget."""
        from .live import LivePlayer

        live = LivePlayer(
            self._answer, data=packed(self._data), step=self._step, detail=self._detail
        )
        live.observe(lambda change: self._follow(live), ["step", "detail"])
        return live

    def _follow(self, live: Any) -> None:
        """Take over where a view stands. A step or detail that does not exist is put right."""
        self._detail = live.detail if live.detail in self.details else self._detail
        self.go(min(max(live.step, 0), len(self.frames) - 1))

    def _tell_views(self) -> None:
        if "live" in self.__dict__:
            with self.live.hold_trait_notifications():
                self.live.detail = self._detail
                self.live.step = self._step

    def _answer(self, asked: Mapping[str, Any]) -> Any:
        """What a view was not given; None for what there is not."""
        if "scene" in asked and any(group.key == asked["scene"] for group in self._groups):
            return self._draw(None, asked["scene"]).svg(styled=False)
        if asked.get("frames") in self.details:
            return self._told(asked["frames"])
        return None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        needed = [stored.code()] if stored.HOLDER.needs_code() else []
        html = "\n".join([self._html(), *needed])
        return with_live_view(repr(self), html, lambda: self.live, "anywidget")

    # -- what a browser is given

    @cached_property
    def _end(self) -> Any:
        """The picture of the last step; laying it out is what costs most."""
        return self._draw(self._frames(self.details[0])[-1], None)

    @cached_property
    def _data(self) -> dict[str, Any]:
        """Plain data, the same for the same frames."""
        first = self.details[0]
        svg = self._end.svg(styled=False)
        return {
            "name": self.name,
            "title": self.title,
            "scenes": {"": svg, **self._scenes()} if svg else {"": None},
            "groups": {group.key: _about(group) for group in self._groups},
            "opened": self._opened,
            "tree": self._draw(None, None).text(),
            "tree_keys": [key for _text, key in self._lines()],
            "frames": {
                detail: self._told(detail, tree=not svg)
                for detail in self.details
                if detail == first or len(self._frames(first)) <= DRAW_FINE
            },
            "details": list(self.details),
            "detail": first,
            "code": list(self._code) if self._code else None,
            "notes": self.notes,
            "words": player_words(plain=not any(map(_asks_or_sends, self._frames(first)))),
            **self._begin,
        }

    def _lines(self) -> list[tuple[str, str]]:
        """The lines of the tree and what they tell, where the figure knows that."""
        return getattr(self._draw(None, None), "text_lines", list)()

    def _scenes(self) -> dict[str, str]:
        """The insides that are stored: of many groups the open one, then the outer ones."""
        parents = {group.key: group.parent for group in self._groups}
        depths = {key: len(list(_up(key, parents))) for key in parents}
        keys = sorted(parents, key=lambda key: (key != self._opened, depths[key]))
        found: dict[str, str] = {}
        left = SMALL
        for key in keys[:MORE]:
            svg = self._draw(None, key).svg(styled=False)
            left -= len(svg)
            if len(keys) > SCENES and left < 0 and key != self._opened:
                break
            found[key] = svg
        return found

    def _told(self, detail: str, tree: bool = False) -> list[Frame]:
        """Frames as changes; of a short pass, where nothing can be drawn, each with its tree."""
        frames = self._frames(detail)
        told = [
            {**frame, "row": for_reading(frame["row"])} if "row" in frame else frame
            for frame in changes(frames)
        ]
        if tree and len(frames) <= DRAW_FINE:
            trees = (self._draw(frame, None).text() for frame in frames)
            told = [{**frame, "tree": tree} for frame, tree in zip(told, trees)]
        return told


def _up(key: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    """The groups around a group, the nearest first."""
    while (key := parents[key]) is not None:
        yield key


def _asks_or_sends(frame: Frame) -> bool:
    return bool(frame.get("question")) or not {"send", "leaf"}.isdisjoint(frame.get("tags", ()))


def _about(group: Any) -> dict[str, Any]:
    about = {"name": group.name, "kind": group.kind, "parent": group.parent, "about": group.about}
    return {key: said for key, said in about.items() if said}


def as_text(frame: Frame, number: int) -> str:
    """A frame as indented lines; what has several lines stays in its column."""
    rows = list(stored.rows_of(frame))
    wide = max((len(label) for label, _ in rows), default=0)
    lines = [f"Step {number}: {frame['title']}", f"  {frame['sentence']}"]
    for label, text in rows:
        first, *more = text.split("\n")
        lines.append(f"  {label:<{wide}}  {first}".rstrip())
        lines += [f"  {'':<{wide}}  {line}".rstrip() for line in more]
    return "\n".join(lines)
