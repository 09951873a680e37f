"""What went wrong, told in words to the person at the keyboard."""

import errno
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# A disk with less than this has no room for an installation, whatever the program on it says.
NEARLY_FULL = 64 * 2**20
LONGEST_LINE = 160  # pip lists all packages in one

DISK_FULL = "The disk is full. Make room, then run the same command again."
READ_ONLY = (
    "The folder is read-only. Copy the project to a folder that you may write to, and run the\n"
    "same command there."
)
FORBIDDEN = (
    "This user may not write there. Was the folder made by another one, perhaps by root? Then\n"
    "have it given to you with chown, or make a clone of your own."
)
CAUSES = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: FORBIDDEN,
    errno.EPERM: FORBIDDEN,
}
# What pip and venv say on their way down, and what it means.
SIGNS = {
    "No space left on device": DISK_FULL,
    "Disk quota exceeded": DISK_FULL,
    "Read-only file system": READ_ONLY,
    "Permission denied": FORBIDDEN,
    "CERTIFICATE_VERIFY_FAILED": (
        "The package index could not prove who it is. Networks of companies and schools often\n"
        "need a certificate of their own: ask who runs yours, then set PIP_CERT to its file."
    ),
    "ProxyError": "The proxy refused the connection. Check HTTPS_PROXY, then try again.",
    "connection broken by": (
        "There seems to be no network: the package index does not answer. The first start\n"
        "needs it once. Connect this machine and run the same command again."
    ),
}


class Trouble(Exception):
    """Something that the person at the keyboard can mend: told in words, without a traceback."""


def say(sentence: str) -> None:
    """Tell what is being done, at once."""
    print(sentence, flush=True)


def run_and_tell(work: Callable[[], int]) -> int:
    """Do `work` and return its exit code; what stops it is told in words, with exit code 1."""
    try:
        return work()
    except Trouble as trouble:
        told = str(trouble)
    except OSError as error:
        told = explain_error(error)
    except KeyboardInterrupt:
        told = "Stopped. Nothing is lost: the same command goes on from here."
    print(f"\n{told}", file=sys.stderr)
    return 1


def explain_error(error: OSError) -> str:
    """Say in plain words what a failed system call means, and which file it was about."""
    cause = CAUSES.get(error.errno, "Nothing that was there has been changed.")
    about = error.filename2 or error.filename
    place = f" ({about})" if about else ""
    return f"Stopped: {error.strerror or error}{place}.\n{cause}"


def explain_output(task: str, output: str, folder: Path) -> str:
    """Say in plain words what stopped a program that was busy with `task` in `folder`."""
    text = output.strip()
    cause = next((words for sign, words in SIGNS.items() if sign in text), None)
    if cause is None:
        full = next((place for place in places_in_use(folder) if is_nearly_full(place)), None)
        cause = f"The disk of {full} is full. Make room there." if full else "It did not work out."
    end = "\n".join("    " + line[:LONGEST_LINE] for line in text.splitlines()[-12:])
    return f"Stopped while {task}. {cause}\n\nThe end of what was said:\n\n{end}"


def places_in_use(folder: Path) -> list[Path]:
    """Return the folders that an installation into `folder` writes to."""
    return [folder, Path(tempfile.gettempdir())]


def is_nearly_full(place: Path) -> bool:
    """Tell whether the disk of `place` has no room for an installation."""
    try:
        return shutil.disk_usage(place).free < NEARLY_FULL
    except OSError:
        return False
