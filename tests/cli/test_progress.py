"""While a program works, what it does can be seen, and silence is no reason to worry."""

import sys

import pytest

from minigrad.cli import progress

SLOW = """
import time
print("Collecting numpy<3,>=2.0", flush=True)
time.sleep(0.6)
print("Successfully installed numpy-2.4.6")
"""


def test_silence_is_broken_while_the_program_works(monkeypatch, capsys):
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.1)
    code, said = progress.run_with_signs_of_life([sys.executable, "-c", SLOW])
    shown = capsys.readouterr().out.splitlines()
    assert code == 0
    assert said.splitlines() == ["Collecting numpy<3,>=2.0", "Successfully installed numpy-2.4.6"]
    assert "  0:00  looking up numpy" in shown
    assert shown.count("  0:00  looking up numpy") >= 2


def test_a_terminal_has_one_line_and_an_empty_one_in_the_end(monkeypatch, capsys):
    monkeypatch.setattr(progress, "TERMINAL_SECONDS", 0.1)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    progress.run_with_signs_of_life([sys.executable, "-c", SLOW])
    shown = capsys.readouterr().out
    assert "\n" not in shown
    assert "looking up numpy" in shown
    assert shown.endswith("\r" + " " * progress.WIDTH + "\r")


def test_the_exit_code_and_both_streams_come_back():
    program = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    code, said = progress.run_with_signs_of_life([sys.executable, "-c", program])
    assert code == 3
    assert said.split() == ["out", "err"]


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("Collecting jupyterlab<5,>=4.2", "looking up jupyterlab"),
        ("  Downloading numpy-2.4.6-cp311-cp311-linux.whl (16.9 MB)", "getting numpy (16.9 MB)"),
        (
            "  Using cached ipywidgets-8.1.9-py3-none-any.whl (139 kB)",
            "getting ipywidgets (139 kB)",
        ),
        ("Installing collected packages: pytz, numpy, torch", "putting 3 packages in place"),
        ("  Preparing editable metadata (pyproject.toml): started", "getting minigrad"),
        ("Requirement already satisfied: six", ""),
    ],
)
def test_pips_lines_become_steps(line, step):
    assert progress.step_of(line) == step
