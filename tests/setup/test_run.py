"""`run.py`: it starts everywhere, and says on an old Python that it is too old."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import run

ROOT = Path(run.__file__).resolve().parent
COMMANDS = run.load_commands().COMMANDS


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 2)])
def test_an_old_python_is_told_so(version, monkeypatch, capsys):
    monkeypatch.setattr(run.sys, "version_info", version)
    assert run.main(["lab"]) == 1
    assert f"3.11 or newer; this is Python {version[0]}.{version[1]}" in capsys.readouterr().err


def test_an_old_python_can_read_the_file_far_enough_to_say_so():
    """Python 2 as well: no f-strings, no annotations, no letters beyond ASCII."""
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    assert source.isascii()
    for node in ast.walk(ast.parse(source, feature_version=(3, 7))):
        newer = (ast.JoinedStr, ast.AnnAssign, ast.AsyncFunctionDef, ast.Nonlocal, ast.YieldFrom)
        assert not isinstance(node, newer), ast.dump(node)
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert not node.args.kwonlyargs
            assert not [argument for argument in node.args.args if argument.annotation]
        if isinstance(node, ast.Raise):
            assert node.cause is None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "super")
        if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set)):
            assert not [
                part for part in ast.iter_child_nodes(node) if isinstance(part, ast.Starred)
            ]


def test_it_runs_from_any_folder_with_the_standard_library_alone(tmp_path):
    """`-I -S` shut out every installed package and the current folder."""
    finished = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "run.py"), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]}
        | ({"SYSTEMROOT": "C:\\Windows"} if os.name == "nt" else {}),
    )
    assert finished.returncode == 0, finished.stderr
    for name in COMMANDS.table:
        assert name in finished.stdout


def test_trouble_is_told_without_a_traceback(capsys):
    assert run.main(["test", "--here", "--with", "oracle"]) == 1
    assert "installs nothing" in capsys.readouterr().err
