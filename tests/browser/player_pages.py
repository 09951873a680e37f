"""Pages with the player on them, without a kernel, and the moves that their tests are made of.

What is played is made up, so nothing here hangs on how a pass is recorded or drawn.
"""

from tests.widgets.made_up import FRAMES, GROUP, frame, player

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body {}>{}</body>'
STEPS = 4


def pages():
    """Pages with one player, with several, and with none of its code, by name."""
    w, other = player(), player(FRAMES[:2])
    code = w.html().removeprefix(w._html())
    return {
        "one": PAGE.format("", w.html()),
        "two": PAGE.format("", w.html() + w.html()),
        "code last": PAGE.format("", other._html() + w._html() + code),
        "code first": PAGE.format("", w.html() + other._html()),
        "no code": PAGE.format("", w._html()),
        "dark": PAGE.format('data-jp-theme-light="false"', w.html()),
        "light": PAGE.format('data-jp-theme-light="true"', w.html()),
        "long": PAGE.format("", player(long_pass(2000)).html()),
        "program": PAGE.format("", player(coded(), code=["a = x + 1", "b = x + 2"]).html()),
        "opened": PAGE.format("", player(opened=GROUP.key).html()),
        "wordy": PAGE.format("", player(wordy()).html()),
        "long names": PAGE.format("", player(long_names()).html()),
        "bracketed": PAGE.format("", player(bracketed()).html()),
        "other groups": PAGE.format("", without_scenes().html()),
    }


def long_pass(steps):
    """Steps that each change one mark and one label, as those of a long chain do."""
    return [
        frame(
            step,
            f"run node {step}",
            f"Step {step} sends {step} to x.",
            {"n0": ["done"], "n1": ["done" if step % 2 else "now"]},
            {"v0": {"came": str(step), "grad": "None"}},
        )
        for step in range(steps)
    ]


def coded():
    return [{**shown, "line": line} for shown, line in zip(FRAMES, [None, 2, 1, 1])]


def wordy():
    """One step with a sentence of many lines, and 30 kept rows in every step."""
    kept = {"title": "Kept", "of": "", "rows": [[f"l{n}", ["freed"]] for n in range(30)]}
    said = ["It says more than two lines have room for. " * 6, "Short.", "Short.", "Short."]
    return [
        {**shown, "sentence": sentence, "details": [*shown["details"][:2], kept]}
        for shown, sentence in zip(FRAMES, said)
    ]


def long_names():
    """Rows told of a name of many parts, and of one that has no parts."""
    names = "regularised_update_magnitude_term", "Rindfleischetikettierungsueberwachung"
    rows = [[f"{name} has", ["1 + 2 = 3"]] for name in names]
    after, kept = ({"title": title, "of": "", "rows": rows} for title in ("After it", "Kept"))
    return [{**shown, "details": [shown["details"][0], after, kept]} for shown in FRAMES]


def bracketed():
    """Steps whose names and numbers have colons and commas of their own."""
    rows = [
        [["next", ["a[1:3], ready with ", ["[0, 1]"]]], ["waiting", ["none"]]],
        [[".grad", ["a ", ["[3, 1, 4]"], ", b ", ["6"]]]],
    ]
    found = []
    for shown in FRAMES:
        first, *others = shown["details"]
        filled = [{**section, "rows": told} for section, told in zip(others, rows)]
        found.append({**shown, "details": [first, *filled]})
    return found


def without_scenes():
    w = player()
    w._scenes = dict
    return w


# --- Moves ----------------------------------------------------------------------------------------


def players(page):
    return page.locator(".minigrad-player")


def place(found):
    return found.locator(".place").inner_text()


def sentence(found):
    return found.locator(".sentence").inner_text()


def press(found, *keys):
    found.focus()
    for key in keys:
        found.page.keyboard.press(key)


def click(found, name):
    found.get_by_role("button", name=name, exact=True).click()


def more(found):
    """Unfold the menu of what is needed less often."""
    click(found, "More")
    return found.locator(".menu")


def boxes(inside, what):
    """Where things are, relative to what they are in; None for what is not shown."""
    return inside.evaluate(
        """(inside, what) => {
            const origin = inside.getBoundingClientRect();
            return [...inside.querySelectorAll(what)].map(element => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return width || height ? [x - origin.x, y - origin.y].map(Math.round) : null;
            });
        }""",
        what,
    )
