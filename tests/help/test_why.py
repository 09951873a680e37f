"""`why` tells the last error again, and answers those that Python itself raises."""

import sys

import pytest

import minigrad as mg
from tests.help.program import run

X = "x = torch.ones(1, requires_grad=True)\n"
RETURNS_NOTHING = "def train(x):\n    x * 2\n" + X

# name: (program, the error, first sentence, and what to do)
ERRORS = {
    "a function that returns nothing": (
        RETURNS_NOTHING + "loss = train(x)\nloss.backward()",
        AttributeError,
        "loss is None, so it has no backward.",
        "Try: end train() with `return` and the result.",
    ),
    "the same without a name": (
        RETURNS_NOTHING + "train(x).backward()",
        AttributeError,
        "train(x) is None, so it has no backward.",
        "Try: end train() with `return` and the result.",
    ),
    "an empty grad": (
        X + "x.grad.zero_()",
        AttributeError,
        "x.grad is None: no backward pass has filled it",
        "Try: `if x.grad is not None` before it, and so before each line like it",
    ),
    "a step without a gradient": (
        X + "with torch.no_grad():\n    x -= 0.1 * x.grad",
        TypeError,
        "x.grad is None: no backward pass has filled it",
        "Try: run it after loss.backward()",
    ),
    "a number in the place of a loss": (
        X + "loss = (x * 2).item()\nloss.backward()",
        AttributeError,
        "loss is a plain float, which has no history",
        "Try: keep it a tensor there, and leave item() out (line 2 of learner.py).",
    ),
    "a total that began as a number": (
        "total = 0.0\ntotal.backward()",
        AttributeError,
        "total is a plain float, which has no history",
        "Try: compute total with tensors from the leaves on.",
    ),
    "backward of backward": (
        X + "x.sum().backward().backward()",
        AttributeError,
        "backward() returns None, so nothing can be asked of its result.",
        "Try: x.sum().backward() in a line of its own.",
    ),
    "inside a function, over two lines": (
        "def step(w):\n    return (\n        w.grad\n        .data)\n" + X + "step(x)",
        AttributeError,
        "w.grad is None: no backward pass has filled it",
        "Try: run it after loss.backward()",
    ),
    "an error with a note": (
        X + "y = (x * x).sum()\ny.backward()\ny.backward()",
        RuntimeError,
        "MulBackward0 lets go of the values it had saved as soon as a pass has used them.",
        "Try: pass retain_graph=True to the earlier call",
    ),
}

# Errors that have nothing to do with gradients: nothing is said of them.
OTHERS = [
    "{}['a']",
    "None.append(1)",
    "'text'.backward()",
    "(1.5).nonsense",
    "None + 1",
    "def f(: pass",
]


def error_of(program, kind=Exception):
    with pytest.raises(kind) as caught:
        run(program, mg=mg)
    return caught.value


@pytest.mark.parametrize("name", ERRORS)
def test_the_cause_and_what_to_do(name):
    program, kind, first, do = ERRORS[name]
    said = mg.why(error_of(program, kind)).sentences
    assert said[0].startswith(first)
    assert any(sentence.startswith(do) for sentence in said)


def test_where_a_note_names_the_line_it_is_told():
    said = str(mg.why(error_of(ERRORS["an error with a note"][0])))
    assert "line 3 of learner.py: `y.backward()` ran a backward pass" in said


@pytest.mark.parametrize("program", OTHERS)
def test_other_errors_are_not_explained(program):
    error = error_of(program)
    said = mg.why(error).sentences
    assert said[0].startswith(f"{type(error).__name__}: ")
    assert not any("Try: " in each for each in said)


def test_the_last_error_that_nobody_caught(monkeypatch):
    monkeypatch.setattr(sys, "last_value", error_of(X + "x.grad.zero_()"), raising=False)
    assert mg.why().sentences[0].startswith("x.grad is None")
    monkeypatch.delattr(sys, "last_value")
    assert str(mg.why()).startswith("No error is being handled")


def test_what_is_no_error_is_refused():
    with pytest.raises(TypeError, match="takes an exception, not int"):
        mg.why(3)


def test_looking_calls_nothing():
    """The failing expression is looked up, never run again."""
    ran = []
    program = "def train():\n    ran.append(1)\ntrain().backward()"
    with pytest.raises(AttributeError) as caught:
        run(program, ran=ran)
    assert "train() returned None" in str(mg.why(caught.value))
    assert ran == [1]


@pytest.mark.parametrize("name", ["mg", "torch", "autograd_engine"])
def test_advice_is_spelled_as_the_reader_imports(name):
    variables = {}
    program = f"import minigrad as {name}\nx = {name}.ones(2, requires_grad=True)\n"
    program += f"x.backward({name}.ones(3))"
    with pytest.raises(RuntimeError) as caught:
        exec(compile(program, "spelled.py", "exec"), variables)
    assert f"as {name}.ones_like(x) has" in caught.value.__notes__[0]


def test_looking_at_a_result_warns_of_nothing(recwarn):
    program = "w = torch.ones(2, requires_grad=True) * 2\nw.sum().backward()\nw.grad.zero_()"
    error = error_of(program, AttributeError)
    assert len(recwarn) == 1  # of the program's own line
    assert "ones(2) * 2).requires_grad_()" in str(mg.why(error))
    assert len(recwarn) == 1


# name: (program that ends in `w.grad`, what is said, what is not)
RESULTS = {
    "a leaf that a name still has": (
        "leaf = torch.ones(2, requires_grad=True)\nw = leaf * 2",
        ["w.retain_grad()", "line 2 of"], ["requires_grad_()"],
    ),
    "a leaf that is in a list": (
        "leaves = [torch.ones(2, requires_grad=True)]\nw = leaves[0] * 2",
        ["w.retain_grad()"], ["requires_grad_()"],
    ),
    "two that can have made it, one of which binds the name": (
        ("def start():\n    return torch.full((2,), 0., requires_grad=True) * 2\n"
        "w = torch.ones(2, requires_grad=True) * 3"),
        ["line 3 of"], ["line 2 of", "retain_grad"],
    ),
    "another that is filled with other numbers": (
        ("def start():\n    return torch.zeros(2, requires_grad=True) * 2\n"
        "w = torch.ones(2, requires_grad=True) * 3"),
        ["line 3 of"], ["line 2 of"],
    ),
    "another operation": (
        "v = torch.zeros(2, requires_grad=True) / 2\nw = torch.ones(2, requires_grad=True) * 3",
        ["line 2 of"], ["(line 1 of"],
    ),
    "another shape": (
        "v = torch.zeros(3, requires_grad=True) * 2\nw = torch.ones(2, requires_grad=True) * 3",
        ["line 2 of"], ["(line 1 of"],
    ),
    "a parameter": (
        "w = mg.nn.Parameter(mg.ones(2)).double()",
        ["Try: `mg.nn.Parameter(mg.ones(2).double())` there"], ["retain_grad"],
    ),
    "asked by its method": (
        "w = mg.ones(2).requires_grad_() * 3",
        ["Try: `(mg.ones(2) * 3).requires_grad_()` there"], ["retain_grad"],
    ),
    "an update that is recorded": (
        "w = torch.ones(2, requires_grad=True)\nw.sum().backward()\nw = w - 0.1 * w.grad",
        ["line 3 of", "`w -= 0.1 * w.grad`"], ["retain_grad", "which asks last"],
    ),
    "emptied": (
        "w = torch.ones(2, requires_grad=True)\nw.sum().backward()\nw.grad = None",
        ["set to None since (line 3 of", "before that line"], ["if w.grad"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore")
def test_why_a_gradient_is_none(name):
    program, there, absent = RESULTS[name]
    said = str(mg.why(error_of(f"{program}\nw.grad.norm()", AttributeError)))
    assert [phrase for phrase in there if phrase not in said] == [], said
    assert [phrase for phrase in absent if phrase in said] == [], said


ROUNDS = """class Agent:
    def __init__(self):
        self.kept = []
    def act(self, x):
        self.kept.append((x * x).sum())
agent = Agent()
"""

# name: (program of which a second backward fails, what is advised, what is not)
COLLECTED = {
    "a list of an object": (
        ROUNDS + "for i in range(2):\n    agent.act(x)\n    sum(agent.kept).backward()",
        "empty agent.kept in each round", "retain_graph",
    ),
    "a list that the loop goes through": (
        ROUNDS + "agent.act(x)\nagent.kept.append(agent.kept[0])\n"
        "for each in agent.kept:\n    each.backward()",
        "backward() once, below the loop", "retain_graph",
    ),
    "a list that was filled before the loop": (
        "kept = []\nkept.append((x * x).sum())\nfor i in range(2):\n    kept[0].backward()",
        "compute inside of the loop all that a round needs", "retain_graph",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COLLECTED)
def test_a_list_that_grows_is_emptied_and_no_other(name):
    program, advice, absent = COLLECTED[name]
    with pytest.raises(RuntimeError) as caught:
        run(X + program, __name__="__main__")
    said = str(mg.why(caught.value))
    assert advice in said, said
    assert absent not in said, said
