"""What the stepper shows of a learner's engine is what that engine did."""

import ast
import linecache
import os
import re

import pytest

import minigrad as mg
from minigrad.lessons import engine, engine_source, reference_engine
from minigrad.lessons import engine_programs as given
from minigrad.lessons.engine_steps import built, solutions
from minigrad.lessons.engine_view import EngineView
from minigrad.lessons.snippets import run_in
from tests.lessons import engines


def case_1(kind):
    x = kind(2.0)
    a = x + 1
    b = x + 2
    y = a * b
    return x, a, b, y


def stepped(kind):
    x, a, b, y = case_1(kind)
    assert x is not a is not b
    return mg.stepper(EngineView(y))


def with_bug(code, before=None):
    scope = built(before)
    run_in(scope, code)
    return scope["Value"]


def test_the_pass_of_a_right_engine_is_told_in_its_own_numbers():
    shown = stepped(reference_engine.Value)
    assert repr(shown) == "EnginePlayer: 3 steps; x.grad = 7"
    assert shown.title == "The reference engine, backward through y = (x + 1)·(x + 2)"
    mine = stepped(engine_source.loaded(engine_source.source_of(built()["Value"])))
    assert mine.title == "Your engine, backward through y = (x + 1)·(x + 2)"
    said = [frame["sentence"].partition(". ") for frame in shown.frames]
    assert [sent for sent, _dot, _written in said] == [
        "y takes 1 and sends 4 to a and 3 to b",
        "b takes 3 and sends 3 to x and 3 to c₂",
        "a takes 4 and sends 4 to x and 4 to c₁",
    ]
    assert [written for _sent, _dot, written in said] == [
        "y.grad: 1 → None; a.grad: None → 4; b.grad: None → 3.",
        "b.grad: 3 → None; x.grad: None → 3; c₂.grad: None → 3.",
        "a.grad: 4 → None; x.grad: 3 → 7; c₁.grad: None → 4.",
    ]


def test_a_formula_stands_in_brackets_before_its_gradient():
    x = reference_engine.Value(2.0)
    shown = mg.stepper(EngineView((x + 1) * (x + 2)))
    assert "(x + 1).grad: None → 4; (x + 2).grad: None → 3." in shown.frames[0]["sentence"]
    assert "(x + 1) 4, (x + 2) 3" in str(shown.frames[0]["details"])


def test_a_part_that_is_written_over_is_seen_to_be_written_over():
    shown = stepped(with_bug("def receive(value, part):\n    value.grad = part", "05-5"))
    assert shown.frames[-1]["trays"] == {"x.grad": "3"}
    assert "x.grad: 4 → 3" in shown.frames[-1]["sentence"]


def test_what_came_in_and_was_forgotten_is_not_written_as_a_product():
    code = (
        "Value.__mul__ = lambda a, b: Value(a.data * b.data, '×', (a, b), "
        "lambda came: (b.data, a.data))"
    )
    kind = with_bug(code)
    p, q, r = kind(2.0), kind(3.0), kind(5.0)
    z = (p * q) * r
    shown = mg.stepper(EngineView(z))
    assert shown.frames[-1]["trays"] == {"p.grad": "3", "q.grad": "2", "r.grad": "6"}
    sends = [row[1] for row in shown.frames[1]["details"][0]["rows"] if row[0] in ("sends", "")]
    assert sends == [["", ["3"], " → p"], ["", ["2"], " → q"]]  # 5 came in: no 5 × 3 = 3


def test_a_rule_that_is_asked_twice_has_two_steps():
    kind = built("05-6")["Value"]
    x = kind(2.0)
    a = x * x
    b = a * x
    y = a * b
    shown = mg.stepper(EngineView(y))
    assert [frame["title"].rpartition(" ")[2] for frame in shown.frames] == ["y", "a", "b", "a"]
    assert shown.frames[-1]["trays"] == {"x.grad": "112"}
    assert "a takes 16" in shown.frames[-1]["sentence"]
    states = [frame["labels"].get("v0", {}).get("state") for frame in shown.frames]
    assert states == [None, "waiting", "waiting", "done"]  # three arrows, and five parts: no count


def states_of(shown, name):
    """The mark and the word at a value, step by step."""
    graph = shown._draw(None, None).graph
    key = next(value.key for value in graph.values if value.name == name)
    maker = next((step.key for step in graph.operations if key in step.outputs), key)
    return [
        (*frame["marks"].get(maker, []), frame["labels"].get(maker, {}).get("state"))
        for frame in shown.frames
    ]


def test_a_value_waits_only_where_the_engine_waits_with_it():
    shown = {}
    for before in ("05-6", "05-8"):
        kind = built(before)["Value"]
        x = kind(2.0)
        a = x * x
        b = a * x
        y = a * b
        shown[before] = mg.stepper(EngineView(y))
        assert a is not b
    asked_early = [
        ("ready", "ready, 1 of 2"),  # its rule is asked next, with what is there
        ("now", "now"),
        ("ready", "ready"),
        ("now", "now"),
    ]
    assert states_of(shown["05-6"], "a") == asked_early
    assert states_of(shown["05-8"], "a") == [
        ("waiting", "1 of 2 parts"),
        ("ready", "ready"),
        ("now", "now"),
    ]
    question = shown["05-6"].frames[1]["question"]
    assert question["reasons"] == ["", "It comes to b later."]


def test_a_value_whose_turn_is_over_is_not_called_ready():
    kind = with_bug(solutions()["05-6"].replace("order[::-1]", "order"), "05-6")
    states = states_of(stepped(kind), "a")
    assert states[0] == ("now", "now")
    assert states[-1] == ("waiting", "all parts in")


def test_a_wrong_order_is_shown_as_it_is():
    code = solutions()["05-6"].replace("order[::-1]", "order")
    kind = with_bug(code, "05-6")
    shown = stepped(kind)
    assert shown.frames[0]["sentence"].startswith("a takes None and sends None to x")
    assert shown.frames[-1]["trays"] == {"x.grad": "None"}


def test_an_endless_engine_is_shown_as_far_as_it_came():
    code = "def backward(result):\n    receive(result, 1.0)\n    while True:\n        send(result)"
    kind = with_bug(code + "\nValue.backward = backward", "05-8")
    shown = stepped(kind)
    assert len(shown.frames) == 60
    assert shown.notes[0] == "Your engine did not come to an end, so it was stopped."
    assert shown.notes[1] == "Only the first 60 steps are shown."
    assert "a.grad: 4 → 8" in shown.frames[1]["sentence"]


def test_looking_changes_nothing():
    x, a, _b, y = case_1(reference_engine.Value)
    rules, kind = (a.rule, y.rule), reference_engine.Value
    x.grad = 5.0
    had = dict(vars(kind))
    shown = mg.stepper(EngineView(y))
    assert shown.frames[-1]["trays"] == {"x.grad": "7"}  # a pass from the beginning
    assert (x.grad, a.grad, y.grad) == (5.0, None, None)
    assert (a.rule, y.rule) == rules
    assert dict(vars(kind)) == had
    y.backward()
    assert x.grad == 12.0


def test_an_adapter_says_where_another_engine_keeps_things():
    class Other:
        def __init__(self, number, how="", made_of=(), back=None):
            self.number, self.how, self.made_of, self.back = number, how, made_of, back
            self.slope = None

        def __mul__(self, other):
            rule = lambda g: (g * other.number, g * self.number)  # noqa: E731
            return Other(self.number * other.number, "×", (self, other), rule)

        def go(self):
            self.slope = 1.0
            for parent, part in zip(self.made_of, self.back(1.0)):
                parent.slope = part

    class View(EngineView):
        number, sign, operands, rule = "number", "how", "made_of", "back"
        tray, start = "slope", "go"

    p, q = Other(3.0), Other(4.0)
    z = p * q
    shown = mg.stepper(View(z))
    assert repr(shown) == "EnginePlayer: 1 step; p.slope = 4; q.slope = 3"


@pytest.mark.parametrize("program", given.programs(given.ANY, 30), ids=str)
def test_the_last_step_holds_what_the_engine_gives(program):
    for kind in (reference_engine.Value, built("05-7a")["Value"], engines.Whole):
        leaves = [kind(float(number)) for number in program.numbers]
        y = program.run(leaves)[-1]
        shown = mg.stepper(EngineView(y))
        y.backward()
        last = shown.frames[-1]["labels"]
        book = {value.text: value.key for value in shown._draw(None, None).graph.values}
        assert book
        drawn = [v for v in shown._draw(None, None).graph.values if v.leaf]
        grads = sorted(last[v.key]["grad"].replace("−", "-") for v in drawn)
        if kind is not engines.Whole:  # there the leaves are written after the last rule
            assert grads == sorted(f"{leaf.grad + 0.0:g}" for leaf in leaves)


def test_an_engine_that_writes_its_leaves_last_shows_them_in_the_last_step():
    shown = stepped(engines.Whole)
    assert shown.frames[-1]["trays"] == {"x.grad": "7"}


def test_every_frame_can_be_drawn_and_asks_a_fair_question():
    shown = stepped(reference_engine.Value)
    assert shown.svg() is None or "minigrad" in shown.svg() or "<svg" in shown.svg()
    question = shown.frames[1]["question"]
    assert question["options"] == ["a", "b"]
    assert question["options"][question["answer"]] == "b"
    assert question["reasons"] == ["It comes to a later.", ""]
    assert shown.frames[0]["question"] is None
    assert "7" in shown.text()
    tree = shown.text().partition("\n\n")[0]
    assert "leaf" in tree
    assert ".grad" not in tree
    assert ".grad None" not in shown._data["tree"]


@pytest.mark.parametrize(("result", "name"), [(3.0, "data"), (None, "data")])
def test_what_is_no_value_of_the_engine_is_refused_by_name(result, name):
    with pytest.raises(TypeError, match=f"has no '{name}'.*number = "):
        EngineView(result)


def test_a_value_that_nothing_was_computed_from_is_refused():
    with pytest.raises(ValueError, match="did nothing that could be shown"):
        mg.stepper(EngineView(reference_engine.Value(2.0)))


# --- the learner's file ------------------------------------------------------------------------


def without_docstrings(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            if isinstance(body[0].value, ast.Constant):
                node.body = body[1:]
    return ast.dump(tree)


def test_the_reference_engine_is_what_the_solutions_give():
    with open(reference_engine.__file__, encoding="utf-8") as file:
        shipped = file.read()
    made = engine_source.source_of(built()["Value"])
    assert without_docstrings(shipped) == without_docstrings(made)


def test_the_file_holds_what_is_in_use_and_runs_alone(tmp_path):
    said = repr(engine.save(built()["Value"], tmp_path))
    assert said == "Saved. 61 lines of yours are in `my_engine.py`, and they run on their own."
    text = (tmp_path / "my_engine.py").read_text(encoding="utf-8")
    assert "def walk" not in text
    assert "def in_order" not in text
    assert text.count("def backward") == text.count("def receive") == text.count("def add") == 1
    assert "minigrad" not in text
    x, _a, _b, y = case_1(engine.load(tmp_path))
    y.backward()
    assert x.grad == 7.0


def test_an_older_file_is_kept(tmp_path):
    path = tmp_path / "my_engine.py"
    path.write_text("mine = 1\n", encoding="utf-8")
    assert "What was there is now `my_engine_before_1.py`." in repr(
        engine.save(built()["Value"], tmp_path)
    )
    assert (tmp_path / "my_engine_before_1.py").read_text(encoding="utf-8") == "mine = 1\n"
    engine.save(built()["Value"], tmp_path)
    assert len(os.listdir(tmp_path)) == 2  # the same text again keeps nothing
    path.write_text("mine = 2\n", encoding="utf-8")
    engine.save(built()["Value"], tmp_path)
    assert sorted(os.listdir(tmp_path)) == [
        "my_engine.py",
        "my_engine_before_1.py",
        "my_engine_before_2.py",
    ]


def run_as_cell(scope, code, name):
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    run_in(scope, code, name)


def test_a_helper_and_a_module_of_the_learners_come_along(tmp_path):
    scope = built("05-8")
    run_in(scope, "import math\ndef checked(number):\n    return math.fsum([number])", "<no cell>")
    kind = scope["Value"]
    assert repr(engine.save(kind, tmp_path)).startswith("Not yet. Nothing is saved before step 8")
    code = (
        "import math\n\ndef checked(number):\n    return math.fsum([number])\n\n"
        + solutions()["05-8"]
    )
    code = code.replace("value.rule(came)", "value.rule(checked(came))")
    run_as_cell(scope, code, "<cell 8>")
    assert repr(engine.save(kind, tmp_path)).startswith("Saved.")
    text = (tmp_path / "my_engine.py").read_text(encoding="utf-8")
    assert "import math" in text
    assert "def checked" in text


def test_what_was_imported_by_name_and_plain_values_come_along(tmp_path):
    scope = built("05-8")
    code = (
        "from collections import deque as line\nfrom numbers import Real\n"
        "START, done = 1.0, 0\n" + solutions()["05-7b"]
    )
    code = code.replace("def backward(result):", "def backward(result: Value) -> Real | None:")
    code = code.replace("receive(result, 1.0)", "receive(result, START)")
    code = code.replace("[result]", "line([result])").replace("ready.pop()", "ready.popleft()")
    run_as_cell(scope, code, "<cell 7>")
    run_as_cell(scope, solutions()["05-8"], "<cell 8>")
    assert repr(engine.save(scope["Value"], tmp_path)).startswith("Saved.")
    text = (tmp_path / "my_engine.py").read_text(encoding="utf-8")
    assert (
        "\nfrom numbers import Real\nfrom collections import deque as line\nSTART = 1.0\n" in text
    )
    assert "done" not in text


def test_a_class_that_was_written_anew_with_all_its_methods_is_saved_without_the_old_ones(tmp_path):
    scope = built()
    run_as_cell(scope, ANEW, "<cell anew>")
    assert repr(engine.save(scope["Value"], tmp_path)).startswith("Saved.")
    text = (tmp_path / "my_engine.py").read_text(encoding="utf-8")
    assert "def add" not in text
    assert "Value.__add__ =" not in text
    assert text.rstrip().endswith("Value.backward = backward")


ANEW = """
class Value:
    def __init__(self, data, op="", parents=(), rule=None):
        self.data, self.op, self.parents, self.rule = data, op, parents, rule
        self.grad = None

    def __repr__(self):
        return f"Value({self.data})"

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, "+", (self, other), lambda came: (came, came))

    def __mul__(self, other):
        other = as_value(other)
        rule = lambda came: (came * other.data, came * self.data)
        return Value(self.data * other.data, "×", (self, other), rule)

    __rmul__ = __mul__

    def zero(self):
        self.grad = None

Value.__radd__ = Value.__add__
Value.backward = backward
"""


def test_what_the_file_would_lack_is_named(tmp_path):
    scope = built("05-8")
    code = "class Line(list):\n    pass\n\n" + solutions()["05-7b"].replace(
        "[result]", "Line([result])"
    )
    run_as_cell(scope, code, "<cell 7>")
    run_as_cell(scope, solutions()["05-8"], "<cell 8>")
    told = "Not saved. The file would not run on its own: NameError: name 'Line' is not defined"
    assert repr(engine.save(scope["Value"], tmp_path)) == told


def test_of_two_doors_that_are_one_line_the_later_change_of_one_is_saved(tmp_path):
    scope = built()
    code = "def plus(a, b):\n    return add(a, b)\n\nValue.__add__ = plus"
    run_as_cell(scope, code, "<cell plus>")
    assert repr(engine.save(scope["Value"], tmp_path)).startswith("Saved.")
    lines = (tmp_path / "my_engine.py").read_text(encoding="utf-8").splitlines()
    assert "Value.__radd__ = add" in lines
    assert "Value.__add__ = plus" in lines


def test_where_no_text_is_known_or_nothing_can_be_written_a_sentence_says_so(tmp_path):
    scope = built("05-8")
    run_in(scope, solutions()["05-8"], "<nowhere>")
    assert repr(engine.save(scope["Value"], tmp_path)).startswith("Not saved. The text of your")
    missing = tmp_path / "no folder"
    said = repr(engine.save(built()["Value"], missing))
    assert said == "Not saved. `my_engine.py` cannot be written here: No such file or directory."


def test_lesson_12_finds_the_reference_where_there_is_no_file(tmp_path, capsys):
    assert engine.load(tmp_path) is reference_engine.Value
    assert (
        capsys.readouterr().out
        == "There is no `my_engine.py` here, so the reference engine runs.\n"
    )


@pytest.mark.parametrize("name", [name for name in solutions() if name != "05-7a"])
def test_a_step_that_is_missing_is_run_by_the_reference_and_said(name, capsys):
    mine = engine.ready(name, doubling if name == "05-9" else int)
    assert capsys.readouterr().out.startswith(f"Step {name[3]} of yours is not done yet")
    if isinstance(mine, type):
        assert mine(2.5).data == 2.5
    scope = built(name)
    run_in(scope, solutions()[name])
    own = scope[mine.__name__]
    assert engine.ready(name, own) is own
    assert capsys.readouterr().out == ""


def doubling(a):
    return ...


def test_ours_stands_beside_yours_once_yours_is_there():
    assert "your loop" not in repr(engine.beside(int))
    said = repr(engine.beside(built()["Value"]))
    assert said.startswith("your loop\n\ndef backward(result):\n    counts = count_parts(result)")
    assert "node = heappop(ready)[1]" in said
    html = engine.beside(int)._repr_html_()
    assert "tabindex" in html
    assert "white-space:pre;" in html  # a line of code that is too long scrolls


def test_our_whole_loop_is_python_and_folded():
    shown = engine.beside(int)
    _heading, text = shown.whole
    loop, after = ast.parse(text).body
    assert text.startswith("while True:\n    #")
    assert isinstance(loop, ast.While)
    assert isinstance(after, ast.For)
    at_once, folded = shown._repr_html_().split("<details>")
    assert "IndexedGradient" in folded
    assert "IndexedGradient" not in at_once


def test_what_is_at_once_seen_of_our_loop_are_the_lines_that_are_like_yours():
    shown = engine.beside(int)
    ((_heading, text),) = shown.pairs
    lines = text.splitlines()
    assert len(lines) <= 28
    whole = iter(shown.whole[1].splitlines())
    assert all(line in whole for line in lines if line.strip() != "…")  # in this order
    for begin in engine._LIKE_YOURS:
        assert any(line.lstrip().startswith(begin) for line in lines), begin
    assert "…\n…" not in re.sub(r"^ +", "", text, flags=re.MULTILINE)
