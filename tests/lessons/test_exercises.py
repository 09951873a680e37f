"""Every exercise with its three kinds of answers: blank, foreseen mistakes, solutions."""

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET, YES
from tests.lessons.solutions import SOLUTIONS

EXERCISES = {e.name: e for lesson in lessons.LESSONS.values() for e in lesson.exercises}
MISTAKES = [(name, mistake) for name, e in EXERCISES.items() for mistake in e.mistakes]
RIGHT = [(name, i) for name, solutions in SOLUTIONS.items() for i in range(len(solutions))]


def unfinished(*_arguments):
    raise NotImplementedError


def empty(*_arguments):
    pass


BLANK_INSIDE = {
    "01-1": [],
    "01-2": [(unfinished, empty), (..., unfinished), (lambda n: (mg.tensor(n), ...), empty)],
    "01-3": [{"raises": ..., "because": "P"}, {"raises": "", "because": ""}],
    "02-1": [{"l3": 1.25, "l1": ..., "w1": 28, "w2": 8, "w3": 10}],
    "02-2": [unfinished, empty, lambda x: ...],
    "02-3": [{"+": ..., "×": ..., "**": ...}, {"+": unfinished, "×": empty, "**": empty}],
    "02-4a": [{"to y": ..., "x.grad": ...}],
    "02-4b": [{"to t": 2, "to y": 25, "to x": 10, "x.grad": None}],
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


ODD = [3, "seven", object(), [], {}, {"x": 1}, len, (1, 2, 3), [[1], 2], (len, abs), mg, mg.Tensor]


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("odd", ODD)
def test_an_answer_of_the_wrong_form_is_refused_with_a_sentence(name, odd):
    verdict = lessons.check(name, odd)
    assert verdict.heading == LOOK_AGAIN
    assert len(" ".join(verdict.words)) > 20


def test_a_function_that_fails_is_shown_with_its_error_and_what_it_was_given():
    verdict = lessons.check("02-2", lambda x: 1 / 0)
    assert "ZeroDivisionError: division by zero" in str(verdict)


def test_the_help_grows_with_the_attempts_and_stops_at_the_first_half():
    exercise = EXERCISES["02-2"]
    verdicts = [lessons.check("02-2", lambda x: 4 * x * 2) for _ in range(4)]
    hint = exercise.mistakes["the note"].hint
    _restate, point, first_half = exercise.steps
    assert [verdict.words for verdict in verdicts] == [
        (hint,),
        (hint, point),
        (hint, first_half),
        (hint, first_half),
    ]
    lessons.check("02-1", {"l3": 9, "l1": 7, "w1": 28, "w2": 8, "w3": 10})
    assert lessons.check("02-4b", {"to t": 2, "to y": 25, "to x": 10, "x.grad": 3}).words == (
        EXERCISES["02-4b"].steps[0],
    )


def test_a_blank_is_not_an_attempt():
    for _ in range(5):
        lessons.check("02-2", ...)
    assert len(lessons.check("02-2", lambda x: 4 * x * 2).words) == 1


@pytest.mark.parametrize("name", EXERCISES)
def test_no_hint_gives_the_answer_away(name):
    given_away = {
        "01-3": ["BC", "B and C", "P."],
        "02-1": ["1.25", "28", "is 7", "is 8", "is 10"],
        "02-2": ["8x", "12", "4("],
        "02-3": ["(b, a)", "n * a", "n · a"],
        "02-4a": ["12", "= 4"],
        "02-4b": ["20", "is 10", "50"],
    }.get(name, ["p * p + w"])
    exercise = EXERCISES[name]
    said = " ".join([*exercise.steps, *(m.hint for m in exercise.mistakes.values())])
    assert not [piece for piece in given_away if piece in said]


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(LookupError, match=r"no exercise '02-9'; there are 01-1, 01-2, .*02-4b"):
        lessons.check("02-9", 7)
    with pytest.raises(LookupError, match=r"no prediction '1-1'; there are 01-1"):
        lessons.predict("1-1")
    with pytest.raises(LookupError, match=r"no warm-up '99'; there are 01, 02"):
        lessons.warm_up("99")


def test_a_verdict_reads_the_same_with_and_without_html():
    verdict = lessons.check("02-4a", {"to y": 4, "x.grad": 6})
    assert repr(verdict).startswith("Look again. x.grad: 6 is what one arrow brings.")
    assert "Look again.</strong>" in verdict._repr_html_()


@pytest.mark.parametrize("name", [name for name, e in EXERCISES.items() if e.picture])
def test_the_picture_of_a_task_is_drawn_and_says_what_it_shows(name):
    figure = lessons.picture(name)
    assert len(figure.alt) > 20
    assert "w" in figure.text()
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
    shown = [text for slots in figure.frame["labels"].values() for text in slots.values()]
    assert shown.count("?") == 2
    told = {text for text in shown if not text.startswith("keeps")}
    assert told == {"?", ".grad ?", "1", "all 0.25", "all 2"}
    for answer in ("1.25", "all 7", "28", "grad 8", "grad 10"):
        assert answer not in figure.text()


def test_a_picture_that_does_not_exist_is_answered_with_those_that_do():
    with pytest.raises(LookupError, match="'02-2'; there are 01-1, 02-1"):
        lessons.picture("02-2")


def test_a_graph_that_is_not_the_one_asked_for_is_drawn_for_comparison():
    verdict = lessons.check("01-1", EXERCISES["01-1"].mistakes["made twice"].wrong(mg))
    assert verdict.figure.text() in repr(verdict)
    assert "Yours:" in verdict._repr_html_()
    unrecorded = lessons.check("01-1", EXERCISES["01-1"].mistakes["nobody asked"].wrong(mg))
    assert unrecorded.figure is None
