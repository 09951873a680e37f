"""Programs of many forms, each with one mistake that is known by construction: `matrix.toml`."""

import ast
import linecache
import re
import tomllib
import traceback
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import minigrad as mg
from minigrad.extras.recorded_cuts import LINES
from tests.help.program import NAME

HEAD = "import math\nimport minigrad as mg\n"
LINE = re.compile(r"\bline (\d+) of ")
MARK = "@"  # at the end of the lines of a mistake
PLACES = ("mid", "end", "around", "below", "passes", "swap")
TELLS = ("before", "path", "leaf", "net", "error")
FACTS = re.compile(  # lines that are told, and not blamed
    r"let go of|^It was raised in |A backward pass has run|^The name \w+ was given"
    r"|^\w+ is not a leaf: \w+ .* made it from a tensor"
)
BESIDE_IT = (
    "size = {h}.shape[0]",
    "largest = {h}.detach().abs().max().item()",
    "{h} = {h} * ({h} > -9).float()",
)
BESIDE_THE_LOSS = (
    "logged = {loss}.mean().item()",
    "best = min(float({loss}.mean()), 1.0)",
    "with mg.no_grad():",
    "    checked = {loss} * 2",
    "right = (mg.ones(2, 2).argmax(1) == mg.zeros(2)).float().mean().item()",
)


@cache
def table():
    """The forms and the mistakes."""
    return tomllib.loads(Path(__file__).with_name("matrix.toml").read_text())


@dataclass(frozen=True)
class Answer:
    """What was told at one door: `before`, `path`, `leaf`, `value`, `net`, `done` or `error`."""

    door: str
    said: str

    @property
    def lines(self):
        """The numbers of the lines that it blames, in order."""
        blames = [each for each in self.said.splitlines() if not FACTS.search(each)]
        return list(dict.fromkeys(map(int, LINE.findall("\n".join(blames)))))


@dataclass(frozen=True)
class Cell:
    """A form with a mistake at a place in it, or with none; ``busy`` with much written beside."""

    form: str
    mistake: str = ""
    place: str = ""
    busy: bool = False

    def __str__(self):
        return "-".join(filter(None, [self.form, self.mistake, self.place, "busy" * self.busy]))

    @property
    def own(self):
        """The table of the form."""
        return table()["forms"][self.form]

    @property
    def wrong(self):
        """The table of the mistake."""
        return table()["mistakes"].get(self.mistake, {})

    @property
    def is_possible(self):
        """Whether the mistake has such a place in the form."""
        if self.place != "swap":
            return self.place in self.wrong
        return "swap" in self.wrong and re.search(self.wrong["swap"][0], self.own["program"])

    def named(self, text):
        """A text with the form's own names."""
        for key in ("h", "loss", "leaf", "net"):
            text = text.replace(f"{{{key}}}", self.own.get(key, ""))
        return text

    def mistaken(self):
        """The program of the form with the mistake in it, its lines marked."""
        text, put = self.own["program"].lstrip("\n"), self.wrong.get(self.place, "")
        if self.place in ("mid", "end"):
            quoted = re.search("«(.*)»" if self.place == "mid" else "‹(.*)›", text)
            whole = put.format(as_operand(quoted[1]))
            rest = text[quoted.end() :].split("\n", 1)
            text = f"{text[: quoted.start()]}{whole}{rest[0]}{MARK}\n{rest[1]}"
        elif self.place == "around":
            text = re.sub(r"(?m)^( *)(.*«.*)$", rf"\1{put}{MARK}\n\1    \2{MARK}", text)
        elif self.place == "swap":
            text = re.sub(put[0], self.named(put[1]), text, count=1)
        return re.sub("[«»‹›]", "", text)

    def program(self):
        """The whole text with its questions, and the numbers of the lines of the mistake."""
        below = [self.wrong["below"] + MARK] if self.place == "below" else []
        passes = self.wrong["passes"] if self.place == "passes" else ["{loss}.backward()"]
        parts = {
            "BELOW": [*below, *(BESIDE_IT if self.busy else ())],
            "LOGS": BESIDE_THE_LOSS if self.busy else (),
            "PASS": [
                "isinstance({loss}, float) or ask('before', mg.explain({loss}, {leaf}))",
                *passes,
                "ask('path', mg.explain({loss}, {leaf}))",
                "ask('leaf', mg.explain({leaf}))",
                "ask('value', mg.explain({loss}))",
                *(["ask('net', mg.checkup({net}))"] if "net" in self.own else ()),
            ],
        }
        lines = HEAD.splitlines()
        for line in self.mistaken().splitlines():
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + self.named(each) for each in parts.get(line.strip(), [line.strip()])]
        marked = {number for number, line in enumerate(lines, 1) if line.endswith(MARK)}
        marked = marked if self.wrong.get("has_a_line", True) else set()
        return "\n".join(line.removesuffix(MARK) for line in lines) + "\n", marked

    @staticmethod
    @lru_cache(maxsize=1)  # two tests of a cell, one after the other, look at them
    def answers(text):
        """What is told of the program at each door, and the line at which it failed, if it did."""
        found = {}

        def ask(door, answer):
            found[Answer(door, str(answer))] = None

        LINES.clear()  # as a Python that starts anew; else each answer looks at all of before
        linecache.cache[NAME] = (len(text), None, text.splitlines(keepends=True), NAME)
        mg.manual_seed(0)
        try:
            exec(compile(text, NAME, "exec"), {"__name__": "__main__", "ask": ask})
        except Exception as error:
            ask("error", "\n".join([*getattr(error, "__notes__", ()), str(mg.why(error))]))
            frames = traceback.extract_tb(error.__traceback__)
            return [*found], [each.lineno for each in frames if each.filename == NAME][-1]
        return [*found], None

    def faults(self):
        """What is wrong with the answers; nothing, where they help and blame nothing else."""
        text, at = self.program()
        answers, failed = self.answers(text)
        also = re.compile(self.wrong.get("also", r"\.backward\(\)"))
        apart = {n for n, line in enumerate(text.splitlines(), 1) if also.search(line)} - at
        tells = self.wrong.get("tells", TELLS) if self.mistake else ()
        found, told = [], []
        for answer in answers:
            may = apart | ({failed} if answer.door == "error" else set())
            blamed = [number for number in answer.lines if number not in may]
            found += [(answer, f"blames line {n}") for n in blamed if n not in at]
            if answer.door in tells:
                is_named = not at or failed in at or blamed[:1] and blamed[0] in at
                told.append([*self.missing(answer.said), *["names another"] * (not is_named)])
                found += [] if "once" in self.wrong else [(answer, each) for each in told[-1]]
        if not self.mistake:
            found += [(each, "gives advice") for each in answers if "Try:" in each.said]
        elif not told or "once" in self.wrong and [] not in told:
            found.append(("", f"nothing helps at {tells}: {text}"))
        return found

    def missing(self, said):
        """What an answer should hold, and does not."""
        wanted = {"cause": self.wrong["cause"], "remedy": self.wrong["remedy"], "Try": "Try:"}
        if "once" in self.wrong:
            del wanted["Try"]
        return [f"no {what}" for what, known in wanted.items() if not re.search(known, said)]


def as_operand(text):
    """An expression as it stands before a dot."""
    is_one = isinstance(ast.parse(text, mode="eval").body, ast.Call | ast.Name)
    return text if is_one else f"({text})"


def cells(every=False):
    """Each form as it is, and with each mistake at each place that it can have.

    A mistake is in every other form with much written beside, unless all are asked for.
    """
    for number, form in enumerate(table()["forms"]):
        yield from (Cell(form, busy=busy) for busy in (False, True))
        for turn, mistake in enumerate(table()["mistakes"], number):
            for place in PLACES:
                several = (Cell(form, mistake, place, busy) for busy in (False, True))
                some = [*several] if every else [[*several][turn % 2]]
                yield from (cell for cell in some if cell.is_possible)
