"""`run.py test` counts what ran, and does not call a run good that proved nothing."""

import os
import subprocess
import sys
from collections import Counter

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
    made = {name: (name, lambda matching, o=outcome: o) for name, outcome in outcomes.items()}
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


def test_comparisons_with_pytorch_are_skipped_where_it_is_missing():
    words = ["-q", "-m", "oracle", "-p", "no:cacheprovider", "tests"]
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
