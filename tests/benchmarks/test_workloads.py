"""Every workload computes what the hand-written NumPy version computes. Nothing here is timed."""

import dataclasses

import pytest

from benchmarks import arrays, demo, derivatives, networks, scalars
from benchmarks.engines import MAKERS
from benchmarks.workload import BY_HAND, Disagreement

MINIGRAD = {"minigrad": MAKERS["minigrad"]()}
BARE = {"bare": MAKERS["bare"]()}
# The longest loops repeat what the shortest one does.
BY_HAND_TOO = [
    scalars.LESSON, scalars.CHAIN, scalars.FAN, scalars.GROWING_SUMS[0],
    *networks.WORKLOADS, *arrays.WORKLOADS, *derivatives.WORKLOADS,
]  # fmt: skip


@pytest.mark.parametrize("workload", BY_HAND_TOO, ids=lambda workload: workload.title)
def test_minigrad_agrees_with_the_version_by_hand(workload):
    assert set(workload.steps(MINIGRAD)) == {"minigrad", BY_HAND}
    workload.check(MINIGRAD)


@pytest.mark.parametrize(
    "workload",
    [workload for workload in [*BY_HAND_TOO, demo.DEMO] if "bare" not in workload.without],
    ids=lambda workload: workload.title,
)
def test_the_bare_engine_agrees(workload):
    workload.check(MINIGRAD | BARE)


@pytest.mark.parametrize("workload", BY_HAND_TOO, ids=lambda workload: workload.title)
def test_a_wrong_number_is_noticed(workload):
    def wrong():
        step = workload.by_hand()
        return lambda: [1.01 * result for result in step()]

    with pytest.raises(Disagreement, match="NumPy"):
        dataclasses.replace(workload, by_hand=wrong).check(MINIGRAD)


def test_a_missing_result_is_noticed():
    short = dataclasses.replace(scalars.LESSON, by_hand=lambda: lambda: [1.0])
    with pytest.raises(Disagreement, match="NumPy returns only 1"):
        short.check(MINIGRAD)
