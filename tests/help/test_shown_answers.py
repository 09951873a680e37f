"""How an answer of `explain` looks: as text, and in a notebook, with its picture."""

import base64
import html
import re

import minigrad as mg
from minigrad.help.words.answer import Explanation
from tests.help.program import run

X = "x = torch.tensor(2., requires_grad=True)\n"


def test_an_explanation_reads_as_text_and_as_a_list():
    x = mg.tensor(2.0, requires_grad=True)
    explanation = mg.explain(x * 2, x)
    assert str(explanation) == repr(explanation) == "\n".join(explanation.sentences)
    shown = explanation._repr_html_()
    assert shown.startswith(f"<p><b>{html.escape(explanation.sentences[0])}</b></p>")


def test_a_notebook_shows_the_answer_first_then_why_and_what_to_do():
    shown = run(X + "y = x.detach()\nanswer = minigrad.explain(y, x)")["answer"]._repr_html_()
    assert shown.startswith("<p><b>There is no recorded path from y back to x")
    _, _, why, do, *_ = shown.split("<p>")
    assert "The path breaks here: detach()" in why
    assert "Try: leave detach() out there" in do


def test_a_notebook_folds_what_does_not_lead_to_the_advice():
    said = Explanation(["a.", "Try: b.", "c.", "d."])._repr_html_()
    assert said.partition("<details>")[0] == "<p><b>a.</b></p><p>Try: b.</p>"
    assert "<li>c.</li><li>d.</li>" in said
    long = Explanation(["a.", "b.", "c.", "d.", "e.", "Try: f."])._repr_html_()
    assert long.partition("<details>")[0] == "<p><b>a.</b></p><p>Try: f.</p>"
    fine = Explanation(["h is no leaf.", "b.", "h.grad is None: c.", "d."])._repr_html_()
    assert fine.partition("<details>")[0].endswith("<p>b.</p><p>h.grad is None: c.</p>")


def test_nothing_is_said_twice():
    assert Explanation(["a.", "b.", "a."]).sentences == ("a.", "b.")


def test_a_notebook_shows_lines_of_the_program_as_code():
    shown = run(X + "y = x.detach() < 3\nanswer = minigrad.explain(y, x)")["answer"]._repr_html_()
    assert "<code>y = x.<wbr>detach(<wbr>) &lt; 3</code>" in shown
    assert "`" not in shown


def test_a_notebook_shows_scissors_where_a_way_was_cut():
    shown = run(X + "y = x.detach()\nanswer = minigrad.explain(y, x)")["answer"]
    (drawn,) = pictures(shown)
    assert all(said in drawn for said in (">x<", ">y<", ">detach()<", ">line 2 of learner.py<"))
    assert "detach(), line 2 of learner.py" in shown._repr_html_()


def test_a_notebook_marks_the_node_whose_slope_is_not_finite():
    program = "x = torch.tensor([0., 1.], requires_grad=True)\ny = (x * 2).sqrt().sum()"
    names = run(f"{program}\nanswer = minigrad.explain(y)")
    (drawn,) = pictures(names["answer"])
    assert "slope inf" in drawn
    assert drawn.count('class="operation error"') == 1, drawn


def test_a_path_has_no_picture_but_the_call_that_steps_along_it():
    shown = run(X + "y = x * 2\nanswer = torch.explain(y, x)")["answer"]
    assert pictures(shown) == []
    assert "<code>torch.<wbr>stepper(<wbr>y)</code>" in shown._repr_html_()
    shown = run(X + "y = x * x\ny.backward()\nanswer = torch.explain(y, x)")["answer"]
    assert "stepper" not in shown._repr_html_()


def pictures(shown):
    """The pictures of an explanation, as SVG."""
    packed = re.findall('base64,([^"]+)', shown._repr_html_())
    return [base64.b64decode(data).decode() for data in packed]
