"""Every word that the widgets say by themselves, in one place.

`player.js` and `shim.js` hold no words: they are handed these. So a translation, or a test with
made-up words that are much longer, replaces one dictionary.
"""

PLAYER = {
    "first": "first step",
    "back": "one step back",
    "next": "next step",
    "last": "last step",
    "play": "play",
    "pause": "pause",
    "speed": "speed",
    "slider": "step",
    "place": "step {step} of {steps}",
    "jump": "jump to",
    "jump_to": "jump to {place}",
    "send": "next send",
    "leaf": "next leaf",
    "end": "end",
    "ask": "ask me",
    "text": "as text",
    "rules": "rules",
    "words": "words",
    "symbols": "symbols",
    "code": "code",
    "grain": "step by",
    "coarse": "node",
    "fine": "part",
    "parts": "take · multiply · send · add",
    "reset": "reset",
    "check": "check",
    "answers": "your answer",
    "go_on": "Answer, or press next to see.",
    "yes": "Yes.",
    "no": "Not this one.",
    "now": "This step",
    "after": "After this step",
    "picture": "picture of the graph",
    "listing": "the pass as text",
    "columns": ["step", "node run", "parts", "came in", "sends"],
    "lost": "The kernel that made this is gone. Stepping still works; run this cell again "
    "to connect it.",
}

QUIZ = {
    "you_said": "You said {}.",
    "say": "That is my answer",
    "number": "your number",
    "not_a_number": "{!r} is no number. Type one such as 7 or 0.25.",
    "answer": "Answer",
}
