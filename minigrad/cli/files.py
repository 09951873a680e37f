"""Files that are written whole or not at all, and a lock between two runs."""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from .trouble import say

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` so that a reader sees all of it or what was there before."""
    with part_of(path) as part:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)


def write_new(path: Path, text: str) -> bool:
    """Write `text` to `path` whole; False, and nothing done, where `path` is there already."""
    with part_of(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
        return publish(part, path)


def publish(part: Path, target: Path) -> bool:
    """Give a finished file its name, unless another file has it: then return False."""
    try:
        os.link(part, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if target.exists():
            return False
        os.replace(part, target)
    return True


@contextlib.contextmanager
def part_of(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; what still has it at the end is removed.

    An error about the part names `path`.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)  # the name that somebody knows
        raise
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def read_json(path: Path) -> dict:
    """Return what a JSON file holds, or nothing where there is no readable one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


@contextlib.contextmanager
def lock(path: Path, waiting: str) -> Iterator[None]:
    """Let one process at a time pass; the next one says `waiting` and waits.

    The system lets go of the lock when its holder ends, in whatever way.
    """
    with open(path, "a+b") as file:
        told = False
        while not try_to_lock(file.fileno()):
            if not told:
                say(waiting)
                told = True
            time.sleep(0.2)
        yield


def try_to_lock(handle: int) -> bool:
    """Lock an open file; False where another process holds it."""
    try:
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks: two first starts at once are rare
        return True
    return True
