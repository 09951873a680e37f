"""The size of an answer does not grow with the program."""

import minigrad as mg
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


def test_the_work_of_an_answer_grows_with_the_program_and_not_with_its_square():
    few, more = (run(f"{many(count)}{COUNTED}")["calls"] for count in (50, 200))
    assert 10_000 < more < 5 * few
