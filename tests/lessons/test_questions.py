"""Predictions and warm-ups: what is kept, what is replied, what a page without buttons shows."""

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.language import set_catalogue
from minigrad.lessons.lesson import Lesson
from minigrad.lessons.predictions import as_words
from minigrad.lessons.questions import Option, Question

NO_GUESS = "No guess yet: make one, it helps even when it is wrong."

ASKING = [*lessons.LESSONS.values(), lessons.LESSONS["beliefs"]]
QUESTIONS = [q for lesson in ASKING for q in (*lesson.warm_up, *lesson.predictions)]
PREDICTIONS = [q for lesson in ASKING for q in lesson.predictions]


@pytest.mark.parametrize("lesson", lessons.LESSONS.values(), ids=lambda lesson: lesson.number)
def test_a_lesson_has_the_planned_number_of_everything(lesson):
    assert len(lesson.warm_up) == 3
    assert 2 <= len(lesson.predictions) <= 4
    exercises = {exercise.name[:4] for exercise in lesson.exercises}
    assert len(exercises) == 9 if lesson.number == "05" else 2 <= len(exercises) <= 5


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
        assert outcome.startswith("Right. " if option.is_right else "Not quite. ")
        prediction.forget()


def test_a_large_whole_number_is_written_as_the_options_write_it():
    for name, kept in {"08-2": 40_000, "08-3": 400_000}.items():
        assert repr(lessons.predict(name).outcome(kept)).startswith(f"It is {kept:,}.")
    assert repr(lessons.predict("08-2").outcome(4_000)) == "Changed. It is 4,000."


def test_going_on_without_a_guess_is_allowed():
    prediction = lessons.predict("02-3")
    assert prediction.line == NO_GUESS
    outcome = prediction.outcome(mg.tensor(20.0))
    assert repr(outcome) == f"It is 20. {prediction.question.right.reply}"
    assert "<strong>It is 20.</strong>" in outcome._repr_html_()


def test_once_the_run_has_shown_the_answer_nobody_asks_for_a_guess():
    prediction = lessons.predict("02-3")
    shown = prediction.quiz()
    assert shown.line == NO_GUESS
    prediction.outcome(mg.tensor(20.0))
    assert (prediction.line, shown.line) == ("", "")


def test_a_guess_after_the_run_is_told_right_or_wrong_at_once():
    prediction = lessons.predict("02-3")
    prediction.outcome(mg.tensor(20.0))
    said = prediction.choose("10")
    assert said.startswith("You said 10. Not quite. ")
    assert "the run will show" not in said


def test_a_changed_cell_gets_no_reply_that_belongs_to_another_number():
    prediction = lessons.predict("02-3")
    prediction.choose("10")
    assert repr(prediction.outcome(mg.tensor(9.0))) == "Changed. You said 10. It is 9."
    prediction.forget()
    assert repr(prediction.outcome(mg.tensor(9.0))) == "Changed. It is 9."


def test_a_changed_cell_may_show_a_table():
    prediction = lessons.predict("02-3")
    assert repr(prediction.outcome(mg.tensor([2.0, 4.5]))) == "Changed. It is [2, 4.5]."


def test_the_same_name_finds_the_same_guess():
    lessons.predict("02-3").choose("10")
    assert lessons.predict("02-3").guess == 1
    assert "You said 10." in repr(lessons.predict("02-3"))


def test_an_unknown_option_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'13' is no option; choose from '8, the note"):
        lessons.predict("02-3").choose("13")


def test_values_are_written_as_options_are():
    x = mg.tensor(2.0, requires_grad=True)
    assert as_words(x) == "2"
    assert as_words((x * x).grad_fn) == "MulBackward0"
    assert as_words(x.grad) == "None"
    assert as_words(mg.tensor(0.1)) == "0.1"


def shown(displayed):
    bundle = displayed._repr_mimebundle_()
    return bundle[0] if isinstance(bundle, tuple) else bundle


def test_without_buttons_the_options_are_listed_and_the_answer_is_folded_away():
    html = shown(lessons.predict("02-3"))["text/html"]
    assert all(f"<li>{says}</li>" in html for says in ("8, the note is right", "10", "20", "25"))
    assert "<details><summary>Answer</summary><p>20. 2 · 5 through the power" in html
    assert "Answer:" not in repr(lessons.predict("02-3"))


def test_pressing_a_button_is_choosing():
    asked = lessons.warm_up("01").asked[0]
    line = asked.quiz().give("two")
    assert asked.guess == 1
    assert line.startswith("You said two. Not quite. `b = a` copies nothing")
    assert asked.quiz().answer == "two"


def test_every_copy_of_a_question_follows_the_one_guess():
    asked = lessons.warm_up("01").asked[0]
    first, second = asked.quiz(), asked.quiz()
    second.give("two")
    assert first.answer == "two"
    assert first.line == second.line == asked.line


@pytest.mark.parametrize("lesson", lessons.LESSONS)
def test_a_warm_up_says_right_or_wrong_in_words(lesson):
    for asked in lessons.warm_up(lesson).asked:
        for option in asked.question.options:
            words = "Right." if option.is_right else "Not quite."
            said = f"You said {option.says}. {words} {option.reply}"
            assert asked.choose(option.says) == said


def test_a_guess_outlives_a_change_of_language():
    asked = lessons.warm_up("01").asked[0]
    asked.choose("two")
    before = set_catalogue({"two": "zwei", "Not quite.": "Nicht ganz."})
    try:
        assert "● zwei" in repr(asked)
        assert "Nicht ganz." in asked.line
    finally:
        set_catalogue(before)
    assert "● two" in repr(asked)


def test_a_prediction_is_not_judged_before_the_run():
    prediction = lessons.predict("02-3")
    prediction.quiz().give("10")
    assert prediction.guess == 1
    assert "also meets" not in repr(prediction)
    assert "also meets" in repr(prediction.outcome(20.0))


@pytest.mark.parametrize("lesson", lessons.LESSONS)
def test_a_warm_up_shows_its_three_questions(lesson):
    warm_up = lessons.warm_up(lesson)
    for asked in warm_up.asked:
        assert asked.question.asks in repr(warm_up)
        assert shown(warm_up)["text/html"].count("<details>") == 3


def test_what_is_stored_says_how_to_answer_and_without_ipywidgets_why_not(monkeypatch):
    for displayed in (lessons.warm_up("02"), lessons.predict("02-3")):
        bundle = shown(displayed)
        for kind in ("text/plain", "text/html"):
            assert "To answer, run this cell." in bundle[kind]
            assert NO_GUESS not in bundle[kind]
    for module in ("quiz", "live_view"):
        monkeypatch.setattr(f"minigrad.widgets.{module}.installed", lambda package: False)
    for displayed in (lessons.warm_up("02"), lessons.predict("02-3")):
        bundle = shown(displayed)
        assert set(bundle) == {"text/plain", "text/html"}
        for words in bundle.values():
            assert "run this cell" not in words
            assert "There are no buttons here" in words


def test_a_teacher_can_reveal_every_answer(monkeypatch):
    monkeypatch.setattr(lessons, "reveal", True)
    assert "Answer: 20. 2 · 5 through the power" in repr(lessons.predict("02-3"))
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
