"""Printing: the recorded table, the live comparison with PyTorch, and the print options."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minigrad import printing, tensor
from minigrad.extras.settings import get_printoptions, printoptions, set_printoptions
from minigrad.ops.more.values_and_indices import named_selection
from tests.recording_printing import FORMATS, STRUCTURES, TENSORS, Case


def name_of(entry: dict) -> str:
    return " ".join(str(value) for key, value in entry.items() if key != "repr")


def minigrad_prints(array, held="", grad_fn=None, options=None, default_dtype="float32"):
    """What the case of a tensor looks like in minigrad."""
    with printoptions(**(options or {})):
        told = printing.format_tensor(
            array,
            grad_fn_name=grad_fn,
            requires_grad=held in ("leaf", "parameter"),
            default_dtype=default_dtype,
            prefix="Temperature(" if held == "subclass" else "tensor(",
        )
    return "Parameter containing:\n" + told if held == "parameter" else told


def answer_to(entry: dict) -> str:
    told = {key: value for key, value in entry.items() if key not in ("array", "repr")}
    return minigrad_prints(Case(entry["array"]).values(), **told)


@pytest.fixture(autouse=True)
def _options_as_found():
    before = get_printoptions()
    yield
    assert get_printoptions() == before
    set_printoptions(**before)


# --- The recorded answers ------------------------------------------------------------------------


@pytest.mark.recorded
@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("entry", TENSORS.answers, ids=name_of)
def test_tensor_prints_as_recorded(entry):
    assert answer_to(entry) == entry["repr"]


@pytest.mark.recorded
@pytest.mark.parametrize("entry", FORMATS.answers, ids=name_of)
def test_number_formats_as_recorded(entry):
    array, spec = Case(entry["array"]).values(), entry["spec"]
    if "text" in entry:
        assert format(tensor(array), spec) == entry["text"]
    else:
        with pytest.raises(ValueError) as raised:
            format(tensor(array), spec)
        assert str(raised.value) == entry["ValueError"]


class Printed(str):
    """A text that is its own repr, standing for a printed tensor."""

    __slots__ = ()
    __repr__ = str.__str__


@pytest.mark.recorded
@pytest.mark.parametrize("entry", STRUCTURES.answers, ids=lambda entry: entry["operation"])
def test_structured_result_prints_as_recorded(entry):
    assert list(entry["parts"]) == ["values", "indices"]
    parts = [Printed(text) for text in entry["parts"].values()]
    assert repr(named_selection(entry["operation"])(parts)) == entry["repr"]


@pytest.mark.recorded
@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("_far_apart", lambda numbers: max(map(abs, numbers), default=0) > 1e8),
        ("_far_apart", lambda numbers: False),
        ("_corners", lambda array: array),
        ("_describe", lambda array, default: []),
        ("_with_suffixes", lambda text, suffixes, indent: ", ".join([text, *suffixes]) + ")"),
    ],
)
def test_a_planted_fault_is_noticed(monkeypatch, where, fault):
    monkeypatch.setattr(printing, where, fault)
    assert any(answer_to(entry) != entry["repr"] for entry in TENSORS.answers[::3])


# --- Options -------------------------------------------------------------------------------------


def test_options_last_until_they_are_changed():
    set_printoptions(precision=1, threshold=2, edgeitems=1, linewidth=30, sci_mode=False)
    assert printing.format_tensor(np.float32([1.25, 0.5, 3])) == "tensor([1.2,  ..., 3.0])"
    set_printoptions(profile="default")
    assert get_printoptions() == {
        "precision": 4,
        "threshold": 1000,
        "edgeitems": 3,
        "linewidth": 80,
        "sci_mode": None,
    }


def test_a_profile_is_where_the_other_options_start_from():
    with printoptions(profile="full", precision=2):
        assert get_printoptions()["threshold"] == math.inf
        assert get_printoptions()["precision"] == 2


def test_every_call_settles_scientific_mode_anew():
    with printoptions(sci_mode=True):
        set_printoptions(precision=2)
        assert printing.format_tensor(np.float32(1.5)) == "tensor(1.50)"


def test_options_return_after_an_exception():
    with pytest.raises(KeyError), printoptions(precision=1):
        raise KeyError
    assert get_printoptions()["precision"] == 4


def test_printing_leaves_the_array_alone():
    array = np.arange(2000.0).reshape(20, 100).T
    before = array.copy()
    array.flags.writeable = False
    printing.format_tensor(array)
    assert (array == before).all()


# --- Real PyTorch, asked now ---------------------------------------------------------------------


DTYPES = [np.float16, np.float32, np.float64, np.uint8, np.int8, np.int32, np.int64, np.bool_]
AWKWARD = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-4, 1e8, 1000.0, math.nan, math.inf, -math.inf]


@st.composite
def arrays(draw):
    """Arrays of any dtype and layout, of numbers near the borders between the styles."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=9))
    elements = None
    if dtype.kind == "f":
        width = 8 * dtype.itemsize
        numbers = st.floats(width=width) | st.integers(-2000, 2000).map(float)
        elements = numbers | st.sampled_from([float(dtype.type(x)) for x in AWKWARD if x != 1e8])
    array = draw(hnp.arrays(dtype, shape, elements=elements))
    return array.T if draw(st.booleans()) else array


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 9),
        "threshold": st.sampled_from([0, 3, 10, 100]),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(1, 120),
        "profile": st.sampled_from(["default", "short", "full"]),
        "sci_mode": st.booleans(),
    },
)


@pytest.mark.oracle
@settings(max_examples=400)
@given(arrays(), OPTIONS, st.sampled_from(["float16", "float32", "float64"]), st.booleans())
def test_any_tensor_prints_as_in_pytorch(array, options, default_dtype, asks):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    held = "leaf" if asks and array.dtype.kind == "f" else ""
    torch.set_default_dtype(getattr(torch, default_dtype))
    try:
        with torch._tensor_str.printoptions(**options):
            expected = repr(torch.from_numpy(array.copy()).requires_grad_(bool(held)))
    finally:
        torch.set_default_dtype(torch.float32)
    assert minigrad_prints(array, held, None, options, default_dtype) == expected
