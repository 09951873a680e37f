"""Predictions and warm-ups: what is kept, what is replied, what a page without buttons shows."""

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.lesson import Lesson
from minigrad.lessons.predictions import NO_GUESS, as_words
from minigrad.lessons.questions import Option, Question

QUESTIONS = [
    question
    for lesson in lessons.LESSONS.values()
    for question in (*lesson.warm_up, *lesson.predictions)
]
PREDICTIONS = [q for lesson in lessons.LESSONS.values() for q in lesson.predictions]


@pytest.mark.parametrize("lesson", lessons.LESSONS.values(), ids=lambda lesson: lesson.number)
def test_a_lesson_has_the_planned_number_of_everything(lesson):
    assert len(lesson.warm_up) == 3
    assert 2 <= len(lesson.predictions) <= 4
    assert 2 <= len({exercise.name[:4] for exercise in lesson.exercises}) <= 4


@pytest.mark.parametrize("lesson", lessons.LESSONS.values(), ids=lambda lesson: lesson.number)
def test_every_misconception_of_a_lesson_is_met_somewhere_in_it(lesson):
    met = {o.misconception for q in lesson.warm_up + lesson.predictions for o in q.options}
    met |= {m.misconception for e in lesson.exercises for m in e.mistakes.values()}
    assert met - {None} == set(lesson.misconceptions)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_option_has_a_reply_of_its_own(question):
    replies = [option.reply for option in question.options]
    assert len(set(replies)) == len(replies)
    assert all(len(reply) > 20 for reply in replies)


@pytest.mark.parametrize("question", PREDICTIONS, ids=lambda question: question.name)
def test_the_outcome_stands_next_to_every_guess(question):
    prediction = lessons.predict(question.name)
    shown = question.shows or question.right.says
    for option in question.options:
        kept = f"You said {option.says}. Go on: the run will show."
        assert prediction.choose(option.says) == kept
        outcome = repr(prediction.outcome(shown))
        assert f"You said {option.says}. It is {shown}." in outcome
        assert option.reply in outcome
        assert question.right.reply in outcome
        assert outcome.startswith("As you said" if option.is_right else "Not as you said")


def test_going_on_without_a_guess_is_allowed():
    outcome = lessons.predict("02-1").outcome(mg.tensor(7.0))
    assert repr(outcome).startswith("It is 7.")
    assert NO_GUESS in repr(outcome)


def test_a_changed_cell_gets_no_reply_that_belongs_to_another_number():
    prediction = lessons.predict("02-1")
    prediction.choose("12")
    assert repr(prediction.outcome(mg.tensor(9.0))) == "Changed. You said 12. It is 9."
    prediction.guess = None
    assert repr(prediction.outcome(mg.tensor(9.0))) == f"Changed. {NO_GUESS} It is 9."


def test_the_same_name_finds_the_same_guess():
    lessons.predict("02-1").choose("5")
    assert lessons.predict("02-1").guess == "5"
    assert "You said 5." in repr(lessons.predict("02-1"))


def test_an_unknown_option_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'13' is no option of 02-1; choose one of '5', '6'"):
        lessons.predict("02-1").choose("13")


def test_values_are_written_as_options_are():
    x = mg.tensor(2.0, requires_grad=True)
    assert as_words(x) == "2"
    assert as_words((x * x).grad_fn) == "MulBackward0"
    assert as_words(x.grad) == "None"
    assert as_words(mg.tensor(0.1)) == "0.1"


def shown(displayed):
    return displayed._repr_mimebundle_()


def test_without_buttons_the_options_are_listed_and_the_answer_is_folded_away():
    html = shown(lessons.predict("02-1"))["text/html"]
    assert all(f"<li>{says}</li>" in html for says in ("5", "6", "7", "12"))
    assert "<details><summary>Answer</summary><p>7. 4 comes by way of a" in html
    assert "Answer:" not in repr(lessons.predict("02-1"))


def test_pressing_a_button_is_choosing():
    asked = lessons.warm_up("01").asked[0]
    line = asked.quiz().give("two")
    assert asked.guess == "two"
    assert line.startswith("You said two. `b = a` copies nothing")
    assert asked.quiz().answer == "two"


def test_a_prediction_is_not_judged_before_the_run():
    prediction = lessons.predict("02-1")
    prediction.quiz().give("12")
    assert prediction.guess == "12"
    assert "4 × 3" not in repr(prediction)
    assert "4 × 3" in repr(prediction.outcome(7.0))


@pytest.mark.parametrize("lesson", lessons.LESSONS)
def test_a_warm_up_shows_its_three_questions(lesson):
    warm_up = lessons.warm_up(lesson)
    for asked in warm_up.asked:
        assert asked.question.asks in repr(warm_up)
        assert shown(warm_up)["text/html"].count("<details>") == 3


def test_without_ipywidgets_the_same_text_and_html_are_shown(monkeypatch):
    with_widgets = shown(lessons.warm_up("02")), shown(lessons.predict("02-1"))
    for module in ("minigrad.widgets.quiz", "minigrad.lessons.warmups"):
        monkeypatch.setattr(f"{module}.installed", lambda package: False)
    without = shown(lessons.warm_up("02")), shown(lessons.predict("02-1"))
    for rich, plain in zip(with_widgets, without, strict=True):
        assert plain == {kind: rich[kind] for kind in ("text/plain", "text/html")}


def test_a_teacher_can_reveal_every_answer(monkeypatch):
    monkeypatch.setattr(lessons, "reveal", True)
    assert "Answer: 7. 4 comes by way of a" in repr(lessons.predict("02-1"))
    assert repr(lessons.warm_up("02")).count("Answer: ") == 3


def option(says, misconception=None):
    return Option(says, "a reply that is long enough", misconception)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ((option("a", "x"), option("b", "x")), "exactly one right"),
        ((option("a"), option("b")), "exactly one right"),
        ((option("a"), option("a", "x")), "say the same"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(options, what):
    with pytest.raises(ValueError, match=what):
        Question("q", "?", options)


def test_a_lesson_refuses_a_misconception_it_does_not_know():
    question = Question("q", "?", (option("a"), option("b", "unheard of")))
    with pytest.raises(ValueError, match="q names the unknown misconception 'unheard of'"):
        Lesson("09", "", {}, (question,), (), ())
