"""Each sentence of `explain` against situations: where it holds, and where it must not appear."""

import ast

import pytest

import minigrad as mg
from minigrad.help.source.parsed import expressions_in, tree_of
from tests.help.program import run

X = "x = torch.tensor(2., requires_grad=True)\n"
FUNCTION = """
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, k):
        ctx.save_for_backward(a)
        return a * k
    @staticmethod
    def backward(ctx, g):
        return g, None
"""
NET = """class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(2, 1)
    def forward(self, x):
        {}
net = Net()
"""
UNKNOWN = "is unknown"


def explained(program, question):
    """The sentences that `explain(question)` answers at the end of a program."""
    return "\n".join(run(f"{program}\nanswer = minigrad.explain({question})")["answer"].sentences)


# name: (program, tensor, phrases that must be there, phrases that must not)
ABOUT = {
    "no backward yet": (
        X + "y = x * x", "x",
        ["x is a leaf", "no backward pass has freed its graph. y.backward() would fill x.grad"],
        ["Possible"],
    ),
    "nothing computed": (
        X, "x", ["no backward pass has filled it", "No tensor under a name of yours leads back"],
        ["would fill", UNKNOWN],
    ),
    "filled": (
        X + "(x * x).backward()", "x", ["holds the sum", "the next backward() adds to it"],
        ["x.grad is None"],
    ),
    "set to None since": (
        X + "y = x * x\ny.backward()\nx.grad = None", "x",
        ["it was set to None since (line 4 of learner.py: `x.grad = None`)"],
        ["would fill", UNKNOWN],
    ),
    "autograd.grad leaves .grad alone": (
        X + "y = x * x\ng, = torch.autograd.grad(y, x)", "x",
        ["`g, = torch.autograd.grad(y, x)`", "The cause: the pass was autograd.grad(...)"],
        ["custom function", UNKNOWN],
    ),
    "nothing was saved": (
        X + "y = x + x\ny.backward()\nx.grad = None", "x",
        ["it was set to None since (line 4"], [UNKNOWN],
    ),
    "a custom function that answers None": (
        FUNCTION + X + "k = torch.tensor(3., requires_grad=True)\ny = F.apply(x, k)\n"
        "y.backward()", "k",
        ["F.backward gives None for k, so nothing comes to k (line"], [UNKNOWN, "Possible"],
    ),
    "a leaf without the flag": (
        "x = torch.tensor(2.)", "x",
        ["x is a leaf", "requires_grad=False", "x.grad stays None",
         "It was made from plain values (line 1 of learner.py: `x = torch.tensor(2.)`)"],
        ["retain_grad", UNKNOWN],
    ),
    "integers": (
        "x = torch.arange(4)", "x", ["Its dtype is int64, and only floating point"], [UNKNOWN]
    ),
    "a result is no leaf": (
        X + "y = x * x", "y",
        ["y is not a leaf: MulBackward0 made it", "y.retain_grad() before backward()",
         "y.grad is None: backward() fills .grad of leaves only"],
        ["is a leaf:"],
    ),
    "a change of dtype makes a result": (
        "t = torch.tensor(1., requires_grad=True).double()", "t",
        ["t is not a leaf: ToCopyBackward0", "before that operation, `.double()` (line 1",
         "Try: `torch.tensor(1.0).double().requires_grad_()` there"],
        [],
    ),
    "a result of untracked tensors is a leaf": (
        "t = torch.tensor(1.)\nu = t * 2\nv = u + t", "v",
        ["v is a leaf: no recorded operation made it", "requires_grad=False",
         "computed from t (line 3 of learner.py: `v = u + t`), where nobody had asked"],
        [UNKNOWN],
    ),
    "a result of what was not read": (
        "def f():\n    yield from [torch.tensor(1.)]\nt = next(f()) * 2", "t",
        ["t is a leaf: no recorded operation made it",
         "Its values come from line 2 of learner.py: `yield from [torch.tensor(1.)]`"],
        [UNKNOWN],
    ),
    "a result of plain values in a function": (
        "def f():\n    return torch.tensor(1.)\nt = f() * 2", "t",
        ["It was made from plain values (line 3 of learner.py: `t = f() * 2`)"], [UNKNOWN],
    ),
    "a parameter before a detach": (
        NET.format("return self.l(x)")
        + "h = net(torch.ones(1, 2))\nw = torch.tensor(1., requires_grad=True)\n"
        "loss = (h.detach() * w).sum()\nloss.backward()", "net.l.weight",
        ["A way from loss back to net.l.weight is cut: detach()"], [UNKNOWN],
    ),
    "a result of a frozen module": (
        NET.format("return self.l(x)")
        + "for p in net.parameters():\n    p.requires_grad = False\nt = net(torch.ones(1, 2))", "t",
        ["It was computed by net (line 10 of learner.py: `t = net(torch.ones(1, 2))`)",
         "all frozen (line 9 of learner.py: `p.requires_grad = False`)"],
        [UNKNOWN],
    ),
    "a module that records nothing": (
        NET.format("with torch.no_grad():\n            h = self.l(x)\n        return h")
        + "t = net(torch.ones(1, 2))", "t",
        ["How it lost its history: no_grad was on", "line 7 of learner.py: `h = self.l(x)`"],
        [UNKNOWN],
    ),
    "a result older than the flag": (
        "x = torch.tensor(1.)\ny = x * 2\nx.requires_grad_()", "y",
        ["y was computed before x was asked to require grad (line 3"], [UNKNOWN],
    ),
    "a leaf older than its flag": (
        "x = torch.tensor(1.)\ny = x * 2\nx.requires_grad_()", "x",
        ["x.grad is None", "y was computed before x was asked to require grad (line 3"], [UNKNOWN],
    ),
    "a leaf whose ways are cut": (
        X + "y = x.detach() * 2\nz = y + 1", "x",
        ["A way from y back to x is cut: detach() gives the same value without history (line 2"],
        [UNKNOWN, "from z"],
    ),
    "a gradient of zeros": (
        X + "x.floor().backward()", "x", ["Now x.grad is 0 everywhere"], []
    ),
    "a parameter of a module": (
        "net = torch.nn.Sequential(torch.nn.Linear(1, 1))\ny = net(torch.ones(1))",
        "net[0].weight", ["y.backward() would fill net[0].weight.grad"], ["the tensor"],
    ),
    "a parameter that was frozen": (
        "net = torch.nn.Linear(1, 1).requires_grad_(False)", "net.weight",
        ["net.weight does not ask for gradients", "a parameter that was frozen"], [UNKNOWN],
    ),
    "a module in no_grad": (
        "net = torch.nn.Linear(1, 1)\nwith torch.no_grad():\n    y = net(torch.ones(1))", "y",
        ["How it lost its history: no_grad was on, so nothing was recorded (line 3"], [UNKNOWN],
    ),
    "a module whose way is cut": (
        "net = torch.nn.Linear(1, 1)\ny = net(torch.ones(1)).detach()", "net.weight",
        ["A way from y back to net.weight is cut: detach() gives"], [UNKNOWN],
    ),
    "a sum in a loop": (
        X + "y = torch.tensor(0.)\nfor i in range(2):\n    y = y + x", "y",
        ["The name y was given to this new tensor (line 4"], ["To change a leaf"],
    ),
    "several elements": (
        X + "y = x * torch.ones(2)\ny.sum().backward()", "y",
        ["Nodes behind y have let go of the values", "y.backward(gradient=...) raises now"], [],
    ),
    "a new name for the next layer": (
        X + "h = x * 2\nh = torch.relu(h)", "h", ["The name h was given"], ["To change a leaf"],
    ),
    "computed from itself, untracked": (
        "x = torch.ones(3)\nx = x * x + 2", "x", ["x is a leaf", UNKNOWN], ["is not a leaf"]
    ),
    "retain_grad in time": (
        X + "y = x * 3\ny.retain_grad()\n(y * y).backward()", "y",
        ["y.grad is filled, because it was asked to keep it"], ["y.grad is None"],
    ),
    "retain_grad too late": (
        X + "y = x * x\nz = y * y\nz.backward()\ny.retain_grad()", "y",
        ["the pass had run already (line 4 of learner.py: `z.backward()`)", "before backward()"],
        ["has come through"],
    ),
    "retain_grad and no pass": (
        X + "y = x * x\ny.retain_grad()", "y",
        ["retain_grad() was called, and no gradient has come through y since"], ["already"],
    ),
    "freed": (
        X + "y = x * x + 1\ny.backward()", "y",
        ["Nodes behind y have let go of the values saved there (MulBackward0)",
         "`y.backward()`", "y.backward() raises now"],
        ["as often as you like"],
    ),
    "nothing to free": (
        X + "y = x + x\ny.backward()", "y",
        ["save nothing, so y.backward() may run as often as you like"], ["let go"],
    ),
    "a write into a view is freed too": (
        X + "y = x * torch.ones(2)\ny[0] = 1.", "y", ["y is not a leaf"], ["as often as you like"]
    ),
    "a result of several elements": (
        X + "y = x * torch.ones(2)", "x", ["y.backward(gradient=...) would fill x.grad"], []
    ),
    "a custom function on the way": (
        FUNCTION + X + "y = F.apply(x, 3)", "x", ["no backward pass has come there from it"], []
    ),
    "a custom function that does not read what it saved": (
        FUNCTION + X + "y = F.apply(x, 3)\ny.backward()\ny.backward()", "y",
        ["y.backward() raises where it reads ctx.saved_tensors again"], ["raises now"],
    ),
    "made in inference mode": (
        X + "with torch.inference_mode():\n    t = torch.ones(2)", "t",
        ["It was made in inference mode"], [UNKNOWN],
    ),
    "kept by retain_graph": (
        X + "y = x * x\ny.backward(retain_graph=True)", "y", ["y is not a leaf"], ["let go"]
    ),
    "a saved value was changed": (
        X + "a = x * 1\nb = a * a\na.add_(1)", "b",
        [("MulBackward0 saved a value as `self` and `other` at version 0, and it is at version 1 "
         "now (line 4 of learner.py: `a.add_(1)`): b.backward() will raise")], [],
    ),
    "a change that nobody minds": (
        X + "a = x * 1\nb = a + a\na.add_(1)", "b", ["b is not a leaf"], ["will raise"]
    ),
    "rebound in no_grad": (
        X + "y = (x - 3) ** 2\ny.backward()\nwith torch.no_grad():\n    x = x - 0.1 * x.grad", "x",
        [("How it lost its history: no_grad was on, so nothing was recorded (line 5 of learner.py: "
         "`x = x - 0.1 * x.grad`)"), "write `x -= ...` inside"],
        [UNKNOWN],
    ),
    "rebound in grad mode": (
        X + "y = x * x\ny.backward()\nx = x - 0.1 * x.grad", "x",
        ["x is not a leaf: SubBackward0", "It is a new tensor, in the place of the leaf (line 4"],
        [],
    ),
    "a result changed in place is the same tensor": (
        X + "y = x.exp()\ny.add_(1)", "y",
        ["y is not a leaf: AddBackward0", "ExpBackward0 saved a value", "`y.add_(1)`"],
        ["The name y"],
    ),
    "changed in no_grad": (
        X + "y = x * x\ny.backward()\nwith torch.no_grad():\n    x -= 0.1 * x.grad", "x",
        ["x is a leaf", "holds the sum"], ["new tensor", "lost"],
    ),
    "detached": (
        X + "y = x * x\nu = y.detach()", "u",
        ["detach() gives the same value without history (line 3 of learner.py: `u = y.detach()`)"],
        [UNKNOWN],
    ),
    "detach freezes nothing": (
        X + "x.detach()\ny = x * x", "x", ["asks for gradients", "would fill x.grad"], ["lost"]
    ),
    "a detached tensor may become a leaf": (
        X + "u = (x * x).detach().requires_grad_()\nz = u * u\nz.backward()", "u",
        ["u is a leaf", "holds the sum"], ["lost"],
    ),
    "a view that may not be used": (
        X + "y = torch.ones(2) * x\na, b = y.unbind()\ny.add_(1)", "a",
        ["a cannot be used any more. Output 0 of Unbind is a view"], [],
    ),
    "a view of no_grad": (
        X + "y = torch.ones(2) * x\nwith torch.no_grad():\n    v = y[:1]\nz = v", "v",
        ["v is a leaf"], ["Possible"],
    ),
    "zero_ without parentheses": (
        X + "(x * x).backward()\nx.grad.zero_", "x", ["x.grad holds the sum"], ["x.grad is None"]
    ),
    "zero_grad": (
        X + "o = torch.optim.SGD([x], lr=.1)\ny = x * x\ny.backward()\no.zero_grad()", "x",
        ["it was set to None since (line 5 of learner.py: `o.zero_grad()`)"], [],
    ),
}  # fmt: skip

# name: (program, phrases that must be there, phrases that must not); asked is the way from y to x
BREAKS = {
    "a path": (
        X + "y = (x + 1) * 3",
        ["There is a recorded path from y back to x: y → MulBackward0 → AddBackward0 → x"],
        ["breaks", UNKNOWN],
    ),
    "one path is enough": (
        X + "u = x.detach() * 2\ny = u + 3 * x",
        ["There is a recorded path", "Another way is cut", "detach()",
         "line 2 of learner.py: `u = x.detach() * 2`"],
        ["breaks"],
    ),
    "a flat operation": (
        X + "y = x.floor() * 2",
        ["FloorBackward0 (line 2 of learner.py", "gives gradient 0 everywhere"],
        ["breaks"],
    ),
    "a hook on the way": (
        X + "h = x * 2\nh.register_hook(lambda g: 0 * g)\ny = h + 1",
        ["A hook on MulBackward0 may change the gradient"], ["breaks"],
    ),
    "a hook of the leaf": (
        X + "x.register_hook(lambda g: 0 * g)\ny = x + 1",
        ["A hook on x may change the gradient"], ["breaks"],
    ),
    "through a list that grows": (
        X + "parts = []\nfor i in range(3):\n    parts.append(x.detach() * i)\ny = sum(parts)",
        ["detach() gives", "line 4"], [UNKNOWN],
    ),
    "a gradient": (
        X + "z = x**3\ny, = torch.autograd.grad(z, x)",
        ["grad(...) gives a history only with create_graph=True", "line 3"], [UNKNOWN],
    ),
    "a gradient that is constant": (
        X + "z = x * 3\ny, = torch.autograd.grad(z, x, create_graph=True)",
        ["or a derivative that is constant", UNKNOWN], ["breaks here", "create_graph"],
    ),
    "freed on the way": (
        X + "y = x * x\ny.backward()",
        ["There is a recorded path", "MulBackward0 on the way has let go", "`y.backward()`"], [],
    ),
    "the same": ("x = y = torch.tensor(2.)", ["same tensor"], ["breaks"]),
    "detach": (
        X + "b = x.detach()\ny = b * 2",
        ["no recorded path from y back to x: y does not require grad",
         ("breaks here: detach() gives the same value without history (line 2 of learner.py: "
         "`b = x.detach()`)")],
        [UNKNOWN],
    ),
    "detach in the middle of a line": (
        X + "w = torch.tensor(1., requires_grad=True)\ny = (x.exp().detach() + 1) * w",
        ["the history of y leads to w, not to x", "detach()", "line 3"], [UNKNOWN],
    ),
    "detach_": (X + "a = x * 2\na.detach_()\ny = a + 1", ["detach_() takes", "line 3"], [UNKNOWN]),
    ".data": (X + "a = x * 2\ny = a.data * 3", [".data gives the same value without"], [UNKNOWN]),
    "no_grad": (
        X + "with torch.no_grad():\n    a = x * 2\ny = a + 1",
        ["no_grad was on, so nothing was recorded (line 3 of learner.py: `a = x * 2`)"], [UNKNOWN],
    ),
    "no_grad as a decorator": (
        X + "@torch.no_grad()\ndef f(t):\n    return t * 2\ny = f(x) + 1",
        ["f(...) is decorated: no_grad was on", "Try: leave the decorator out (line 2"], [UNKNOWN],
    ),
    "set_grad_enabled(False)": (
        X + "with torch.set_grad_enabled(False):\n    y = x * 2",
        ["set_grad_enabled(False) was on"], [UNKNOWN],
    ),
    "item": (
        X + "n = x.item()\ny = torch.tensor(1., requires_grad=True) * n",
        ["item() gives a plain Python number (line 2 of learner.py: `n = x.item()`)"], [UNKNOWN],
    ),
    "float()": (
        X + "y = torch.ones(2) * float(x.detach())", ["float(...) gives a plain Python number"], []
    ),
    "rebuilt": (
        X + "a = x * 2\ny = torch.tensor([a.item(), 1.], requires_grad=True)",
        ["tensor(...) makes a new leaf from the values alone", "item()", "line 3"], [UNKNOWN],
    ),
    "numpy": (X + "y = torch.from_numpy(x.detach().numpy())", ["from_numpy(...) makes"], [UNKNOWN]),
    "integer cast": (
        X + "y = x.long()", ["long() gives integers, which have no gradient", "line 2"], [UNKNOWN]
    ),
    "integer cast by to": (
        X + "y = x.to(torch.int64).float()", ["to(...) to integers loses the gradient"], [UNKNOWN]
    ),
    "a cast that keeps": (
        X + "y = x.to(torch.float64) * 2", ["There is a recorded path"], ["loses"]
    ),
    "comparison": (
        X + "y = (x > 0).float()", ["a comparison gives True or False"], [UNKNOWN]
    ),
    "argmax": (
        X + "y = torch.argmax(x * 2)", ["argmax gives positions, which are integers"], [UNKNOWN]
    ),
    "only the shape": (
        X + "y = torch.ones(x.dim() + 1, requires_grad=True) * 2",
        ["dim asks for the form, not for the values"], [UNKNOWN],
    ),
    "an index": (
        "t = torch.ones(3, requires_grad=True)\nx = torch.tensor(1)\ny = t[x]",
        ["x does not require grad"], ["There is a recorded"],
    ),
    "x without the flag": (
        "x = torch.tensor(2.)\ny = x * torch.tensor(1., requires_grad=True)",
        ["x does not require grad", "x.requires_grad_() before y is computed"], [UNKNOWN],
    ),
    "flag set too late": (
        "x = torch.tensor(2.)\ny = x * x\nx.requires_grad_()",
        [("y was computed before x was asked to require grad (line 3 of learner.py: "
         "`x.requires_grad_()`)")],
        [UNKNOWN],
    ),
    "flag assigned too late": (
        "x = torch.tensor(2.)\ny = x * x\nx.requires_grad = True", ["was computed before"], []
    ),
    "x is another tensor now": (
        X + "y = x * x\nx = torch.tensor(5., requires_grad=True)",
        ["y was computed from what x meant before", "line 3"], [UNKNOWN],
    ),
    "the training step that rebinds": (
        X + "y = (x - 3) ** 2\ny.backward()\nwith torch.no_grad():\n    x = x - 0.1 * x.grad",
        ["x does not require grad", "y was computed from what x meant before", "no_grad was on",
         "write `x -= ...` inside"],
        [UNKNOWN],
    ),
    "a non-leaf in the middle": (
        "w = torch.tensor(2., requires_grad=True)\nx = w * 2\ny = x * x",
        ["path from y back to x: y → MulBackward0 → x",
         "x is not a leaf", "x.retain_grad()"],
        ["breaks"],
    ),
    "through a loop and an in-place sum": (
        X + "y = torch.tensor(0.)\nfor i in range(3):\n    y += x.detach() * i",
        ["detach() gives", "line 4"], [UNKNOWN],
    ),
    "after an update in no_grad": (
        X + "with torch.no_grad():\n    x -= 0.1\ny = x * x",
        ["There is a recorded path"], ["cut", "meant before"],
    ),
    "written in no_grad": (
        X + "y = torch.zeros(2)\nwith torch.no_grad():\n    y[0] = x",
        ["no_grad was on, so nothing was recorded (line 4 of learner.py: `y[0] = x`)"], [UNKNOWN],
    ),
    "another result of the same node": (
        X + "a, x = (x * torch.ones(2)).unbind()\ny = a * 2",
        ["no recorded path from y back to x"], ["There is a recorded"],
    ),
    "the result of that node that was used": (
        X + "a, x = (x * torch.ones(2)).unbind()\ny = x * 2",
        ["y → MulBackward0 → x"], ["no recorded path"],
    ),
    "through a list": (
        X + "parts = [x.detach(), x.detach()]\ny = torch.stack(parts).sum()",
        ["detach() gives", "line 2"], [UNKNOWN],
    ),
    "unrelated": (
        X + "w = torch.tensor(2., requires_grad=True)\ny = w * w",
        ["the history of y leads to w, not to x", "y was computed from w (line 3 of learner.py"],
        ["breaks here", UNKNOWN],
    ),
    "inside a function": (
        X + "def cut(t):\n    t = t.detach()\n    return t\ny = cut(x) * 2",
        ["breaks here: detach()", "(line 3 of learner.py: `t = t.detach()`)"], [UNKNOWN],
    ),
    "inside a function that another calls": (
        X + "def cut(t):\n    return t.detach()\ndef f(a, b):\n    return b + cut(t=a)\n"
        "y = f(x, 1.) * 2",
        ["breaks here: detach()", "(line 3 of learner.py: `return t.detach()`)"], [UNKNOWN],
    ),
    "inside a function, by one of two ways": (
        X + "def f(t):\n    return t * t.detach()\ny = f(x)",
        ["There is a recorded path", "Another way is cut", "line 3"], [UNKNOWN],
    ),
    "in one of two results of a function": (
        X + "def f(t):\n    if t > 1:\n        return t.detach()\n    return t * 0\ny = f(x)",
        ["The path breaks here: detach()", "line 4"], ["line 5"],
    ),
    "inside a function, of a name from outside": (
        X + "def f(t):\n    return t * x.item()\ny = f(torch.ones(2))",
        ["breaks here: item()", "line 3"], [UNKNOWN],
    ),
    "inside a lambda": (
        X + "f = lambda *ts, **more: ts[0].detach() + more['b']\ny = f(x, b=1)",
        ["breaks here: detach()", "line 2"], [UNKNOWN],
    ),
    "inside a decorated function": (
        X + "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def g(*ts):\n"
        "        return f(*ts) * 2\n    return g\n@twice\ndef cut(t):\n    return t.data\n"
        "y = cut(x)",
        ["breaks here: .data", "(line 10 of learner.py: `return t.data`)"], [UNKNOWN],
    ),
    "inside a method": (
        X + "class A:\n    def f(self, t):\n        return self.g(t)\n    @staticmethod\n"
        "    def g(t):\n        return t > 0\na = A()\ny = a.f(x) * 1.",
        ["breaks here: a comparison", "line 7"], [UNKNOWN],
    ),
    "inside an object that can be called": (
        X + "class Loss:\n    def __call__(self, t):\n        return t.detach() * 2\n"
        "criterion = Loss()\ny = criterion(x)",
        ["breaks here: detach()", "line 4"], [UNKNOWN],
    ),
    "inside a module, to its parameter": (
        NET.format("return self.l(x).detach()")
        + "x = net.l.weight\ny = net(torch.ones(1, 2)).sum()",
        ["breaks here: detach()", "(line 6 of learner.py: `return self.l(x).detach()`)"], [UNKNOWN],
    ),
    "what a function does not use": (
        X + "def f(a, b):\n    return b * 2\ny = f(x.detach(), torch.tensor(1.))",
        ["y does not require grad", UNKNOWN], ["breaks here"],
    ),
    "inside a function that calls itself": (
        X + "def f(t, n):\n    return f(t, n - 1) if n else t.detach()\ny = f(x, 2) * 2",
        ["breaks here: detach()", "line 3"], [UNKNOWN],
    ),
    "inside functions that cannot be read": (
        X + "exec('def cut(t): return t.detach()')\ndef cut2(t):\n    yield from [t.detach()]\n"
        "y = cut(x) * next(cut2(x))",
        ["y does not require grad", "breaks here: detach()", "(line 1 of <string>)"], [UNKNOWN],
    ),
    "arguments that the call does not show": (
        X + "def f(a, b):\n    return (a + b).detach()\nboth = [x, x]\ny = f(*both)",
        ["The path breaks here: detach()", "(line 3 of learner.py: `return (a + b).detach()`)"],
        [UNKNOWN],
    ),
}  # fmt: skip


def test_asked_inside_a_method_about_a_module_inside_a_module():
    program = NET.format("return self.l(x).numpy(force=True)") + (
        "class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.net, self.head = Net(), torch.nn.Linear(1, 1)\n"
        "    def forward(self, x):\n        return self.head(torch.from_numpy(self.net(x)))\n"
        "class Trainer:\n    def __init__(self):\n        self.model = Model()\n"
        "    def step(self):\n        y = self.model(torch.ones(1, 2)).sum()\n"
        "        return minigrad.explain(y, self.model.net.l.weight)\nanswer = Trainer().step()"
    )
    said = str(run(program)["answer"])
    assert "not to self.model.net.l.weight" in said
    assert "numpy() gives a NumPy array, which records nothing (line 6 of learner.py" in said
    assert "from_numpy(...) makes a new leaf from the values alone (line 13 of learner.py" in said


def test_asked_inside_a_function_about_another_inside_it():
    lines = "    def f(t):\n        return x.detach() * t\n    y = f(3.)\n"
    asked = f"def outer():\n    {X}{lines}    return minigrad.explain(y, x)\nanswer = outer()"
    said = str(run(asked)["answer"])
    assert "breaks here: detach()" in said
    assert "(line 4 of learner.py: `return x.detach() * t`)" in said


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ABOUT)
def test_about(name):
    program, tensor, there, absent = ABOUT[name]
    said = explained(program, tensor)
    assert [phrase for phrase in there if phrase not in said] == [], said
    assert [phrase for phrase in absent if phrase in said] == [], said


@pytest.mark.parametrize("name", BREAKS)
def test_path(name):
    program, there, absent = BREAKS[name]
    said = explained(program, "y, x")
    assert [phrase for phrase in there if phrase not in said] == [], said
    assert [phrase for phrase in absent if phrase in said] == [], said


def test_inside_a_function_the_functions_own_lines_are_read():
    program = X + "def f(t):\n    u = t.detach()\n    y = u * 2\n    return minigrad.explain(y, t)"
    said = str(run(program + "\nanswer = f(x)")["answer"])
    assert "line 3 of learner.py: `u = t.detach()`" in said


def test_a_tensor_without_a_name_is_called_by_the_expression_that_was_asked():
    said = explained(X, "x.detach() * 2, x")
    assert "no recorded path from (x.detach() * 2) back to x" in said
    assert "detach() gives the same value without history (line 3 of learner.py" in said
    assert "(x * 2) is not a leaf: MulBackward0" in explained(X, "x * 2")


def test_without_lines_to_read_it_is_still_known_where_the_way_broke():
    names = {"torch": mg}
    exec(X + "y = torch.tensor(x.item()) * 2\nanswer = torch.explain(y, x)", names)
    assert "The path breaks here: tensor(...) makes a new leaf" in str(names["answer"])
    assert "item() gives a plain Python number (line 2 of <string>)" in str(names["answer"])


def test_without_lines_a_number_that_was_computed_with_leaves_the_break_unknown():
    names = {"torch": mg}
    exec(X + "y = torch.tensor(x.item() + 1)\nanswer = torch.explain(y, x)", names)
    assert "y does not require grad" in str(names["answer"])
    assert UNKNOWN in str(names["answer"])


def test_only_lines_above_the_question_count():
    program = X + "y = x * 2\nanswer = minigrad.explain(y, x)\ny = x.detach()"
    assert "There is a recorded path" in str(run(program)["answer"])


def test_looking_changes_nothing():
    names = run(X + "a = x * x\ny = a.sum() * a\ny.retain_grad()\nb = a.view(1)\nb += 1")
    x, y, nodes = names["x"], names["y"], names["y"].grad_fn.next_functions
    before = x._version, x.grad, y.grad_fn, y.retains_grad, mg.is_grad_enabled()
    for question in ((x,), (y,), (y, x)):
        mg.explain(*question)
    assert (x._version, x.grad, y.grad_fn, y.retains_grad, mg.is_grad_enabled()) == before
    assert y.grad_fn.next_functions == nodes


def test_no_warning_about_gradients_of_results(recwarn):
    explained(X + "y = x * x", "y")
    assert list(recwarn) == []


# name: (program, what is asked about, phrases that must be there, phrases that must not)
OF_GRADIENTS = {
    "before the pass": (
        X + "y = x * x",
        "x.grad",
        ["y.backward() would fill x.grad"],
        ["x.grad.grad"],
    ),
    "of a result": (
        X + "h = x * x\ny = h * 3\ny.backward()",
        "h.grad",
        ["h.retain_grad()"],
        ["TypeError"],
    ),
    "filled": (
        X + "y = x * x\ny.backward()",
        "x.grad",
        ["x.grad holds the sum", "without create_graph=True (line 3 of learner.py"],
        ["Try:"],
    ),
    "with a history": (
        X + "y = x * x * x\ny.backward(create_graph=True)",
        "x.grad",
        ["holds the sum"],
        ["itself"],
    ),
    "kept under a name": (
        X + "h = x * x\n(h * 3).backward()\nkept = h.grad",
        "kept",
        ["kept is None", "kept is h.grad (line 4", "h.retain_grad()"],
        [],
    ),
    "what backward gave": (
        X + "loss = (x * x).backward()",
        "loss",
        ["loss is None", "backward() returns None", "`loss = x * x`"],
        [],
    ),
}


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("name", OF_GRADIENTS)
def test_a_gradient_or_a_none_is_answered_by_its_owner(name):
    program, question, expected, unexpected = OF_GRADIENTS[name]
    answer = explained(program, question)
    assert [each for each in expected if each not in answer] == []
    assert [each for each in unexpected if each in answer] == []


@pytest.mark.parametrize("wrong", [3, None, [1.0], "x"])
def test_only_tensors_can_be_explained(wrong):
    with pytest.raises(TypeError, match=r"explain\(\) takes tensors"):
        mg.explain(wrong)


def test_the_second_argument_has_to_be_a_tensor_too():
    with pytest.raises(TypeError, match="not float"):
        mg.explain(mg.ones(2), 2.0)


def test_an_expression_is_found_in_its_tree_after_other_texts_were_read():
    text = "y = x.detach()\n"
    for number in range(20):  # more than are kept
        tree_of(f"z = {number}")
        (found, *_) = expressions_in(tree_of(text)).values()
    assert found in ast.walk(tree_of(text))


def test_a_variable_that_has_any_name_spoils_no_answer():
    class Anything:
        def __getattr__(self, name):
            return Anything()

    anything = Anything()
    net = mg.nn.Linear(1, 1)
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    loss = net(mg.ones(1, 1)).sum()
    loss.backward()
    optimizer.step()
    assert "anything" not in str(mg.explain(loss)) + str(mg.explain(loss, net.weight))
    assert str(mg.checkup(net, optimizer, loss)).startswith("Nothing stands out.")
    assert anything.grad_fn is not None
