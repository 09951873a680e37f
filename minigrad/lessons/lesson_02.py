"""Lesson 02, "One node at a time": its words and its judges."""

from collections.abc import Callable
from typing import Any

from ..trace import Graph, record_backward
from ..viz import draw
from .exercises import Exercise, Mistake, Unreadable, call, entries, number
from .lesson import Lesson
from .probes import agree, close, points, slope
from .questions import Option, Question
from .words import _

MISCONCEPTIONS = {
    "02-one-road": _("The gradient is multiplied along the path: there is one path."),
    "02-overwrite": _("A later contribution replaces an earlier one."),
    "02-multiply-roads": _("The contributions of several roads are multiplied."),
    "02-local-only": _("A node sends its local slope, whatever came in."),
    "02-own-value": _("Through × a factor is sent its own value."),
    "02-value": _("The gradient is the value, or is made from the result."),
    "02-recompute": _("Backward computes the forward pass again."),
    "02-direction": _("Backward gives the gradient of each tensor by its inputs."),
    "02-inner": _("The outer derivative is enough."),
    "02-one-point": _("A derivative is one number."),
    "02-early": _(".grad grows with every contribution as it arrives."),
    "02-none-zero": _("No gradient yet means gradient zero."),
    "02-no-sum": _("A value that was spread over many entries gets the share of one."),
    "01-assignment": _("Assigning a name makes a node."),
    "01-always-asks": _("A tensor I make always asks for gradients."),
    "01-any-dtype": _("Any kind of number can ask for gradients."),
    "01-values": _("Values are operations too."),
}

# --- Warm-up: recall from lesson 01 -----------------------------------------------------------

WARM_UP = (
    Question(
        "02-w1",
        _("x asks for gradients. How many operation nodes does `y = x * x + 1` make?"),
        (
            Option("1", _("There is an × and there is a +. Each leaves a node."), "01-values"),
            Option("2", _("One × and one +. The 1 is a plain number, and `y =` is a name.")),
            Option(
                "3",
                _("`y =` is a name. Only what is computed makes a node, and that is × and +."),
                "01-assignment",
            ),
        ),
    ),
    Question(
        "02-w2",
        _("`t = mg.tensor(3.)`, then `z = t + 1`. Is z a leaf?"),
        (
            Option(
                _("yes"),
                _("Nobody asked, so z has no grad_fn, and that is what a leaf is."),
            ),
            Option(
                _("no"),
                _("z was computed, but nothing was recorded. Without a grad_fn it is a leaf."),
                "01-always-asks",
            ),
        ),
    ),
    Question(
        "02-w3",
        _("Which of these may ask for gradients?"),
        (
            Option(
                "mg.tensor(3)",
                _("3 is a whole number: it cannot be nudged a little, so it has no slope."),
                "01-any-dtype",
            ),
            Option("mg.tensor(3.)", _("The dot makes it a float, and floats can be nudged.")),
            Option(
                _("both"),
                _("The first holds a whole number, and those are refused."),
                "01-any-dtype",
            ),
        ),
    ),
)

# --- Predict ----------------------------------------------------------------------------------

PREDICTIONS = (
    Question(
        "02-1",
        _("How fast does `(x + 1) * (x + 2)` grow at x = 2? Its slope is …"),
        (
            Option(
                "5",
                _("5 is 4 + 1: one road done whole, and of the other only the last step."),
                "02-local-only",
            ),
            Option(
                "6",
                _("6 is 3 + 3. There are two roads, and they do not carry the same number."),
                "02-own-value",
            ),
            Option("7", _("4 comes by way of a and 3 by way of b. Two roads, so they add.")),
            Option(
                "12",
                _("12 is 4 × 3. Along a road slopes multiply; where roads meet they add."),
                "02-multiply-roads",
            ),
        ),
    ),
    Question(
        "02-2",
        _("x waits for two shares. Only b's share, 3, has come. What is `x.grad` now?"),
        (
            Option(
                "3",
                _("The 3 lies in a waiting place. `.grad` is written once, when all is in."),
                "02-early",
            ),
            Option("None", _("Until both shares are in, `.grad` is left alone, as in PyTorch.")),
            Option(
                "0",
                _("0 would be an answer, and there is none yet. No answer yet reads None."),
                "02-none-zero",
            ),
        ),
    ),
    Question(
        "02-3",
        _("`z = (2 * x + 3) ** 2` at x = 1. A note says the slope is 4·x·2 = 8. What is it?"),
        (
            Option(
                _("8, the note is right"),
                _("The note lost the + 3: the incoming slope is 2 times all of 2x + 3."),
                "02-one-road",
            ),
            Option(
                "10",
                _("10 is the outer slope, 2 · 5. On the way to x it also passes the 2 of 2x."),
                "02-inner",
            ),
            Option("20", _("2 · 5 through the power, then · 2 through 2x.")),
            Option(
                "25", _("25 is the value of z. The slope says how fast it changes."), "02-value"
            ),
        ),
    ),
)

# --- 02-1: the missing numbers on the picture of the model ------------------------------------

MODEL_TRUE = {"l3": 1.25, "l1": 7.0, "w1": 28.0, "w2": 8.0, "w3": 10.0}


def _missing_numbers(answer: Any) -> str | None:
    said = dict(zip(MODEL_TRUE, entries(answer, tuple(MODEL_TRUE)), strict=True))
    for name, mistaken, mistake in MODEL_SLIPS:
        if any(close(said[name], value) for value in mistaken):
            return mistake
    for name, true in MODEL_TRUE.items():
        if not close(said[name], true):
            return f"look at {name}"
    return None


def _draw_the_model() -> Any:
    """The model after its pass, with a question mark for each number that is asked for."""
    import minigrad as mg

    input, w1, w2, w3 = mg.ones(2, 2), *(mg.tensor(v, requires_grad=True) for v in (2.0, 3.0, 4.0))
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    loss = l4.mean()
    names = {"input": input, "w1": w1, "w2": w2, "w3": w3, "l1": l1, "l2": l2, "l3": l3, "l4": l4}
    back = record_backward(loss, names={**names, "loss": loss})
    alt = _("the model; asked for are what arrives at l3 and l1, and .grad of w1, w2 and w3")
    first, *_others, last = back.frames()
    return draw(back.graph, "both", alt, _with_blanks(back.graph, first, last, alt))


def _with_blanks(graph: Graph, first: dict, last: dict, sentence: str) -> dict:
    """A frame with what is kept at first and what has arrived at last, or is asked for."""
    names = {value.key: value.name for value in graph.values}
    labels = {}
    for key, slots in last["labels"].items():
        if "grad" in slots:
            labels[key] = {"grad": ".grad ?"}
        elif "saved" in slots:
            labels[key] = {"saved": first["labels"][key]["saved"]}
    for edge in graph.edges:
        if edge.argument is None:
            asked = names[edge.target] in MODEL_TRUE
            labels[edge.key] = {"gradient": "?"} if asked else last["labels"][edge.key]
    marks = {edge.key: last["marks"].get(edge.key, []) for edge in graph.edges}
    return {**last, "marks": marks, "labels": labels, "sentence": sentence}


# In the order in which the pass meets them: the first slip explains those after it.
MODEL_SLIPS = (
    ("l3", (0.5, 2.0), "own value to l3"),
    ("l3", (5.0,), "local only to l3"),
    ("l1", (2.0, 5.0), "one road to l1"),
    ("l1", (10.0,), "multiplied at l1"),
    ("w1", (7.0,), "no sum at w1"),
    ("w1", (8.0, 20.0), "one road to w1"),
    ("w2", (2.0,), "no sum at w2"),
    ("w3", (2.5,), "no sum at w3"),
)


def _model(**changed: float) -> dict[str, float]:
    return {**MODEL_TRUE, **changed}


MISSING = Exercise(
    "02-1",
    _missing_numbers,
    {
        "own value to l3": Mistake(
            "02-own-value",
            _("l3: the × sends each factor the value of the *other* one, times what came in."),
            lambda mg: _model(l3=2.0),
        ),
        "local only to l3": Mistake(
            "02-local-only",
            _("l3: 5 is the local slope. It has to be multiplied by what came in, 0.25."),
            lambda mg: _model(l3=5.0),
        ),
        "one road to l1": Mistake(
            "02-one-road",
            _("l1: that is the share of one road. l1 feeds two operations, so two shares come."),
            lambda mg: _model(l1=5.0),
        ),
        "multiplied at l1": Mistake(
            "02-multiply-roads",
            _("l1: shares that meet are added. Along one road slopes are multiplied."),
            lambda mg: _model(l1=10.0),
        ),
        "no sum at w1": Mistake(
            "02-no-sum",
            _("w1: one number was used by four entries, so it gathers from all four."),
            lambda mg: _model(w1=7.0),
        ),
        "one road to w1": Mistake(
            "02-one-road",
            _("w1: that is what only one of the two roads through l1 brings."),
            lambda mg: _model(w1=20.0),
        ),
        "no sum at w2": Mistake(
            "02-no-sum",
            _("w2: the 2 arrives in each of four entries, and w2 is one number for all four."),
            lambda mg: _model(w2=2.0),
        ),
        "no sum at w3": Mistake(
            "02-no-sum",
            _("w3: each of four entries brings its own share. Gather all of them."),
            lambda mg: _model(w3=2.5),
        ),
        "look at l3": Mistake(
            "02-local-only",
            _("l3: take what comes into the last ×, and multiply it by the value of l2."),
            lambda mg: _model(l3=4.0),
        ),
        "look at l1": Mistake(
            "02-overwrite",
            _("l1: write down what each of its two roads brings, then add."),
            lambda mg: _model(l1=3.0),
        ),
        "look at w1": Mistake(
            "02-local-only",
            _("w1: what arrives at l1, times the input, over all four entries."),
            lambda mg: _model(w1=14.0),
        ),
        "look at w2": Mistake(
            "02-local-only",
            _("w2: through + the gradient passes unchanged. Then count the entries."),
            lambda mg: _model(w2=3.0),
        ),
        "look at w3": Mistake(
            "02-own-value",
            _("w3: what arrives at l3, times the value of l1, over all four entries."),
            lambda mg: _model(w3=20.0),
        ),
    },
    (
        _("Go from loss to the left, one oval at a time: what came in, times the local slope."),
        _("In the filmstrip, l1 has two arrows coming back to it, and w1 waits behind both."),
        _("Into l4 comes 0.25. So l2 gets 0.25 · 8 and l3 gets 0.25 · 5, in every entry."),
    ),
    _("Each oval multiplies what came in by its local slope; shares that meet at a value add."),
    picture=_draw_the_model,
)

# --- 02-2: repair the comment in the note ----------------------------------------------------

COMMENT_SLIPS: dict[str, Callable[[float], float]] = {
    "the note": lambda x: 4 * x * 2,
    "no inner slope": lambda x: 2 * (2 * x + 3),
    "no outer slope": lambda x: 2 * (2 * x + 3) ** 2,
    "the value": lambda x: (2 * x + 3) ** 2,
    "upside down": lambda x: 1 / (8 * x + 12),
    "one number": lambda x: 20.0,
}


def _repair(answer: Any) -> str | None:
    if not callable(answer):
        raise Unreadable(_("Hand in a function of x, so that it can be tried at any x."))
    at = points(5)

    def said(x: float) -> float:
        return number(call(answer, x))

    if agree(said, lambda x: slope(lambda at_x: (2 * at_x + 3) ** 2, x), at):
        return None
    for mistake, slip in COMMENT_SLIPS.items():
        if agree(said, slip, at):
            return mistake
    return "one number" if len({said(x) for x in at}) == 1 else ""


REPAIR = Exercise(
    "02-2",
    _repair,
    {
        "the note": Mistake(
            "02-one-road",
            _("That is the comment in the note again. Try it at x = 0: is the curve flat there?"),
            lambda mg: COMMENT_SLIPS["the note"],
        ),
        "no inner slope": Mistake(
            "02-inner",
            _("That is what comes out of the power. It still has to pass 2 · x on its way to x."),
            lambda mg: COMMENT_SLIPS["no inner slope"],
        ),
        "no outer slope": Mistake(
            "02-local-only",
            _("The 2 of 2 · x is there. What the power sends is 2 times the base, not a square."),
            lambda mg: COMMENT_SLIPS["no outer slope"],
        ),
        "the value": Mistake(
            "02-value",
            _("That is z itself. The comment should say how fast z changes with x."),
            lambda mg: COMMENT_SLIPS["the value"],
        ),
        "upside down": Mistake(
            "02-direction",
            _("That is how fast x moves with z. Backward asks how fast z moves with x."),
            lambda mg: COMMENT_SLIPS["upside down"],
        ),
        "one number": Mistake(
            "02-one-point",
            _("Right at one x, perhaps. The slope changes along the curve: use x."),
            lambda mg: COMMENT_SLIPS["one number"],
        ),
    },
    (
        _("A slope at x, for any x. Your function is tried at five places you cannot see."),
        _("In the stepper of z: which number comes out of the power, which out of the 2 · x?"),
        _("The power sends 2 · (2x + 3) to the left. What does 2 · x do to that?"),
    ),
    _("Two slopes along one road, multiplied: 2(2x + 3) through the power, 2 through 2x."),
)

# --- 02-3: local rules ------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "×": lambda a, b: a * b,
    "**": lambda a, b: a**b,
}
_PAIRS = list(zip(points(5, 0.5, 3.0), points(5, 2.0, 4.0, seed=3), strict=True))


def _rules(answer: Any) -> str | None:
    if not isinstance(answer, dict) or set(answer) != set(OPERATIONS):
        raise Unreadable(_('Keep the dictionary with the entries "+", "×" and "**".'))
    plus = _tried(lambda a, b: _two_slopes(answer["+"], a, b))
    times = _tried(lambda a, b: _two_slopes(answer["×"], a, b))
    power = _tried(lambda a, n: (number(call(answer["**"], a, n)),))
    if not _all_close(plus, _tried(lambda a, b: _nudged("+", a, b))):
        return "+"
    if not _all_close(times, _tried(lambda a, b: _nudged("×", a, b))):
        return "× own value" if _all_close(times, _PAIRS) else "×"
    if _all_close(power, _tried(lambda a, n: _nudged("**", a, n)[:1])):
        return None
    if _all_close(power, _tried(lambda a, n: (a ** (n - 1),))):
        return "** without n"
    if _all_close(power, _tried(lambda a, n: (n * a**n,))):
        return "** not one less"
    return "**"


def _tried(rule: Callable) -> list[tuple[float, ...]]:
    """What a rule says at every pair of operands."""
    return [rule(a, b) for a, b in _PAIRS]


def _two_slopes(rule: Any, a: float, b: float) -> tuple[float, float]:
    said = call(rule, a, b)
    if not isinstance(said, (tuple, list)) or len(said) != 2:
        raise Unreadable(_("The rules of + and × return two slopes: by a, and by b."))
    return number(said[0]), number(said[1])


def _nudged(name: str, a: float, b: float) -> tuple[float, float]:
    """The slopes by a and by b, from finite differences: no rule is needed to judge a rule."""
    operation = OPERATIONS[name]
    return slope(lambda at: operation(at, b), a), slope(lambda at: operation(a, at), b)


def _all_close(said: list[tuple[float, ...]], true: list[tuple[float, ...]]) -> bool:
    pairs = zip(said, true, strict=True)
    return all(close(s, t) for one, other in pairs for s, t in zip(one, other, strict=True))


def _with_rule(name: str, rule: Callable) -> Callable[[Any], dict[str, Callable]]:
    """An answer that gets + and × right, except for the rule that is swapped in."""
    right = {"+": lambda a, b: (1, 1), "×": lambda a, b: (b, a), "**": lambda a, n: 2 * a}
    return lambda mg: {**right, name: rule}


RULES = Exercise(
    "02-3",
    _rules,
    {
        "+": Mistake(
            "02-value",
            _("+: nudge a by a little. By how much does a + b move? The values play no part."),
            _with_rule("+", lambda a, b: (a, b)),
        ),
        "× own value": Mistake(
            "02-own-value",
            _("×: you return (a, b). Nudge a: the product moves by the nudge times what?"),
            _with_rule("×", lambda a, b: (a, b)),
        ),
        "×": Mistake(
            "02-value",
            _("×: the result a · b does not occur in the slopes. Think of a nudge to a alone."),
            _with_rule("×", lambda a, b: (a * b, a * b)),
        ),
        "** without n": Mistake(
            "02-inner",
            _("**: the exponent has gone down by one. It also comes to the front as a factor."),
            _with_rule("**", lambda a, n: a ** (n - 1)),
        ),
        "** not one less": Mistake(
            "02-inner",
            _("**: the factor n is there. One of the a's has gone into the slope, so one less."),
            _with_rule("**", lambda a, n: n * a**n),
        ),
        "**": Mistake(
            "02-one-point",
            _("**: try it for n = 2, where the slope is 2a, and for n = 3, where it is 3a²."),
            _with_rule("**", lambda a, n: 2 * a),
        ),
    },
    (
        _("A local slope answers: if this operand moves a little, how far does the result move?"),
        _("In the stepper, the row RULE shows the local slope of each oval, with its numbers."),
        _("For +, moving a by 0.001 moves a + b by 0.001: the slope by a is 1. Now ×."),
    ),
    _("Three small rules are all that backward knows about +, × and **: the rest is the graph."),
)

# --- 02-4: a pass by hand, with two blanks, then with four ------------------------------------


def _two_blanks(answer: Any) -> str | None:
    to_y, at_x = entries(answer, ("to y", "x.grad"))
    if close(to_y, 2.0) or close(to_y, 3.0):
        return "own value"
    if not close(to_y, 4.0):
        return "to y"
    if close(at_x, 6.0):
        return "one arrow"
    if close(at_x, 36.0):
        return "multiplied"
    return None if close(at_x, 12.0) else ""


def _four_blanks(answer: Any) -> str | None:
    to_t, to_y, to_x, at_x = entries(answer, ("to t", "to y", "to x", "x.grad"))
    if close(to_t, 25.0) and close(to_y, 2.0):
        return "own value"
    if not (close(to_t, 2.0) and close(to_y, 25.0)):
        return "first oval"
    if close(to_x, 5.0):
        return "local only"
    if not close(to_x, 10.0):
        return "second oval"
    if close(at_x, 10.0):
        return "one arrow"
    if close(at_x, 100.0):
        return "multiplied"
    return None if close(at_x, 20.0) else ""


FADED_STEPS = (
    _("Start at z with 1 and go left. At each ×: what came in, times the other factor."),
    _("Look at the picture: from t two arrows go back, and both of them end at x."),
    _("Into the last × comes 1. It sends 1 · y to t, and 1 · t to y."),
)
FADED_IDEA = _("x is used twice, so two arrows bring it a share, and the shares add.")

TWO_BLANKS = Exercise(
    "02-4a",
    _two_blanks,
    {
        "own value": Mistake(
            "02-own-value",
            _("to y: through × comes the value of the other factor. The other factor is t."),
            lambda mg: {"to y": 3, "x.grad": 12},
        ),
        "to y": Mistake(
            "02-recompute",
            _("to y: no result is needed again, only the kept value of t, times what came in."),
            lambda mg: {"to y": 12, "x.grad": 12},
        ),
        "one arrow": Mistake(
            "02-overwrite",
            _("x.grad: 6 is what one arrow brings. A second 6 does not replace it."),
            lambda mg: {"to y": 4, "x.grad": 6},
        ),
        "multiplied": Mistake(
            "02-multiply-roads",
            _("x.grad: 36 is 6 times 6. Shares that meet at one value are added."),
            lambda mg: {"to y": 4, "x.grad": 36},
        ),
    },
    FADED_STEPS,
    FADED_IDEA,
)

FOUR_BLANKS = Exercise(
    "02-4b",
    _four_blanks,
    {
        "own value": Mistake(
            "02-own-value",
            _("to t and to y are the wrong way round: each factor gets the other one's value."),
            lambda mg: {"to t": 25, "to y": 2, "to x": 10, "x.grad": 20},
        ),
        "first oval": Mistake(
            "02-value",
            _("Look at the last × again: t is 25 and y is 2. What does each of them receive?"),
            lambda mg: {"to t": 50, "to y": 25, "to x": 10, "x.grad": 20},
        ),
        "local only": Mistake(
            "02-local-only",
            _("to x: 5 is the local slope, the other factor. Multiply it by what came into t."),
            lambda mg: {"to t": 2, "to y": 25, "to x": 5, "x.grad": 10},
        ),
        "second oval": Mistake(
            "02-recompute",
            _("to x: what came into t, times the other factor of x · x. One arrow alone."),
            lambda mg: {"to t": 2, "to y": 25, "to x": 50, "x.grad": 100},
        ),
        "one arrow": Mistake(
            "02-overwrite",
            _("x.grad: that is one arrow. Two arrows end at x."),
            lambda mg: {"to t": 2, "to y": 25, "to x": 10, "x.grad": 10},
        ),
        "multiplied": Mistake(
            "02-multiply-roads",
            _("x.grad: shares that meet at one value are added, not multiplied."),
            lambda mg: {"to t": 2, "to y": 25, "to x": 10, "x.grad": 100},
        ),
    },
    FADED_STEPS,
    FADED_IDEA,
)

LESSON = Lesson(
    "02",
    _("One node at a time"),
    MISCONCEPTIONS,
    WARM_UP,
    PREDICTIONS,
    (MISSING, REPAIR, RULES, TWO_BLANKS, FOUR_BLANKS),
)
