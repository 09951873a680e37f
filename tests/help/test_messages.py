"""Every message that help knows is one that this package raises, and its advice works."""

import re
import tomllib
from importlib.resources import files

import pytest

import minigrad as mg
from minigrad.help.errors.last_error import by_its_text
from tests.help.failing import FAILING

KNOWN = tomllib.loads((files("minigrad") / "help" / "errors" / "messages.toml").read_text("utf-8"))


def run(program, library):
    exec(compile(program, "failing.py", "exec"), {"torch": library})


def check(name, library):
    failing, mended = FAILING[name]
    with pytest.raises(Exception) as caught:
        run(failing, library)
    said = by_its_text(caught.value)
    assert len(said) == 2
    assert said[1].startswith("Try: ")
    assert not re.search(r"\{\d\}", "".join(said))
    first = KNOWN[name]["why"].split("{")[0]
    assert said[0].startswith(first)
    run(mended, library)


def test_each_has_a_program():
    assert list(KNOWN) == list(FAILING)


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_advised_works(name):
    check(name, mg)


#: what the text alone tells of these is told by `why`
ONLY_ASKED = {
    *("inference", "assigned-shape", "flag-set", "indices", "gradient-type"),
    *("not-registered", "grads-batched"),
    *(
        "stack-sizes",
        "cat-sizes",
        "no-places",
        "place",
        "places",
        "dimension",
        "tensors-in-a-tensor",
    ),
}


def note_below(program):
    """The note below the error that a program ends in; empty for none."""
    with pytest.raises(Exception) as caught:
        run(program, mg)
    return "\n".join(getattr(caught.value, "__notes__", ()))


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_helps_stands_below_an_error_of_this_package(name):
    note = note_below(FAILING[name][0])
    if name in ONLY_ASKED:
        assert note == ""
    else:
        assert re.search(r"Why: +\S.*\nTry: +\S", note)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("torch.nn.Linear(2, 1)(torch.tensor([[1, 2]]))", "these are Long and Float"),
        ("torch.nn.Linear(3, 1)(torch.ones(2, 2))", "the same number in both, 2 or 3"),
        ("bool(torch.ones(2) > 0)", "torch.where(...) to choose by element"),
        ("torch.optim.SGD([], lr=0.1)", "The optimizer was given no parameters"),
    ],
)
def test_the_note_has_the_words_of_the_message(program, said):
    assert said in note_below(program)


@pytest.mark.parametrize("program", ["None.backward()", "(2.0).backward()", "[1][2]", "torch.off"])
def test_errors_of_pythons_own_stay_as_they_are(program):
    assert note_below(program) == ""


def test_a_note_is_told_before_what_the_text_alone_tells():
    x = mg.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError) as caught:
        (x * 3).backward()
    assert "has 2 elements" in str(mg.why(caught.value))


def test_numbers_of_the_message_are_told():
    with pytest.raises(IndexError) as caught:
        mg.ones(4, 2)[0, 3]
    assert "a dimension of size 2" in str(mg.why(caught.value))


def test_what_is_no_message_of_ours_is_not_explained():
    assert by_its_text(ValueError("the size of tensor is fine")) == []


def test_advice_is_spelled_as_the_package_that_raised_it_is_imported():
    with pytest.raises(ValueError, match="non-leaf") as caught:
        raise ValueError("optimizer got an empty parameter list, not a non-leaf")
    assert not any("mg." in sentence for sentence in by_its_text(caught.value))
    with pytest.raises(RuntimeError) as caught:
        mg.ones(1).expand(3).view(2)
    assert "mg." not in str(caught.value)
    with pytest.raises(RuntimeError) as caught:
        mg.ones(2).retain_grad()
    caught.value.__notes__.clear()
    assert mg.why(caught.value).sentences[0].startswith("No gradient comes to a tensor")
    with pytest.raises(RuntimeError) as caught:
        bool(mg.ones(2) > 0)
    assert "mg.where(...)" in str(mg.why(caught.value))


def test_each_sentence_of_an_answer_is_said_somewhere():
    folder = files("minigrad") / "help"
    source = "".join(each.read_text("utf-8") for each in folder.rglob("*.py"))
    known = tomllib.loads((folder / "words" / "answers.toml").read_text("utf-8"))
    assert set(re.findall(r"\btell\(\s*['\"]([\w-]+)", source)) == set(known)
