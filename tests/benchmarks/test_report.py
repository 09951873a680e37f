"""The table: ratios, verdicts, and what is said where something is missing."""

import pytest

from benchmarks import report, scalars, stepper
from benchmarks.engines import MAKERS
from benchmarks.processes import races
from benchmarks.race import Times, race
from benchmarks.starting import Start
from benchmarks.targets import TARGETS, Findings
from benchmarks.workload import BY_HAND


def findings(**seconds):
    return Findings({scalars.LESSON.title: Times([seconds])})


def row(table, *words):
    return next(line for line in table.splitlines() if all(word in line for word in words))


def test_a_ratio_is_the_median_of_rounds():
    times = Times([{"minigrad": [1.0, 30.0, 2.0], "PyTorch": [4.0, 60.0, 4.0]}])
    assert times.ratio("minigrad", "PyTorch") == 0.5
    assert times.of("minigrad") == 2.0
    assert times.ratio("minigrad", "MyGrad") is None


def test_of_several_processes_the_middle_one_counts():
    slow, usual, fast = ({"minigrad": [part], "PyTorch": [1.0]} for part in (0.9, 0.5, 0.1))
    times = Times([slow, usual, fast])
    assert times.ratio("minigrad", "PyTorch") == 0.5
    assert times.of("minigrad") == 0.5


def test_a_race_is_run_in_a_fresh_process():
    (seconds,) = races(scalars.LESSON, rounds=1, processes=1).processes
    assert {*map(len, seconds.values())} == {1}
    assert {"minigrad", BY_HAND} <= seconds.keys()


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [(0.25, "aim"), (0.26, "aim"), (0.27, "must"), (0.32, "must"), (0.33, "**missed**")],
)
def test_a_verdict_follows_the_number(measured, verdict):
    table = report.promises(findings(minigrad=[measured], PyTorch=[1.0]))
    cells = [cell.strip() for cell in row(table, scalars.LESSON.title).split("|")]
    assert cells[3:-1] == ["0.32", "0.26", f"{measured:.2f}", verdict]


def test_a_missing_engine_is_not_available():
    found = findings(minigrad=[1.0])
    assert row(report.promises(found), scalars.LESSON.title).count("n/a") == 2
    assert "n/a" in row(report.times(found), scalars.LESSON.title)


def test_an_engine_that_cannot_has_a_dash():
    found = Findings({scalars.CHAIN.title: Times([{"minigrad": [1.0]}])})
    cells = [cell.strip() for cell in row(report.times(found), scalars.CHAIN.title).split("|")]
    assert cells[1:-1] == [scalars.CHAIN.title, "1.00 s", "n/a", "n/a", "n/a", "–", "n/a", "n/a"]


def test_the_fastest_peer_counts():
    found = findings(minigrad=[2.0], autograd=[8.0], MyGrad=[4.0], micrograd=[1.0])
    assert found.peer_ratios() == {scalars.LESSON.title: 0.5}
    assert "aim" in row(report.promises(found), "the worst workload")


def test_memory_and_start_are_read_in_their_units():
    found = Findings(peaks={("minigrad", "chain"): 35_000_000}, start=Start(0.0125, 3 * 2**20))
    table = report.promises(found)
    assert "350 " in row(table, "bytes per op")
    assert "12.5 ms" in row(table, "import minigrad", "ms")
    assert "3.00 MiB" in row(table, "import minigrad", "MiB")


def test_what_was_missed_stands_beside_the_bare_engine():
    found = findings(minigrad=[0.8], PyTorch=[1.0], bare=[0.2])
    shown = report.profiles(found, MAKERS["minigrad"]())
    assert "time / PyTorch 0.80, must 0.32, *bare* 0.20" in shown
    assert "bare" not in str(found.peer_ratios())


def test_what_is_known_of_a_missed_workload_stands_under_its_heading():
    assert report.KNOWN.keys() <= {target.workload for target in TARGETS}
    missed = Findings({scalars.FAN.title: Times([{"minigrad": [0.8], "PyTorch": [1.0]}])})
    shown = report.profiles(missed, MAKERS["minigrad"]())
    assert f"must 0.32\n\n{report.KNOWN[scalars.FAN.title].strip()}\n\n```\n" in shown


def test_every_promise_has_a_row_and_every_row_the_same_width():
    lines = report.promises(Findings()).splitlines()
    assert len(lines) == len(TARGETS) + 2
    assert len({len(line) for line in lines}) == 1


def test_a_race_gives_every_engine_every_round():
    seconds = race(scalars.LESSON, {"minigrad": MAKERS["minigrad"]()}, rounds=3)
    assert {name: len(rounds) for name, rounds in seconds.items()} == {
        "minigrad": 3,
        BY_HAND: 3,
    }
    assert "minigrad/" in "".join(report.profiles(findings(minigrad=[1.0], PyTorch=[1.0]),
                                                  MAKERS["minigrad"]()))  # fmt: skip


def test_a_stepper_is_told_with_what_it_may_cost():
    within, slow, large = (one.title for one in stepper.PASSES[:3])
    found = Findings(
        steppers={
            within: stepper.Cost(0.5, 150_000),
            slow: stepper.Cost(0.5, 150_000),
            large: stepper.Cost(0.5, 900_000),
        }
    )
    table = report.steppers(found).splitlines()[2:]
    met = [line.strip("| ").split("|")[-1].strip() for line in table]
    unmeasured = ["n/a"] * (len(stepper.PASSES) - 3)
    assert met == ["yes", "**missed**", "**missed**", *unmeasured]


def test_a_stepper_is_measured():
    seconds, size = stepper.once(stepper.chain(3))
    assert seconds >= 0
    assert size > 5_000
