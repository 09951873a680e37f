"""The screen of each state: a setting, what was done to it, and what was guessed.

Every screen is made from a `Place` alone, so the same place always looks the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from minigrad.trace.sentences import listed

from ...language import _
from ..board import Button, Part, Screen, State
from . import code, facts
from .because import sentence
from .bricks import tray_beside, trays_over_time
from .numbers import read
from .orbit import describe as describe_orbit
from .orbit import orbit
from .programs import NO_GRAD_B, PRESETS, PROGRAMS, ROUND, STEP, Preset, group_of
from .running import Run, Runner
from .two_models import TWO_MODELS
from .two_results import describe as describe_results
from .two_results import two_results
from .two_roads import TWO_ROADS

MOST_EVENTS = 12


@dataclass(frozen=True)
class Place:
    """Where the card is: a setting, what was done to it, and what is asked.

    As a state it is a text, as there are many, and only with a question a dict.

    >>> Place("case 1", ("a.detach()",), ("y.backward()",)).state
    'case 1 | a.detach() | y.backward()'
    >>> Place.of("case 1 | a.detach() | y.backward()").on
    ('a.detach()',)
    """

    program: str
    on: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    asking: bool = False
    guesses: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, state: State) -> Place:
        """The place that a state stands for."""
        told = state if isinstance(state, dict) else {"at": state}
        program, on, events = told["at"].split(" | ")
        guesses = tuple(sorted(told.get("guesses", {}).items()))
        pieces = (tuple(filter(None, part.split(", "))) for part in (on, events))
        return cls(program, *pieces, bool(told.get("asking")), guesses)

    @classmethod
    def start(cls, preset: Preset, events: Sequence[str] = ()) -> Place:
        """A preset, after some events."""
        return cls(preset.program, preset.on, tuple(events))

    @property
    def state(self) -> State:
        """The same as JSON; switches stand in one order, so that equal is equal."""
        on = ", ".join(self._ordered)
        at = f"{self.program} | {on} | {', '.join(self.events)}"
        if self.asking:
            return {"at": at, "asking": True}
        return {"at": at, "guesses": dict(self.guesses)} if self.guesses else at

    @property
    def _ordered(self) -> tuple[str, ...]:
        """The switches that are on, in the order of the program."""
        return tuple(s for s in PROGRAMS[self.program].switches if s in self.on)

    def after(self, *events: str) -> Place:
        """The same setting, and these events, without questions."""
        return Place(self.program, self.on, events)

    @property
    def preset(self) -> Preset | None:
        """The preset whose setting this is, if there is one."""
        mine = (self.program, set(self.on))
        return next((p for p in PRESETS if mine == (p.program, set(p.on))), None)

    def toggled(self, switch: str) -> Place:
        """The setting with one switch changed. What was done to the old one is done once.

        Where the code stops before that, nothing is done.
        """
        program = PROGRAMS[self.program]
        others = set(program.rivals) - {switch} if switch in program.rivals else set()
        plain = Place(self.program, tuple((set(self.on) ^ {switch}) - others))
        passes = program.passes
        done = () if plain.run.stopped else [e for e in self.events if e in passes]
        return plain.after(*done[:1])

    @property
    def run(self) -> Run:
        """The setting and the events, run."""
        return _run(self.program, self._ordered, self.events)


@lru_cache(128)
def _run(program: str, on: tuple[str, ...], events: tuple[str, ...]) -> Run:
    import minigrad as mg

    return Runner(mg).run(program, on, events)


def show(state: State) -> Screen:
    """What the card shows in a state."""
    at = Place.of(state)
    run, said = at.run, sentence(at.run)
    if at.asking:
        said = _("Type a number or None into each box of the table below. Check, in it, runs {}.")
        said = said.format(listed(run.program.passes))
    elif at.guesses:
        said = f"{_judged(at)} {said}"
    presets = tuple(
        Button(_(one.says), Place.start(one).state, one == at.preset)
        for one in group_of(at.program)
    )
    return Screen(
        _("Trays: {}").format(_(run.program.title)),
        _place(run),
        (("", presets),),
        _boxes_first(_parts(at, run)) if at.asking else _parts(at, run),
        said,
        (("", _events(at, run)), ("", _moves(at))),
    )


def _place(run: Run) -> str:
    if not run.moments:
        return _("nothing was done yet")
    last = run.moments[-1]
    if last.event == ROUND:
        return _("round {} of {}").format(len(run.moments), MOST_EVENTS)
    place = _("event {}: {}").format(len(run.moments), last.event)
    if last.again:
        first, final = last.again[0] + 1, last.again[-1] + 1
        place += _(", after lines {} to {} again").format(first, final)
    return place


# --- parts ------------------------------------------------------------------------------------


def _parts(at: Place, run: Run) -> tuple[Part, ...]:
    guesses = dict(at.guesses)
    table = facts.html(run, guesses, at.asking)
    the_facts = Part("facts", table, facts.text(run, guesses, at.asking))
    the_code = Part("code", code.html(run), code.text(run), _("Code of this setting"), beside=True)
    folded = Part("folded code", code.folded(run, _("Code of this setting")), "")
    if at.program == "two models":
        drawn = TWO_MODELS(run, lambda switch: at.toggled(switch).state)
        return Part("picture", drawn, TWO_MODELS.describe(run)), the_code, the_facts, folded
    if at.program == "case 1":
        drawn = TWO_ROADS(run, lambda switch: at.toggled(switch).state)
        roads = Part("picture", drawn, TWO_ROADS.describe(run))
        tray = Part("tray", tray_beside(run), _tray(run), _("Tray of x"), beside=True, stays=True)
        return roads, tray, the_code, the_facts, folded
    if at.program == "never zeroed":
        line = Part("picture", orbit(run), describe_orbit(run))
        return line, _share(the_facts, 2), _share(the_code, 1)
    over_time = Part("trays", trays_over_time(run), _tray(run), share=9)
    beside = Part("facts", table, the_facts.text, beside=True, share=10)
    return Part("picture", two_results(run), describe_results(run)), over_time, beside


def _boxes_first(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """With the table above the pictures its boxes are seen with the question and the buttons."""
    table = next(part for part in parts if part.key == "facts")
    return replace(table, beside=False), *(part for part in parts if part is not table)


def _share(part: Part, share: int) -> Part:
    return Part(part.key, part.html, part.text, part.title, part.beside, part.stays, share)


def _tray(run: Run) -> str:
    """The tray as text: what came, and what is in it."""
    told = []
    for moment in run.moments:
        held = _("no tray") if moment.tray is None else " + ".join(f"{b:.4g}" for b in moment.tray)
        told.append(f"{moment.event}: {held or _('empty')}")
    return "\n".join(told) or _("no tray yet")


# --- buttons ----------------------------------------------------------------------------------


def _events(at: Place, run: Run) -> tuple[Button, ...]:
    off = ""
    if run.stopped:
        off = _("The code stops before it comes to this.")
    elif len(at.events) >= MOST_EVENTS:
        off = _("That is as far as this goes; press Reset.")
    return tuple(
        Button(_named(event), at.after(*at.events, event).state, off=off)
        for event in run.program.events
    )


def _named(event: str) -> str:
    if event == ROUND:
        return _("one round: `loss.backward()`, then `w -= 0.1 * w.grad`")
    return _("step `{}`").format(event) if event == STEP else f"`{event}`"


def _moves(at: Place) -> tuple[Button, ...]:
    done = at.events
    story = at.preset.story if at.preset else ()
    on_the_way = len(done) < len(story) and done == story[: len(done)]
    ahead = at.after(*story[: len(done) + 1]) if on_the_way else at
    back = "" if done else _("Nothing was done yet.")
    over = "" if on_the_way else _("Choose what to do next yourself, or press Reset.")
    return (
        Button("◀", at.after(*done[:-1]).state, off=back, key="ArrowLeft"),
        Button("▶", ahead.state, off=over, key="ArrowRight"),
        Button(_("Reset"), at.after().state, key="Home"),
        *_asking(at),
    )


def _asking(at: Place) -> tuple[Button, ...]:
    """Ask me: boxes for guesses, then one backward."""
    if at.program == "never zeroed":
        return ()
    asking = replace(at.after(), asking=True)
    off = _("The code stops before backward(), so there is nothing to guess.")
    to = at.after() if at.asking else asking
    return (Button(_("Ask me"), to.state, at.asking, off=off if at.run.stopped else ""),)


def entered(state: State, typed: dict[str, str]) -> State:
    """What was typed as guesses becomes a state: backward runs, and each row is judged.

    Raises `ValueError` with a sentence for a box that holds neither a number nor None.
    """
    at = Place.of(state)
    if not at.asking:
        raise ValueError(_("Press Ask me first."))
    guesses = {name: text.strip() for name, text in typed.items() if text.strip()}
    if not guesses:
        raise ValueError(_("Fill in at least one box: a number, or None."))
    for name, guess in guesses.items():
        try:
            read(guess)
        except ValueError:
            words = _("{}: a number or None is wanted, and this is {!r}.")
            raise ValueError(words.format(name, guess)) from None
    done = at.after(*PROGRAMS[at.program].passes)
    return replace(done, guesses=tuple(sorted(guesses.items()))).state


def _judged(at: Place) -> str:
    right = [facts.is_right(guess, at.run.facts[name].grad) for name, guess in at.guesses]
    return _("{} of {} are right.").format(sum(right), len(right))


# --- what is stored ---------------------------------------------------------------------------


def stored_states(group: str = "one graph") -> list[State]:
    """What a page without a kernel has of each preset: its story, and one step aside from it."""
    found: list[Place] = []
    for preset in PRESETS:
        program = PROGRAMS[preset.program]
        events = [e for e in program.events if e != STEP]
        for done in range(len(preset.story) + 1) if program.group == group else ():
            here = preset.story[:done]
            found.append(Place.start(preset, here))
            found += [Place.start(preset, (*here, e)) for e in events if done < MOST_EVENTS]
    return [place.state for place in found]


def settings(name: str = "case 1") -> list[State]:
    """All settings of a program, before backward and, where the code comes to it, after it.

    Where B is run under `no_grad()` every backward stops in the same way, and few are stored.
    """
    program = PROGRAMS[name]
    switches = range(len(program.switches) + 1)
    chosen = [set(on) for n in switches for on in combinations(program.switches, n)]
    before = [Place(name, tuple(on)) for on in chosen if len(on & set(program.rivals)) < 2]
    before = [place for place in before if NO_GRAD_B not in place.on or len(place.on) < 3]
    after = [place.after(program.passes[0]) for place in before if not place.run.stopped]
    return [place.state for place in before + after]
