import sys

import pytest

from minigrad.language import set_catalogue
from minigrad.widgets import quiz


class TestAnswers:
    def test_nothing_is_said_at_first(self):
        assert quiz.choice("?", ["a", "b"]).answer is None
        assert quiz.number("?").answer is None
        assert quiz.ticks("?", ["a", "b"]).answer is None

    def test_giving_keeps_and_replies(self):
        q = quiz.choice("Slope?", ["6", "7"], reply=["no", "yes"].__getitem__)
        assert q.give("7") == "yes"
        assert (q.answer, q.kept, q.line) == ("7", 1, "yes")

    def test_a_choice_is_kept_as_a_number_and_so_survives_another_language(self):
        kept = []
        english = quiz.ticks("?", ["leaf", "sum"], reply=lambda said: kept.append(said) or "")
        english.give(["sum"])
        german = quiz.ticks("?", ["Blatt", "Summe"])
        german.keep(*kept, "")
        assert german.answer == ("Summe",)

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

    def test_an_answer_is_kept_and_taken_back_without_a_reply(self):
        q = quiz.choice("?", ["a", "b"], reply=pytest.fail)
        q.keep(1, "You said b.")
        assert (q.answer, q.line) == ("b", "You said b.")
        q.keep(None, "")
        assert q.answer is None

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
        line = "There are no buttons here, because ipywidgets is not installed."
        assert shown["text/plain"] == f"Is `a < b`?\n[ yes | no ]\n{line}"
        html = shown["text/html"]
        assert ">a &lt; b</code>" in html
        assert html.index("<li>no</li>") < html.index(line) < html.index("<details>")
        assert "No guess yet." not in html

    def test_the_answer_given_is_marked_and_the_reply_stands_below(self):
        q = quiz.choice("?", ["6", "7"])
        q.give("7")
        assert q.text() == "?\n[ 6 | ● 7 ]\nYou said 7."
        assert "<li>6</li><li><strong>● 7</strong></li></ul><p>You said 7.</p>" in q.html()
        q = quiz.ticks("?", ["x", "a"])
        q.give(["a"])
        assert q.text() == "?\n[ ] x\n[●] a\nYou said a."

    def test_a_revealed_answer_is_not_folded_away(self):
        q = quiz.choice("?", ["6", "7"], behind="7. It is so.", reveal=True)
        assert q.text().endswith("Answer: 7. It is so.")
        assert "<p>Answer: 7. It is so.</p>" in q.html()
        assert "<details>" not in q.html()

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
        return next(
            part.value for part in self.find(q, "HTML") if "minigrad-line" in part._dom_classes
        )

    def chosen(self, q):
        marked = (part._dom_classes for part in self.find(q, "Button"))
        return ["minigrad-chosen" in classes for classes in marked]

    def test_a_click_answers(self):
        q = quiz.choice("?", ["6", "7"], reply=lambda kept: f"It was option {kept}.")
        six, seven = self.find(q, "Button")
        seven.click()
        assert q.answer == "7"
        assert "It was option 1." in self.line(q)
        assert self.chosen(q) == [False, True]
        six.click()
        assert self.chosen(q) == [True, False]
        assert (six.description, seven.description) == ("6", "7")

    def test_python_answers_and_the_widget_follows(self):
        q = quiz.choice("?", ["6", "7"])
        q.widget()
        q.give("6")
        assert self.chosen(q) == [True, False]
        q.keep(None, "")
        assert self.chosen(q) == [False, False]

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
        q = quiz.number("?")
        q.give(3)
        (box,) = self.find(q, "Text")
        box.value = "three"
        assert q.answer == 3.0
        assert "'three' is no number" in self.line(q)

    def test_words_are_escaped(self):
        q = quiz.choice("a < b?", ["<i>", "no"], reply=lambda kept: "<i>")
        q.give("<i>")
        assert "&lt;i&gt;" in self.line(q)
        assert "a &lt; b?" in q.html()

    def test_the_bundle_has_a_view_and_all_fallbacks(self):
        shown = quiz.number("?")._repr_mimebundle_()
        view = "application/vnd.jupyter.widget-view+json"
        assert set(shown) == {"text/plain", "text/html", view}
        assert shown[view]["model_id"]

    def test_what_is_stored_says_how_to_answer(self):
        q = quiz.choice("Which `slope`?", ["6", "7"], line="No guess yet.", behind="7")
        shown = q._repr_mimebundle_()
        run = "To answer, run this cell."
        assert shown["text/plain"] == f"Which `slope`?\n[ 6 | 7 ]\n{run}"
        assert f"<p>{run}</p><details>" in shown["text/html"]

    def test_the_metadata_that_colab_needs_is_handed_on(self, monkeypatch):
        """There an anywidget returns data and metadata; the box around it returns data alone."""
        anywidget = pytest.importorskip("anywidget")
        view = "application/vnd.jupyter.widget-view+json"
        manager = {view: {"colab": {"custom_widget_manager": {"url": "https://example.org/m.js"}}}}
        monkeypatch.setattr(
            anywidget.AnyWidget,
            "_repr_mimebundle_",
            lambda self, **_: ({view: {"model_id": self.model_id}}, manager),
        )
        q = quiz.number("?")
        data, metadata = q._repr_mimebundle_()
        assert data[view]["model_id"] == q.widget().model_id
        assert metadata == manager

    def test_a_lost_kernel_has_its_line(self):
        q = quiz.number("?")
        (lost,) = (p for p in self.find(q, "HTML") if "minigrad-lost" in p._dom_classes)
        assert "The kernel that made this is gone" in lost.value
        assert "Run this cell again" in lost.value
        assert 'role="alert"' in lost.value

    def test_the_revealed_answer_is_shown_with_the_buttons(self):
        q = quiz.choice("?", ["6", "7"], behind="7", reveal=True)
        assert "<p>Answer: 7</p>" in [part.value for part in self.find(q, "HTML")]

    def test_words_are_looked_up_when_they_are_shown(self):
        before = set_catalogue({"That is my answer": "Das ist meine Antwort"})
        try:
            (say,) = self.find(quiz.number("?"), "Button")
        finally:
            set_catalogue(before)
        assert say.description == "Das ist meine Antwort"
        (say,) = self.find(quiz.number("?"), "Button")
        assert say.description == "That is my answer"

    def test_the_shim_sits_in_the_box(self):
        pytest.importorskip("anywidget")
        (shim,) = self.find(quiz.choice("Which?", ["a", "b"]), "Shim")
        assert shim.name == "Which?"
        assert shim.waiting.startswith("No reply yet.")
        assert "lmSuppressShortcuts" in shim._esm

    def test_the_shim_answers_whoever_asks(self, monkeypatch):
        pytest.importorskip("anywidget")
        (shim,) = self.find(quiz.number("?"), "Shim")
        sent = []
        monkeypatch.setattr(type(shim), "send", lambda self, content: sent.append(content))
        shim._handle_custom_msg({"asks": "?"}, [])
        assert sent == [{"asks": "?"}]

    def test_without_anywidget_the_controls_are_there(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "anywidget", None)
        q = quiz.choice("?", ["a", "b"])
        assert self.find(q, "Shim") == []
        assert 'role="status" aria-live="polite"' in self.line(q)
        self.find(q, "Button")[0].click()
        assert q.answer == "a"


def test_the_live_question_brings_its_style_sheet():
    pytest.importorskip("ipywidgets")
    style = quiz.choice("Which?", ["6", "7"]).widget().children[0].value
    assert style.startswith("<style>")
    assert ".minigrad-lost" in style
