"""The line that an operation ran in is found, or was kept; where several can be meant, none is."""

import sys

import pytest

import minigrad as mg
from tests.help.program import run

X = "x = torch.tensor([0., 4.], requires_grad=True)\n"
TWO = "def f(v):\n    return v.sqrt()\ndef g(v):\n    return v.sqrt()\nboth = [f, g]\n"

# name: (program that leaves loss, the number of the line to name, or None for none)
RAN = {
    "a property": (
        ("class A:\n    def __init__(s, v):\n        s.v = v\n    @property\n    def root(s):\n"
        "        return s.v.sqrt()\nloss = A(x).root.sum()"), 7,
    ),
    "over several lines": ("loss = (\n    x\n    .sqrt()\n    .sum()\n)", 4),
    "a function that nobody mentions": (
        "def unused(v):\n    return v.sqrt()\nloss = [v.sqrt() for v in x][0]", 4,
    ),
    "by what is given": (
        ("def a(v):\n    return (v * v).sum().sqrt()\ndef b(v):\n    return (v + 0).sqrt()\n"
        "loss = [b(x), a(x + 1)][0].sum()"), 5,
    ),
    "by what it is used for": (
        ("def a(v):\n    return v.sqrt().exp()\ndef b(v):\n    return v.sqrt().sum()\n"
        "loss = [b(x), a(x + 1)][0] * 1"), 5,
    ),
    "logging is no logarithm": (
        ("class A:\n    def log(s, what, v):\n        pass\n    def run(s, v):\n"
        "        s.log('v', v)\n        return v.log().sum()\nloss = {'a': A().run}['a'](x)"), 7,
    ),
    "either of two functions": (TWO + "loss = both[0](x).sum()", None),
}  # fmt: skip


@pytest.mark.parametrize("name", RAN)
def test_the_line_is_named(name):
    program, number = RAN[name]
    said = str(run(f"{X}{program}\nsaid = torch.explain(loss)")["said"])
    (told,) = [line for line in said.splitlines() if line.startswith("At ")]
    if number is None:
        assert "line 3 " not in told
        assert "line 5 " not in told
    else:
        assert f"(line {number} of learner.py" in told, said


@pytest.mark.parametrize("block", ["torch.watch()", "torch.autograd.detect_anomaly()"])
@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_a_line_that_was_kept_is_certain(block):
    program = f"{TWO}with {block}:\n    loss = both[1](x).sum()\nsaid = torch.explain(loss)"
    assert "At SqrtBackward0 (line 5 of learner.py" in str(run(X + program)["said"])


def test_the_line_of_another_file_is_named(tmp_path, monkeypatch):
    (tmp_path / "lengths_of.py").write_text("def length(v):\n    return (v * v).sum().sqrt()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    program = "import lengths_of\nloss = getattr(lengths_of, 'length')(x * 0)"
    said = str(run(f"{X}{program}\nsaid = torch.explain(loss)")["said"])
    sys.modules.pop("lengths_of")
    assert "At SqrtBackward0 (line 2 of lengths_of.py: `return (v * v).sum().sqrt()`)" in said


def test_a_value_is_named_as_a_program_gets_at_it():
    from minigrad.help.source.variables import held

    class Box:
        pass

    box, h = Box(), mg.ones(1)
    box.states, box.own = {"a": [h]}, box
    assert [each.path for each in held({"box": box}) if each.thing is h] == ["box.states['a'][0]"]
    assert [each.path for each in held({"f": lambda: h}) if each.thing is h] == ["h"]
