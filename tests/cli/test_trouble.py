"""What stops a command is told in a plain sentence, with its cause and without a traceback."""

import errno
import os

import pytest

from minigrad.cli import trouble


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError(...)'", "no network"),
        ("ERROR: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: [Errno 122] Disk quota exceeded", "disk is full"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED", "PIP_CERT"),
        ("ProxyError('Cannot connect to proxy.')", "HTTPS_PROXY"),
        ("[Errno 13] Permission denied: '.venv'", "may not write"),
        ("[Errno 30] Read-only file system: '.venv'", "read-only"),
        ("something else", "did not work out"),
    ],
)
def test_what_stops_pip_is_explained_and_quoted(said, meaning, tmp_path, monkeypatch):
    monkeypatch.setattr(trouble, "is_nearly_full", lambda place: False)
    explanation = trouble.explain_output("installing with pip", said, tmp_path)
    assert meaning in explanation
    assert said in explanation


def test_of_a_long_line_the_beginning_is_quoted(tmp_path):
    told = trouble.explain_output("installing", "Installing " + "numpy, " * 900, tmp_path)
    assert "Installing numpy, numpy" in told
    assert len(told) < 400


def test_a_full_disk_is_named_where_the_program_did_not_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(trouble, "is_nearly_full", lambda place: place == tmp_path)
    told = trouble.explain_output("installing with pip", "Killed", tmp_path)
    assert f"The disk of {tmp_path} is full" in told


@pytest.mark.parametrize(
    ("number", "meaning"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "disk is full"),
        (errno.EROFS, "folder is read-only"),
        (errno.EACCES, "may not write"),
        (errno.EPERM, "may not write"),
        (errno.ENAMETOOLONG, "has been changed"),
    ],
)
def test_every_failure_of_a_file_is_told_with_the_file_and_the_cause(number, meaning, capsys):
    def work():
        raise OSError(number, os.strerror(number), "/some/my_lessons")

    assert trouble.run_and_tell(work) == 1
    told = capsys.readouterr().err
    assert meaning in told
    assert os.strerror(number) in told
    assert "/some/my_lessons" in told
    assert "Traceback" not in told


def test_ctrl_c_is_told_too(capsys):
    def work():
        raise KeyboardInterrupt

    assert trouble.run_and_tell(work) == 1
    assert "Stopped. Nothing is lost" in capsys.readouterr().err


def test_a_mistake_of_the_program_itself_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        trouble.run_and_tell(lambda: 1 / 0)
