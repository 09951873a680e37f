"""Test the tester: a comparison that cannot fail proves nothing."""

import copy
import sys
import warnings
from types import SimpleNamespace

import pytest

import minigrad
from tests.documents.recording import ITEMS
from tests.oracle.accepted import accepted
from tests.oracle.observer import differences, observe, plain, unlike
from tests.oracle.recorded import the_oracle

# --- the comparison notices each kind of difference ---

SHOWN = [
    ["x.grad", {"prints": "tensor([2.])", "dtype": "torch.float32", "numbers": [2.0]}],
    ["warning", {"warns": "UserWarning", "text": "careful", "at": "a.grad"}],
    ["a second pass", {"raises": "RuntimeError", "text": "freed"}],
    ["flags", [True, 1, None, "name"]],
]

CHANGES = {
    "a number": lambda shown: shown[0][1].update(numbers=[2.0001]),
    "the printed text": lambda shown: shown[0][1].update(prints="tensor([-2.])"),
    "nan for a number": lambda shown: shown[0][1].update(numbers=[plain(float("nan"))]),
    "the dtype": lambda shown: shown[0][1].update(dtype="torch.float64"),
    "the shape": lambda shown: shown[0][1].update(numbers=2.0),
    "the length": lambda shown: shown[0][1].update(numbers=[2.0, 2.0]),
    "the warning's text": lambda shown: shown[1][1].update(text="beware"),
    "the warning's class": lambda shown: shown[1][1].update(warns="FutureWarning"),
    "the warning's line": lambda shown: shown[1][1].update(at="inside the library"),
    "a warning less": lambda shown: shown.pop(1),
    "a warning more": lambda shown: shown.insert(1, shown[1]),
    "the exception's class": lambda shown: shown[2][1].update(raises="ValueError"),
    "the exception's text": lambda shown: shown[2][1].update(text="freed."),
    "no exception": lambda shown: shown.__setitem__(2, ["a second pass", {"raises": None}]),
    "one for True": lambda shown: shown[3][1].__setitem__(0, 1),
    "a float for an int": lambda shown: shown[3][1].__setitem__(1, 1.0),
    "False for None": lambda shown: shown[3][1].__setitem__(2, False),
    "less shown": lambda shown: shown.pop(),
    "more shown": lambda shown: shown.append(["and", 1]),
    "nothing shown": lambda shown: shown.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_observation_is_noticed(change):
    changed = copy.deepcopy(SHOWN)
    change(changed)
    assert unlike(SHOWN, changed)


def test_equal_observations_are_equal_and_last_bits_may_differ():
    assert unlike(SHOWN, copy.deepcopy(SHOWN)) == []
    assert differences(1.0, 1.0 + 1e-7) == []
    assert differences(1.0, 1.0 + 1e-5)
    assert differences(0.0, 1e-12)


# --- the observer sees what happens ---


def test_the_observer_writes_down_errors_and_the_lack_of_them():
    def snippet(torch, see):
        with see.error("raises"):
            raise KeyError("k")
        with see.error("does not"):
            pass

    assert observe(snippet, minigrad) == [
        ["raises", {"raises": "KeyError", "text": "'k'"}],
        ["does not", {"raises": None}],
    ]


def test_the_observer_writes_down_every_warning_where_it_points():
    def snippet(torch, see):
        for _ in range(2):
            warnings.warn("mine (Triggered internally at a.cpp:1.)", UserWarning, stacklevel=1)
        warnings.warn("another file's", FutureWarning, stacklevel=2)

    first, second, third = observe(snippet, minigrad)
    line = 'warnings.warn("mine (Triggered internally at a.cpp:1.)", UserWarning, stacklevel=1)'
    assert first == second == ["warning", {"warns": "UserWarning", "text": "mine", "at": line}]
    assert third[1] == {
        "warns": "FutureWarning",
        "text": "another file's",
        "at": "inside the library",
    }


def test_addresses_are_not_compared():
    assert plain(object())["prints"] == "<object object at 0xADDR>"


# --- planted faults: each breaks the library in one way, and the items notice ---


def nothing(self, *args, **kwargs):
    return self


def twice(backward):
    def backward_twice(self, *args, **kwargs):
        backward(self, *args, **{**kwargs, "retain_graph": True})
        backward(self, *args, **kwargs)

    return backward_twice


def doubled(grad):
    return lambda *args, **kwargs: tuple(g * 2 for g in grad(*args, **kwargs))


def past_the_version(self, index, value):
    self.data[index] = value


class NoMode:
    """A no_grad that leaves recording on."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


# name: (where, what, the faulty one made from the sound one, items that must notice)
FAULTS = {
    "no_grad does nothing": ("", "no_grad", lambda _: NoMode, ["001-1.15", "004-4.20"]),
    "detach does nothing": ("Tensor", "detach", lambda _: nothing, ["000-0.40", "002-2.14"]),
    "retain_grad does nothing": ("Tensor", "retain_grad", lambda _: nothing, ["000-0.4"]),
    "zero_ does nothing": ("Tensor", "zero_", lambda _: nothing, ["002-2.12", "000-0.28"]),
    "backward runs twice": ("Tensor", "backward", twice, ["000-0.11", "000-0.17"]),
    "grad doubles": ("autograd", "grad", doubled, ["000-0.14", "000-0.23"]),
    "add subtracts": ("", "add", lambda _: lambda a, b: a - b, ["000-0.11"]),
    "the seed is ignored": ("", "manual_seed", lambda _: lambda seed: None, ["001-1.14"]),
    "writing skips the version": (
        "Tensor",
        "__setitem__",
        lambda _: past_the_version,
        ["003-3.18"],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault, monkeypatch):
    where, what, faulty_from, items = FAULTS[fault]
    room = getattr(minigrad, where) if where else minigrad
    for name in items:
        assert not noticed(name), f"{name} must agree before the fault is planted"
    monkeypatch.setattr(room, what, faulty_from(getattr(room, what)))
    for name in items:
        assert noticed(name), f"{name} did not notice that {fault}"


def noticed(name):
    """Whether an item fails: it shows something else, or cannot be run at all."""
    try:
        return bool(ITEMS.differences(name, minigrad))
    except Exception:
        return True


# --- differences that are meant ---


def test_a_meant_difference_belongs_to_its_suite():
    entries = [{"what": "a reason", "suite": "ops", "cases": ["one", "two"]}]
    assert accepted("ops", entries) == {"one": "a reason", "two": "a reason"}
    assert accepted("behavior", entries) == {}


# --- the recorder asks one version of PyTorch only ---


@pytest.mark.parametrize(
    ("installed", "advice"),
    [(None, "Install torch==2.13.0"), (SimpleNamespace(__version__="2.12.1"), "this is 2.12.1")],
)
def test_the_recorder_refuses_any_other_oracle(installed, advice, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", installed)
    with pytest.raises(SystemExit, match=advice):
        the_oracle()
