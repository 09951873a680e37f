"""Every autograd error has a note that names the line, the reason and the way out."""

import traceback

import pytest

import minigrad
from minigrad.help.errors import error_notes, under_errors
from tests.help.program import run

# A custom function whose backward is given.
FUNCTION = """
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, k):
        ctx.save_for_backward(a)
        return a * k
    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return {}
"""
X = "x = torch.tensor([1., 2.], requires_grad=True)\n"
NET = """a = torch.ones(1, 1)
net = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Linear(1, 1))
"""

# name: (program, words of the message, phrases of the note)
SITUATIONS = {
    "result changed": (
        X + "y = x.exp()\nz = y.sum()\ny.add_(1)\nz.backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `y.add_(1)` changed the value", "ExpBackward0", "its own result",
         "version 0, now 1", "make a new tensor instead: `y = y.add(1)` in the place of that line"],
    ),
    "operand changed": (
        X + "a = x * 1\nb = a * a\na[0] = 5\nb.sum().backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `a[0] = 5`", "kept the value as `self` and `other`", "a.clone()"],
    ),
    "the first of several writes": (
        X + "a = x * 1\nb = a * a\na += 1\na += 2\na += 3\nb.sum().backward()",
        "is at version 3; expected version 0",
        ["line 4 of learner.py: `a += 1`", "3 writes in all"],
    ),
    "a write long before is not blamed": (
        X + "a = x * 1\na += 1\nb = a * a\na += 2\nb.sum().backward()",
        "is at version 2; expected version 1",
        ["line 5 of learner.py: `a += 2`"],
    ),
    "more writes than are remembered": (
        X + "a = x * 1\nb = a * a\nfor i in range(100):\n    a += 1\nb.sum().backward()",
        "is at version 100",
        ["line 5 of learner.py: `a += 1`", "100 writes in all"],
    ),
    "written through a detached tensor": (
        X + "y = x.exp()\nd = y.detach()\nd.zero_()\ny.sum().backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `d.zero_()`"],
    ),
    "written in a function": (
        X + "def change(t):\n    t.mul_(2)\ny = x.exp()\nchange(y)\ny.sum().backward()",
        "modified by an inplace operation",
        ["line 3 of learner.py: `t.mul_(2)`"],
    ),
    "leaf updated too early": (
        X + "y = (x * x).sum()\nwith torch.no_grad():\n    x -= 0.1\ny.backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `x -= 0.1`", "compute y (line 2"],
    ),
    "optimizer step too early": (
        X + "y = (x * x).sum()\ny.backward(retain_graph=True)\n"
        "torch.optim.SGD([x], lr=0.1).step()\ny.backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `torch.optim.SGD([x], lr=0.1).step()`"],
    ),
    "optimizer step between two losses": (
        NET + "y, z = net(a), net(a)\ny.backward()\n"
        "torch.optim.SGD(net.parameters(), lr=0.1).step()\nz.backward()",
        "modified by an inplace operation",
        ["line 5 of learner.py: `torch.optim", "compute z (line 3 of learner.py"],
    ),
    "a tensor without a name": (
        X + "(x * x).sum().backward()\nz = (x.grad * x).sum()\nx.grad.zero_()\nz.backward()",
        "modified by an inplace operation",
        ["line 4 of learner.py: `x.grad.zero_()`", "`x.grad = x.grad.clone()` above that line"],
    ),
    "gradient accumulated": (
        X + "(x * x).sum().backward()\ng = x.grad.requires_grad_()\nz = (g * g).sum()\n"
        "(x * x).sum().backward()\nz.backward()",
        "modified by an inplace operation",
        ["by backward() adding into a .grad", "MulBackward0"],
    ),
    "saved by a custom function": (
        FUNCTION.format("g, None") + X + "a = x * 1\nb = F.apply(a, 3)\na.zero_()\n"
        "b.sum().backward()",
        "modified by an inplace operation",
        ["`a.zero_()` changed", "FBackward had kept the value"],
    ),
    "anomaly mode knows the operation": (
        X + "with torch.autograd.set_detect_anomaly(True):\n    y = x.exp()\n    y += 1\n"
        "    y.sum().backward()",
        "Good luck!",
        ["ExpBackward0, recorded at line 3 of learner.py: `y = x.exp()`, had kept the value"],
    ),
    "freed": (
        X + "z = (x * x).sum()\nz.backward()\nprint\nz.backward()",
        "backward through the graph a second time",
        ["line 3 of learner.py: `z.backward()` ran a backward pass", "MulBackward0",
         "retain_graph=True"],
    ),
    "freed by autograd.grad": (
        X + "z = (x * x).sum()\ng, = torch.autograd.grad(z, x)\ntorch.autograd.grad(z, x)",
        "backward through the graph a second time",
        ["line 3 of learner.py", "retain_graph=True to the earlier call"],
    ),
    "freed in a loop": (
        X + "h = x * 1\nfor i in range(2):\n    h = h * x\n    h.sum().backward()",
        "backward through the graph a second time",
        ["line 5 of learner.py", "start each round with h = h.detach()"],
    ),
    "freed below": (
        X + "a = x * x\na.sum().backward()\nb = a * 2\nb.sum().backward()",
        "backward through the graph a second time",
        ["line 3 of learner.py: `a.sum().backward()`"],
    ),
    "freed view that was written": (
        X + "a = x * 1\na[0] = 2\na.sum().backward()\na.sum().backward()",
        "backward through the graph a second time",
        ["line 4 of learner.py", "CopySlices"],
    ),
    "saved value of a freed node": (
        X + "z = (x * x).sum()\nn = z.grad_fn.next_functions[0][0]\nz.backward()\nn._saved_self",
        "saved tensors after they have already been freed",
        ["line 4 of learner.py: `z.backward()`"],
    ),
    "freed custom function": (
        FUNCTION.format("g, None") + X + "z = F.apply(x, 2).sum()\nz.backward()\nz.backward()",
        "backward through the graph a second time",
        ["`z.backward()` ran a backward pass", "FBackward"],
    ),
    "not a scalar": (
        X + "y = x * x\ny.backward()",
        "implicitly created only for scalar outputs",
        ["y has 2 elements (shape [2])", "y.sum().backward()"],
    ),
    "vector of another shape": (
        X + "y = x * x\ny.backward(torch.ones(3))",
        "Mismatch in shape",
        ["not broadcast", "shape [2]", "this one has [3]"],
    ),
    "a number as a root": (
        X + "y = (x * x).sum()\ntorch.autograd.backward([y.item()])",
        "Expected output to be a torch.Tensor",
        ["of type float", "before item()"],
    ),
    "nothing asked for": (
        "u = torch.ones(2)\nu.sum().backward()",
        "does not require grad and does not have a grad_fn",
        ["requires_grad=False", "computed from u (line 2 of learner.py: `u.sum().backward()`)"],
    ),
    "a root of an unknown history": (
        "u = {'a': torch.ones(2)}\nu['a'].sum().backward()",
        "does not require grad and does not have a grad_fn",
        ["requires_grad=False", "unknown"],
    ),
    "a root without a name that a function detached": (
        X + "def f(t):\n    return t.detach()\nf(x).backward()",
        "does not require grad and does not have a grad_fn",
        ["How it lost its history: detach()", "line 3 of learner.py: `return t.detach()`"],
    ),
    "a root without a name, by torch.autograd": (
        X + "torch.autograd.grad(x.detach() * 2, x)",
        "does not require grad and does not have a grad_fn",
        ["How it lost its history: detach()", "line 2 of learner.py"],
    ),
    "detached root": (
        X + "y = (x * x).sum()\nd = y.detach()\nd.backward()",
        "does not require grad and does not have a grad_fn",
        ["d has requires_grad=False", "detach() gives", "line 3 of learner.py: `d = y.detach()`",
         "leave detach() out there (line 3 of learner.py)"],
    ),
    "root by .data": (
        X + "y = (x * x).sum()\nd = y.data\nd.backward()",
        "does not require grad and does not have a grad_fn",
        [".data gives the same value without history (line 3 of learner.py: `d = y.data`)"],
    ),
    "integer root": (
        X + "y = x.argmax()\ny.backward()",
        "does not require grad and does not have a grad_fn",
        ["argmax gives positions, which are integers"],
    ),
    "integer root that was not computed": (
        "y = torch.tensor(3)\ny.backward()", "does not require grad", ["Its dtype is int64"]
    ),
    "root under no_grad": (
        X + "with torch.no_grad():\n    y = x.sum()\n    y.backward()",
        "does not require grad and does not have a grad_fn",
        ["no_grad was on, so nothing was recorded (line 3 of learner.py: `y = x.sum()`)"],
    ),
    "root while grad mode is off": (
        X + "torch.set_grad_enabled(False)\ny = x.sum()\ntry:\n    y.backward()\n"
        "finally:\n    torch.set_grad_enabled(True)",
        "does not require grad and does not have a grad_fn",
        ["grad mode was still off at line 3 of learner.py: `y = x.sum()`", "(line 2 of"],
    ),
    "root of untracked operands": (
        "x = torch.ones(2)\ny = x.sum()\ny.backward()",
        "does not require grad and does not have a grad_fn",
        ["computed from x (line 2 of learner.py: `y = x.sum()`)", "nobody had asked"],
    ),
    "input without the flag": (
        X + "u = torch.ones(2)\ntorch.autograd.grad((x * u).sum(), u)",
        "One of the differentiated Tensors does not require grad",
        ["u has requires_grad=False"],
    ),
    "unused input": (
        X + "w = torch.ones(2, requires_grad=True)\ny = (x * x).sum()\n"
        "torch.autograd.grad(y, (x, w))",
        "at index 1 appears to not have been used",
        ["no recorded path from y back to w: the history of y leads to x", "materialize_grads="],
    ),
    "cut input": (
        X + "y = (x * x.detach()).sum()\nw = y.detach().requires_grad_()\nz = (w.data * x).sum()\n"
        "torch.autograd.grad(z, w)",
        "appears to not have been used",
        [".data gives the same value without history (line 4 of learner.py"],
    ),
    "one of several roots": (
        X + "w = torch.ones(2, requires_grad=True)\ntorch.autograd.grad((x.sum(), x[0]), w)",
        "appears to not have been used",
        ["No recorded path leads from the output, the output back to w"],
    ),
    "no inputs": (X + "x.sum().backward(inputs=[])", "cannot be empty", ["leave inputs= out"]),
    "no inputs of grad": (X + "torch.autograd.grad(x.sum(), [])", "cannot be empty", ["inputs="]),
    "leaf in place": (
        X + "x.add_(1)",
        "a leaf Variable that requires grad is being used in an in-place operation",
        ["x is where gradients are collected", "with torch.no_grad()"],
    ),
    "part of a leaf": (
        X + "x[0] = 10",
        "a view of a leaf Variable that requires grad",
        ["x is where", "a view of it shares its memory"],
    ),
    "dirty leaf": (
        "class D(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a):\n"
        "        ctx.mark_dirty(a)\n        return a\n" + X + "D.apply(x)",
        "has been used in an in-place operation",
        ["x is where gradients are collected"],
    ),
    "one of several views": (
        X + "a, b = (x * 1).unbind()\na.add_(1)",
        "is a view and is being modified inplace",
        ["one node", "`a = a.add(1)` in the place of that line"],
    ),
    "one of several views after a write": (
        X + "y = x * 1\na, b = y.unbind()\ny.add_(1)\na * 2",
        "its base or another view of its base has been modified inplace",
        ["line 4 of learner.py: `y.add_(1)` changed the memory it shares"],
    ),
    "view made in no_grad": (
        X + "y = x * 1\nwith torch.no_grad():\n    v = y[:1]\nv.mul_(x[:1])",
        "created in no_grad mode",
        ["both inside no_grad, or both outside"],
    ),
    "detach_ of a view": (
        X + "v = (x * 1)[0]\nv.detach_()",
        "Can't detach views",
        ["gets its history from its base", "v = v.detach()"],
    ),
    "numpy": (
        X + "y = x * x\ny.numpy()",
        "Can't call numpy() on Tensor that requires grad",
        ["NumPy does not record", "y.detach().numpy()"],
    ),
    "integers": (
        "torch.tensor(1, requires_grad=True)",
        "Only Tensors of floating point and complex dtype can require gradients",
        ["The dtype is int64", "write 1. instead of 1"],
    ),
    "integers by method": (
        "torch.tensor([1]).requires_grad_()", "only Tensors of floating point", ["int64"]
    ),
    "integers by flag": (
        "t = torch.tensor([True])\nt.requires_grad = True", "only Tensors", ["The dtype is bool"]
    ),
    "flag of a result": (
        X + "y = x * x\ny.requires_grad = False",
        "you can only change requires_grad flags of leaf variables",
        ["y was computed by MulBackward0", "y.detach()"],
    ),
    "parameter assigned": (
        "net = torch.nn.Linear(1, 1)\nnet.bias = net.bias - 0.1",
        "cannot assign 'torch.FloatTensor' as parameter 'bias'",
        ["gives a plain tensor", "`net.bias.copy_(net.bias - 0.1)` inside"],
    ),
    "optimizer of a result": (
        X + "y = x * 0.1\ntorch.optim.SGD([y], lr=0.1)",
        "can't optimize a non-leaf Tensor",
        ["y was computed by MulBackward0", "y = y.detach().requires_grad_()"],
    ),
    "retain_grad": (
        "u = torch.ones(2)\nu.retain_grad()", "can't retain_grad", ["u has requires_grad=False"]
    ),
    "hook": ("u = torch.ones(2)\nu.register_hook(print)", "cannot register a hook", ["u has"]),
    "hook after accumulation": (
        X + "y = x * x\ny.register_post_accumulate_grad_hook(print)",
        "cannot be registered on non-leaf",
        ["y was computed by MulBackward0", "register_hook"],
    ),
    "too few gradients": (
        FUNCTION.format("g") + X + "F.apply(x, 3).sum().backward()",
        "returned an incorrect number of gradients (expected 2, got 1)",
        ["F.apply was called with 2 arguments", "it gave 1", "None for k"],
    ),
    "gradient of a number": (
        FUNCTION.format("g, g") + X + "F.apply(x, 3).sum().backward()",
        "returned a gradient different than None at position 2",
        ["Argument 2 of F.apply was not a tensor"],
    ),
    "gradient of another shape": (
        FUNCTION.format("torch.ones(3), None") + X + "F.apply(x, 3).sum().backward()",
        "returned an invalid gradient at index 0",
        ["Gradient 0 of F.backward", "shape of what it is the gradient of"],
    ),
}  # fmt: skip


def error_of(program):
    with pytest.raises((RuntimeError, TypeError, ValueError, AssertionError)) as caught:
        run(program)
    return caught.value


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", SITUATIONS)
def test_note(name):
    program, message, phrases = SITUATIONS[name]
    error = error_of(program)
    assert message in str(error)
    (note,) = error.__notes__
    missing = [phrase for phrase in phrases if phrase not in note]
    assert not missing, note
    assert "\nTry:   " in note


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_note_comes_after_the_message_and_names_no_line_of_the_package(name):
    error = error_of(SITUATIONS[name][0])
    shown = "".join(traceback.format_exception_only(error))
    assert shown.index(str(error)) < shown.index(error.__notes__[0])
    assert "minigrad/" not in error.__notes__[0]


def test_a_line_that_cannot_be_read_is_named_without_its_text():
    program = X + "y = x.exp()\ny += 1\ny.sum().backward()"
    with pytest.raises(RuntimeError) as caught:
        exec(compile(program, "<nowhere>", "exec"), {"torch": minigrad})
    assert "line 3 of <nowhere> changed the value" in caught.value.__notes__[0]


def test_what_is_remembered_of_writes_is_bounded():
    t = run("t = torch.ones(2)\nfor _ in range(50):\n    t.add_(1)")["t"]
    assert t._version == 50
    assert len(t._counter.writers) == 8


def test_a_view_of_which_nothing_is_known_any_more_is_left_out_of_a_note():
    program = """import minigrad as torch
x = torch.ones(2, 1, requires_grad=True)
w = torch.zeros(3, requires_grad=True)
first, second = (x * 1).unbind()
same = first.detach()
same.add_(1)
torch.autograd.grad(x.sum(), w)
"""
    with pytest.raises(RuntimeError, match="appears to not have been used") as caught:
        exec(program, {})  # its text cannot be read, so what was recorded is looked at
    assert not any("help itself failed" in note for note in caught.value.__notes__)


def test_where_a_note_fails_the_error_is_still_what_is_told(monkeypatch):
    def broken(error, *_):
        raise ZeroDivisionError("a fault of help")

    monkeypatch.setattr(error_notes, "unused", broken)
    with pytest.raises(RuntimeError, match="appears to not have been used") as caught:
        run(X + "torch.autograd.grad(x.sum(), torch.ones(1, requires_grad=True))")
    assert caught.value.__notes__ == [
        under_errors.FAILED.format("ZeroDivisionError", "a fault of help")
    ]
