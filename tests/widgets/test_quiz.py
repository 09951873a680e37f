import sys

import pytest

from minigrad.widgets import quiz


class TestAnswers:
    def test_nothing_is_said_at_first(self):
        assert quiz.choice("?", ["a", "b"]).answer is None
        assert quiz.number("?").answer is None
        assert quiz.ticks("?", ["a", "b"]).answer is None

    def test_giving_keeps_and_replies(self):
        q = quiz.choice("Slope?", ["6", "7"], reply=lambda said: f"{said} it was")
        assert q.give("7") == "7 it was"
        assert (q.answer, q.line) == ("7", "7 it was")

    def test_an_unknown_option_is_refused_with_the_known_ones(self):
        q = quiz.choice("?", ["a", "b"], line="as before")
        with pytest.raises(ValueError, match="'c' is no option; choose from 'a', 'b'"):
            q.give("c")
        assert (q.answer, q.line) == (None, "as before")

    def test_ticks_are_in_the_order_of_the_options(self):
        q = quiz.ticks("?", ["x", "a", "y"])
        q.give(["y", "x"])
        assert q.answer == ("x", "y")
        q.give([])
        assert q.answer == ()

    @pytest.mark.parametrize(("typed", "means"), [("7", 7.0), (" 0,25 ", 0.25), (7, 7.0)])
    def test_numbers_are_read(self, typed, means):
        q = quiz.number("?")
        q.give(typed)
        assert q.answer == means

    @pytest.mark.parametrize("typed", ["seven", "", "nan", "inf", "1/0"])
    def test_what_is_no_number_is_refused(self, typed):
        with pytest.raises(ValueError, match="is no number"):
            quiz.number("?").give(typed)

    def test_an_earlier_answer_is_taken_over_without_a_reply(self):
        q = quiz.choice("?", ["a", "b"], answer="b", line="You said b.", reply=pytest.fail)
        assert (q.answer, q.line) == ("b", "You said b.")

    @pytest.mark.parametrize("options", [["a"], ["a", "a"], []])
    def test_a_question_needs_different_options(self, options):
        with pytest.raises(ValueError, match="two or more different options"):
            quiz.choice("?", options)


class TestWithoutWidgets:
    @pytest.fixture(autouse=True)
    def no_ipywidgets(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "ipywidgets", None)
        monkeypatch.delitem(sys.modules, "minigrad.widgets.quiz_face", raising=False)

    def test_the_question_is_there_and_the_answer_unfolds(self):
        q = quiz.choice("Is `a < b`?", ["yes", "no"], line="No guess yet.", behind="yes")
        shown = q._repr_mimebundle_()
        assert set(shown) == {"text/plain", "text/html"}
        assert shown["text/plain"] == "Is `a < b`?\n[ yes | no ]\nNo guess yet."
        html = shown["text/html"]
        assert "<code>a &lt; b</code>" in html
        assert html.index("<li>no</li>") < html.index("No guess yet.") < html.index("<details>")

    def test_no_widget_is_made(self):
        with pytest.raises(ImportError):
            quiz.number("?").widget()


def parts(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


class TestWidgets:
    @pytest.fixture(autouse=True)
    def ipywidgets(self):
        self.widgets = pytest.importorskip("ipywidgets")

    def find(self, q, kind):
        return [part for part in parts(q.widget()) if type(part).__name__ == kind]

    def line(self, q):
        return next(part.value for part in self.find(q, "HTML") if "aria-live" in part.value)

    def test_a_click_answers(self):
        q = quiz.choice("?", ["6", "7"], reply=lambda said: f"You said {said}.")
        six, seven = self.find(q, "Button")
        seven.click()
        assert q.answer == "7"
        assert "You said 7." in self.line(q)
        assert (six.description, seven.description) == ("6", "✓ 7")
        six.click()
        assert (six.description, seven.description) == ("✓ 6", "7")

    def test_python_answers_and_the_widget_follows(self):
        q = quiz.choice("?", ["6", "7"])
        six, _ = self.find(q, "Button")
        q.give("6")
        assert six.description == "✓ 6"

    def test_ticks_are_said_with_a_button(self):
        q = quiz.ticks("?", ["x", "a", "y"])
        x, _, y = self.find(q, "Checkbox")
        x.value = y.value = True
        assert q.answer is None
        self.find(q, "Button")[0].click()
        assert q.answer == ("x", "y")

    def test_a_number_is_typed_and_stays_as_typed(self):
        q = quiz.number("?")
        (box,) = self.find(q, "Text")
        box.value = "0.50"
        assert (q.answer, box.value) == (0.5, "0.50")

    def test_what_is_no_number_gets_a_line_and_keeps_the_answer(self):
        q = quiz.number("?", answer=3)
        (box,) = self.find(q, "Text")
        box.value = "three"
        assert q.answer == 3.0
        assert "'three' is no number" in self.line(q)

    def test_words_are_escaped(self):
        q = quiz.choice("a < b?", ["<i>", "no"], reply=lambda said: said)
        q.give("<i>")
        assert "&lt;i&gt;" in self.line(q)
        assert "a &lt; b?" in q.html()

    def test_the_bundle_has_a_view_and_all_fallbacks(self):
        shown = quiz.number("?")._repr_mimebundle_()
        view = "application/vnd.jupyter.widget-view+json"
        assert set(shown) == {"text/plain", "text/html", view}
        assert shown[view]["model_id"]

    def test_the_shim_sits_in_the_box(self):
        pytest.importorskip("anywidget")
        (shim,) = self.find(quiz.choice("Which?", ["a", "b"]), "Shim")
        assert shim.name == "Which?"
        assert "lmSuppressShortcuts" in shim._esm

    def test_without_anywidget_the_controls_are_there(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "anywidget", None)
        q = quiz.choice("?", ["a", "b"])
        assert self.find(q, "Shim") == []
        self.find(q, "Button")[0].click()
        assert q.answer == "a"
