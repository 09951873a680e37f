"""Files are written whole, and of two runs one waits."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from minigrad.cli import files

ROOT = Path(__file__).resolve().parents[2]

HOLDER = """
import sys
from pathlib import Path
from minigrad.cli.files import lock
with lock(Path(sys.argv[1]), "waiting"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_text_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "stamp.json"
    files.write_whole(path, "before")

    def write_half(part, text, encoding):
        part.write_bytes(text[:3].encode())
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", write_half)
        with pytest.raises(OSError, match="No space left"):
            files.write_whole(path, "after")
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["stamp.json"]


def test_what_is_no_json_reads_as_nothing(tmp_path):
    (tmp_path / "half.json").write_text('{"fingerprint": ')
    assert files.read_json(tmp_path / "half.json") == {}
    assert files.read_json(tmp_path / "missing.json") == {}


def test_the_second_run_waits_says_so_and_goes_on(tmp_path, capsys):
    path = tmp_path / "a lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:  # fmt: skip
        assert holder.stdout.readline() == "held\n"
        passed = threading.Event()

        def second():
            with files.lock(path, "The other run is not done."):
                passed.set()

        waiting = threading.Thread(target=second)
        waiting.start()
        while "not done" not in capsys.readouterr().out:
            assert waiting.is_alive()
            time.sleep(0.05)
        assert not passed.is_set()
        holder.stdin.close()
        waiting.join(timeout=30)
    assert passed.is_set()


def test_a_run_that_was_killed_holds_no_lock(tmp_path):
    path = tmp_path / "a lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:  # fmt: skip
        holder.stdout.readline()
        holder.kill()
        holder.wait()
        with files.lock(path, "waiting"):
            pass
