"""`import minigrad` loads no room that few programs need; naming one loads it."""

import subprocess
import sys

ROOMS = ("minigrad.func", "minigrad.utils", "minigrad.extras.forward_ad")


def loaded_after(statement):
    """Which of the rooms a fresh Python has loaded after a statement."""
    program = f"import sys, minigrad\n{statement}\nprint(*sys.modules)"
    words = [sys.executable, "-c", program]
    modules = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return [room for room in ROOMS if room in modules]


def test_import_is_light():
    assert loaded_after("") == []


def test_rooms_open_by_name():
    assert loaded_after("minigrad.func.grad") == ["minigrad.func", "minigrad.extras.forward_ad"]
    assert loaded_after("minigrad.utils.checkpoint") == ["minigrad.utils"]
    assert loaded_after("minigrad.autograd.forward_ad")[-1:] == ["minigrad.extras.forward_ad"]
