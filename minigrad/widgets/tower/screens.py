"""The screens of the tower: what stands where, and which button leads to which state."""

from __future__ import annotations

from html import escape

from ...language import _
from ..board import Button, Part, Screen, State
from ..safe import LONGEST_TEXT, Refused
from ..tables import rows
from . import tray
from .drawn import describe, number, picture
from .floors import BARE, HIGHEST, MOST_NODES, Built, Floor, build, places

PRESETS = ("x * x * y", "sin(x)", "tanh(x)", "x ** 3")


def state_of(text: str, by: tuple[str, ...] = ()) -> State:
    """The state of a formula and the walks back from it.

    >>> state_of("x * x * y", ("x", "x-"))
    'x * x * y | x x-'
    """
    return f"{text} | {' '.join(by)}"


def read_state(state: State) -> tuple[str, tuple[str, ...]]:
    """The formula and the walks of a state; one with a guess is a dict."""
    text, _bar, by = (state["at"] if isinstance(state, dict) else state).partition(" | ")
    return text, tuple(by.split())


def show(state: State) -> Screen:
    """What the card shows in a state."""
    text, by = read_state(state)
    built = build(text, by)
    said = sentence(built)
    presets = tuple(Button(f"`{one}`", state_of(one), one == text) for one in PRESETS)
    title = _("A tower on {}").format(f"`z = {text}`")
    steps = _("floor {} of {}").format(len(built.floors) - 1, HIGHEST)
    return Screen(
        title,
        steps,
        (("", presets),),
        (_formula(built), _picture(built), _told(built)),
        f"{judged(built, state['guess'])} {said}" if isinstance(state, dict) else said,
        (*_further(built), ("", _moves(built))),
    )


def entered(state: State, typed: dict[str, str]) -> State:
    """A typed formula becomes a tower without floors; a guess builds the next floor by x.

    Raises `ValueError` with a sentence for what is no formula or no number.
    """
    before, by = read_state(state)
    text = " ".join(typed.get("text", before).replace("|", "").split())
    guess = typed.get("guess", "").strip()
    if text != before or not guess:
        build(text, ())
        return state_of(text)
    if not guess.isdecimal():
        raise ValueError(_("A whole number of nodes is wanted, and this is {!r}.").format(guess))
    off = _off(build(text, by))
    if off:
        raise ValueError(off)
    return {"at": state_of(text, (*by, "x")), "guess": int(guess)}


# --- parts ------------------------------------------------------------------------------------


def _formula(built: Built) -> Part:
    at = ", ".join(f"{name} = {number(value)}" for name, value in built.values.items())
    html = (
        f'<div class="fields"><label>z = <input type="text" data-input="text" '
        f'value="{escape(built.text)}" size="18" maxlength="{LONGEST_TEXT}" spellcheck="false" '
        f'autocapitalize="off" autocomplete="off" aria-label="{escape(_("formula of x and y"))}">'
        f'</label><button type="button" data-enter>{escape(_("Enter"))}</button>'
        f'<span class="at">{escape(_("at {}").format(at))}</span>'
        f"{'' if _off(built) else _guess()}</div>"
    )
    return Part("formula", html, _("z = {} at {}").format(built.text, at))


def _picture(built: Built) -> Part:
    reached = f'tabindex="0" role="group" aria-label="{escape(_("floors"))}"'
    drawn = picture(built)
    legend = _legend() if 'class="link"' in drawn else ""  # the first floor uses no other one
    html = f'<div class="scroll floors" {reached}>{drawn}</div>{legend}'
    return Part("picture", html, describe(built).replace(". ", ".\n"), share=63)


def _legend() -> str:
    said = _("Dotted: a value of another floor is used here.")
    return f'<p class="small-note">{escape(said)}</p>'


def lines(built: Built) -> list[str]:
    """The tower as code."""
    found, before = [f"z = {built.text}"], "z"
    for count, step in enumerate(built.by, start=1):
        name = step.removesuffix(BARE)
        more = "" if step.endswith(BARE) else ", create_graph=True"
        made = f"g{count}"
        found.append(f"({made},) = mg.autograd.grad({before}, {name}{more})")
        before = made
    return found


def _told(built: Built) -> Part:
    """The tower as code, and its numbers."""
    told = lines(built)
    shown = [escape(line) for line in told]
    if built.error:
        shown[-1] = f"<mark>{shown[-1]}</mark>"
    heads = (_("floor"), _("value"), _("new nodes"), _("in its graph"))
    body = [_row(count, floor) for count, floor in enumerate(built.floors)][::-1]
    code = f'<pre class="code tower-code">{chr(10).join(shown)}</pre>'
    table = f'<table class="facts">{rows(heads, body, here=0)}</table>'
    text = [*told, "", *("  ".join(row) for row in (heads, *body))]
    pair = tray.bricks(built)
    text += ["", tray.told(built, pair).replace("`", "")] if pair else []
    return Part(
        "told",
        code + table + tray.html(built),
        "\n".join(text),
        _("As code"),
        beside=True,
        share=37,
    )


def _guess() -> str:
    """A box for how many nodes the graph of the next floor will have."""
    label, check = escape(_("your guess: nodes in the next graph, by x")), escape(_("Build it"))
    return (
        f'<div class="guess"><label>{label} <input type="text" data-input="guess" '
        f'data-once value="" size="3" maxlength="4" inputmode="numeric" autocomplete="off"></label>'
        f'<button type="button" data-enter>{check}</button></div>'
    )


def _row(count: int, floor: Floor) -> tuple[str, ...]:
    counts = str(len(floor.new)), str(floor.total)
    return f"{count}: {floor.name}", number(floor.value), *counts


# --- the sentence -----------------------------------------------------------------------------


def sentence(built: Built) -> str:
    """What has happened last, and why."""
    top = built.top
    what = f"{top.name} = {number(top.value)}"
    if built.error:
        message = built.error if built.error.endswith(".") else f"{built.error}."
        return f"{_('`grad()` stopped: {}').format(message)} {_why(built)}"
    if len(built.floors) == 1:
        said = _("{}. Its graph has {} nodes; each leaf is one of them. Now go back from z.")
        return said.format(what, top.total)
    if not top.recorded:
        said = _("{}, and nothing was recorded on the way: no node, no `grad_fn`.")
        return said.format(what)
    if top.root is None:
        said = _(
            "{}, and it has no `grad_fn`, in spite of create_graph=True: "
            "no tensor that it was computed from has requires_grad=True."
        )
        return said.format(what)
    new, old = len(top.new), top.total - len(top.new)
    left = _("1 new node") if new == 1 else _("{} new nodes").format(new)
    others = _("1 is of another floor") if old == 1 else _("{} are of other floors").format(old)
    said = _("{}. The walk to it left {}. Its graph has {}: {}.")
    return said.format(what, left, top.total, others)


def judged(built: Built, guess: int) -> str:
    """What is said to a guess: how many nodes there are."""
    if built.error:
        return _("You said {}.").format(guess)
    if guess == built.top.total:
        return _("Right: {}.").format(guess)
    return _("Not quite: you said {}, and there are {}.").format(guess, built.top.total)


def _why(built: Built) -> str:
    """Why the last call found nothing to walk along."""
    top, name = built.top, built.by[len(built.floors) - 1].removesuffix(BARE)
    if top.root is not None:
        return _("No road leads from {} to {}.").format(top.name, name)
    if not top.recorded:
        return _("The walk to {} was not recorded, so there is nothing to stand on.").format(
            top.name
        )
    return _("{} has no node behind it.").format(top.name)


# --- buttons ----------------------------------------------------------------------------------


def _further(built: Built) -> tuple:
    """One more floor, recorded or not."""
    off = _off(built)

    def button(name: str, bare: str, key: str = "") -> Button:
        says = f"`grad(…, {name})`" if bare else f"`grad(…, {name}, create_graph=True)`"
        return Button(says, state_of(built.text, (*built.by, name + bare)), off=off, key=key)

    recorded = [button(name, "", "ArrowRight" if name == "x" else "") for name in built.values]
    return ((_("go back"), (*recorded, button("x", BARE))),)


def _off(built: Built) -> str:
    if built.error:
        return _("The last call stopped with an error. Take a floor away first.")
    if len(built.floors) > HIGHEST:
        return _("That is as high as this goes.")
    if built.top.total > MOST_NODES:
        return _("Its graph has more than {} nodes: too many to go on.").format(MOST_NODES)
    return ""


def _moves(built: Built) -> tuple[Button, ...]:
    none = "" if built.by else _("There is no floor to take away.")
    return (
        Button("◀", state_of(built.text, built.by[:-1]), off=none, key="ArrowLeft",
               name=_("take the last call back")),
        Button(_("Reset"), state_of(built.text), key="Home"),
    )  # fmt: skip


# --- what is stored ---------------------------------------------------------------------------


def stored_states() -> list[State]:
    """What a page without a kernel has: each button's tower by x, and one step aside from it."""
    found: list[State] = []
    for text in PRESETS:
        names = list(places(text))
        for count in range(HIGHEST + 1):
            here = ("x",) * count
            if build(text, here).error:
                found.append(state_of(text, here))
                break
            found += [state_of(text, here), state_of(text, (*here, "x" + BARE))]
            found += [state_of(text, (*here, "x" + BARE, name)) for name in names]
            found += [state_of(text, (*here, name)) for name in names[1:]]
    return [state for state in dict.fromkeys(found) if _reachable(state)]


def _reachable(state: State) -> bool:
    try:
        built = build(*read_state(state))
    except Refused:
        return False
    return len(built.floors) - 1 <= HIGHEST and len(built.by) <= HIGHEST + 1
