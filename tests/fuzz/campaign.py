"""Many programs in several processes, and the report on them.

Each process takes the next seeds one at a time and sends back what came of them. A process that
ends without a word was brought down by its program: that counts as a crash, and another takes over.
"""

import faulthandler
import multiprocessing
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from tests.fuzz.catalogue import STEPS
from tests.fuzz.compare import KINDS
from tests.fuzz.judge import judged
from tests.fuzz.program import Program, Step
from tests.fuzz.shrink import shrink
from tests.fuzz.writer import NOTICED, TELLING, write

CHUNK = 25
SHOWN_PER_FAULT = 1
SHRINK_SECONDS = 20
# What must turn up once in so many programs, or the programs do not test it.
RARE = 700
FEATURES = (
    *STEPS, *TELLING, *NOTICED, "exception", "hook called", "warning: non-leaf .grad",
    "broadcasting", "promotion", "reflected", "number operand", "NumPy scalar",
    "same operand twice", "write into a view", "write into a base", "create_graph",
    "retain_graph", "inputs=", "a variable as gradient", "mask", "integer array", "index None",
    "index ...", "no_grad()", "enable_grad()", "set_grad_enabled(False)",
)  # fmt: skip


@dataclass
class Tally:
    """What came of many programs."""

    programs: int = 0
    steps: int = 0
    features: Counter = field(default_factory=Counter)
    kinds: Counter = field(default_factory=Counter)
    explained: Counter = field(default_factory=Counter)
    faults: dict = field(default_factory=dict)  # signature -> [count, seed, program, differences]
    crashed: list = field(default_factory=list)  # seeds that ended their process

    def add(self, other):
        """Take in the tally of other programs."""
        self.programs += other.programs
        self.steps += other.steps
        for name in ("features", "kinds", "explained"):
            getattr(self, name).update(getattr(other, name))
        for signature, fault in other.faults.items():
            if signature in self.faults:
                self.faults[signature][0] += fault[0]
            else:
                self.faults[signature] = fault
        self.crashed += other.crashed

    @property
    def rare(self):
        """The features that turned up too seldom."""
        least = self.programs // RARE
        return {name: self.features[name] for name in FEATURES if self.features[name] < least}

    @property
    def passed(self):
        """No wrong numbers, no crash, and at most 1 % with other differences, each explained."""
        allowed = self.programs / 100
        return not (self.faults or self.crashed or self.rare or self.explained.total() > allowed)


def tally_of(seed, torch, minigrad, known):
    """Write, play and compare one program; shrink it if it fails in a new way."""
    program = write(seed, torch)
    verdict = judged(program, torch, minigrad)
    tally = Tally(programs=1, steps=len(program.steps))
    tally.features.update({feature for step in program.steps for feature in step.features})
    if verdict.kind is None:
        return tally
    if not verdict.unexplained:
        tally.explained[verdict.why] += 1
        return tally
    tally.kinds[verdict.kind] += 1
    signature = verdict.signature(program)
    if signature not in known:
        known.add(signature)
        program = smallest(program, torch, minigrad, signature)
        verdict = judged(program, torch, minigrad)
    tally.faults[signature] = [1, seed, program, verdict.differences]
    return tally


def smallest(program, torch, minigrad, signature):
    """The smallest program with the same fault, as far as the time goes."""
    deadline = time.monotonic() + SHRINK_SECONDS

    def fails(candidate):
        if time.monotonic() > deadline:
            return False
        verdict = judged(candidate, torch, minigrad)
        return verdict.unexplained and verdict.signature(candidate) == signature

    return shrink(program, fails)


def work(connection):
    """A process: answer seeds with tallies until there are no more."""
    faulthandler.enable()  # a process that crashes says where
    import minigrad
    from tests.oracle.recorded import the_oracle

    torch, known = the_oracle(), set()
    while (seeds := connection.recv()) is not None:
        for seed in seeds:
            connection.send(tally_of(seed, torch, minigrad, known))
        connection.send(None)


def campaign(first, programs, processes, tell=lambda tally: None, work=work):
    """Run programs with seeds from ``first`` on; return their tally.

    ``tell`` is called with the tally so far; ``work`` is what a process does.
    """
    total, left = Tally(), list(range(first + programs - 1, first - 1, -1))
    context = multiprocessing.get_context("spawn")
    crew = {}  # connection -> [process, the seeds it is busy with]

    def give(connection):
        seeds = [left.pop() for _ in range(min(CHUNK, len(left)))]
        connection.send(seeds or None)
        crew[connection][1] = seeds

    def hire():
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        crew[ours] = [process, []]
        give(ours)

    for _ in range(processes):
        hire()
    while crew:
        for connection in wait(list(crew)):
            process, seeds = crew[connection]
            try:
                tally = connection.recv()
            except (EOFError, ConnectionError):
                del crew[connection]
                process.join()
                if seeds:  # it died of the first of them
                    total.programs += 1
                    total.crashed.append(seeds[0])
                    left.extend(reversed(seeds[1:]))
                    hire()
                continue
            if tally is None:
                give(connection)
            else:
                seeds.pop(0)
                total.add(tally)
                tell(total)
    return total


def report(tally, all_features=True):
    """What came of it, as text."""
    lines = [f"{tally.programs} programs, {tally.steps} steps"]
    if all_features:
        lines += ["", "In how many programs each operation and feature occurred:"]
        counts = [f"{name} {tally.features[name]}" for name in FEATURES]
        lines += wrapped(counts)
    for number, (signature, fault) in enumerate(sorted(tally.faults.items(), key=by_weight), 1):
        count, seed, program, differences = fault
        kind, what, _ = signature
        lines += ["", f"--- {number}. {kind}, {what}: {count} programs, such as seed {seed} ---"]
        lines += [source_with_marker(program, differences)]
        lines += [str(difference) for difference in differences[:3]]
    if tally.crashed:
        lines += ["", f"The process ended without a word at seeds {tally.crashed}"]
    if tally.rare:
        lines += ["", f"Too seldom (less than once in {RARE} programs): {tally.rare}"]
    lines += ["", "Explained differences:"]
    lines += [f"{count:>6} x {why}" for why, count in tally.explained.most_common()] or ["  none"]
    lines += ["", "Differences that nobody has explained:"]
    lines += [f"{tally.kinds[kind]:>6} {kind}" for kind in KINDS]
    return "\n".join(lines)


def by_weight(item):
    signature, fault = item
    return KINDS.index(signature[0]), -fault[0]


def source_with_marker(program, differences):
    """A program, with a mark at the step that differs."""
    if not differences or differences[0].step >= len(program.steps):
        return program.source()
    steps = list(program.steps)
    first, *rest = steps[differences[0].step].code.split("\n")
    at = differences[0].step
    marked = "\n".join([f"{first}  # <-- differs", *rest])
    steps[at] = Step(marked, steps[at].mode)
    return Program(tuple(steps), program.look).source() + f"\n# looked at: {program.look}"


def wrapped(words, width=100):
    """Words separated by commas, in lines."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += f"{word}, "
    return [line.rstrip(", ") for line in lines]
