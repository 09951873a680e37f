"""What the lessons show is true, the same twice, and there without any of the optional packages."""

import contextlib
import doctest
import io
import json
import re
import runpy
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_01
from minigrad.trace import record_backward
from tests.notebooks import linter, twice
from tests.notebooks.reading import COURSE_PAGE, FOLDER, LESSONS, cell, read, run_torch_cell

ALL = [COURSE_PAGE, *LESSONS]
TEACHER = FOLDER / "teacher"


def shown(path, cell_id, kind="text/plain"):
    """What a stored cell displays last, as text."""
    outputs = cell(path, cell_id).outputs
    printed = "".join(o.text for o in outputs if o.output_type == "stream")
    results = [o.data[kind] for o in outputs if "data" in o]
    return printed + (results[-1] if results else "")


L01, L02, L03 = LESSONS[:3]
L04 = next(path for path in LESSONS if path.name.startswith("04"))
L05 = next(path for path in LESSONS if path.name.startswith("05"))
L09 = next(path for path in LESSONS if path.name.startswith("09"))
L11 = next(path for path in LESSONS if path.name.startswith("11"))
L08 = next(path for path in LESSONS if path.name.startswith("08"))
L10 = next(path for path in LESSONS if path.name.startswith("10"))
L12 = next(path for path in LESSONS if path.name.startswith("12"))
L06 = next(path for path in LESSONS if path.name.startswith("06"))
L07 = next(path for path in LESSONS if path.name.startswith("07"))


@pytest.mark.parametrize(
    ("path", "cell_id", "said"),
    [
        (L01, "open-question", "tensor(4., grad_fn=<AddBackward0>)"),
        (L01, "picture-exp", "tensor(7.3891, grad_fn=<ExpBackward0>)"),
        (L01, "run-count", "It is 3 and 2."),
        (L01, "run-last", "It is SubBackward0."),
        (L01, "run-unasked", "tensor(6.) True\nIt is None."),
        (L01, "run-chain", "tensor(27., grad_fn=<MeanBackward0>)"),
        (L01, "notes-function-run", "tensor(7.3891) tensor(73.8906)"),
        (L01, "notes-warning", "2 The .grad attribute of a Tensor that is not a leaf Tensor"),
        (L02, "open-question", "tensor(7.)\ny = 12"),
        (L02, "predict-nudge", "0.004 0.003"),
        (L02, "picture-both", "It is 0.007001."),
        (L02, "run-early", "It is None."),
        (L02, "run-note", "It is 20."),
        (L02, "run-grad-twice", "(tensor(7.),) (tensor(12.),) None\n(tensor(12.), tensor(4.))"),
        (L02, "run-mean", "[4.5000, 4.5000]"),
        (L02, "step-model", "w1.grad = 28; w2.grad = 8; w3.grad = 10"),
        (L02, "notes-direction-run", "(tensor(3.), tensor(12.))"),
        (L02, "notes-comment-run", "(tensor([20., 28., 52.]), tensor([ 8., 16., 40.]))"),
        (L02, "notes-model-run", "tensor(28.) tensor(8.) tensor(10.)\nNone None None None None"),
        (L03, "open-question", "None tensor(18.)\ny = 9"),
        (L03, "picture-bricks-run", "tensor(6.)\ntensor(12.)\ntensor(18.)"),
        (L03, "run-none", "False MulBackward0 None\na.grad is None: a is not a leaf"),
        (L03, "run-explain", "a.grad is None: backward() fills .grad of leaves only."),
        (L03, "run-leaf", "True False\nIt is True."),
        (L03, "run-added", "It is 5.5."),
        (L03, "run-brackets", "It is [2, 4]."),
        (L03, "run-descent", "tensor(-0.9811, requires_grad=True)"),
        (L03, "notes-middle-run", "during: None\ntensor(5.) False tensor(3.)"),
        (L03, "notes-leaves-run", "False True\nFalse True\nFalse None\nTrue AddBackward0"),
        (L03, "notes-clearing-run", "SumBackward0 inf\ntensor([2., 4.])\ntensor([0., 0.])"),
        (L04, "picture-four", "leaf, .grad 8"),
        (L04, "picture-nudges", "(tensor([1., 3.]), tensor([2., 4.]))"),
        (L04, "picture-total", "tensor([31., 42.]) (tensor([31., 42.]),)"),
        (L04, "run-squares", "It is [2, 4]."),
        (L04, "run-arange", "tensor([0., 2., 4., 6.])"),
        (L04, "run-columns", "It is [4, 6]."),
        (L04, "run-softmax", "It is [0, 0, 0]."),
        (L04, "run-shape", "Mismatch in shape: grad_output[0] has a shape of torch.Size([4])"),
        (L04, "step-weights", "x.grad = [2, 0.4, 6, 0.09]"),
        (L04, "notes-tables-run", "torch.Size([2, 2, 2, 2])"),
        (L04, "notes-default-run", "grad can be implicitly created only for scalar outputs"),
        (L05, "run-overwrite", "It is 3."),
        (L05, "step-twice", "EnginePlayer: 4 steps; x.grad = 112"),
        (L05, "run-habits", "It is 112 and 80 and 80."),
        (L05, "run-again", "It is 28."),
        (L05, "own-stepper", "EnginePlayer: 3 steps; x.grad = 5; y.grad = 3"),
        (L05, "run-notes", "0.10: y = 12, grad 7\n0.16: grads 12, 4"),
        (L05, "notes-doubling-run", "(819200.0, 819199.9999999999, False)"),
        (L06, "open-question", "tensor(20.) tensor(12.) tensor(14., grad_fn=<AddBackward0>)"),
        (L06, "picture-cut", "a = 3   no grad"),
        (L06, "run-cut", "tensor([3.]) None\nIt is 4."),
        (L06, "run-constant", "tensor([True, True, True, True])\ntensor([True, True, True, True])"),
        (L06, "run-branch", "tensor(2.) False\ntensor(4.) False\nIt is 4."),
        (L06, "run-memory", "6 0\n12 0\n18 0\n0 float\nIt is True."),
        (L06, "run-data", "It is 200."),
        (L06, "step-trays", "Trays: Which trays will fill?"),
        (L06, "notes-detach-run", "tensor([2., 2., 2., 2.])\nMulBackward0 None"),
        (L06, "notes-data-run", "tensor([100.], requires_grad=True) tensor([2.])\ntensor([4.])"),
        (L07, "open-question", "0\n1\n"),
        (L07, "picture-name", "False\na means a tensor of 2 numbers in the memory [20.0855"),
        (L07, "picture-write", "True\na and b mean one tensor of 2 numbers in the memory [10, 1]"),
        (L07, "run-view", "It is 10 and 1."),
        (L07, "run-shared", "h means another tensor, of 2 numbers, in the same memory [10, 1]"),
        (L07, "run-keeps", "e   made by exp (ExpBackward0), keeps e"),
        (L07, "run-harmless", "It is [4, 4]."),
        (L07, "run-exp", "It is the write into e."),
        (L07, "run-leaf", "It is at the write."),
        (L07, "run-legal", "requires_grad=True) True 1\ntensor([5., 5., 5., 5.])"),
        (L07, "notes-address-run", "tensor([1001.])\ntensor([10.,  1.]) False True\nTrue False"),
        (L07, "notes-leaf-run", "tensor([0., 0.]) True tensor([10.,  5.], requires_grad=True)"),
        (L07, "notes-leaf-run", "(tensor([-0.9900]), 0)"),
        (L08, "picture-keeps", "MulBackward0), keeps a"),
        (L08, "picture-count", "3 tensors: 12,000 bytes.\nThe graph keeps no tensor: 0 bytes."),
        (L08, "run-sum", "It is [2, 2]."),
        (L08, "run-again", "a second time\ntensor([3., 1.])"),
        (L08, "run-retain", "tensor(12.) tensor(4.)"),
        (L08, "run-bytes", "It is 40,000."),
        (L08, "run-loop", "It is 400,000."),
        (L08, "run-time", "It is 20 and 20."),
        (L08, "step-freed", "Stepper: 5 steps"),
        (L08, "step-lab", "Together 8 × 1,000 × 4 = 32,000 bytes"),
        (L08, "try-own", "The graph keeps 3 tensors: 12,000 bytes."),
        (L08, "notes-graph-run", "(tensor(1.),) (tensor(1.),)\nMulBackward0 tensor(12.)"),
        (L09, "picture-nudge", "((tensor(12.), tensor(4.)), (tensor(12.0060),))"),
        (L09, "run-grad-backward", "tensor(6.) tensor(4.)\nIt is 10."),
        (L09, "run-backward-grad", "It is 18."),
        (L09, "run-clear", "tensor(0., grad_fn=<ZeroBackward0>)\nIt is 0."),
        (L09, "run-third", "appears to not have been used in the graph"),
        (L09, "run-hessian", "(tensor([46.,  4.]),)\ntensor([[6., 4.],\n        [4., 0.]])"),
        (L09, "run-loss", "(tensor(0.2500, requires_grad=True), tensor(1., grad_fn="),
        (L09, "step-gradient", "Stepper: 6 steps; y.grad = 4; x.grad = 6"),
        (L09, "step-tower", "Tower: z = 12. Its graph has 4 nodes"),
        (L09, "notes-retain-run", "None tensor(4., grad_fn=<MulBackward0>) None"),
        (L10, "open-question", "[tensor(1200.), tensor(1600.), tensor(-120000.)]"),
        (L10, "picture-pieces", "249.0 1992.0 8.0\n250.0 1000.0 4.0\n251.0 1004.0 4.0"),
        (L10, "picture-tape", "v6 = v5 < 1000    asked: False"),
        (L10, "run-graph", "It is 2048."),
        (L10, "run-replay", "tensor(1024.)\nIt is 512."),
        (L10, "run-length", "(tensor(5.3333), tensor(4.))"),
        (L10, "run-equal", "It is 36."),
        (L10, "run-rounds", "It is 0."),
        (L10, "run-vector", "tensor([5.1200e+01, 5.1200e+02, 5.1200e-02])"),
        (L10, "notes-static-run", "[1040.0, 1120.0, 1600.0]\n[1040.0, 1120.0, 1600.0]"),
        (L10, "notes-released-run", "tensor(True)\n204800.0 204799.984375 tensor(False)"),
        (L11, "open-question", "tensor([ 5., 15.], grad_fn=<MulConstantBackward>)"),
        (L11, "picture-drawn", "True\nz = 63"),
        (L11, "run-printed", "It is 1."),
        (L11, "run-times-one", "It is True."),
        (L11, "run-relu", "It is False."),
        (L11, "run-count", "(expected 2, got 1)\nIt is an error."),
        (L11, "run-nan", "Function 'SqrtBackward0' returned nan values in its 0th output."),
        (L11, "run-nan", "['y = mg.where(x > 0, mg.sqrt(x), 0.)']"),
        (L11, "run-hooks", "y 1.0\nb 3.0\na 4.0\nx 7.0"),
        (L11, "step-checklist", "nudging agrees: y[0] by tensor[0]: nudging says 5, you say 1."),
        (L11, "notes-kept-run", "(tensor([103., 103.]),)"),
        (L11, "notes-returns-run", "(None, [True, False])"),
        (L12, "open-question", "2.321\n2.321\n2.321"),
        (L12, "picture-rows", "leaf, .grad [2, 2, 2]"),
        (L12, "run-notes", "x.grad = [2, 0.4, 6, 0.09]\nw1.grad = 28; w2.grad = 8; w3.grad = 10"),
        (L12, "moons", "Turn 320: 398 of 400 right."),
        (L12, "run-zero", "It is curve C."),
        (L12, "run-rate", "It is curve A."),
        (L12, "run-detach", "It is curve D."),
        (L12, "run-round", "It is curve B."),
        (L12, "notes-run", "[False, False, False, False]"),
    ],
)
def test_the_golden_numbers_stand_on_the_page(path, cell_id, said):
    assert said in shown(path, cell_id)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_exercise_is_solved_and_none_fails(path):
    checks = [c for c in linter.code_cells(read(path)) if re.search(r"\bcheck\(", c.source)]
    assert checks
    for c in checks:
        assert shown(path, c.id).startswith("Not yet."), c.id


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_uses_all_it_has(path):
    source = "\n".join(c.source for c in linter.code_cells(read(path)))
    lesson = lessons.LESSONS[linter.number(read(path))]
    assert all(f'predict("{question.name}")' in source for question in lesson.predictions)
    assert all(f'check("{exercise.name}"' in source for exercise in lesson.exercises)
    assert lesson.title in read(path).cells[0].source


def test_the_lines_of_exercise_01_3_are_those_that_are_judged():
    text = cell(L01, "try-lines").source
    fenced = re.findall(r"^(mg\..+?) +# ([A-E])$", text, re.MULTILINE)
    assert {letter: line for line, letter in fenced} == lesson_01.LINES
    for letter, reason in lesson_01.REASONS.items():
        assert f"* {letter}: {reason}" in text


def test_the_sentences_to_tick_are_those_that_are_judged():
    judged = []
    for path in LESSONS:
        shown = "\n".join(c.source for c in linter.text_cells(read(path)))
        for exercise in lessons.LESSONS[linter.number(read(path))].exercises:
            options = getattr(getattr(exercise.judge, "__self__", None), "options", {})
            judged += [exercise.name] if options else []
            for letter, sentence in options.items():
                assert f"* {letter}: {sentence}" in shown, exercise.name
    assert len(judged) > 4


def test_the_turns_of_the_game_are_those_that_the_text_counts():
    (turns,) = re.findall(r"range\((\d+)\)", cell(COURSE_PAGE, "game").source)
    last = f"turn {int(turns) - 1}"
    assert f"{last.capitalize()}: 200 of 200 right." in shown(COURSE_PAGE, "game")
    text, answer = (cell(COURSE_PAGE, name).source for name in ("game-text", "game-change"))
    assert f"Turns 0 to {int(turns) - 1} are run" in text
    assert f"at {last} the border is in place." in text
    assert f"At {last} it has not come as far" in answer


def test_what_moves_on_the_course_page_comes_before_its_tables():
    """Who is new here plays first, and looks words up afterwards."""
    places = {c.id: place for place, c in enumerate(read(COURSE_PAGE).cells)}
    tables = {c.id for c in read(COURSE_PAGE).cells if c.source.count("\n|") > 2}
    assert tables == {"words", "symbols", "lessons", "later-words"}
    assert all(places["game"] < places["stepper"] < places[table] for table in tables)
    before = read(COURSE_PAGE).cells[: places["stepper"]]
    said = [linter.prose(c.source) for c in before if c.cell_type == "markdown"]
    assert sum(map(linter.words, said)) < 450
    number = shown(COURSE_PAGE, "count")
    assert f"one of the {number}, and `y` for `wrong`" in cell(COURSE_PAGE, "slowly").source


def test_the_sum_on_an_arrow_is_explained_beside_the_first_picture_that_has_one():
    scope = {"mg": mg}
    exec(cell(L02, "step-model").source.replace("mg.stepper(loss)", ""), scope)
    frames = record_backward(scope["loss"]).frames()
    told = json.dumps([frame["labels"] for frame in frames], ensure_ascii=False)
    assert set(re.findall(r"Σ\d+", told)) == {"Σ4"}
    text = cell(L02, "step-model-text").source
    assert "On an arrow, Σ4 says that four entries were added up." in text


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_cell_shows_the_same_when_it_is_run_again(path):
    """Twice, and once more after the last cell: whoever scrolls back finds what was there."""
    assert list(twice.differences(read(path))) == []


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (["x = []", "x.append(1); print(x)"], "two shows something else the second time: '[1]'"),
        (["print(len(dir()))", "new = 1"], "one shows something else at the end"),
        (
            ["import minigrad as mg\nz = mg.ones(1, requires_grad=True).exp()", "z.backward()"],
            "two",
        ),
    ],
)
def test_a_cell_that_cannot_be_run_twice_is_noticed(cells, what):
    made = [new_code_cell(source, id=name) for name, source in zip(("one", "two"), cells)]
    said = list(twice.differences(new_notebook(cells=made)))
    assert said[0].startswith(what)


@pytest.mark.parametrize("letter", "ABCDE")
def test_exactly_lines_b_and_c_raise(letter):
    line = lesson_01.LINES[letter]
    expect = pytest.raises(RuntimeError) if letter in "BC" else contextlib.nullcontext()
    with expect:
        eval(line, {"mg": mg})


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_torch_cell_says_so_without_torch(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run_torch_cell(path, mg) == "torch is missing\n"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_torch_cell_notices_a_difference(path, monkeypatch):
    class Other:
        def __getattr__(self, name):
            return getattr(mg, name)

        @staticmethod
        def tensor(value, **options):
            return mg.tensor(value + 1, **options)

    monkeypatch.setitem(sys.modules, "torch", Other())
    assert run_torch_cell(path, mg) == "different\n"


def terms(path):
    for text in linter.text_cells(read(path)):
        yield from re.findall(r"\*\*(.+?)\*\*", text.source)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_new_terms_are_in_the_list_of_words(path):
    tables = "\n".join(cell(COURSE_PAGE, name).source for name in ("words", "later-words"))
    listed = re.findall(r"^\| ([\w ]+) \|", tables, re.MULTILINE)
    assert set(terms(path)) <= set(listed)


def test_the_course_page_lists_every_lesson_with_its_title_and_minutes():
    table = cell(COURSE_PAGE, "lessons").source
    for path in LESSONS:
        title = read(path).cells[0].source
        heading = title.splitlines()[0].removeprefix("# ")
        minutes = re.search(r"^(\d+) minutes", title, re.MULTILINE)[1]
        assert re.search(rf"\[{re.escape(heading)}\]\({path.name}\) \|.*\| {minutes} \|", table)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_links_between_lessons_lead_somewhere(path):
    for text in linter.text_cells(read(path)):
        for target in re.findall(r"\]\(([^)#]+\.ipynb)\)", text.source):
            assert (FOLDER / target).exists(), target


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_teacher_notes_are_true(path):
    """The notes carry small runs; each shows what it says it shows."""
    notes = (TEACHER / f"{path.name[:2]}.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(notes, {"mg": mg}, path.stem, str(path), 0)
    assert len(example.examples) >= 3
    said = io.StringIO()
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.write)
    assert results.failed == 0, said.getvalue()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_teacher_notes_speak_of_every_question(path):
    lesson = lessons.LESSONS[path.name[:2]]
    notes = (TEACHER / f"{path.name[:2]}.md").read_text(encoding="utf-8")
    for question in (*lesson.warm_up, *lesson.predictions, *lesson.exercises):
        assert re.search(rf"\b{question.name}\b", notes), question.name
    for question in lesson.predictions:
        line = re.search(rf"^\| {question.name} \|.*$", notes, re.MULTILINE)[0]
        assert question.right.says in line, question.name
    minutes = re.search(r"^(\d+) minutes", read(path).cells[0].source, re.MULTILINE)[1]
    table = re.findall(r"^\| [A-Z][^|]+ \| (\d+) \|", notes, re.MULTILINE)
    assert sum(map(int, table)) == int(minutes)


def test_two_runs_differ_in_nothing():
    """Run the course page and compare with what is stored: it takes PyTorch where that is."""
    pytest.importorskip("pygraphviz")
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    command = [sys.executable, str(FOLDER / "execute.py"), "--check", "00"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "00_start_here.ipynb: as it was\n"), run.stderr


def test_pieces_of_one_stream_are_joined():
    notebook = new_notebook(cells=[new_code_cell("print(1, 2)")])
    pieces = [("stdout", "1"), ("stdout", " 2\n"), ("stderr", "hm\n"), ("stdout", "3\n")]
    notebook.cells[0].outputs = [
        nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces
    ]
    runpy.run_path(str(FOLDER / "execute.py"))["tidy"](notebook)
    outputs = [(output.name, output.text) for output in notebook.cells[0].outputs]
    assert outputs == [("stdout", "1 2\n"), ("stderr", "hm\n"), ("stdout", "3\n")]


def test_an_unknown_lesson_is_answered_with_the_known_ones():
    command = [sys.executable, str(FOLDER / "execute.py"), "77"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "There is no notebook 77. There are: 00, 01, 02" in run.stderr


def test_what_describes_the_machine_is_not_stored():
    for path in ALL:
        text = path.read_text(encoding="utf-8")
        assert "version" not in nbformat.reads(text, as_version=4).metadata.language_info
        assert not re.search(rf"ipykernel_\d|{FOLDERS}|site-packages|file://", text)
        assert str(FOLDER.parent) not in text
        found = [ABSOLUTE.search(string) for string in strings(json.loads(text))]
        assert not any(found), next(filter(None, found))


FOLDERS = "|".join(f"/{name}/" for name in ("home", "root", "tmp"))
#: A path from the root of a file system: not the end of an address, a tag or a relative path.
ABSOLUTE = re.compile(r"(?<![\w.:/<+])/(?:[\w.+-]+/)+")


def strings(value):
    """Every string in a parsed JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def test_an_absolute_path_is_noticed():
    file = "/".join(("", "srv", "jo", "x.py"))
    assert ABSOLUTE.search(f'File "{file}", line 1')
    assert ABSOLUTE.search("/".join(("", "opt", "x")))
    assert not ABSOLUTE.search(
        "https://docs.pytorch.org/docs/2.13/notes <b>and/or</b> a/b/c.svg 1 / 2"
    )
