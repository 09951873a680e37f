"""Questions from another file than the program's: the answers are those at the program's end."""

import importlib
import linecache
import sys

import pytest

import minigrad as mg
from tests.help.program import NAME
from tests.help.situation import IMPORT, SEED, situations

ASKED = [
    "loss_of_layers_in_a_list",
    "loss_of_an_encoder_that_is_cut_off",
    "first_layer_of_two_at_0_whose_gradients_were_emptied",
    "weight_replaced_after_the_optimizer",
    "net_cell_ran_again",
    "grad_of_the_middle",
]
BY_NAME = {each.name: each for each in situations()}
FAILING = """import minigrad as torch

w = torch.zeros(3, requires_grad=True)
for epoch in range(5):
    loss = (w - 1).pow(2).sum()
    loss.backward()
    w = w - 0.1 * w.grad
    w.grad.zero_()
"""


def asked(text):
    """What ``answer`` is in a file of this text, which asks."""
    name = "asking.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    variables = {"__name__": "asking"}
    exec(compile(text, name, "exec"), variables)
    return variables["answer"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that modules are imported from, and that runs stand in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("learner", None)
    importlib.invalidate_caches()


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("how", ["from learner import *", "import learner", "import runpy"])
@pytest.mark.filterwarnings("ignore")
def test_asked_of_a_module_that_has_run(folder, name, how):
    situation = BY_NAME[name]
    (folder / NAME).write_text(f"{IMPORT}{SEED}{situation.program}{situation.after}\n")
    question, given = situation.ask.rstrip(")").split("(")
    if how == "import learner":
        given = ", ".join(f"learner.{each}" for each in given.split(", "))
    if how == "import runpy":
        how = f"import runpy\nran = runpy.run_path({str(folder / NAME)!r})"
        given = ", ".join(f"ran[{each!r}]" for each in given.split(", "))
    said = asked(f"import minigrad as other\n{how}\nanswer = other.{question[3:]}({given})\n")
    assert str(said) == situation.as_file()


@pytest.mark.filterwarnings("ignore")
def test_an_error_is_read_where_it_was_raised(folder):
    (folder / NAME).write_text(FAILING)
    lines = ["try:", "    import learner", "except AttributeError as error:"]
    said = asked("\n".join(["import minigrad as mg", *lines, "    answer = mg.why(error)", ""]))
    assert said.sentences[-1].startswith(
        "Try: `w -= 0.1 * w.grad` inside `with torch.no_grad():`, which changes the leaf itself"
    )
    assert "line 7 of learner.py" in str(said)


@pytest.mark.filterwarnings("ignore")
def test_lines_that_train_what_they_imported_are_read_themselves(folder):
    (folder / NAME).write_text("import minigrad as mg\n\nnet = mg.nn.Linear(2, 1)\n")
    text = "import minigrad as mg\nfrom learner import net\nloss = net(mg.ones(1, 2)).detach()\n"
    said = asked(f"{text}answer = mg.explain(loss, net.weight)\n")
    assert "line 3 of asking.py" in str(said)
    assert mg.explain(mg.ones(1)).sentences
