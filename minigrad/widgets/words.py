"""Every word that the widgets say by themselves, in one place.

The player and `shim.js` hold no words: they are handed these. So a translation, or a test with
made-up words that are much longer, replaces one dictionary.
"""

from __future__ import annotations

from ..language import _

PLAYER = {
    "first": "To start",
    "back": "Back one step",
    "next": "Next",
    "by_key": "{name} ({key})",
    "keys": "Keys: ← → one step, Home End to the start and the end, Space plays, N next send or "
    "leaf, T as text, 1 2 … answer a question, Esc leaves.",
    "again": "Again",
    "last": "To end",
    "play": "Play",
    "pause": "Pause",
    "more": "More",
    "speed": "speed",
    "slider": "step",
    "place": "step {step} of {steps}",
    "jump_to": "jump to {place}",
    "send": "next send",
    "leaf": "next leaf",
    "ask": "Ask me",
    "text": "As text",
    "rules": "rules in",
    "words": "words",
    "symbols": "symbols",
    "code": "code",
    "fine": "fine steps: take · multiply · send · add",
    "kept": "kept values",
    "larger": "larger picture",
    "smaller": "smaller picture",
    "reset": "Reset",
    "check": "Check",
    "answers": "your answer",
    "asks": "Next asks a question first.",
    "asks_not": "Nothing is asked about the next step.",
    "go_on": "Answer, or press Next to see.",
    "yes": "Right.",
    "no": "Not quite.",
    "picture": "picture of the graph",
    "inside": "picture of the inside of {name}",
    "open": "{name}: show its inside",
    "close": "close {name}",
    "tree": "the graph as text",
    "listing": "the steps as text",
    "earlier": "Earlier steps are not listed.",
    "program": "the program, line by line",
    "columns": ["step", "node run", "parts", "came in", "sends"],
    "signs": [
        "≈ rounded to three digits; the rows have six",
        "‖g‖ how long a gradient of many entries is: the root of the sum of their squares",
        "Σ4 four entries were added up, because one number had been used for all of them",
    ],
    "not_stored": "The inside of {name} is not stored here. Run the stepper in a notebook to open "
    "it, or save a stepper with module='{name}'.",
    "part_not_stored": "The inside of {name} is not stored here. Run the stepper in a notebook to "
    "open it.",
    "no_parts": "The finer steps are not stored here. Run the stepper in a notebook to see them.",
    "lost": "The kernel that made this is gone. Stepping still works; run this cell again "
    "to connect it.",
}

#: The keys of a player in which nothing is sent and nothing asked.
PLAIN_KEYS = (
    "Keys: ← → one step, Home End to the start and the end, Space plays, T as text, Esc leaves."
)

QUIZ = {
    "you_said": "You said {}.",
    "right": "Right.",
    "not_quite": "Not quite.",
    "no_guess": "No guess yet: make one, it helps even when it is wrong.",
    "go_on": "Go on: the run will show.",
    "it_is": "It is {}.",
    "changed": "Changed.",
    "say": "That is my answer",
    "number": "your number",
    "not_a_number": "{} is no number. Type one such as 7 or 0.25.",
    "answer": "Answer",
    "answer_is": "Answer: {}",
    "run": "To answer, run this cell.",
    "no_buttons": "There are no buttons here, because ipywidgets is not installed.",
    "lost": "The kernel that made this is gone, so the buttons do nothing now. "
    "Run this cell again.",
    "waiting": "No reply yet. A busy kernel replies later; after a restart, run this cell again.",
}


BOARD = {
    "text": "As text",
    "play": "Play",
    "pause": "Pause",
    "waiting": "No reply yet. A busy kernel replies later; after a restart, run this cell again.",
    "needs_kernel": "This one is not stored here: it needs Python. Run this cell again.",
    "lost": "The kernel that made this is gone. What is stored still works; run this cell again "
    "to connect it.",
}


def board_words() -> dict[str, str]:
    """The words of a board in the reader's language.

    >>> board_words()["text"]
    'As text'
    """
    return {key: _(text) for key, text in BOARD.items()}


def player_words(plain: bool = False) -> dict[str, str | list[str]]:
    """The words of the player in the reader's language.

    In a ``plain`` one nothing is sent and nothing asked, so it has fewer keys.

    >>> player_words()["yes"]
    'Right.'
    """
    words = {
        key: _(text) if isinstance(text, str) else [_(part) for part in text]
        for key, text in PLAYER.items()
    }
    return {**words, "keys": _(PLAIN_KEYS)} if plain else words
