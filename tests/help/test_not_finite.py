"""nan and inf: the operation where they begin is named, and what is advised mends it."""

import linecache
import math

import pytest

import minigrad as mg
from tests.help.bad_numbers import BAD, FINE, LEAF
from tests.help.program import run as learner


def run(source, library):
    names = {"mg": library}
    exec(compile(source, "numbers.py", "exec"), names)
    return names


def explained(source, library, ask):
    names = {"mg": library, "explain": mg.explain}
    exec(compile(f"{source}said = explain({ask})\n", "numbers.py", "exec"), names)
    return str(names["said"])


def is_finite(library, grad):
    return all(map(math.isfinite, grad.tolist()))


def check(name, library):
    bad = BAD[name]
    for mended in (False, True):
        names = run(bad.source(mended) + "loss.backward()\n", library)
        assert is_finite(library, names["x"].grad) is mended
    before = explained(bad.source(), library, "loss")
    assert f"At {bad.node}" in before
    assert bad.said in before
    assert "Try: " in before
    after = explained(bad.source() + "loss.backward()\n", library, "x")
    kind = "nan" if names_hold(bad, library, math.isnan) else "inf"
    assert after.startswith(f"x.grad holds {kind}.")
    assert f"At {bad.node}" in after or "a pass has freed the values" in after
    assert "slope" not in explained(bad.source(mended=True), library, "loss")


def names_hold(bad, library, is_kind):
    grad = run(bad.source() + "loss.backward()\n", library)["x"].grad
    return any(map(is_kind, grad.tolist()))


@pytest.mark.parametrize("name", BAD)
def test_where_it_begins_and_what_mends_it(name):
    check(name, mg)


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_blamed_where_gradients_are_finite(name):
    source = f"{LEAF}\n{FINE[name]}\nloss = y.sum()\n"
    assert is_finite(mg, run(source + "loss.backward()\n", mg)["x"].grad)
    assert not any(word in explained(source, mg, "loss") for word in ("inf", "nan ", "slope"))


def test_the_line_is_named_where_the_result_has_a_name(monkeypatch):
    source = BAD["sqrt of 0"].source()
    lines = (len(source), None, source.splitlines(keepends=True), "numbers.py")
    monkeypatch.setitem(linecache.cache, "numbers.py", lines)
    said = explained(source, mg, "loss")
    assert "At SqrtBackward0 (line 2 of numbers.py: `y = x.sqrt()`) the slope is 1/(2·" in said


def test_a_value_that_is_bad_from_the_start():
    source = "x = mg.tensor([1.0, mg.nan], requires_grad=True)\ny = x * 2\nloss = y.sum()\n"
    said = explained(source, mg, "loss")
    assert said.startswith("loss itself holds nan.\nOf the tensors with a name of yours, x is the ")
    assert explained(source + "loss.backward()\n", mg, "y").startswith("y itself holds nan.")


def test_looking_runs_nothing_and_changes_nothing():
    x = mg.tensor([0.0, 4.0], requires_grad=True)
    ran = []
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: ran.append(t) or t):
        y = x.sqrt()
    y.register_hook(ran.append)
    y.retain_grad()
    mg.explain(y.sum())
    assert ran == []
    assert y.grad is None


# name: (program with a loss, what the note says in anomaly mode, what it does not)
STOPPED = {
    "0 times inf at the operation itself": (
        "y = torch.where(x > 0, x.log(), x)",
        ["LogBackward0 gave nan: the slope is 1/x", "1 of its 2", "`y = torch.where(", "clamp"], [],
    ),
    "inf that a later node makes nan of": (
        "y = (x * 0)\ny = (y * y).sum().sqrt()",
        ["SqrtBackward0 gave inf: the slope is 1/(2·sqrt(0))", "MulBackward0", "`y = (y * y)"],
        [],
    ),
    "a quotient in the forward pass": (
        "y = (x * 0) / (x - 4)\ny = y * x",
        ["had saved nan or inf", "at DivBackward0: it divides by 0"], ["gave inf"],
    ),
    "a negative number": ("y = (x - 1).sqrt()", ["SqrtBackward0 gave nan", "negative"], ["0 ×"]),
    "a gradient that a hook made nan": (
        "y = x * 3\ny.register_hook(lambda g: g * torch.nan)", [], ["slope", "saved"],
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", STOPPED)
@pytest.mark.parametrize("in_it", [True, False], ids=["all in the mode", "backward in the mode"])
def test_anomaly_mode_says_where_nan_began(name, in_it):
    program, there, absent = STOPPED[name]
    lines = [LEAF.replace("mg", "torch"), *program.split("\n"), "loss = y.sum()"]
    lines.insert(0 if in_it else len(lines), "torch.autograd.detect_anomaly().__enter__()")
    with pytest.raises(RuntimeError, match="returned nan values") as caught:
        try:
            learner("\n".join([*lines, "loss.backward()"]))
        finally:
            mg.autograd.set_detect_anomaly(False)
    said = "\n".join(getattr(caught.value, "__notes__", ()))
    assert [phrase for phrase in there if phrase not in said] == [], said
    assert [phrase for phrase in absent if phrase in said] == [], said
    assert type(caught.value) is RuntimeError


def test_a_gradient_that_came_from_another_result_is_not_told_of_this_one():
    source = "x = mg.tensor([0.0, 4.0], requires_grad=True)\nx.sqrt().sum().backward()\n"
    said = explained(source + "y = (x + 1).exp().sum()\n", mg, "y, x")
    assert said.startswith("There is a recorded path from y back to x")
    assert "inf" not in said
