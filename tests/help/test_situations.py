"""What help says to somebody who is stuck: the right line, the cause and a remedy, nothing else."""

import gc

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import minigrad
from tests.help.situation import lines_named, situations

ALL = [*situations()]
SITUATIONS = [pytest.param(each, id=each.name) for each in ALL]
TO_BE_HELPED = [
    pytest.param(
        each,
        id=each.name,
        marks=[pytest.mark.xfail(reason=each.is_missed, strict=True)] if each.is_missed else [],
    )
    for each in ALL
]
OF_A_PASS = ("A backward pass has run", "let go of", "holds the sum", "added up", "A pass has")


@pytest.fixture(scope="module")
def shell():
    """A notebook's shell without a notebook."""
    in_memory = Config(HistoryManager={"enabled": False})  # nobody asks for it in another session
    shell = InteractiveShell.instance(config=in_memory)
    shell.run_line_magic("xmode", "Minimal")  # nobody reads the tracebacks here
    gc.freeze()  # each new session collects, which takes long over all that was imported
    yield shell
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("situation", TO_BE_HELPED)
@pytest.mark.filterwarnings("ignore")
def test_a_program_in_a_file_is_helped_and_asking_again_answers_the_same(situation):
    answer, *again = situation.as_asked(2)
    assert not situation.faults(answer), answer
    assert again in ([], [answer])


@pytest.mark.parametrize("situation", TO_BE_HELPED)
@pytest.mark.filterwarnings("ignore")
def test_the_same_program_in_cells_is_helped(situation, shell):
    answer = situation.as_cells(shell)
    assert not situation.faults(answer), answer


@pytest.mark.parametrize("situation", TO_BE_HELPED[::3])  # which differs from a file by its name
@pytest.mark.filterwarnings("ignore")
def test_the_same_program_in_one_cell_with_its_question_is_helped(situation, shell):
    answer = situation.as_one_cell(shell)
    assert not situation.faults(answer), answer


@pytest.mark.parametrize("situation", SITUATIONS[::2])
@pytest.mark.filterwarnings("ignore")
def test_at_a_prompt_that_keeps_no_source_no_line_is_quoted(situation):
    assert not lines_named(situation.as_typed())


@pytest.mark.oracle
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.filterwarnings("ignore")
def test_the_mended_program_computes_what_pytorch_does(situation):
    torch = pytest.importorskip("torch")
    own, theirs = situation.computed(minigrad), situation.computed(torch)
    assert own.detach().numpy() == pytest.approx(theirs.detach().numpy(), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("situation", [each for each in ALL if each.before_backward], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_before_backward_no_pass_is_spoken_of(situation):
    said, answer = situation.as_file(program=situation.before_backward), situation.as_file()
    assert not [phrase for phrase in OF_A_PASS if phrase in said], said
    spoken_of = any(phrase in answer for phrase in OF_A_PASS) or "is None" in answer
    spoken_of = spoken_of or "If that way is to count" in answer  # as a gradient has come
    spoken_of = spoken_of or "lost its history" in answer  # where a pass has freed the way to it
    assert said == answer or spoken_of, answer
