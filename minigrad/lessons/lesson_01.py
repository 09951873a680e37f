"""Lesson 01, "A number that remembers how it was made": its words and its judges."""

from typing import Any

from ..trace import graph_of, record
from ..viz import draw
from .exercises import Blank, Exercise, Mistake, Unreadable, call, is_tensor
from .lesson import Lesson
from .questions import Option, Question
from .shapes import LEAF, Shape, same_shape, shape_of
from .words import _

MISCONCEPTIONS = {
    "01-array": _("A tensor is just an array of numbers."),
    "01-code": _("The graph is the code: what looks alike on paper is the same graph."),
    "01-assignment": _("Assigning a name makes a node."),
    "01-always-asks": _("A tensor I make always asks for gradients."),
    "01-values": _("Values are operations too."),
    "01-whole-history": _("grad_fn holds the whole history, or its beginning."),
    "01-any-dtype": _("Any kind of number can ask for gradients."),
    "01-shape": _("Only single numbers can ask for gradients."),
    "01-slope": _("The slope of a function is its value."),
}

# --- Warm-up: what this lesson leans on -------------------------------------------------------

WARM_UP = (
    Question(
        "01-w1",
        _("In Python, after `b = a`, how many numbers are there in memory?"),
        (
            Option(
                _("one, with two names"),
                _("A name is a label on a value. Giving a second label computes nothing."),
            ),
            Option(
                _("two"),
                _("`b = a` copies nothing: both names point at one value."),
                "01-assignment",
            ),
        ),
    ),
    Question(
        "01-w2",
        _("What is (x + 1)(x + 2) when x is 2?"),
        (
            Option("12", _("3 times 4. Keep the 3 and the 4 in mind: they come back.")),
            Option(
                "7", _("7 is 3 plus 4. The brackets stand side by side, so multiply."), "01-code"
            ),
            Option("6", _("The brackets are 3 and 4. Work them out first."), "01-code"),
        ),
    ),
    Question(
        "01-w3",
        _("x * x is 9 at x = 3. You nudge x up by 0.001. About how much does x * x rise?"),
        (
            Option("0.006", _("6 times the nudge. That factor, 6, is the slope at x = 3.")),
            Option(
                "0.009",
                _("9 is the value. The slope says how fast the value changes, and that is 6."),
                "01-slope",
            ),
            Option(
                "0.001",
                _("That would be a slope of 1, a line like x + 5. x * x is steeper here."),
                "01-slope",
            ),
        ),
    ),
)

# --- Predict ----------------------------------------------------------------------------------

PREDICTIONS = (
    Question(
        "01-1",
        _("How many operation nodes does `(x + 1) * (x + 2)` make?"),
        (
            Option(
                "2",
                _("The two + are there. The × that joins them is an operation as well."),
                "01-code",
            ),
            Option("3", _("Two + and one ×. Values and plain numbers are not operations.")),
            Option(
                "4",
                _("Three operations, and `y =` is not a fourth: a name makes no node."),
                "01-assignment",
            ),
            Option(
                "5",
                _("x and y are values. An oval stands for an operation, and there are three."),
                "01-values",
            ),
        ),
    ),
    Question(
        "01-2",
        _("`y = (x + 1) * (x + 2)`. Which operation does `y.grad_fn` stand for?"),
        (
            Option(
                _("the last one, ×"),
                _("y was made by ×. From × two edges lead back to the two +."),
            ),
            Option(
                _("all three"),
                _("One node, ×. The others are reached from it, edge by edge."),
                "01-whole-history",
            ),
            Option(
                _("the first one, +"),
                _("A value points at the operation that made it, and × made y."),
                "01-whole-history",
            ),
        ),
        shows="MulBackward0",
    ),
    Question(
        "01-3",
        _("`t = mg.tensor(3.)` and `z = t * 2`. What is `z.grad_fn`?"),
        (
            Option(
                "MulBackward0",
                _("t never asked for gradients, so nobody wrote the × down."),
                "01-always-asks",
            ),
            Option(
                "None",
                _("Nobody asked for gradients, so nothing was recorded."),
            ),
            Option(
                _("an error"),
                _("The sum is fine. It is computed as ever, and no note is kept."),
                "01-always-asks",
            ),
        ),
    ),
)

# --- 01-1: build the graph of the picture -----------------------------------------------------

# p = w * x, then p * p, then + w: p and w are both used twice.
PICTURE = Shape(
    ("AddBackward0", "MulBackward0", LEAF, "MulBackward0", LEAF),
    ((1, 2), (3, 3), (), (2, 4), ()),
)


def _build_the_picture(answer: Any) -> str | None:
    if not is_tensor(answer):
        raise Unreadable(_("Hand in the tensor at the end of your graph."))
    if answer.grad_fn is None:
        return "nobody asked"
    mine = shape_of(answer)
    if same_shape(mine, PICTURE):
        return None
    if mine.count("PowBackward0"):
        return "a power"
    if mine.count("MulBackward0") > PICTURE.count("MulBackward0"):
        return "made twice"
    if mine.count(LEAF) < PICTURE.count(LEAF):
        return "one leaf does not ask"
    if mine.count(LEAF) > PICTURE.count(LEAF):
        return "a second leaf"
    return ""


def _draw_the_task() -> Any:
    import minigrad as mg

    w, x = _two_asking(mg)
    with record() as tape:
        p = w * x
        y = p * p + w
    alt = _("w and x feed a ×; what it makes feeds a second × twice; that and w feed a +")
    # Only the leaves are named: what is in between is for the learner to name.
    return draw(graph_of(y, names={"w": w, "x": x}, tape=tape), "forward", alt)


def _draw_the_answer(answer: Any) -> Any:
    if answer.grad_fn is None:
        return None
    alt = _("the graph that you built, to compare with the task")
    return draw(graph_of(answer), "forward", alt)


def _two_asking(mg: Any) -> tuple[Any, Any]:
    return mg.tensor(3.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)


def _made_twice(mg: Any) -> Any:
    w, x = _two_asking(mg)
    return (w * x) * (w * x) + w


def _a_power(mg: Any) -> Any:
    w, x = _two_asking(mg)
    return (w * x) ** 2 + w


def _one_leaf_does_not_ask(mg: Any) -> Any:
    w, x = mg.tensor(3.0, requires_grad=True), mg.tensor(2.0)
    p = w * x
    return p * p + w


def _a_second_leaf(mg: Any) -> Any:
    w, x = _two_asking(mg)
    p = w * x
    return p * p + mg.tensor(3.0, requires_grad=True)


def _nobody_asked(mg: Any) -> Any:
    w, x = mg.tensor(3.0), mg.tensor(2.0)
    p = w * x
    return p * p + w


BUILD = Exercise(
    "01-1",
    _build_the_picture,
    {
        "made twice": Mistake(
            "01-code",
            _(
                "Your value is right and your graph has one × too many. "
                "Typing `w * x` twice runs it twice. Run it once and give the result a name."
            ),
            _made_twice,
        ),
        "a power": Mistake(
            "01-code",
            _(
                "A power is another operation, with another oval, even when the value agrees. "
                "The picture has two arrows into one ×."
            ),
            _a_power,
        ),
        "one leaf does not ask": Mistake(
            "01-always-asks",
            _("One of the two leaves in your graph is missing: it does not ask for gradients."),
            _one_leaf_does_not_ask,
        ),
        "a second leaf": Mistake(
            "01-array",
            _(
                "You made one more tensor with the same number in it. Two equal numbers are "
                "still two boxes. The picture uses one box twice."
            ),
            _a_second_leaf,
        ),
        "nobody asked": Mistake(
            "01-always-asks",
            _("No graph was recorded: neither of your leaves asks for gradients."),
            _nobody_asked,
        ),
    },
    (
        _("Two leaves, three ovals, six arrows. Only the shape counts, not the numbers."),
        _("Look at the lower ×: both arrows into the upper × start at the value it made."),
        _("Begin with `p = w * x`. Then use the name `p` for both arrows into the next ×."),
    ),
    _("A graph is made by what runs: use a value twice and it has two arrows, not two copies."),
    picture=_draw_the_task,
    drawing=_draw_the_answer,
)

# --- 01-2: a result with grad_fn None, two ways -----------------------------------------------


def _two_ways(answer: Any) -> str | None:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Unreadable(_("Hand in both functions as a pair: `(first, second)`."))
    reasons = []
    for way in answer:
        mistake, reason = _why_none(way)
        if mistake:
            return mistake
        reasons.append(reason)
    return "the same way" if reasons[0] == reasons[1] else None


def _why_none(way: Any) -> tuple[str | None, str]:
    """The mistake in one way, or the reason why its result was not recorded."""
    pairs = [_operand_and_result(way, number) for number in (2.0, -3.0)]
    x, z = pairs[0]
    if z is x:
        return "a second name", ""
    if z.grad_fn is not None:
        return "recorded", ""
    if not z.dtype.is_floating_point:
        return None, "a question, or whole numbers"
    values = [z.tolist() for _x, z in pairs]
    if values[0] == values[1]:
        return "not computed from x", ""
    return None, "recording is off" if x.requires_grad else "nobody asked"


def _operand_and_result(way: Any, number: float) -> tuple[Any, Any]:
    pair = call(way, number)
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise Unreadable(_("Let each function end with `return x, z`."))
    if not all(is_tensor(tensor) for tensor in pair):
        raise Unreadable(_("x and z have to be tensors. A Python number has no grad_fn at all."))
    return pair


def _nobody_asks(mg: Any, number: float) -> tuple[Any, Any]:
    x = mg.tensor(number)
    return x, x * 2


def _second_name_wrong(mg: Any) -> Any:
    def second(number):
        x = mg.tensor(number)
        z = x
        return x, z

    return (lambda number: _nobody_asks(mg, number)), second


def _recorded_wrong(mg: Any) -> Any:
    def second(number):
        x = mg.tensor(number, requires_grad=True)
        return x, x * 2

    return (lambda number: _nobody_asks(mg, number)), second


def _same_way_wrong(mg: Any) -> Any:
    def second(number):
        x = mg.tensor(number)
        return x, x + 1

    return (lambda number: _nobody_asks(mg, number)), second


def _not_computed_wrong(mg: Any) -> Any:
    def second(number):
        return mg.tensor(number, requires_grad=True), mg.tensor(5.0)

    return (lambda number: _nobody_asks(mg, number)), second


TWO_WAYS = Exercise(
    "01-2",
    _two_ways,
    {
        "a second name": Mistake(
            "01-assignment",
            _("Your z is x itself under a second name. Nothing ran, so there is no result yet."),
            _second_name_wrong,
        ),
        "recorded": Mistake(
            "01-always-asks",
            _("One of your results has a grad_fn: x asked, and the operation was written down."),
            _recorded_wrong,
        ),
        "the same way": Mistake(
            "01-array",
            _("Both results are unrecorded for the same reason. Find a second reason."),
            _same_way_wrong,
        ),
        "not computed from x": Mistake(
            "01-array",
            _("One of your z is the same for every x, so it is not computed from x."),
            _not_computed_wrong,
        ),
    },
    (
        _("A result is unrecorded when nobody asks, or when what runs has no slope."),
        _("Look at the Run part: one line there had no grad_fn, and so did one comparison."),
        _("For one way let x ask for gradients, and let z be the answer to a yes-no question."),
    ),
    _("A result is recorded only if an operand asks and the operation has a slope to write down."),
)

# --- 01-3: which lines raise, and why ---------------------------------------------------------

LINES = {
    "A": "mg.tensor(1., requires_grad=True)",
    "B": "mg.tensor(1, requires_grad=True)",
    "C": "mg.tensor([1, 2]).requires_grad_()",
    "D": "mg.tensor([1, 2.]).requires_grad_()",
    "E": "mg.tensor(1) * 2",
}
REASONS = {
    "P": _("a whole number has no small nudge, so it has no slope"),
    "Q": _("only a single number may ask, a list may not"),
    "R": _("the tensor was used before it asked"),
}


def _which_raise(answer: Any) -> str | None:
    if not isinstance(answer, dict) or set(answer) != {"raises", "because"}:
        raise Unreadable(_('Keep the dictionary with the entries "raises" and "because".'))
    lines = {letter for letter in str(answer["raises"]).upper() if letter.isalpha()}
    reason = str(answer["because"]).strip().upper()
    if not lines or not reason:
        raise Blank
    if lines - set(LINES) or reason not in REASONS:
        raise Unreadable(_("Lines are the letters A to E, the reason is one of P, Q, R."))
    if lines == {"B", "C"}:
        return {"P": None, "Q": "lists", "R": "used before"}[reason]
    if "D" in lines:
        return "a list that asks"
    if "E" in lines:
        return "nobody asks"
    return "only the keyword"


WHICH_RAISE = Exercise(
    "01-3",
    _which_raise,
    {
        "a list that asks": Mistake(
            "01-shape",
            _("D runs. One `2.` is enough to make the whole list a list of floats."),
            lambda mg: {"raises": "BCD", "because": "P"},
        ),
        "nobody asks": Mistake(
            "01-always-asks",
            _("E runs. A whole number may be multiplied; it is only the asking that is refused."),
            lambda mg: {"raises": "BCE", "because": "P"},
        ),
        "only the keyword": Mistake(
            "01-any-dtype",
            _("There is one more of the same kind. Asking later is still asking."),
            lambda mg: {"raises": "B", "because": "P"},
        ),
        "lists": Mistake(
            "01-shape",
            _("The lines are right. The reason is not: D is a list, asks, and runs."),
            lambda mg: {"raises": "BC", "because": "Q"},
        ),
        "used before": Mistake(
            "01-whole-history",
            _("The lines are right. The reason is not: nothing was used before in these lines."),
            lambda mg: {"raises": "BC", "because": "R"},
        ),
    },
    (
        _("For each line ask two things: does somebody ask, and are the numbers floats?"),
        _("Look at the dots: `1.` is a float, `1` is a whole number."),
        _("A and E run: A is a float that asks, E is a whole number that does not ask."),
    ),
    _("A slope needs a small nudge, so only floats may ask, in any shape and by either spelling."),
)

LESSON = Lesson(
    "01",
    _("A number that remembers how it was made"),
    MISCONCEPTIONS,
    WARM_UP,
    PREDICTIONS,
    (BUILD, TWO_WAYS, WHICH_RAISE),
)
