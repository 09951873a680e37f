"""One door: what `import minigrad as mg` has for looking, found by Tab."""

import inspect
import subprocess
import sys

import pytest

import minigrad as mg

LOOKING = ["draw", "stepper", "explain", "watch"]


@pytest.mark.parametrize("name", LOOKING)
def test_it_is_found_and_explains_itself(name):
    assert name in dir(mg)
    found = getattr(mg, name)
    assert found.__name__ == name
    assert f"mg.{name}(" in mg.__doc__
    assert "Raises:" in inspect.getdoc(found)
    assert next(iter(inspect.signature(found).parameters)) in (
        "y",
        "tensors",
        "module",
        "modules",
        "model",
    )


def test_tab_still_finds_everything_else():
    assert {"tensor", "nn", "optim", "func", "no_grad", "Tensor"} <= set(dir(mg))


def test_the_door_is_opened_by_the_first_who_goes_through():
    program = (
        "import sys, minigrad as mg; dir(mg);"
        "rooms = ('widgets', 'viz', 'trace');"
        "print([room for room in rooms if f'minigrad.{room}' in sys.modules]);"
        "mg.stepper; print('minigrad.widgets' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split("\n")[:2] == ["[]", "True"], done.stderr


def test_a_tensor_of_pytorch_steps_too():
    torch = pytest.importorskip("torch")
    x = torch.tensor(2.0, requires_grad=True)
    a = x + 1
    y = a * (x + 2)
    w = mg.stepper(y)
    assert repr(w) == "Stepper: 4 steps; x.grad = 7"
    assert x.grad is None
    y.backward()
    assert x.grad == 7
