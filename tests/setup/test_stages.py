"""`run.py test` counts what ran, and does not call a run good that proved nothing."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import stages
from tests.stages import Outcome

CASES = """
import pytest

def test_good(): pass
def test_bad(): assert 1 == 2
def test_broken(missing_fixture): pass
def test_skipped(): pytest.skip("no such tool")
"""


@pytest.fixture
def outcome_of(tmp_path, monkeypatch):
    """A function that runs a stage over a test file with the given text."""
    monkeypatch.setattr(stages, "ROOT", tmp_path)

    def run(text, *words, matching=None):
        (tmp_path / "test_cases.py").write_text(text)
        return stages.pytest("-p", "no:cacheprovider", *words)(matching)

    return run


def counts(outcome):
    return outcome.passed, outcome.failed, outcome.skipped


def test_each_kind_of_outcome_is_counted(outcome_of):
    outcome = outcome_of(CASES)
    assert counts(outcome) == (1, 2, 1)
    assert outcome.reasons == {"no such tool": 1}


def test_what_is_marked_unfinished_is_listed_apart(outcome_of):
    outcome = outcome_of(
        "import pytest\n@pytest.mark.xfail(reason='no nn', strict=True)\ndef test_nn(): 1 / 0"
    )
    assert counts(outcome) == (0, 0, 0)
    assert outcome.unfinished == {"no nn": 1}
    assert "Known differences:\n     1 x no nn" in stages.summary({"unit": outcome}, strict=True)
    assert not stages.did_fail(outcome, strict=True)


def test_k_chooses_tests(outcome_of):
    assert counts(outcome_of(CASES, matching="good")) == (1, 0, 0)
    assert counts(outcome_of(CASES, matching="no_such_name")) == (0, 0, 0)


def test_a_module_that_cannot_be_imported_fails(outcome_of):
    assert outcome_of("import no_such_module").failed == 1


def test_a_module_that_is_skipped_says_why(outcome_of):
    outcome = outcome_of("import pytest\npytest.importorskip('no_such_module')")
    assert counts(outcome) == (0, 0, 1)
    assert "no_such_module" in next(iter(outcome.reasons))


def test_a_stage_without_tests_fails(outcome_of):
    assert outcome_of("").failed == 1


def test_a_run_that_crashes_fails(outcome_of):
    outcome = outcome_of("import os\ndef test_crash(): os._exit(9)")
    assert outcome.failed == 1
    assert "exit code 9" in outcome.remark


# --- The summary ---------------------------------------------------------------------------------


def run_with(monkeypatch, strict=False, **outcomes):
    made = {
        name: (f"the {name} tests", lambda matching, o=outcome: o)
        for name, outcome in outcomes.items()
    }
    monkeypatch.setattr(stages, "STAGES", made)
    return stages.run(list(made), None, strict)


def test_the_last_line_holds_the_totals(monkeypatch, capsys):
    code = run_with(monkeypatch, unit=Outcome(passed=3), live=Outcome(passed=2, skipped=1))
    assert capsys.readouterr().out.rstrip().splitlines()[-1] == "5 passed, 0 failed, 1 skipped"
    assert code == 0


def test_a_failing_stage_does_not_stop_the_next_one(monkeypatch, capsys):
    code = run_with(monkeypatch, unit=Outcome(failed=1), live=Outcome(passed=2))
    assert capsys.readouterr().out.rstrip().splitlines()[-1] == "2 passed, 1 failed, 0 skipped"
    assert code == 1


def test_a_skip_fails_where_everything_is_installed(monkeypatch, capsys):
    skipping = Outcome(passed=9, skipped=1, reasons=Counter({"no browser": 1}))
    assert run_with(monkeypatch, browser=skipping) == 0
    assert run_with(monkeypatch, strict=True, browser=skipping) == 1
    assert "counts as failed in CI" in capsys.readouterr().out


def test_the_table_has_the_total_time_too(monkeypatch):
    monkeypatch.setattr(stages, "STAGES", {"unit": ("unit tests", None), "live": ("live", None)})
    found = {"unit": Outcome(passed=3, seconds=61.25), "live": Outcome(passed=2, seconds=2.5)}
    assert ["all", "5", "0", "0", "63.8"] in map(
        str.split, stages.summary(found, False).splitlines()
    )


def test_what_failed_comes_with_the_command_that_runs_it_again(outcome_of, monkeypatch, capsys):
    failed = outcome_of(
        """
        import pytest
        @pytest.mark.parametrize("n", [1, 2])
        def test_bad(n): assert 1 == 3
        def test_broken(missing_fixture): pass
        def test_good(): pass
        """.replace("\n        ", "\n")
    )
    run_with(monkeypatch, unit=failed, lint=Outcome(failed=3), live=Outcome(passed=1))
    said = capsys.readouterr().out
    assert 'run.py test --only unit -k "test_bad or test_broken"\n' in said
    assert "run.py test --only lint\n" in said
    assert "--only live" not in said
    again = outcome_of(
        (stages.ROOT / "test_cases.py").read_text(), matching="test_bad or test_good"
    )
    assert counts(again) == (1, 2, 0)


def test_many_failures_are_run_again_by_their_stage(monkeypatch, capsys):
    many = Outcome(failed=20, names=[f"test_{n}" for n in range(20)])
    run_with(monkeypatch, unit=many, notebooks=Outcome(failed=1, names=["Cell 3"]))
    said = capsys.readouterr().out
    assert "run.py test --only unit\n" in said
    assert "run.py test --only notebooks\n" in said


def test_the_python_of_the_run_is_that_of_the_next_one():
    assert stages.rerun("unit", Outcome(failed=1), here=True).endswith("test --here --only unit")


def test_nothing_is_to_be_run_again_after_a_good_run(monkeypatch, capsys):
    run_with(monkeypatch, unit=Outcome(passed=1))
    assert "run again" not in capsys.readouterr().out


def test_ctrl_c_ends_the_run_and_tells_what_was_found_before(monkeypatch, capsys):
    def interrupted(matching):
        raise KeyboardInterrupt

    made = {"unit": ("unit tests", lambda matching: Outcome(passed=3)), "live": ("l", interrupted)}
    monkeypatch.setattr(stages, "STAGES", {**made, "browser": ("b", interrupted)})
    assert stages.run(["unit", "live", "browser"], None, strict=False) == 130
    said = capsys.readouterr().out
    assert "Stopped during the stage 'live'" in said
    assert said.rstrip().splitlines()[-1] == "3 passed, 0 failed, 0 skipped"


# --- Lint ----------------------------------------------------------------------------------------


def test_lint_counts_files_and_finds_both_kinds_of_fault(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(stages, "ROOT", tmp_path)
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "unused.py").write_text("import os\n")
    (tmp_path / "untidy.py").write_text("x   =   1\n")
    assert counts(stages.lint(None)) == (1, 2, 0)
    printed = capsys.readouterr().out
    assert "unused.py:1: F401" in printed
    assert "untidy.py:1: unformatted" in printed


def test_stages_see_no_settings_of_the_user(tmp_path):
    environment = stages.clean_environment(str(tmp_path))
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        assert environment[name].startswith(str(tmp_path) + os.sep)


# --- What would make tests prove less ------------------------------------------------------------


def test_stages_run_with_asserts_whatever_the_user_has_set(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    assert "PYTHONOPTIMIZE" not in stages.clean_environment(str(tmp_path))


def test_what_a_stage_compiles_is_there_for_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in stages.clean_environment(str(tmp_path))


def test_tests_refuse_to_run_without_asserts():
    finished = subprocess.run(
        [sys.executable, "-O", "-m", "pytest", "-q", "-p", "no:nbval", "tests/test_random.py"],
        cwd=stages.ROOT,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no assert is executed" in finished.stderr


def test_the_package_refuses_mistakes_under_python_o_too():
    """A check that is an `assert` would be gone."""
    program = """if True:
        import minigrad as mg
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        wrong = [
            lambda: y.backward(),
            lambda: mg.tensor([1, 2], requires_grad=True),
            lambda: x.add_(1),
            lambda: mg.autograd.grad(y.sum(), mg.tensor(1.0, requires_grad=True)),
            lambda: x + mg.zeros(3),
        ]
        for mistake in wrong:
            try:
                mistake()
            except RuntimeError:
                print("refused")
        y.sum().backward()
        print(x.grad.tolist())
    """
    finished = subprocess.run(
        [sys.executable, "-O", "-c", program], cwd=stages.ROOT, capture_output=True, text=True
    )
    assert finished.stdout.split("\n")[:-1] == ["refused"] * 5 + ["[2.0, 4.0]"], finished.stderr


def test_comparisons_with_pytorch_are_skipped_where_it_is_missing():
    words = ["-q", "-m", "oracle", "-p", "no:cacheprovider", *stages.holding("oracle")]
    program = f"import sys, pytest; sys.modules['torch'] = None; sys.exit(pytest.main({words}))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=stages.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    last = run.stdout.strip().splitlines()[-1]
    assert run.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED), run.stdout
    assert "skipped" in last
    assert "passed" not in last


def test_lessons_are_compared_from_the_root_where_hypothesis_is_missing(tmp_path):
    """`pytest --nbval` there reads the settings of the tests as well."""
    (tmp_path / "hypothesis.py").write_text("raise ImportError('not installed')")
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "-p", "no:hypothesispytest", "--collect-only", "tests/setup/test_leaks.py"],
        cwd=stages.ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(stages.ROOT)])},
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_plain_nbval_uses_the_patterns_of_the_lessons(tmp_path):
    """One that is drawn elsewhere with other numbers in it still is the same picture."""
    import nbformat

    shutil.copy(stages.ROOT / "notebooks" / "conftest.py", tmp_path)
    shutil.copy(stages.ROOT / "notebooks" / "sanitize.cfg", tmp_path)
    cell = nbformat.v4.new_code_cell(
        "from IPython.display import HTML, display\n"
        "display(HTML('<svg width=\"11\"></svg>'))\nprint('at 0x7f00aa00bb00')",
        execution_count=1,
        outputs=[
            nbformat.v4.new_output(
                "display_data",
                {
                    "text/html": '<svg width="10"></svg>',
                    "text/plain": "<IPython.core.display.HTML object>",
                },
            ),
            nbformat.v4.new_output("stream", name="stdout", text="at 0x7fffffffffff\n"),
        ],
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "lesson.ipynb")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval"]
    finished = subprocess.run(
        [*command, "--nbval-current-env", "."], cwd=tmp_path, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stdout


def test_no_mark_of_a_stage_comes_from_elsewhere_than_the_module_itself():
    """A stage is given the modules that say its mark: another one would be left out unseen."""
    paths = sorted(stages.ROOT.glob("tests/**/*.py"))
    helpers = [path for path in paths if not path.name.startswith("test_")]
    marks = re.compile(r"mark\.(recorded|oracle|browser)\b")
    saying = [path.as_posix() for path in helpers if marks.search(path.read_text("utf-8"))]
    assert len(helpers) > 100
    assert saying == []
    browser = [path for path in paths if "mark.browser" in path.read_text("utf-8")]
    assert [path.name for path in browser] == ["test_stages.py"]


def test_a_module_that_needs_pytorch_as_a_whole_says_so_in_its_name():
    """Such modules are left out by name where PyTorch is not installed: they would only skip."""
    whole = re.compile(r'^(torch = )?pytest\.importorskip\("torch"', re.M)
    named = re.compile(r"_live\.py$|/oracle/")
    modules = Path(stages.ROOT, "tests").rglob("test_*.py")
    needing = [path.as_posix() for path in modules if whole.search(path.read_text("utf-8"))]
    assert len(needing) > 9
    assert [path for path in needing if not named.search(path)] == []
