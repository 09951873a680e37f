"""The fixture that watches over global settings notices what it should."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CASES = """
import minigrad as mg
from tests.conftest import nothing_leaks

def test_leaving_grad_mode(): mg.set_grad_enabled(False)
def test_leaving_dtype(): mg.set_default_dtype(mg.float64)
def test_leaving_printing(): mg.set_printoptions(precision=2)
def test_leaving_warnings(): mg.set_warn_always(True)
def test_after_them():
    assert mg.is_grad_enabled() and mg.get_default_dtype() == mg.float32
    assert mg.get_printoptions()["precision"] == 4 and not mg.is_warn_always_enabled()
"""


def test_a_setting_that_is_left_changed_fails_that_test_alone(tmp_path):
    case = tmp_path / "test_leaks.py"
    case.write_text(CASES)
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:nbval", "-c", str(ROOT / "pyproject.toml"),
         "--rootdir", str(ROOT), str(case)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert "5 passed, 4 errors" in finished.stdout
    for named in ("grad mode", "default dtype", "print options", "warn always"):
        assert f"the test leaves changed: {named}" in finished.stdout
