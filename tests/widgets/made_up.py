"""A player of four steps with a picture of its own: what it is to show without any recording.

The program is ``y = (x+1)(x+2)`` at ``x = 2``, told by hand in the form that `minigrad.trace`
gives frames and `minigrad.viz` gives pictures.
"""

import base64
from html import escape
from types import SimpleNamespace

from minigrad.widgets import Player

KEYS = {
    "v0": ("leaf", 10, 100, "x = 2", ("state", "came", "grad")),
    "n0": ("node", 180, 30, "+ 1", ("state", "came")),
    "n1": ("node", 180, 170, "+ 2", ("state", "came")),
    "n2": ("node", 380, 100, "×", ("state", "came")),
}
LINES = {"e0": ("v0", "n0"), "e1": ("v0", "n1"), "e3": ("n0", "n2"), "e4": ("n1", "n2")}


class Figure:
    """What `minigrad.viz.draw` gives, as far as a player asks."""

    def __init__(self, frame=None, inside=None):
        self.frame, self.inside = frame, inside
        self.prefix = f"mgmade{inside or ''}"

    size = 540, 250

    def image(self):
        coded = base64.b64encode(self.svg().encode()).decode() if self.svg() else None
        source = f"data:image/svg+xml;base64,{coded}"
        return coded and f'<img src="{source}" alt="{escape(self.alt)}">'

    def svg(self, styled=True):
        marks = self.frame["marks"] if self.frame else {}
        labels = self.frame["labels"] if self.frame else {}
        parts = [self.edge(key, marks, labels) for key in LINES]
        parts += [self.node(key, marks, labels) for key in KEYS]
        if self.inside is None:
            parts.append(
                f'<g id="{self.prefix}-m0" class="group" data-class="group" data-open="m0">'
                '<rect x="440" y="10" width="60" height="40" fill="#eee"/></g>'
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{self.prefix}" role="img" '
            f'class="minigrad-figure" viewBox="0 0 540 250" width="540" height="250">'
            f'<title id="{self.prefix}-title">graph</title><desc id="{self.prefix}-desc"></desc>'
            "<style>.minigrad-figure .now rect{stroke-width:4}</style>"
            f"{''.join(parts)}</svg>"
        )

    def node(self, key, marks, labels):
        kind, x, y, text, slots = KEYS[key]
        full = " ".join([kind, *marks.get(key, [])])
        texts = labels.get(key, {})
        told = "".join(
            f'<text id="{self.prefix}-{key}-{slot}" x="{x}" y="{y - 6 + 70 * (slot == "grad")}" '
            f'dx="{60 * (slot == "came")}" font-size="13">{texts.get(slot, "")}</text>'
            for slot in slots
        )
        return (
            f'<g id="{self.prefix}-{key}" class="{full}" data-class="{kind}">'
            f'<rect x="{x}" y="{y}" width="100" height="40" fill="none" stroke="#0072B2"/>'
            f'<text x="{x + 30}" y="{y + 25}">{text}</text>{told}</g>'
        )

    def edge(self, key, marks, labels):
        (_, x, y, *_1), (_, to, at, *_2) = (KEYS[end] for end in LINES[key])
        full = " ".join(["edge", *marks.get(key, [])])
        told = labels.get(key, {})
        return (
            f'<g id="{self.prefix}-{key}" class="{full}" data-class="edge">'
            f'<path class="backward" d="M{x + 100} {y + 20}L{to} {at + 20}" stroke="#D55E00"/>'
            f'<text x="{(x + to) / 2 + 50}" y="{(y + at) / 2 + 20}">'
            f'<tspan id="{self.prefix}-{key}-factor">{told.get("factor", "")}</tspan>'
            f'<tspan id="{self.prefix}-{key}-sent">{told.get("sent", "")}</tspan></text></g>'
        )

    def text(self):
        if self.frame:
            return "x = 2   .grad " + self.frame["labels"]["v0"]["grad"]
        return "y = 12\n└─ x = 2"


def details(of, took, sends, after):
    return [
        {
            "title": "This step",
            "of": of,
            "rows": [
                ["took", [[took], ", from y"]],
                ["local slope", [f"∂{of}/∂x = 1"], "rule"],
                ["sends", ["3 × 1 = ", ["3"], " → x"] if sends else ["none"]],
            ],
        },
        {"title": "After it", "of": "", "rows": [["next", [after]], ["waiting", ["x: 3 + ?"]]]},
        {"title": "Kept", "of": "", "rows": [["y", ["freed"]], [".grad", ["x None"]]]},
    ]


def frame(step, title, sentence, marks, labels, **more):
    return {
        "step": step,
        "coarse": step,
        "title": title,
        "tags": ["send"] if step < 3 else ["leaf", "end"],
        "sentence": sentence,
        "marks": marks,
        "labels": {"v0": {"grad": "7" if step == 3 else "None"}, **labels},
        "details": details("yba"[step] if step < 3 else "x", "3", step < 3, "a, ready with 4"),
        "rules": {
            "words": "b changes as fast as x.",
            "symbols": f"∂{step}/∂x = 1",
            "code": "g * 1",
        },
        "row": [f"node {step}", "1", "3", "3 to x"],
        "question": None,
        **more,
    }


NEXT = {
    "kind": "choice",
    "text": "Which node is next?",
    "options": ["the node of a", "the node of b"],
    "answer": 1,
    "reply": "b was made last.",
}
HOW_MUCH = {
    "kind": "number",
    "text": "What goes to x?",
    "answer": 4.0,
    "reply": "4 × 1 = 4.",
}

FRAMES = [
    frame(
        0,
        "run MulBackward0 (made y)",
        "y sends 4 to a and 3 to b.",
        {"n2": ["now"], "n0": ["ready"], "n1": ["ready"], "e3": ["now"], "e4": ["now"]},
        {"n2": {"state": "now", "came": "1"}, "e3": {"factor": "×4 → ", "sent": "4"}},
    ),
    frame(
        1,
        "run AddBackward0 (made b)",
        "b sends 3 to x. x has 1 of its 2 parts, so it waits.",
        {"n2": ["done"], "n0": ["ready"], "n1": ["now"], "v0": ["waiting"], "e1": ["now"]},
        {
            "n2": {"state": "done", "came": "1"},
            "n1": {"state": "now", "came": "3"},
            "v0": {"state": "1 of 2 parts", "came": "3 + ?", "grad": "None"},
            "e1": {"factor": "×1 → ", "sent": "3"},
        },
        question=NEXT,
    ),
    frame(
        2,
        "run AddBackward0 (made a)",
        "a sends 4 to x. x has both of its parts, 3 + 4 = 7, and is ready.",
        {"n2": ["done"], "n1": ["done"], "n0": ["now"], "v0": ["ready"], "e0": ["now"]},
        {
            "n0": {"state": "now", "came": "4"},
            "v0": {"state": "ready", "came": "3 + 4 = 7", "grad": "None"},
            "e0": {"factor": "×1 → ", "sent": "4"},
        },
        question=HOW_MUCH,
    ),
    frame(
        3,
        "run AccumulateGrad(x)",
        "7 goes into x.grad, which was None.",
        {"n2": ["done"], "n1": ["done"], "n0": ["done"], "v0": ["now"]},
        {"v0": {"state": "now", "came": "7", "grad": "7"}},
    ),
]

FINE = [
    {**shown, "step": 2 * shown["step"] + part, "sentence": f"{said} {shown['sentence']}"}
    for shown in FRAMES
    for part, said in enumerate(["First:", "Then:"])
]

GROUP = SimpleNamespace(key="m0", name="net.0", kind="module", parent=None, about="Linear 1 → 1")


def player(frames=None, **options):
    """A player of the four steps; its frames, figure and groups can be others."""
    given = frames or {"coarse": FRAMES, "fine": lambda: FINE}
    settings = {"title": "Backward through y", "groups": [GROUP], **options}
    return Player("Backward stepper for y", given, Figure, **settings)
