"""Every workload computes what PyTorch computes, and leaves nothing behind for the next step."""

import numpy as np
import pytest

from benchmarks import networks, scalars
from benchmarks.engines import MAKERS
from benchmarks.targets import WORKLOADS

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

SHORT = [workload for workload in WORKLOADS if workload not in scalars.GROWING_SUMS[1:]]


@pytest.fixture(scope="module")
def engines():
    return {name: MAKERS[name]() for name in ("minigrad", "PyTorch")}


@pytest.mark.parametrize("workload", SHORT, ids=lambda workload: workload.title)
def test_minigrad_agrees_with_pytorch(workload, engines):
    assert list(workload.steps(engines))[:2] == ["minigrad", "PyTorch"]
    workload.check(engines)


@pytest.mark.parametrize("name", ["minigrad", "PyTorch"])
def test_a_step_leaves_no_gradient(name, engines):
    step = scalars.chain(100)(engines[name])
    first, second = step(), step()
    assert [float(value) for value in first] == [float(value) for value in second]


@pytest.mark.parametrize("name", ["minigrad", "PyTorch"])
def test_a_training_step_changes_the_weights(name, engines):
    step = networks.training((4, 3, 2), 5)(engines[name])
    first, second = (engines[name].array(step()[-1]) for _ in range(2))
    assert not np.array_equal(first, second)
