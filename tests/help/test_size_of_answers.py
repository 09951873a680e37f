"""The size of an answer does not grow with the program."""

import ast

import minigrad as mg
from minigrad.help.source.syntax import copied
from tests.help.program import run


def many(count):
    """A leaf with so many results under names."""
    lines = ["x = torch.tensor(2., requires_grad=True)"]
    lines += [f"y{k} = x * {k}" for k in range(count // 2)]
    lines += [f"z{k} = x.detach() * {k}" for k in range(count // 2)]
    return "\n".join(lines)


def test_a_thousand_names_are_told_in_a_few_sentences():
    few, more = (
        run(f"{many(count)}\nsaid = torch.explain(x)")["said"].sentences for count in (20, 1000)
    )
    assert len(few) == len(more) <= 9
    assert sum(map(len, more)) < 1.1 * sum(map(len, few))
    assert "The same can be asked of 497 more results of x." in more
    assert "498 more ways are cut." in more


def test_what_is_said_of_three_is_said_of_each():
    said = run(f"{many(6)}\nsaid = torch.explain(x)")["said"].sentences
    assert sum("would fill" in sentence for sentence in said) == 3
    assert sum("is cut" in sentence for sentence in said) == 3
    assert mg.__name__ not in "".join(said)


COUNTED = """
import sys
calls = 0
def called(frame, event, argument):
    global calls
    calls += 1
torch.explain(x)
sys.setprofile(called)
torch.explain(x)
sys.setprofile(None)
"""


def rounds(count):
    """A training whose losses are taken in parts, below so many loops that measure."""
    lines = [
        "net = torch.nn.Linear(2, 1)",
        "points = torch.linspace(-1.0, 1.0, 8).view(4, 2)",
    ]
    for k in range(count):
        lines += [
            f"def size_{k}(values):",
            f"    return (values * {k}).pow(2).sum()",
            f"for turn_{k} in range(2):",
            f"    size_{k}(points + turn_{k})",
        ]
    lines += [
        "x = net(points).pow(2).mean()",
        "other = net(points).sum()",
        "x = x + net(points * 2).mean()",
    ]
    return "\n".join(lines)


def test_the_work_of_an_answer_grows_with_the_program_and_not_with_its_square():
    for program, counts in ((many, (50, 200)), (rounds, (10, 40))):
        few, more = (run(f"{program(count)}{COUNTED}")["calls"] for count in counts)
        assert 10_000 < more < 5 * few


def test_a_copied_part_has_nothing_of_what_a_traceback_noted_in_shared_nodes(monkeypatch):
    tree, part = ast.parse("y = np.exp(x)"), ast.parse("np.exp(k)", mode="eval").body
    assert tree.body[0].value.args[0].ctx is part.args[0].ctx  # Python has one of them for all
    monkeypatch.setattr(part.args[0].ctx, "parent", tree, raising=False)
    assert not hasattr(copied(part).args[0].ctx, "parent")
