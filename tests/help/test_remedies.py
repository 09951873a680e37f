"""The remedy follows the cause: each program fails or is cut, and mended as advised it is not."""

import pytest

import minigrad as mg
from tests.help.program import run

X = "x = torch.tensor([1., 2.], requires_grad=True)\n"

# name: (program that ends in a backward that fails, what is advised, the program mended)
CUT = {
    "numbers collected in a list": (
        X + "y = torch.tensor([float(x[0]) * 2, x[1].item() * 3])\ny.sum().backward()",
        "torch.stack([...]) in its place, or torch.cat([...]) where they have dimensions to join",
        X + "y = torch.stack([x[0] * 2, x[1] * 3])\ny.sum().backward()",
    ),
    "numbers that were collected before": (
        X + "h = [float(e) for e in x * 2]\ny = torch.tensor(h)\ny.sum().backward()",
        "torch.stack(h) in the place of tensor(h) (line 3 of learner.py)",
        X + "h = [e for e in x * 2]\ny = torch.stack(h)\ny.sum().backward()",
    ),
    "a number that is none of several": (
        X + "h = x.sum().item() * 2\ny = torch.tensor(h)\ny.backward()",
        "h itself in the place of tensor(h) (line 3 of learner.py)",
        X + "h = x.sum() * 2\ny = h\ny.backward()",
    ),
    "numbers of one tensor": (
        X + "h = (x * 2).tolist()\ny = torch.tensor(h)\ny.sum().backward()",
        "h itself in the place of tensor(h) (line 3 of learner.py)",
        X + "h = x * 2\ny = h\ny.sum().backward()",
    ),
    "what a function is given, which may be a list": (
        X + "def f(h):\n    return torch.tensor(h)\ny = f(x.sum().item())\ny.backward()",
        "h itself in the place of tensor(h), or torch.stack(h) if that is a list",
        X + "def f(h):\n    return h\ny = f(x.sum())\ny.backward()",
    ),
    "a number in the function of a map": (
        X + "y = torch.tensor(sum(map(lambda e: e.item() * 2, x)))\ny.backward()",
        "leave item() out; leave tensor(...) out there (line 2 of learner.py)",
        X + "y = sum(map(lambda e: e * 2, x))\ny.backward()",
    ),
    "math": (
        "import math\n" + X + "y = torch.tensor(math.exp(x[0].item()))\ny.backward()",
        "torch.exp(x[0]) for math.exp(...)",
        X + "y = torch.exp(x[0])\ny.backward()",
    ),
    "detach": (
        X + "h = (x * 2).detach()\ny = h.sum()\ny.backward()",
        "leave detach() out there (line 2 of learner.py)",
        X + "h = x * 2\ny = h.sum()\ny.backward()",
    ),
    "item": (
        X + "n = x.sum().item()\ny = torch.tensor(1.) * n\ny.backward()",
        "keep it a tensor there, and leave item() out (line 2 of learner.py)",
        X + "n = x.sum()\ny = torch.tensor(1.) * n\ny.backward()",
    ),
    "no_grad": (
        X + "with torch.no_grad():\n    h = x * 2\ny = h.sum()\ny.backward()",
        "move the line out of no_grad, and leave no_grad out",
        X + "h = x * 2\ny = h.sum()\ny.backward()",
    ),
    "argmax": (
        X + "y = x.argmax().float()\ny.backward()",
        "the expected position, which is (softmax of the scores",
        X + "y = (x.softmax(0) * torch.tensor([0., 1.])).sum()\ny.backward()",
    ),
    "a cast": (
        X + "y = (x * 2).long().sum()\nz = y.float()\nz.backward()",
        "keep it floating-point there, and leave long() out",
        X + "y = (x * 2).sum()\nz = y.float()\nz.backward()",
    ),
    "a state carried into the next round": (
        (
            "w = torch.ones(1, requires_grad=True)\nhidden = torch.zeros(1)\nfor i in range(2):\n"
            "    hidden = (w * hidden + 1).tanh()\n    hidden.sum().backward()"
        ),
        "start each round with hidden = hidden.detach()",
        (
            "w = torch.ones(1, requires_grad=True)\nhidden = torch.zeros(1)\nfor i in range(2):\n"
            "    hidden = hidden.detach()\n"
            "    hidden = (w * hidden + 1).tanh()\n    hidden.sum().backward()"
        ),
    ),
}

# name: (program that leaves z and x, phrases that have to be said, and that must not be)
SAID = {
    "a branch that did not run": (
        "y = x * 2\nif y.sum() > 100:\n    y = y.detach()\nz = y.sum()",
        ["There is a recorded path"], ["detach", "breaks"],
    ),
    "a branch that ran": (
        "y = x * 2\nif y.sum() < 100:\n    y = y.detach()\nelse:\n    y = y * 3\nz = y.sum()",
        ["The path breaks here: detach()", "line 4 of learner.py"], ["Where this line ran"],
    ),
    "an error that was caught": (
        ("y = x * 2\ntry:\n    y = y.nothing\nexcept AttributeError:\n    y = y.detach()\n"
        "z = y.sum()"),
        ["The path breaks here: detach()", "line 6 of learner.py"], ["Where this line ran"],
    ),
    "a size": ("z = (x / x.shape[0]).sum() / len(x)", ["There is a recorded path"], ["cut"]),
    "a mask": ("m = x > 0\nz = (x * m).sum()", ["There is a recorded path"], ["cut"]),
    "another tensor": (
        "v = torch.ones(2, requires_grad=True)\nz = (v * 2).sum()",
        ["z was computed from v (line 3", "no line that can be read leads from x to it"],
        ["unknown", "breaks"],
    ),
    "a copy": (
        "import copy\nv = copy.deepcopy(x)\nz = (v * 2).sum()",
        ["The path breaks here: deepcopy(...) makes a copy", "clone() in its place"], ["unknown"],
    ),
    "a copy beside": (
        "import copy\nold = copy.deepcopy(x)\nz = (x - old).sum()",
        ["There is a recorded path"], ["Another way"],
    ),
    "a write into what .data shows": (
        "h = torch.zeros(2)\nh.data[:] = (x * 2).detach()\nz = h.sum()",
        ["The path breaks here: detach()", "line 3 of learner.py"], ["unknown"],
    ),
    "a position": ("z = x[x.argmax()] * 2", ["There is a recorded path"], ["cut"]),
    "an update": (
        ("(x * x).sum().backward()\nwith torch.no_grad():\n    x -= 0.1 * x.grad\n"
        "z = (x * x).sum()"),
        ["There is a recorded path"], ["cut"],
    ),
    "a baseline": (
        "z = (x - x.mean().detach()).sum()",
        ["There is a recorded path", "Another way is cut, and adds nothing to the gradient: det"],
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_advised_mends_it(name):
    program, advice, mended = CUT[name]
    with pytest.raises(RuntimeError) as caught:
        run(program)
    assert advice in caught.value.__notes__[0].partition("Try:")[2]
    run(mended)


@pytest.mark.parametrize("name", SAID)
def test_what_is_asserted_and_what_is_not(name):
    program, there, absent = SAID[name]
    variables = run(f"{X}{program}\nsaid = torch.explain(z, x)")
    said = str(variables["said"])
    assert [phrase for phrase in there if phrase not in said] == [], said
    assert [phrase for phrase in absent if phrase in said] == [], said


def test_a_misspelt_flag_is_to_blame_and_not_the_line_that_made_the_tensor():
    program = "x = torch.ones(2)\nx.require_grad = True\nz = x.sum()\nz.backward()"
    with pytest.raises(RuntimeError) as caught:
        run(program)
    note = caught.value.__notes__[0]
    assert "x.require_grad is an attribute that nothing reads (line 2 of learner.py" in note
    assert "Try:   requires_grad in the place of require_grad (line 2" in note
    assert "line 1" not in note
    x = mg.ones(2)
    x.weight = 3
    assert "attribute" not in str(mg.explain(x))
