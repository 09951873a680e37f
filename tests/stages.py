"""The stages of `python3 run.py test`, one after another, and a summary that counts.

A failing stage does not stop the ones after it. Where the environment variable CI is set, a skip
counts as a failure: there, everything is installed, and what does not run proves nothing.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
TOTALS = ("passed", "failed", "skipped")
NOTHING_COLLECTED = 5  # pytest's exit code
SHOWN_FINDINGS = 30
NAMED_TESTS = 8  # a command line with more names is none that anybody reads
STOPPED = 130  # what shells give for Ctrl-C


@dataclass
class Outcome:
    """What a stage found: how many checks passed, failed and were skipped.

    `names` are the tests that failed, where `-k` can choose them. `reasons` says why tests were
    skipped. Tests marked `xfail` are counted in `unfinished` alone,
    by what they wait for: each is known, and fails the stage on the day it passes.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    names: list[str] = field(default_factory=list)
    reasons: Counter = field(default_factory=Counter)
    unfinished: Counter = field(default_factory=Counter)
    remark: str = ""


# --- Lint ----------------------------------------------------------------------------------------


def lint(matching: str | None) -> Outcome:
    """Check every file with ruff: its rules and its format. Each file counts once."""
    if matching:
        return Outcome(remark="not run: -k chooses tests")
    shown = ruff("check", "--show-files")
    if shown.returncode != 0:
        print(shown.stderr)
        return Outcome(failed=1, remark="ruff did not start")
    files = set(shown.stdout.split("\n")) - {""}
    rules = ruff("check", "--output-format=json")
    layout = ruff("format", "--check", "--output-format=json")
    findings = json.loads(rules.stdout) + json.loads(layout.stdout)
    for finding in findings[:SHOWN_FINDINGS]:
        place = Path(finding["filename"]).relative_to(ROOT)
        line = (finding.get("location") or {"row": 1})["row"]
        print(f"{place}:{line}: {finding['code'] or ''} {finding['message']}")
    if len(findings) > SHOWN_FINDINGS:
        print(f"... and {len(findings) - SHOWN_FINDINGS} more: ruff check")
    failed = {finding["filename"] for finding in findings}
    return Outcome(passed=len(files - failed), failed=len(failed))


def ruff(*words: str) -> subprocess.CompletedProcess:
    """Run ruff over the project."""
    command = [sys.executable, "-m", "ruff", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")


# --- Everything that pytest runs -----------------------------------------------------------------


def pytest(*words: str) -> Callable[[str | None], Outcome]:
    """Return a stage that runs pytest with `words`."""

    def stage(matching: str | None) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}"]
            command += ["--continue-on-collection-errors", *words]
            if "--nbval" not in words:
                command += ["-p", "no:nbval"]  # it takes two seconds to load
            if matching:
                command += ["-k", matching]
            code = subprocess.run(command, cwd=ROOT, env=clean_environment(folder)).returncode
            outcome = read_report(report) if report.exists() else Outcome()
        if code == NOTHING_COLLECTED and (matching or outcome.skipped):
            outcome.remark = "no test matches" if matching else ""
        elif code != 0 and not outcome.failed:
            outcome.failed = 1  # also where nothing was found: that proves nothing
            outcome.remark = f"pytest ended with exit code {code}"
        return outcome

    return stage


def holding(mark: str) -> list[str]:
    """Return the modules with tests of this mark, which have it by their name or say it.

    Each worker reads all modules that it is given, which takes longer than some stages.
    """
    named = {"recorded": "_recorded", "oracle": "_live"}[mark]
    return [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.glob("tests/**/test_*.py"))
        if path.stem.endswith(named) or f"mark.{mark}" in path.read_text("utf-8")
    ]


def clean_environment(folder: str) -> dict[str, str]:
    """Return the environment for a stage: no settings of this user reach Jupyter or IPython."""
    # Under PYTHONOPTIMIZE Python leaves out `assert`, and tests with it. Without bytecode on disk,
    # each worker compiles all tests, and each of hundreds of kernels and programs the package.
    left_out = {"PYTHONOPTIMIZE", "PYTHONDONTWRITEBYTECODE"}
    inherited = {name: os.environ[name] for name in os.environ if name not in left_out}
    return {
        **inherited,
        "PYTHONPATH": str(ROOT),  # the kernels start elsewhere, and `--here` installs nothing
        "PYTHONUTF8": "1",
        "JUPYTER_CONFIG_DIR": os.path.join(folder, "jupyter-config"),
        "JUPYTER_DATA_DIR": os.path.join(folder, "jupyter-data"),
        "IPYTHONDIR": os.path.join(folder, "ipython"),
    }


def read_report(path: Path) -> Outcome:
    """Count the test cases of a JUnit report."""
    outcome = Outcome()
    for case in ElementTree.parse(path).iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failed += 1
            outcome.names.append(case.get("name") if case.get("classname") else "")
        elif skip is not None and skip.get("type") == "pytest.xfail":
            outcome.unfinished[skip.get("message")] += 1
        elif skip is not None:
            outcome.skipped += 1
            outcome.reasons[reason(skip)] += 1
        else:
            outcome.passed += 1
    return outcome


def reason(skip: ElementTree.Element) -> str:
    """Return why a test was skipped."""
    message = skip.get("message") or "no reason given"
    if message == "collection skipped":  # a whole module: pytest hides why, in (path, line, why)
        message = ast.literal_eval(skip.text)[-1]
    return message.removeprefix("Skipped: ")


# One process a core; --dist keeps tests together that share what is slow to start.
AT_ONCE = ["-n", "auto", "--maxprocesses", "4", "--dist"]
# Modules that need PyTorch as a whole are left out where they would only add skips.
WITHOUT_LIVE = ["--ignore-glob=*_live.py"]
# What a stage deselects as a whole is not read by each of its workers either.
ONLY_UNIT = [*WITHOUT_LIVE, "--ignore-glob=*_recorded.py", "--ignore=tests/browser"]
COMPARE_OUTPUTS = ["--nbval-current-env", "--nbval-sanitize-with=notebooks/sanitize.cfg"]
STAGES: dict[str, tuple[str, Callable[[str | None], Outcome]]] = {
    "lint": ("lint", lint),
    "doctests": ("doctests", pytest("--doctest-modules", *AT_ONCE, "worksteal", "minigrad")),
    "unit": (
        "unit tests",
        pytest(
            "-m",
            "not recorded and not oracle and not browser",
            *AT_ONCE,
            "worksteal",
            *ONLY_UNIT,
            "tests",
        ),
    ),
    "recorded": (
        "recorded comparison",
        pytest(
            "-m",
            "recorded and not oracle",
            *AT_ONCE,
            "worksteal",
            *WITHOUT_LIVE,
            *holding("recorded"),
        ),
    ),
    "live": (
        "live comparison",
        pytest("-m", "oracle", *AT_ONCE, "worksteal", *holding("oracle")),
    ),
    "notebooks": (
        "lessons (nbval)",
        pytest("--nbval", *AT_ONCE, "loadfile", *COMPARE_OUTPUTS, "notebooks"),
    ),
    "browser": ("browser tests", pytest("-m", "browser", *AT_ONCE, "loadfile", "tests/browser")),
}


# --- The run and its summary ---------------------------------------------------------------------


def run(names: list[str], matching: str | None, strict: bool, here: bool = False) -> int:
    """Run the stages called `names`, print the summary, and return the exit code."""
    outcomes = {}
    stopped = ""
    for name in names:
        title, stage = STAGES[name]
        print(f"\n=== {title} " + "=" * (75 - len(title)), flush=True)
        start = time.perf_counter()
        try:
            outcomes[name] = outcome = stage(matching)
        except KeyboardInterrupt:
            stopped = f"Stopped during the stage {name!r}; what it found is not counted.\n\n"
            break
        outcome.seconds = time.perf_counter() - start
    print("\n" + stopped + summary(outcomes, strict, here), flush=True)
    failed = any(did_fail(outcome, strict) for outcome in outcomes.values())
    return STOPPED if stopped else int(failed)


def did_fail(outcome: Outcome, strict: bool) -> bool:
    """Tell whether a stage makes the run fail: by a failure, or in CI by a skip."""
    return bool(outcome.failed or (strict and outcome.skipped))


def summary(outcomes: dict[str, Outcome], strict: bool, here: bool = False) -> str:
    """Return the table of the stages by name; its last line holds the totals."""
    lines = [f"{'':<20} {'passed':>7} {'failed':>7} {'skipped':>7} {'seconds':>8}"]
    lines += [row(STAGES[name][0], outcome) for name, outcome in outcomes.items()]
    found = list(outcomes.values())
    total = Outcome(*(sum(getattr(o, kind) for o in found) for kind in (*TOTALS, "seconds")))
    lines += [row("all", total)]
    skipped = "Skipped, which counts as failed in CI:" if strict else "Skipped:"
    for heading, kind in ((skipped, "reasons"), ("Known differences:", "unfinished")):
        counted = sum((getattr(outcome, kind) for outcome in found), Counter())
        if counted:
            lines += ["", heading, *(f"{n:>6} x {what}" for what, n in counted.most_common())]
    again = [rerun(name, o, here) for name, o in outcomes.items() if did_fail(o, strict)]
    if again:
        lines += ["", "To run again what failed:", *(f"    {command}" for command in again)]
    lines += ["", ", ".join(f"{getattr(total, kind)} {kind}" for kind in TOTALS)]
    return "\n".join(lines)


def row(title: str, outcome: Outcome) -> str:
    """Return one line of the table."""
    counts = f"{outcome.passed:>7} {outcome.failed:>7} {outcome.skipped:>7}"
    return f"{title:<20} {counts} {outcome.seconds:>8.1f}  {outcome.remark}".rstrip()


def rerun(name: str, outcome: Outcome, here: bool) -> str:
    """Return the command that runs a stage again: what failed of it, where that can be said."""
    words = ["python3 run.py test", *(["--here"] if here else []), "--only", name]
    tests = list(dict.fromkeys(test.partition("[")[0] for test in outcome.names))
    if len(outcome.names) == outcome.failed and 0 < len(tests) <= NAMED_TESTS:
        if all(re.fullmatch(r"[\w.]+", test) for test in tests):
            words += ["-k", f'"{" or ".join(tests)}"']
    return " ".join(words)


def main() -> int:
    """Read the command line and run the stages it names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=STAGES, metavar="STAGE")
    parser.add_argument("-k", metavar="EXPRESSION")
    parser.add_argument("--here", action="store_true", help="how the run was started")
    options = parser.parse_args()
    names = [name for name in STAGES if not options.only or name in options.only]
    return run(names, options.k, strict=bool(os.environ.get("CI")), here=options.here)


if __name__ == "__main__":
    sys.exit(main())
