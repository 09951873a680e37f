"""Every exercise with its three kinds of answers: blank, foreseen mistakes, solutions."""

import itertools
import random
import re
from fractions import Fraction

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.engine_steps import solutions
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET, YES
from minigrad.lessons.kinds.judges import _listed
from minigrad.lessons.reading import solved
from minigrad.lessons.shapes import LEAF, same_shape, shape_of
from minigrad.lessons.snippets import run, run_in
from tests.lessons.solutions import SOLUTIONS, of_lessons
from tests.notebooks.reading import FOLDER, read

EXERCISES = {e.name: e for lesson in lessons.LESSONS.values() for e in lesson.exercises}
MISTAKES = [(name, mistake) for name, e in EXERCISES.items() for mistake in e.mistakes]
RIGHT = [(name, i) for name, solutions in SOLUTIONS.items() for i in range(len(solutions))]


def unfinished(*_arguments):
    raise NotImplementedError


def empty(*_arguments):
    pass


def blank_step(name):
    """What the cell of a step of lesson 05 hands in as long as its blanks are not filled in."""
    path = next(FOLDER.glob("05_*.ipynb"))
    cells = [c.source for c in read(path).cells if c.id.startswith("step-")]
    scope = {"check": lambda _name, answer: answer}
    for source in cells:
        if "check(" in source:
            answer = run_in(scope, source)
            if f'check("{name}"' in source:
                return answer
    raise LookupError(name)


BLANK_INSIDE = {
    "01-1": [],
    "01-2": [(unfinished, empty), (..., unfinished), (lambda n: (mg.tensor(n), ...), empty)],
    "01-3": [{"raises": ..., "because": "P"}, {"raises": "", "because": ""}],
    "01-4": ["", [], " "],
    "02-1": [{"l3": 1, "l1": ..., "w1": 14, "w2": 6, "w3": 12}],
    "02-2": [unfinished, empty, lambda x: ...],
    "02-3": [{"+": ..., "×": ..., "**": ...}, {"+": unfinished, "×": empty, "**": empty}],
    "02-4a": [{"to y": ..., "x.grad": ...}],
    "02-4b": [{"to t": 3, "to y": 25, "to x": 15, "x.grad": None}],
    "02-5a": [unfinished, empty, lambda z, x, y: ...],
    "02-5b": ["", []],
    **of_lessons("BLANKS"),
    **{name: [blank_step(name)] for name in solutions()},
}


@pytest.mark.parametrize("name", EXERCISES)
def test_a_blank_answer_is_not_yet(name):
    for blank in [..., None, NotImplementedError, *BLANK_INSIDE[name]]:
        assert lessons.check(name, blank).heading == NOT_YET


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_foreseen_mistake_gets_its_own_hint(name, mistake):
    foreseen = EXERCISES[name].mistakes[mistake]
    verdict = lessons.check(name, foreseen.wrong(mg))
    assert verdict.heading == LOOK_AGAIN
    assert verdict.words == (foreseen.hint,)
    assert verdict.misconception == foreseen.misconception


@pytest.mark.parametrize(("name", "i"), RIGHT)
def test_every_solution_is_right(name, i):
    verdict = lessons.check(name, SOLUTIONS[name][i](mg))
    assert verdict.heading == YES
    assert verdict.words == (EXERCISES[name].idea,)


def test_every_exercise_has_solutions_and_at_least_two_mistakes_with_hints_of_their_own():
    assert set(SOLUTIONS) == set(EXERCISES)
    for exercise in EXERCISES.values():
        hints = [mistake.hint for mistake in exercise.mistakes.values()]
        assert len(set(hints)) == len(hints) >= 2


ODD = [
    3,
    10**400,
    "seven",
    object(),
    [],
    {},
    {"x": 1},
    len,
    (1, 2, 3),
    [[1], 2],
    (len, abs),
    mg,
    mg.Tensor,
]


TICKED = ("01-4", "02-5b", "03-5", "04-4", "06-4", "08-1b", "09-5")


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("odd", ODD)
def test_an_answer_of_the_wrong_form_is_refused_with_a_sentence(name, odd):
    verdict = lessons.check(name, odd)
    no_letter_yet = odd == [] and name in TICKED
    assert verdict.heading == (NOT_YET if no_letter_yet else LOOK_AGAIN)
    assert len(" ".join(verdict.words)) > 20


def test_a_function_that_fails_is_shown_with_its_error_and_what_it_was_given():
    verdict = lessons.check("02-2", lambda x: 1 / 0)
    assert "ZeroDivisionError: division by zero" in str(verdict)


@pytest.mark.parametrize(
    ("name", "ending"),
    [("08-2", "a list of 12 entries, loss_of."), ("08-3", "a list of 16 entries.")],
)
def test_a_report_names_functions_and_counts_long_lists(name, ending):
    told = lessons.check(name, lambda *given: 1 / 0).words[0]
    assert "ZeroDivisionError" in told
    assert told.endswith(ending)
    assert " at 0x" not in told


@pytest.mark.parametrize("name", ["02-2", "04-2"])
def test_an_error_of_their_own_is_no_blank(name):
    misspelt = lessons.check(name, lambda *given: mg.zeros_lik(given[0]))
    assert misspelt.heading == LOOK_AGAIN
    assert "has no attribute 'zeros_lik'. Did you mean: 'zeros_like'?" in misspelt.words[0]
    raised_inside = lessons.check(name, lambda *given: mg.tensor([True]).median())
    assert raised_inside.heading == LOOK_AGAIN
    assert "not implemented for 'Bool'. Called with" in raised_inside.words[0]


def test_a_return_of_none_is_told_from_no_return_at_all():
    def silent(x):
        print(end="")

    told = lessons.check("02-2", silent)
    assert told.heading == LOOK_AGAIN
    assert told.words[0].startswith("Your function ran, and returned nothing. What comes out")
    told = lessons.check("02-2", lambda x: print(end=""))
    assert told.heading == LOOK_AGAIN
    assert told.words[0].startswith("Your function ran, and what its `return` hands over is None.")


def test_a_none_among_results_is_no_blank():
    def kept(x):
        a, b = x + 1, x + 2
        (a * b).backward()
        return a.retain_grad(), b.retain_grad()

    for answer in (kept, lambda x: [x + 1, None]):
        told = lessons.check("03-1", answer)
        assert told.heading == LOOK_AGAIN
        assert told.words[0].startswith("Your function ran, and something in what it returns is")
    assert lessons.check("03-1", lambda x: (None, ...)).heading == NOT_YET


def test_a_result_that_is_none_is_no_blank_in_01_2():
    def way(number):
        x = mg.tensor(number)
        return x, None

    said = lessons.check("01-2", (way, way))
    assert said.words[0] == "Your z is None itself. It has to be a tensor whose `grad_fn` is None."


def test_a_fraction_is_a_number():
    assert lessons.check("02-4a", {"to y": 9, "x.grad": Fraction(24)}).is_yes


def test_a_graph_that_no_backward_can_go_through_is_refused():
    w, x = (mg.tensor(v, requires_grad=True) for v in (3.0, 2.0))
    p = w * x
    said = lessons.check("01-1", p.mul_(p) + w)
    assert said.heading == LOOK_AGAIN
    assert "backward() stops" in said.words[0]
    q = x * w
    right = q * q + w
    right.backward()
    assert lessons.check("01-1", right).is_yes


def test_the_help_grows_with_the_attempts_and_stops_at_the_first_half():
    exercise = EXERCISES["02-2"]
    verdicts = [lessons.check("02-2", lambda x: 4 * x * 2) for _ in range(4)]
    hint = exercise.mistakes["the note"].hint
    _restate, point, first_half = exercise.steps
    shown = '`check("02-2").solution()` in a cell of its own shows one way, with its reason.'
    assert [verdict.words for verdict in verdicts] == [
        (hint,),
        (hint, point),
        (hint, first_half, shown),
        (hint, first_half, shown),
    ]


def test_an_answer_that_nobody_foresaw_is_told_a_fact_about_itself():
    said = lessons.check("02-4b", {"to t": 3, "to y": 25, "to x": 15, "x.grad": 4})
    assert said.words == ("3 of 4 are right; look at `x.grad`.",)
    said = lessons.check("02-2", lambda x: 2 * x + 3)
    assert said.words == ("At x = 0 yours says 3, and a small nudge says 12.",)
    w = mg.tensor(3.0, requires_grad=True)
    said = lessons.check("01-1", w + w)
    assert said.words == ("Of MulBackward0 your graph has 0, and the one asked for has 2.",)
    assert said.misconception is None
    too_large = lessons.check("02-4a", {"to y": 10**400, "x.grad": 12})
    assert too_large.words == ("This whole number is too large to be compared.",)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_solution_is_shown_after_three_attempts_and_is_right(name):
    for attempt in range(3):
        refused = lessons.check(name).solution()
        assert refused.heading == NOT_YET
        assert f"So far there were {attempt}." in repr(refused)
        lessons.check(name, object())
    shown = lessons.check(name).solution()
    solution = EXERCISES[name].solution
    assert shown.words == (f"`{solution.answer.strip()}`", solution.because)
    verdict = lessons.check(name, solved(EXERCISES[name]))
    assert verdict.is_yes
    assert verdict.solution().heading == "One way"


def test_a_solution_is_shown_once_the_exercise_is_solved():
    assert lessons.check("02-2").solution().heading == NOT_YET
    assert lessons.check("02-2", solved(EXERCISES["02-2"])).is_yes
    assert lessons.check("02-2").solution().heading == "One way"
    lessons.exercises.forget_attempts()
    assert lessons.check("02-2").solution().heading == NOT_YET


@pytest.mark.parametrize("name", TICKED)
def test_help_with_sentences_fits_a_true_one_that_was_left_out(name):
    """A hint is given for a false sentence that was ticked, and for a true one that was not."""
    assert [step for step in EXERCISES[name].steps if "is wrong" in step] == []


def test_what_a_review_found_refused_or_taken_wrongly():
    def looped(a, n):
        product = 1.0
        for _ in range(n - 1):
            product *= a
        return n * product

    rules = {"+": lambda a, b: (1, 1), "×": lambda a, b: mg.tensor([b, a]), "**": looped}
    assert lessons.check("02-3", rules).is_yes
    nudge = 1e-3
    one_sided = lambda x: ((2 * (x + nudge) + 3) ** 2 - (2 * x + 3) ** 2) / nudge  # noqa: E731
    assert lessons.check("02-2", one_sided).is_yes
    for raises in ("B and C", ["B", "C"], "B, C.", ("c", "b")):
        assert lessons.check("01-3", {"raises": raises, "because": "P."}).is_yes
    two = lambda number: (x := mg.tensor(number), x * 2)  # noqa: E731
    whole = lambda number: (x := mg.tensor(int(number)), x * 2)  # noqa: E731
    assert lessons.check("01-2", (two, whole)).misconception == "01-array"
    for lines in ("A", "AB", "AC", "ABC"):
        verdict = lessons.check("01-3", {"raises": lines, "because": "P"})
        assert verdict.words[0].startswith("A runs:")


def test_a_blank_is_not_an_attempt():
    for _ in range(5):
        lessons.check("02-2", ...)
    assert len(lessons.check("02-2", lambda x: 4 * x * 2).words) == 1


@pytest.mark.parametrize("name", EXERCISES)
def test_no_hint_gives_the_answer_away(name):
    given_away = {
        "01-3": ["BC", "B and C", "P."],
        "01-4": ["ACD", "C holds", "D holds"],
        "02-1": ["3.5", "14", "is 1", "is 6", "12"],
        "02-2": ["8x", "12", "4("],
        "02-3": ["(b, a)", "n * a", "n · a"],
        "02-4a": ["24", "is 9", "= 9"],
        "02-4b": ["30", "15", "75"],
        "02-5a": ["grad(z, y)", "(z, y)"],
        "02-5b": ["BE", "B holds"],
        **of_lessons("ANSWERS"),
        "04-1a": ["15", "32"],
        "04-1b": ["[1, 0, 0]", "[1.0, 0.0, 0.0]"],
        "04-2": ["grad(y, x, v"],
        "04-3": [".sum()", "z * v"],
        "04-4": ["ABC", "B has one", "C has one"],
        "12-1a": ["sum(0)", "axis, keepdim"],
        "12-1b": ["fit(came * b", "fit(came * a"],
        "12-1c": ["a.data.T @ came"],
        "12-1d": ["Array(value.data)", "recording = True"],
        "12-2a": ["x @ w + b"],
        "12-2b": [".log()"],
        "12-3": ["optimizer.step()"],
        "12-4": ["detach", "N:", "round"],
        "05-3": ["b.data"],
        "08-1a": ["z + u", "[z, u]"],
        "08-1b": ["AC", "A is true", "C is true"],
        "08-2": ["+ loss.item()", "+ loss.detach()"],
        "08-3": ["range(0,", "i:i"],
        "08-4": ["BDAEC", "B keeps no", "D keeps c"],
        "05-5": ["grad + part"],
    }.get(name, ["p * p + w"])
    exercise = EXERCISES[name]
    said = " ".join([*exercise.steps, *(m.hint for m in exercise.mistakes.values())])
    assert not [piece for piece in given_away if piece in said]


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(LookupError, match=r"no exercise '02-9'; there are 01-1, 01-2, .*02-5b"):
        lessons.check("02-9", 7)
    with pytest.raises(LookupError, match=r"no prediction '1-1'; there are 01-1"):
        lessons.predict("1-1")
    with pytest.raises(LookupError, match=r"no warm-up '99'; there are 01, 02"):
        lessons.warm_up("99")


def test_a_verdict_reads_the_same_with_and_without_html():
    verdict = lessons.check("02-4a", {"to y": 9, "x.grad": 12})
    assert repr(verdict).startswith("Look again. x.grad: 12 is what one arrow brings.")
    assert "Look again.</strong>" in verdict._repr_html_()


@pytest.mark.parametrize("name", [name for name, e in EXERCISES.items() if e.picture])
def test_the_picture_of_a_task_is_drawn_and_says_what_it_shows(name):
    figure = lessons.picture(name)
    assert len(figure.alt) > 20
    assert "x = " in figure.text() or "w1 = " in figure.text()
    assert repr(lessons.picture(name)) == repr(figure)


def test_the_picture_of_01_1_is_the_graph_that_is_accepted():
    graph = lessons.picture("01-1").graph
    symbols = sorted(op.symbol for op in graph.operations if op.kind == "operation")
    assert symbols == ["+", "×", "×"]
    values = [value.text for value in graph.values]
    assert values == ["3", "2", "6", "36", "39"]
    assert {value.name for value in graph.values if value.named} == {"w", "x"}


def test_the_picture_of_02_1_asks_for_five_numbers_and_tells_none_of_them():
    figure = lessons.picture("02-1")
    labels = figure.frame["labels"].values()
    arrived = sorted(slots["came"] for slots in labels if "came" in slots)
    assert arrived == ["1", "?", "?", "all 0.25", "all 1.5"]
    grads = [slots["grad"] for slots in labels if "grad" in slots]
    assert grads == ["?"] * 6  # three leaves, each with its AccumulateGrad
    for answer in ("3.5", "14", "grad 6", "grad 12"):
        assert answer not in figure.text()


def test_the_picture_of_02_4_shows_the_way_forward_alone():
    figure = lessons.picture("02-4a")
    (root,) = figure.graph.roots
    assert next(value.text for value in figure.graph.values if value.key == root) == "36"
    assert not re.search(r"\.grad \d|gradient", figure.text())


def test_a_picture_that_does_not_exist_is_answered_with_those_that_do():
    with pytest.raises(LookupError, match="'02-2'; there are 01-1, 02-1, 02-4a"):
        lessons.picture("02-2")


def test_the_picture_of_a_task_stands_below_the_answer_until_it_is_right():
    for answer in (..., {"to y": 9, "x.grad": 12}):
        verdict = lessons.check("02-4a", answer)
        assert "Asked for:" in repr(verdict)
        assert "z = 36" in repr(verdict)
        assert "Asked for:" in verdict._repr_html_()
    assert "Asked for:" not in repr(lessons.check("02-4a", {"to y": 9, "x.grad": 24}))
    assert "Asked for:" not in repr(lessons.check("02-2"))


def test_02_5a_tells_the_detours_from_what_was_asked():
    def verdict(function):
        return lessons.check("02-5a", function).words[0]

    assert verdict(lambda z, x, y: z.backward() or 0.0).startswith("After your function ran")
    assert verdict(lambda z, x, y: 3.0).startswith("Right for some z, perhaps.")
    assert verdict(lambda z, x, y: [1.0, 2.0]).startswith("A number is wanted here")
    assert verdict(lambda z: 3.0).startswith("Your function stopped")


def test_a_graph_that_is_not_the_one_asked_for_is_drawn_for_comparison():
    verdict = lessons.check("01-1", EXERCISES["01-1"].mistakes["made twice"].wrong(mg))
    assert verdict.figure.text() in repr(verdict)
    assert "Yours:" in verdict._repr_html_()
    unrecorded = lessons.check("01-1", EXERCISES["01-1"].mistakes["nobody asked"].wrong(mg))
    assert unrecorded.figure is None


# --- A hint that states a fact has checked it -------------------------------------------------


def random_graph(seed):
    """A small graph of leaves and a few operations, as somebody might hand it in to 01-1."""
    draw = random.Random(seed)
    w, x, v = (mg.tensor(n, requires_grad=draw.random() < 0.85) for n in (3.0, 2.0, 3.0))
    known = [w, x] if draw.random() < 0.7 else [w, x, v]
    for _ in range(draw.randint(0, 4)):
        one, other = draw.choice(known), draw.choice(known)
        known.append(
            draw.choice(
                [
                    lambda one=one, other=other: one * other,
                    lambda one=one, other=other: one * other,
                    lambda one=one, other=other: one + other,
                    lambda one=one: one**2,
                    lambda one=one: one * 2,
                    lambda one=one: one.detach(),
                    lambda one=one: one.exp(),
                ]
            )()
        )
    return known[-1]


#: What each foreseen hint of 01-1 claims about the graph that was handed in.
CLAIMS = {
    "made twice": lambda shape: shape.count("MulBackward0") == 3,
    "a power": lambda shape: shape.count("PowBackward0") == 1 and shape.count("MulBackward0") == 1,
    "one leaf does not ask": lambda shape: shape.count(LEAF) == 1,
    "a second leaf": lambda shape: shape.count(LEAF) == 3,
}


def claims_hold(answer, said):
    """Whether what was said about a handed-in graph is true of it."""
    exercise = EXERCISES["01-1"]
    asked = shape_of(run(exercise.solution.answer, mg=mg)[0])
    if said == exercise.idea:
        return same_shape(shape_of(answer), asked)
    if said == "That is a leaf. Hand in what the last operation made.":
        return answer.is_leaf and answer.requires_grad
    if said == exercise.mistakes["nobody asked"].hint:
        return answer.grad_fn is None and not answer.requires_grad
    mine = shape_of(answer)
    if counted := re.match(r"Of (.+) your graph has (\d+), .* asked for has (\d+)\.", said):
        kind = LEAF if counted[1] == "leaves that ask" else counted[1]
        return (mine.count(kind), asked.count(kind)) == (int(counted[2]), int(counted[3]))
    if said == "Your graph has the right nodes. The arrows join them in another way.":
        return sorted(mine.kinds) == sorted(asked.kinds) and not same_shape(mine, asked)
    name = next(name for name, m in exercise.mistakes.items() if m.hint == said)
    return CLAIMS[name](mine) and not same_shape(mine, asked)


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_what_is_said_about_a_random_graph_is_true_of_it(start):
    """In 01-1 a hint may only state what it has looked at."""
    said = set()
    for seed in range(start, start + 100):
        answer = random_graph(seed)
        verdict = lessons.check("01-1", answer)
        assert claims_hold(answer, verdict.words[0]), (seed, verdict.words[0])
        said.add(verdict.words[0])
    assert len(said) > 5


def test_a_claim_that_is_false_is_noticed():
    w = mg.tensor(3.0, requires_grad=True)
    assert not claims_hold(w * w, "Of MulBackward0 your graph has 2, and the one asked for has 2.")
    assert not claims_hold(w * w, EXERCISES["01-1"].mistakes["a power"].hint)
    assert not claims_hold(w * w, EXERCISES["01-1"].idea)


@pytest.mark.parametrize("name", ["02-1", "02-4a", "02-4b", "04-1a", "07-4", "09-1a"])
def test_what_is_said_about_wrong_numbers_is_true_of_them(name):
    """Every combination of right, foreseen and random numbers: the entry named is a wrong one."""
    exercise, draw = EXERCISES[name], random.Random(1)
    truth = exercise.judge.__self__.truth()
    planned = exercise.judge.__self__.mistakes
    says = {e: [v for m in planned for v in _listed(m["says"].get(e, []))] for e in truth}
    for _ in range(300):
        answer = {
            entry: draw.choice([right, right, *says[entry], draw.uniform(-9, 40)])
            for entry, right in truth.items()
        }
        verdict = lessons.check(name, answer)
        wrong = [entry for entry in truth if abs(answer[entry] - truth[entry]) > 1e-3]
        said = verdict.words[0]
        assert verdict.is_yes == (not wrong)
        if wrong and (counted := re.match(r"(\d) of (\d) are right; look at `(.+)`", said)):
            assert int(counted[1]) == len(truth) - len(wrong)
            assert counted[3] == wrong[0]
        elif wrong and (named := re.match(r"([\w. ]+): ", said)):
            assert named[1] == wrong[0], (answer, said)
            quoted = re.match(r"[\w. ]+: (\d+) is ", said)
            assert not quoted or float(quoted[1]) == pytest.approx(answer[wrong[0]])


@pytest.mark.parametrize("name", ["01-4", "02-5b", "04-4", "06-4", "08-1b", "09-5"])
def test_what_is_said_about_wrong_ticks_is_about_a_wrong_letter(name):
    ticks = EXERCISES[name].judge.__self__
    right, options = ticks.right, "".join(ticks.options)
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(options, n) for n in range(1, len(options) + 1)
    ):
        verdict = lessons.check(name, chosen)
        assert verdict.is_yes == (set(chosen) == right)
        if not verdict.is_yes:
            assert verdict.words[0][0] in set(chosen) ^ right
            assert verdict.words[0][1] == ":"
