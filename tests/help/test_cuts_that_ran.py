"""Lines that took a history away are known because they ran, not because somebody read them."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import minigrad as mg
from minigrad.autograd.around import Around
from minigrad.extras import recorded_cuts
from minigrad.extras.recorded_cuts import LINES, NUMBERS, TABLE, cuts_of
from tests.help.program import run

ROOT = Path(__file__).resolve().parents[2]
X = "x = torch.tensor([1., 2.], requires_grad=True)\n"

# name: (program that leaves y and x, the number of the line to blame, a phrase, what stays unsaid)
RAN = {
    "a method chosen at run time": (
        ("class A:\n    def cut(self, t):\n        return t.detach()\n    def keep(self, t):\n"
        "        return t * 1\ny = getattr(A(), 'c' + 'ut')(x * 2).sum()"), 4, "detach()", "line 6",
    ),
    "a function in a dict": (
        ("steps = {'a': lambda t: t * 2,\n         'b': lambda t: t.detach()}\n"
        "y = x\nfor k in steps:\n    y = steps[k](y)"), 3, "detach()", "line 2 ",
    ),
    "a comprehension in a dict": (
        "parts = {k: x[k].detach() for k in range(2)}\ny = parts[0] + parts[1]", 2, "detach()", "",
    ),
    "an attribute": (
        "class Box:\n    pass\nbox = Box()\nbox.value = x.data\ny = box.value * 2", 5, ".data", "",
    ),
    "a generator": (
        "def each():\n    for t in x:\n        yield t.detach()\ny = sum(each())",
        4, "detach()", "",
    ),
    "a generator that delegates": (
        ("def inner():\n    yield x.detach()\ndef outer():\n    yield from inner()\n"
        "y = next(outer()) * 2"), 3, "detach()", "line 5",
    ),
    "a map": ("y = torch.stack(list(map(torch.Tensor.detach, [x, x])))", 2, "detach()", ""),
    "one branch of three": (
        ("def f(t, how):\n    if how == 1:\n        return t.detach()\n    elif how == 2:\n"
        "        return t.data\n    return t * 2\ny = f(x, 2)"), 6, ".data", "line 4",
    ),
    "grad mode off in a caller": (
        ("def f(t):\n    return t * 2\ndef g():\n    with torch.no_grad():\n        return f(x)\n"
        "y = g()"), 6, "no_grad was on (line 5 of", "still",
    ),
    "grad mode off by hand": (
        "off = torch.no_grad()\noff.__enter__()\ny = x * 2\noff.__exit__()",
        4, "grad mode was off, since line 3 of", "yield",
    ),
    "grad mode off in the caller's decorator": (
        "def f(t):\n    return t * 2\n@torch.no_grad()\ndef g():\n    return f(x)\ny = g()",
        4, "g(...) is decorated: no_grad was on", "",
    ),
    "grad mode off in a function": (
        ("def f():\n    torch.set_grad_enabled(False)\nf()\ny = x * 2\n"
        "torch.set_grad_enabled(True)"), 3, "because f() did not turn it on again", "",
    ),
    "grad mode off above": (
        "torch.set_grad_enabled(False)\ny = x * 2\ntorch.set_grad_enabled(True)",
        2, "grad mode was still off at line 3 of", "because",
    ),
    "inference mode left, and no_grad inside": (
        "with torch.inference_mode(False):\n    with torch.no_grad():\n        y = x * 2",
        4, "no_grad was on", "inference",
    ),
    "a generator that waits inside of no_grad": (
        ("def f():\n    with torch.no_grad():\n        yield 2\nit = f()\nk = next(it)\ny = x * k\n"
        "it.close()"), 3, "no_grad was still on at line 7 of", "",
    ),
    "a number that is handed on": (
        "box = [x.sum().item()]\ny = torch.tensor(box[0]) * 2", 2, "item()", "",
    ),
    "an array that is handed on": (
        "box = {'a': (x * 2).detach().numpy()}\ny = torch.from_numpy(box['a'])", 2, "numpy()", "",
    ),
    "a cast": ("y = x.long() * 2", 2, "integers", ""),
    "a comparison": ("y = (x > 1).float().sum()", 2, "a comparison", ""),
    "positions": ("y = x.argmax() * 1.", 2, "positions", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", RAN)
def test_the_line_that_ran_is_named(name):
    program, line, phrase, absent = RAN[name]
    said = str(run(f"{X}{program}\nsaid = torch.explain(y)")["said"])
    assert phrase in said, said
    assert f"(line {line} of learner.py" in said, said
    assert not absent or absent not in said, said
    assert "If this line ran" not in said
    assert "unknown" not in said


@pytest.mark.parametrize("name", RAN)
def test_an_error_names_the_same_line(name):
    program, line, phrase, _ = RAN[name]
    with pytest.raises(RuntimeError) as caught:
        run(f"{X}{program}\ny.sum().backward()")
    (note,) = caught.value.__notes__
    assert phrase in note, note
    assert f"line {line} of learner.py" in note, note
    assert "requires_grad=True on the leaves" not in note


def test_what_ran_without_a_history_is_not_blamed():
    program = X + (
        "def tidy(t):\n    return t.detach() if not t.requires_grad else t\n"
        "d = tidy(torch.ones(2))\ny = (tidy(x) * d).sum()\nsaid = torch.explain(y, x)"
    )
    said = run(program)["said"].sentences
    assert said[0].startswith("There is a recorded path from y back to x")
    assert not any("cut" in sentence for sentence in said[1:])


def test_what_is_known_of_an_array_is_forgotten_with_it():
    x = mg.ones(2, requires_grad=True)
    gc.collect()
    before = len(TABLE)
    kept = [(x * k).detach().numpy() for k in range(50)]
    assert [cuts_of(array)[-1].what for array in kept] == ["detach"] * 50
    assert len(TABLE) == before + 50
    del kept
    gc.collect()
    assert len(TABLE) == before


def test_a_leaf_that_asks_for_gradients_keeps_no_line_unless_a_history_ended_there():
    lines = dict(LINES)
    assert cuts_of(mg.tensor([1.0, 2.0], requires_grad=True)) == ()
    assert [cut.what for cut in cuts_of(mg.tensor([1.0, 2.0]))] == ["tensor"]
    assert lines == LINES  # to make a tensor from values takes no history away
    x = mg.tensor(2.0, requires_grad=True)
    assert [cut.what for cut in cuts_of(mg.tensor(x.item(), requires_grad=True))] == [
        "tensor", "item",
    ]  # fmt: skip


def test_a_loop_that_detaches_grows_nothing():
    h = mg.ones(2, requires_grad=True)
    lines = len(LINES)
    for _ in range(300):
        h = mg.tensor((h * 2).detach().sum().item(), requires_grad=True)
    assert len(LINES) <= lines + 3
    assert max(len(cut.leaves) for cut in [*LINES.values()][lines:]) <= 2
    assert len(NUMBERS) <= 16
    assert len(cuts_of(mg.tensor(h.item()))) <= 4


def test_a_line_in_a_loop_over_leaves_knows_each_of_them_once():
    weights = [mg.tensor(float(n), requires_grad=True) for n in range(100)]
    LINES.clear()
    for _ in range(3):
        copies = [weight.detach() for weight in weights]
    (line,) = LINES.values()
    assert [leaf() for leaf in line.leaves] == weights
    (cut,) = cuts_of(copies[7])
    assert [leaf() for leaf in cut.leaves] == [weights[7]]


def test_work_with_a_history_asks_for_no_line(monkeypatch):
    asked = []
    monkeypatch.setattr(Around, "cut", staticmethod(lambda result, *_: asked.append(_) or result))
    net = mg.nn.Sequential(mg.nn.Linear(4, 3), mg.nn.Tanh(), mg.nn.Linear(3, 2))
    x = mg.ones(5, 4)
    asked.clear()
    loss = mg.nn.functional.cross_entropy(net(x), mg.zeros(5, dtype=mg.int64))
    asked.clear()
    for _ in range(2):
        out = net(x)
        loss = ((out * out).sum(1)[:3] / 2).exp().mean()
        loss.backward()
    assert asked == []


def test_an_optimizer_leaves_no_lines():
    w = mg.ones(2, requires_grad=True)
    optimizer = mg.optim.Adam([w], weight_decay=0.1)
    (w * w).sum().backward()
    lines = len(LINES)
    optimizer.step()
    assert len(LINES) == lines
    assert cuts_of(w) == ()


def test_a_file_that_was_run_again_counts_as_it_is_now():
    run(X + "y = x.detach()")
    said = str(run(X + "y = x * 2\nsaid = torch.explain(y, x)")["said"])
    assert "There is a recorded path" in said
    assert "detach" not in said


# -- pieces of programs ----------------------------------------------------------------------------


@pytest.fixture
def shell():
    """A notebook's shell without a notebook."""
    shell = InteractiveShell.instance()
    shell.reset(new_session=True)
    yield shell
    shell.run_line_magic("unload_ext", "minigrad")
    InteractiveShell.clear_instance()


def in_cells(shell, *cells):
    """What the last of these cells answers."""
    for cell in cells:
        result = shell.run_cell(cell, store_history=True)
    return str(result.result)


START = "import minigrad as mg\nx = mg.ones(2, requires_grad=True)\ny = x * 2"


def test_below_the_line_at_which_a_cell_failed_nothing_has_run(shell):
    said = in_cells(shell, START, "z = y.sum()\n1 / 0\nz = y.detach().sum()", "mg.explain(z, x)")
    assert said.startswith("There is a recorded path from z back to x")
    assert "detach" not in said


def test_what_a_cell_did_before_it_failed_has_run(shell):
    said = in_cells(shell, START, "z = y.detach()\nz[9]\nz = y", "mg.explain(z, x)")
    assert "The path breaks here: detach()" in said
    assert "line 1 of cell In[2]: `z = y.detach()`" in said


def test_a_line_that_failed_has_bound_nothing(shell):
    said = in_cells(shell, START, "y = (x * 3).nothing()", "mg.explain(y)")
    assert "In[2]" not in said


@pytest.mark.parametrize("typed", [False, True])
def test_python_i_knows_the_lines_of_its_file_and_what_was_typed(tmp_path, typed):
    file = tmp_path / "train.py"
    cut = "y = (x * 2).detach()\n"
    file.write_text("import minigrad as mg\nx = mg.ones(2, requires_grad=True)\n" + cut)
    done = subprocess.run(
        [sys.executable, "-q", "-i", str(file)],
        input=(cut if typed else "") + "print(mg.explain(y, x))\n",
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    line = "line 3 of train.py: `y = (x * 2).detach()`"
    if typed:  # Python keeps such a line from 3.13 on
        kept = "line 1 of input 0 at the prompt: `y = (x * 2).detach()`"
        line = "an input that names `x`, `detach`, `y`" if sys.version_info < (3, 13) else kept
    assert "The path breaks here: detach()" in done.stdout, done.stderr
    assert f"({line})" in done.stdout


IN_A_FUNCTION = """import minigrad as mg
x = mg.ones(2, requires_grad=True)
def loss_of(t):
    return (t.detach() * 2).sum()
y = loss_of(x)
"""


@pytest.mark.parametrize(
    ("file", "typed", "says", "never"),
    [
        ("", "", "line 4 of train.py: `return (t.detach() * 2).sum()`", "unknown"),
        ("y.nothing()\ny = x.item()\n", "", "line 4 of train.py", "item"),
        ("", "y = x * 3\n", "recorded path from y back to x", "line 4"),
    ],
)
def test_python_i_reads_its_file_as_far_as_that_ran(tmp_path, file, typed, says, never):
    (tmp_path / "train.py").write_text(IN_A_FUNCTION + file)
    done = subprocess.run(
        [sys.executable, "-q", "-i", "train.py"],
        input=typed + "del loss_of\nprint(mg.explain(y, x))\n",
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert says in done.stdout, done.stderr
    assert never not in done.stdout


# -- a pass that is watched ------------------------------------------------------------------------

HIDDEN = (
    "class A:\n    def cut(self, t):\n        return t.detach()\n"
    "w = torch.ones(2, requires_grad=True)\nkept = {}\n"
    "def fill():\n    kept['k'] = getattr(A(), 'cut')(x * 3)\n"
)


# The question is typed below a file: its functions can be read, and the lines below them cannot.
TYPED_BELOW = {
    "a leaf of numbers": (
        ("def cost(t):\n    number = (t * 2).detach().numpy().sum()\n"
        "    return torch.tensor(number, requires_grad=True)\ny = cost(x)"), "explain(y, x)",
        ["numpy()", "where tensor(...) makes the leaf y of it"], [],
    ),
    "numbers of the leaf itself": (
        ("import math\ns = torch.tensor(2., requires_grad=True)\ndef f(v, s, end):\n"
        "    w = v * math.log(s)\n    if s.item() < end:\n        return (v * w).sum()\n"
        "    return w.sum()\ny = f(x, s, 3.)"),
        "explain(s)", ["math.log(...) computes", "(line 5 of learner.py"], ["item()"],
    ),
    "a number of the leaf that is shown, or decides": (
        ("def f(s):\n    if s.sum().item() > 0:\n        text = '%.1f' % s.sum().item()\n"
        "    print(s.sum().item())\n    return 0.\ny = f(x)"),
        "explain(x)", ["no backward pass"], ["line 3", "line 5"],
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", TYPED_BELOW)
def test_a_question_typed_below_a_file_knows_the_lines_of_its_functions(name):
    program, asked, said, unsaid = TYPED_BELOW[name]
    variables = run(X + program)
    answer = str(eval(compile(f"minigrad.{asked}", "<stdin>", "eval"), variables))
    assert all(each in answer for each in said), answer
    assert not any(each in answer for each in unsaid), answer


def test_watch_knows_what_came_without_a_history_into_one_that_has_one():
    program = "with torch.watch():\n    fill()\n    y = (kept['k'] + w * 2).sum()\n{}"
    said = str(run(X + HIDDEN + program.format("said = torch.explain(y, x)"))["said"])
    assert "the history of y leads to w, not to x" in said
    assert "The path breaks here: detach()" in said
    assert "line 4 of learner.py" in said
    said = str(run(X + HIDDEN + program.format("said = torch.explain(x)"))["said"])
    assert "A way from y back to x is cut: detach()" in said


def test_without_watch_what_is_kept_is_not_said_to_break_the_path():
    program = "fill()\ny = (kept['k'] + w * 2).sum()\nsaid = torch.explain(y, x)"
    said = str(run(X + HIDDEN + program)["said"])
    assert "What was computed from x lost its history: detach()" in said
    assert "The path breaks here" not in said


def test_what_is_kept_and_was_not_used_is_not_blamed():
    program = "fill()\ny = (w * 2).sum()\nsaid = torch.explain(y, x)"
    said = str(run(X + HIDDEN + program)["said"])
    assert "detach" not in said
    assert "no line that can be read leads from x to it" in said


def test_watch_lists_the_cuts_of_its_block_alone():
    x = mg.ones(2, requires_grad=True)
    x.detach()
    with mg.watch() as tape:
        x.sum().item()
        (x > 0).any()
    x.detach()
    assert [cut.what for cut in tape.cuts] == ["item", "gt"]


LOAD = "%load_ext minigrad"


def test_the_magic_tells_where_a_history_ended_in_its_cell(shell, capsys):
    cell = "%%autograd\nd = (x * 3).detach()\nm = x > 0\nz = (d + y).sum()\nz.item()"
    said = in_cells(shell, LOAD, START, cell, "mg.explain(z, d)")
    shown = capsys.readouterr().out
    assert "In this cell a history ended in 2 lines." in shown
    assert "line 2 of cell In[3]: `d = (x * 3).detach()`" in shown
    assert "line 5 of cell In[3]: `z.item()`" in shown
    assert "comparison" not in shown
    assert "Out[3]: 10.0" in shown
    assert "d does not require grad" in said
    assert "line 2 of cell In[3]" in said


def test_the_magic_is_quiet_where_nothing_was_cut_and_passes_errors_on(shell, capsys):
    in_cells(shell, LOAD, START, "%%autograd\nz = y.sum()")
    assert "history" not in capsys.readouterr().out
    result = shell.run_cell("%%autograd\nz = y.sum()\n1 / 0\nz = 3", store_history=True)
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert in_cells(shell, "z.requires_grad") == "True"
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "----> 3 1 / 0" in shown
    assert "minigrad/" not in shown


def test_grad_mode_that_an_earlier_cell_left_off():
    cells = ["import minigrad as mg\nx = mg.ones(2, requires_grad=True)"]
    cells += ["mg.set_grad_enabled(False)", "y = x * 2", "mg.set_grad_enabled(True)"]
    shell = InteractiveShell.instance()
    try:
        assert all(shell.run_cell(cell, store_history=True).success for cell in cells)
        said = str(shell.run_cell("mg.explain(y)", store_history=True).result)
    finally:
        InteractiveShell.clear_instance()
    assert (
        "grad mode was still off at line 1 of cell In[3]: `y = x * 2` (line 1 of cell In[2]" in said
    )


def test_a_line_that_cuts_longer_and_longer_histories_looks_at_no_more_than_it_may(monkeypatch):
    monkeypatch.setattr(recorded_cuts, "MOST_WALKED", 100)
    LINES.clear()
    total = mg.zeros(())
    for _ in range(60):
        total = total + mg.ones((), requires_grad=True)
        total.item()
    (cut,) = LINES.values()
    assert 100 <= cut.walked <= 2 * 100
    assert len(cut.leaves) > 4
