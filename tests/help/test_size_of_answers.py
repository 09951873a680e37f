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


def test_the_time_of_an_answer_grows_with_the_program_and_not_with_its_square():
    def seconds(count):
        clock = "from time import process_time as now\n"
        timed = "\n".join(["start = now()", "torch.explain(x)", "taken = now() - start"] * 2)
        return run(f"{clock}{many(count)}\n{timed}")["taken"]

    assert min(seconds(1600) for _ in range(2)) < 9 * min(seconds(400) for _ in range(2))
