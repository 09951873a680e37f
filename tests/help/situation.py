"""Programs of somebody who is stuck, with what is to be said of them: `situations/*.toml`."""

import ast
import linecache
import re
import sys
import tomllib
import traceback
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import minigrad as mg
from minigrad.extras.recorded_cuts import LINES
from tests.help.program import NAME

IMPORT = "import minigrad as mg\n"
SEED = "mg.manual_seed(0)\n"
FAILED = "It failed in"
OTHERWISE = re.compile(r"(?<![\w./])(torch|minigrad)\.(?=[a-z])(?!py\b)")
QUOTED = re.compile(r"line \d+ of [^:`]*: `(.*?)`(?=$|[;,.) ])", re.MULTILINE)


@dataclass(frozen=True)
class Situation:
    """A program, a question, and what its answer has to hold."""

    name: str
    program: str
    ask: str
    result: str
    at: tuple = ()
    may: tuple = ()
    cause: str = ""
    remedy: str = ""
    says: str = ""
    never: str = ""
    mend: tuple = ()
    after: str = ""
    miss: str = ""
    in_comprehension: bool = False  # the error, whose names are gone then since Python 3.12

    def __str__(self):
        return self.name

    @property
    def is_missed(self):
        """Why no good answer is known; empty where one is."""
        has_frame = sys.version_info < (3, 12) or not self.in_comprehension
        return self.miss or ("" if has_frame else "the names of a comprehension are gone")

    @property
    def is_fine(self):
        """Whether the program has no mistake."""
        return bool(self.says)

    @property
    def before_backward(self):
        """The program without the pass that ends it; None where more depends on that."""
        lines = self.program.splitlines(keepends=True)
        kept = [line for line in lines if not re.fullmatch(r"\w+\.backward\(\)\s*", line)]
        text = "".join(kept)
        depends = "backward(" in text or ".grad" in text or not self.ask.startswith("mg.explain")
        return None if depends or len(kept) == len(lines) else text

    @property
    def mended(self):
        """The program without its mistake."""
        text = self.program
        for old, new in self.mend:
            assert old in text, f"{old!r} is not in the program"
            text = text.replace(old, new)
        return text

    def as_file(self, program=None):
        """The answer where the program is one file."""
        return self.as_asked(1, program)[0]

    def as_asked(self, times, program=None):
        """The answers where the program is one file that asks so many times, once or twice."""
        names = ["answer", "again"][:times]
        text = f"{IMPORT}{SEED}{program or self.program}{self.after}\n"
        text += "".join(f"{name} = {self.ask}\n" for name in names if self.ask != "error")
        LINES.clear()  # as a Python that starts anew; else each answer looks at all of before
        linecache.cache[NAME] = (len(text), None, text.splitlines(keepends=True), NAME)
        variables = {"__name__": "__main__"}
        try:
            exec(compile(text, NAME, "exec"), variables)
        except Exception as error:
            return [self.why(error)]
        assert self.ask != "error", "nothing was raised"
        return [str(variables[name]) for name in names]

    def as_cells(self, shell):
        """The answer where each statement is a cell of a notebook."""
        restart(shell)
        for cell in [IMPORT, SEED, *statements(self.program), self.after]:
            ran = shell.run_cell(cell, store_history=True)
            if not ran.success:
                return self.why(ran.error_in_exec or ran.error_before_exec)
        assert self.ask != "error", "nothing was raised"
        return str(shell.run_cell(self.ask, store_history=True).result)

    def as_one_cell(self, shell):
        """The answer where the program is one cell, and the question its last line."""
        restart(shell)
        for cell in [IMPORT, SEED, f"{self.program}{self.after}\n{self.ask}"]:
            ran = shell.run_cell(cell.removesuffix("\nerror"), store_history=True)
            if not ran.success:
                return self.why(ran.error_in_exec or ran.error_before_exec)
        assert self.ask != "error", "nothing was raised"
        return str(ran.result)

    def as_typed(self):
        """The answer at the prompt of `python -i`, which keeps no source."""
        LINES.clear()
        variables = {"__name__": "__main__"}
        for text in [IMPORT, SEED, *statements(self.program), self.after]:
            try:
                exec(compile(f"{text}\n", "<stdin>", "exec"), variables)
            except Exception as error:
                return self.why(error)
        assert self.ask != "error", "nothing was raised"
        return str(eval(self.ask, variables))

    def why(self, error):
        """The reader's line that failed, the note below, and the answer of `why`."""
        if self.ask != "error":
            raise error
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.line and frame.line in self.program]
        said = [*getattr(error, "__notes__", ()), str(mg.why(error))]
        traceback.clear_frames(error.__traceback__)  # a generator stopped in no_grad ends now,
        mg.set_grad_enabled(True)  # and some programs leave it off
        failed = [f"{FAILED} `{frame.line}`" for frame in own[-1:]]
        return "\n".join([*failed, *said])

    def faults(self, answer):
        """What is wrong with an answer; nothing, where it helps and says nothing false."""
        named, known = lines_named(answer), (*self.at, *self.may)
        found = [f"names `{line}`" for line in named if not any(each in line for each in known)]
        failed = [said for said in answer.splitlines() if said.startswith(FAILED)]
        if self.at and not any(self.at[0] in line for line in named + failed):
            found.append(f"does not name `{self.at[0]}`")
        if self.is_fine:
            found += ["gives advice"] * ("Try:" in answer)
        words = re.sub(QUOTED, "", answer)
        for what in ("says", "cause", "remedy"):
            if not re.search(getattr(self, what), words):
                found.append(f"{what} is missing")
        found += [f"calls the package {each}" for each in OTHERWISE.findall(words)]
        found += ["shows an object of its own"] * bool(re.search(r"\bast\.|<ast", words))
        if "Nothing stands out." in answer and odd_rows(answer):
            found.append("says that nothing stands out above a row that is odd")
        if self.never and re.search(self.never, words):
            found.append(f"says what is false here: {self.never}")
        return found

    def computed(self, library):
        """The result of the mended program in a library."""
        text = self.mended.replace("mg.nn.Linear(", "linear(")

        def linear(inputs, outputs):
            """A layer whose first weights are the same in both libraries."""
            layer = library.nn.Linear(inputs, outputs)
            with library.no_grad():
                layer.weight.copy_(library.linspace(-0.7, 0.9, inputs * outputs).view(outputs, -1))
                layer.bias.copy_(library.linspace(0.1, 0.3, outputs))
            return layer

        variables = {"mg": library, "linear": linear, "__name__": "__main__"}
        exec(compile(text, "mended.py", "exec"), variables)
        return eval(self.result, variables)


def odd_rows(answer):
    """The rows of a table of `checkup` with no gradient, or a bad one, beside others with one."""
    rows = [re.split(r"  +", line) for line in answer.splitlines()]
    head = next((row for row in rows if {".grad", "reached by loss"} <= {*row}), [])
    rows = [dict(zip(head, row)) for row in rows if head and len(row) > head.index(".grad")]
    rows = [row for row in rows if row.get("asks") == row["reached by loss"] == "yes"]
    rows = [row for row in rows if row.get("in optimizer") != "no"]
    filled = [row for row in rows if row[".grad"].startswith("up to")]
    return [row for row in rows if row not in filled] if filled else []


def statements(program):
    """The texts of the statements of a program."""
    lines = program.splitlines()
    for each in ast.parse(program).body:
        start = min([each.lineno, *(d.lineno for d in getattr(each, "decorator_list", ()))])
        yield "\n".join(lines[start - 1 : each.end_lineno])


def lines_named(answer):
    """The lines of the program that an answer quotes as causes.

    Not those of a freed graph, and not the line that failed.
    """
    apart = re.compile("let go of|^It was raised in ")
    blamed = [said for said in answer.splitlines() if not apart.search(said)]
    return list(dict.fromkeys(QUOTED.findall("\n".join(blamed))))


def situations():
    """All of them, in the order of the tables."""
    for path in sorted((Path(__file__).parent / "situations").glob("*.toml")):
        for name, entries in tomllib.loads(path.read_text()).items():
            yield Situation(name=name, **entries)


def restart(shell):
    """Forget all programs before, as a kernel that starts anew does."""
    with mock.patch("gc.collect"):  # of all that thousands of tests have left
        shell.reset(new_session=True)
    for name in [each for each in linecache.cache if each.startswith("<ipython-input-")]:
        del linecache.cache[name]
    LINES.clear()
