"""Signs of life while a program works that takes minutes: what it does, and for how long."""

import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

TERMINAL_SECONDS = 1.0
LOG_SECONDS = 15.0
WIDTH = 72
# What pip says, and what it means.
STEPS = (
    (r"\s*Collecting ([\w.\[\]-]+)", "looking up {}"),
    (r"\s*(?:Downloading|Using cached) (\S+?)-\d\S*(.*)", "getting {}{}"),
    (r"Installing collected packages: (.*)", "putting {} packages in place"),
    (r"\s*Building|\s*Preparing|\s*Installing build|\s*Getting requirements", "getting minigrad"),
)


def run_with_signs_of_life(words: list[str], **settings) -> tuple[int, str]:
    """Run a program; return its exit code and what it said, and show meanwhile that it works."""
    program = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", **settings,
    )  # fmt: skip
    sign = Sign()
    said = []
    try:
        for line in lines_or_silence(program.stdout, sign.seconds):
            if line is not None:
                said.append(line)
                sign.step = step_of(line) or sign.step
            sign.show()
    except BaseException:
        program.kill()
        raise
    finally:
        sign.clear()
    return program.wait(), "".join(said)


def lines_or_silence(stream, seconds: float) -> Iterator[str | None]:
    """Yield the lines of a stream as they come, and None for each time nothing came for long."""
    lines = queue.Queue()

    def read():
        for line in stream:
            lines.put(line)
        lines.put(StopIteration)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=seconds)
        except queue.Empty:
            yield None
            continue
        if line is StopIteration:
            return
        yield line


def step_of(line: str) -> str:
    """Say in a few words what pip does when it prints `line`; nothing for other lines."""
    for pattern, words in STEPS:
        found = re.match(pattern, line)
        if found:
            parts = found.groups()
            if line.startswith("Installing collected"):
                parts = (parts[0].count(",") + 1,)
            return words.format(*parts)
    return ""


class Sign:
    """One line that is written over again on a terminal; in a log, a line now and then."""

    def __init__(self):
        self.in_place = sys.stdout.isatty()
        self.seconds = TERMINAL_SECONDS if self.in_place else LOG_SECONDS
        self.start = time.monotonic()
        self.shown_at = self.start
        self.step = "starting pip"

    def show(self) -> None:
        """Show the step and the time, unless a line was just shown."""
        now = time.monotonic()
        if not self.in_place and now - self.shown_at < self.seconds:
            return
        self.shown_at = now
        minutes, seconds = divmod(int(now - self.start), 60)
        line = f"  {minutes}:{seconds:02}  {self.step}"[:WIDTH]
        print(f"\r{line:<{WIDTH}}" if self.in_place else line,
              end="" if self.in_place else "\n", flush=True)  # fmt: skip

    def clear(self) -> None:
        """Leave a terminal's line empty for what comes next."""
        if self.in_place:
            print("\r" + " " * WIDTH + "\r", end="", flush=True)
