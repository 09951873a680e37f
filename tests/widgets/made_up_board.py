"""A board with a lamp: screens that are made up, to test what shows them."""

import json
from html import escape

from minigrad.widgets.board import Board, Button, Part, Screen

LAMPS = ("red", "green")
MOST = 3


def show(state):
    lamp, count = state["lamp"], state["count"]
    if lamp not in LAMPS:
        raise ValueError(f"no lamp is {lamp}")

    def at(**changed):
        return {**state, **changed}

    choices = tuple(Button(f"`lamp = {one}`", at(lamp=one), pressed=one == lamp) for one in LAMPS)
    light = Button("light it", at(count=count + 1), off="Three times is enough." * (count >= MOST))
    back = Button("back", at(count=count - 1), off="" if count else "It starts here.",
                  key="ArrowLeft")  # fmt: skip
    reset = Button("reset", at(count=0), key="Home")
    return Screen(
        title="A lamp",
        place=f"{count} times",
        rows=(("lamp", choices),),
        parts=(picture(state), facts(state)),
        sentence=f"The {lamp} lamp was lit {count} times.",
        actions=(("", (light,)), ("", (back, reset))),
    )


def picture(state):
    cells = "".join(cell(state, number) for number in range(MOST + 1))
    html = (
        f'<table data-grid><tr>{cells}</tr></table><svg width="60" height="60">'
        f'<circle cx="30" cy="30" r="{10 + 5 * state["count"]}" fill="none" stroke="black"/></svg>'
        f'<label>times <input type="text" data-input="count" value="{state["count"]}"></label>'
        f'<label>at most <input type="text" data-leave data-input="most" value="{MOST}"></label>'
        "<details><summary>more</summary>Inside.</details>"
    )
    return Part("picture", html, f"{state['lamp']}: {'●' * state['count'] or '○'}", share=2)


def cell(state, number):
    to = escape(json.dumps({**state, "count": number}))
    now = ' aria-current="true"' if number == state["count"] else ""
    return f'<td><span data-to="{to}"{now}>{number}</span></td>'


def facts(state):
    text = f"lamp   {state['lamp']}\ntimes  {state['count']}"
    html = f'<table class="facts"><tr><th>lamp</th><td>{state["lamp"]}</td></tr></table>'
    return Part("facts", html, text, title="Facts", beside=True)


def entered(state, typed):
    typed = {"count": str(state["count"]), **typed}
    if typed.get("most", str(MOST)) != str(MOST):
        return {**state, "count": min(int(typed["count"]), int(typed["most"]))}
    if not typed["count"].isdigit():
        raise ValueError(f"{typed['count']} is no number.")
    return {**state, "count": int(typed["count"])}


def board(**options):
    """Six screens are stored, those of a third lighting are not."""
    stored = [{"lamp": lamp, "count": count} for lamp in LAMPS for count in range(MOST)]
    told = [(f"{lamp}, lit once", {"lamp": lamp, "count": 1}) for lamp in LAMPS]
    start = {"lamp": "red", "count": 0}
    return Board("a lamp", show, start, stored=stored, told=told, entered=entered, **options)
