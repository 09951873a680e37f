"""Random numbers: the recorded programs, the live comparison with PyTorch, and the generator."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigrad.extras import random
from minigrad.tensor import wrap
from tests.extras import recording_random
from tests.extras.recording_random import RECORDING, unlike


def name_of(program: dict) -> str:
    calls = program.get("calls", [])
    return " ".join([str(program["seed"]), *(f"{c['draw']}-{c['dtype']}" for c in calls[:1])])


def drawn(generator, draw, shape, dtype, scattered=False, **arguments):
    """Make one call of a program in minigrad."""
    if scattered:
        return random.normal(0, 1, tuple(shape), dtype, generator, contiguous=False)
    size = {"n": shape} if draw == "randperm" else {"shape": tuple(shape)}
    return getattr(random, draw)(**arguments, **size, dtype=dtype, generator=generator)


def played(program: dict, make=drawn) -> dict:
    """Run a program in minigrad; the answer looks like the recorded one."""
    generator = random.Generator()
    try:
        generator.manual_seed(program["seed"])
    except ValueError as error:
        return {"seed": program["seed"], type(error).__name__: str(error)}
    given = [recording_random.outcome(make, generator, **call) for call in program["calls"]]
    return {
        **program,
        "given": given,
        "state": recording_random.digest(generator.get_state().numpy()),
    }


# --- The recorded answers ------------------------------------------------------------------------


@pytest.mark.recorded
@pytest.mark.parametrize("program", RECORDING.answers, ids=name_of)
def test_program_draws_what_was_recorded(program):
    assert not unlike(program, played(program))


def forgetful(generator, **call):
    """A fault: the second number of a normal pair is thrown away."""
    generator.waiting_normal = None
    return drawn(generator, **call)


def greedy(generator, **call):
    """A fault: each call takes one word more than it should."""
    generator.words(1)
    return drawn(generator, **call)


def in_place_of_randn(generator, draw, **call):
    """A fault: normal numbers never come in blocks."""
    return drawn(generator, draw, **{**call, "scattered": draw == "randn"})


@pytest.mark.recorded
@pytest.mark.parametrize("fault", [forgetful, greedy, in_place_of_randn])
def test_a_planted_fault_is_noticed(fault):
    assert sum(bool(unlike(one, played(one, fault))) for one in RECORDING.answers) >= 5


# --- The generator -------------------------------------------------------------------------------


def some_of_each(generator):
    return [
        random.rand((3,), np.float64, generator).tolist(),
        random.randn((3,), np.float32, generator).tolist(),
        random.randint(0, 9, (3,), np.int64, generator).tolist(),
        random.randn((20,), np.float64, generator).tolist(),
    ]


def test_the_same_seed_gives_the_same_numbers():
    first = some_of_each(random.Generator().manual_seed(5))
    assert some_of_each(random.Generator().manual_seed(5)) == first
    assert some_of_each(random.Generator().manual_seed(6)) != first


@pytest.mark.parametrize("words_before", [0, 1, 623, 624, 625])
def test_a_state_brings_back_everything(words_before):
    generator = random.Generator().manual_seed(-3)
    generator.words(words_before)
    random.randn((words_before % 2,), generator=generator)
    state = generator.get_state()
    kept = state.clone()
    expected = some_of_each(generator)
    other = random.Generator()
    assert other.set_state(state) is other
    assert other.initial_seed() == 2**64 - 3
    assert other.get_state().tolist() == kept.tolist() == state.tolist()
    assert some_of_each(other) == expected


def test_a_fork_leaves_no_trace():
    random.manual_seed(3)
    expected = random.rand((2,)).tolist()
    random.manual_seed(3)
    with pytest.raises(KeyError), random.fork_rng():
        random.manual_seed(99)
        random.randn((3,))
        raise KeyError
    assert random.rand((2,)).tolist() == expected


def test_the_default_generator_serves_whoever_brings_none():
    assert random.manual_seed(4) is random.default_generator
    assert random.initial_seed() == 4
    state = random.get_rng_state()
    ours = [random.rand((2,)), random.randn((2,)), random.randperm(3), random.normal(1, 2, (2,))]
    random.set_rng_state(state)
    g = random.default_generator
    again = [
        random.rand((2,), generator=g),
        random.randn((2,), generator=g),
        random.randperm(3, generator=g),
        random.normal(1, 2, (2,), generator=g),
    ]
    assert [x.tolist() for x in ours] == [x.tolist() for x in again]


def test_unknown_seeds_differ():
    generator = random.Generator()
    assert generator.seed() != generator.seed()
    assert random.seed() == random.initial_seed()


WRONG_SIZE = (
    "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be {}"
)


@pytest.mark.parametrize(
    ("state", "error", "text"),
    [
        (3, TypeError, "expected a torch.ByteTensor, but got int"),
        (np.zeros(5056), TypeError, "RNG state must be a torch.ByteTensor"),
        (
            np.zeros(3, np.uint8),
            RuntimeError,
            WRONG_SIZE.format(3),
        ),
        (np.zeros(5056, np.uint8), RuntimeError, "Invalid mt19937 state"),
    ],
)
def test_what_is_no_state_is_refused(state, error, text):
    generator = random.Generator()
    before = generator.get_state()
    with pytest.raises(error) as raised:
        generator.set_state(wrap(state) if isinstance(state, np.ndarray) else state)
    assert str(raised.value) == text
    assert (generator.get_state() == before).all()


@pytest.mark.parametrize("seed", [1.5, "a", None])
def test_a_generator_wants_a_whole_number(seed):
    with pytest.raises(RuntimeError) as raised:
        random.Generator().manual_seed(seed)
    assert str(raised.value) == f"manual_seed expected a long, but got {type(seed).__name__}"


def test_there_is_only_the_cpu():
    assert random.Generator("cpu").initial_seed() == 67280421310721
    with pytest.raises(NotImplementedError, match="cuda"):
        random.Generator("cuda")


def test_numbers_stay_within_their_bounds():
    generator = random.Generator().manual_seed(0)
    for dtype in (np.float16, np.float32, np.float64):
        high = float(np.nextafter(dtype(1), dtype(2)))
        numbers = random.uniform(1.0, high, (2000,), dtype, generator)
        assert set(numbers.tolist()) == {1.0}
    # Rounded to float16, many of these would be 1.
    assert random.rand((30000,), np.float16, generator).max() < 1


@pytest.mark.filterwarnings("error")
def test_bounds_and_moments_that_are_not_ordinary():
    generator = random.Generator().manual_seed(0)
    assert np.isfinite(random.uniform(0, 1.7e308, (50,), np.float64, generator)).all()
    assert np.isnan(random.normal(np.nan, 1, (2,), np.float32, generator)).all()
    assert (random.normal(1e39, 1, (20,), np.float32, generator) == np.inf).all()
    assert (random.normal(1e6, 1, (2,), np.float16, generator) == np.inf).all()
    assert (random.normal(np.inf, 1, (20,), np.float32, generator) == np.inf).all()


def test_threads_with_generators_of_their_own_do_not_meet():
    expected = [some_of_each(random.Generator().manual_seed(n)) for n in range(8)]
    found = [None] * 8

    def work(n):
        found[n] = some_of_each(random.Generator().manual_seed(n))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_numpy_random_waits_for_the_first_number():
    program = (
        "import sys, numpy\n"
        "if 'numpy.random' in sys.modules: sys.exit('loaded by NumPy itself')\n"
        "from minigrad import random\n"
        "random.manual_seed(0)\n"
        "assert 'numpy.random' not in sys.modules\n"
        "random.rand((1,))\n"
        "assert 'numpy.random' in sys.modules\n"
    )
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8"
    )
    if "loaded by NumPy itself" in done.stderr:
        pytest.skip("this NumPy loads numpy.random when it is imported")
    assert done.returncode == 0, done.stderr


# --- Real PyTorch, asked now ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


COUNTS = st.integers(0, 40) | st.sampled_from([100, 625, 700])
SHAPES = COUNTS.map(lambda n: [n])
ALL = [*recording_random.INTS, *recording_random.FLOATS, "bool"]
FLOATS = st.sampled_from(recording_random.FLOATS)
BOUND = st.floats(-1e4, 1e4) | st.sampled_from([0.0, 1.0, 1e-3])
WHOLE = st.integers(-200, 200) | st.integers(-(2**63), 2**63 - 1) | st.just(2**28)


def calls(draw, dtypes, shapes, **arguments):
    names = {"draw": st.just(draw), "shape": shapes, "dtype": dtypes}
    return st.fixed_dictionaries({**names, **arguments})


CALLS = st.one_of(
    calls("rand", FLOATS, SHAPES),
    calls("randn", FLOATS, SHAPES, scattered=st.booleans()),
    calls("uniform", FLOATS, SHAPES, low=BOUND, high=BOUND),
    calls("normal", FLOATS, SHAPES, mean=BOUND, std=BOUND),
    calls("randint", st.sampled_from(ALL), SHAPES, low=WHOLE, high=WHOLE),
    calls("randperm", st.sampled_from(ALL), COUNTS),
)


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:(from|to - 1) is out of bounds")
@settings(max_examples=300)
@given(st.integers(-(2**63), 2**64 - 1), st.lists(CALLS, max_size=6))
def test_any_program_draws_what_pytorch_draws(torch, seed, made):
    theirs = recording_random.played((seed, made), torch)
    # Here both use one C library: float64 has to be equal to the last bit.
    assert not unlike(theirs, played({"seed": seed, "calls": made}), last_bits=0)


@pytest.mark.oracle
def test_states_are_exchanged_with_pytorch(torch):
    ours, theirs = random.Generator().manual_seed(8), torch.Generator().manual_seed(8)
    assert ours.get_state().tolist() == theirs.get_state().tolist()
    random.randn((5,), generator=ours)
    theirs.set_state(torch.from_numpy(ours.get_state().numpy()))
    assert theirs.get_state().tolist() == ours.get_state().tolist()
    expected = torch.randn(4, generator=theirs).tolist()
    assert random.randn((4,), generator=ours).tolist() == expected
