"""A program for each message that help knows, and the program as it is advised; in both libraries.

The keys are those of `minigrad/help/errors/messages.toml`.
"""

X = "x = torch.ones(2, requires_grad=True)\n"
NET = "net = torch.nn.Linear(2, 1)\n"
SQUARE = """class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g
"""
MAKING = """class Net(torch.nn.Module):
    def __init__(self):
        {}self.line = torch.nn.Linear(1, 1)
Net()
"""

FAILING = {
    "not-scalar": (X + "(x * x).backward()", X + "(x * x).sum().backward()"),
    "untracked": ("torch.ones(2).sum().backward()", X + "x.sum().backward()"),
    "freed": (
        X + "y = (x * x).sum()\ny.backward()\ny.backward()",
        X + "y = (x * x).sum()\ny.backward()\ny = (x * x).sum()\ny.backward()",
    ),
    "changed": (
        X + "y = x.exp()\nz = y.sum()\ny += 1\nz.backward()",
        X + "y = x.exp()\nz = y.sum()\ny = y + 1\nz.backward()",
    ),
    "changed-leaf": (
        X + "y = (x * x).sum()\nwith torch.no_grad():\n    x += 1\ny.backward()",
        X + "y = (x * x).sum()\ny.backward()\nwith torch.no_grad():\n    x += 1",
    ),
    "leaf-written": (X + "x += 1", X + "with torch.no_grad():\n    x += 1"),
    "numpy": (X + "x.numpy()", X + "x.detach().numpy()"),
    "broadcast": (
        "torch.ones(2, 3) + torch.ones(2)",
        "torch.ones(2, 3) + torch.ones(2).unsqueeze(1)",
    ),
    "written-shape": (
        "y = torch.ones(2)\ny += torch.ones(3, 2)",
        "y = torch.ones(2)\ny = y + torch.ones(3, 2)",
    ),
    "matmul": ("torch.ones(2, 3) @ torch.ones(2, 3)", "torch.ones(2, 3) @ torch.ones(2, 3).T"),
    "matmul-of-batches": (
        "q = k = torch.ones(6, 5, 4)\nq @ k",
        "q = k = torch.ones(6, 5, 4)\nq @ k.transpose(-2, -1)",
    ),
    "matmul-dtypes": (
        "torch.ones(1, 2, dtype=torch.float64) @ torch.ones(2, 1)",
        "torch.ones(1, 2, dtype=torch.float64).float() @ torch.ones(2, 1)",
    ),
    "empty-optimizer": (
        "torch.optim.SGD([], lr=0.1)",
        NET + "torch.optim.SGD(net.parameters(), lr=0.1)",
    ),
    "optimized-result": (
        X + "torch.optim.SGD([x * 2], lr=0.1)",
        X + "w = x * 2\nw = w.detach().requires_grad_()\ntorch.optim.SGD([w], lr=0.1)",
    ),
    "unused": (
        X + "torch.autograd.grad(x.sum(), torch.ones(2, requires_grad=True))",
        X + "w = torch.ones(2, requires_grad=True)\n"
        "torch.autograd.grad(x.sum(), w, allow_unused=True)",
    ),
    "integers": (
        "torch.tensor([1, 2], requires_grad=True)",
        "torch.tensor([1., 2.], requires_grad=True)",
    ),
    "not-a-parameter": (
        NET + "net.weight = torch.ones(1, 2)",
        NET + "net.weight = torch.nn.Parameter(torch.ones(1, 2))\n"
        "with torch.no_grad():\n    net.weight.copy_(torch.zeros(1, 2))",
    ),
    "not-registered": (
        NET + "net.register_parameter('extra', torch.ones(1))",
        NET + "net.register_parameter('extra', torch.nn.Parameter(torch.ones(1)))",
    ),
    "grads-batched": (
        X + "torch.autograd.grad(x * 2, x, torch.ones(2), is_grads_batched=True)",
        X + "torch.autograd.grad(x * 2, x, torch.ones(2))",
    ),
    "deepcopy": (
        X + "import copy\ncopy.deepcopy(x * 2)",
        X + "import copy\n(x * 2).detach().clone()\ncopy.deepcopy(x)",
    ),
    "inference": (
        X + "with torch.inference_mode():\n    c = torch.ones(2)\n(x * c).sum().backward()",
        X + "with torch.inference_mode():\n    c = torch.ones(2)\n(x * c.clone()).sum().backward()",
    ),
    "assigned-grad": (X + "x.grad = 0", X + "x.grad = None"),
    "assigned-shape": (X + "x.grad = torch.ones(3)", X + "x.grad = torch.zeros_like(x)"),
    "retain": ("x = torch.ones(2)\nx.retain_grad()", "x = torch.ones(2).requires_grad_()"),
    "flag-set": (X + "y = x * 2\ny.requires_grad = True", X + "y = x * 2"),
    "flags": (X + "(x * 2).requires_grad_(False)", X + "(x * 2).detach()"),
    "legacy-function": (SQUARE + X + "Square()(x)", SQUARE + X + "Square.apply(x)"),
    "expanded": (
        "torch.ones(1).expand(3).add_(1)",
        "torch.ones(1).expand(3).clone().add_(1)",
    ),
    "targets": (
        "torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([0., 1.]))",
        "torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([0., 1.]).long())",
    ),
    "indices": (
        "torch.ones(2)[torch.tensor([0.2, 0.9])]",
        "torch.ones(2) * torch.tensor([0.2, 0.9])",
    ),
    "target-range": (
        "torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([1, 3]))",
        "torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([0, 2]))",
    ),
    "probabilities": (
        X + "torch.nn.functional.binary_cross_entropy(x * 2, torch.ones(2))",
        X + "F = torch.nn.functional\n"
        "F.binary_cross_entropy(torch.sigmoid(x * 2), torch.ones(2))\n"
        "F.binary_cross_entropy_with_logits(x * 2, torch.ones(2))",
    ),
    "probability-dtypes": (
        X + "torch.nn.functional.binary_cross_entropy(x, torch.tensor([0, 1]))",
        X + "torch.nn.functional.binary_cross_entropy(x, torch.tensor([0, 1]).float())",
    ),
    "one-number": ("torch.ones(2).item()", "torch.ones(2).sum().item()"),
    "truth": (
        "if torch.ones(2) > 0:\n    pass",
        "if (torch.ones(2) > 0).all():\n    pass",
    ),
    "view": ("torch.ones(2, 3).t().view(6)", "torch.ones(2, 3).t().reshape(6)"),
    "reshape": ("torch.ones(2, 3).view(5)", "torch.ones(2, 3).view(-1, 2)"),
    "state-dict": (
        NET + "net.load_state_dict({'weight': torch.ones(1, 2)})",
        NET + "net.load_state_dict({'weight': torch.ones(1, 2)}, strict=False)",
    ),
    "before-init": (MAKING.format(""), MAKING.format("super().__init__(); ")),
    "gradient-type": (
        X + "import numpy as np\n(x * 2).backward(np.ones(2))",
        X + "import numpy as np\n(x * 2).backward(torch.tensor(np.ones(2, dtype=np.float32)))",
    ),
    "number-among-tensors": (
        "torch.stack([0.5, torch.tensor(1.0)])",
        "parts = [0.5, torch.tensor(1.0)]\ntorch.stack([torch.as_tensor(each) for each in parts])",
    ),
    "stack-sizes": (
        "torch.stack([torch.ones(2), torch.ones(3)])",
        "torch.cat([torch.ones(2), torch.ones(3)])",
    ),
    "cat-sizes": (
        "torch.cat([torch.ones(2, 3), torch.ones(2, 2)])",
        "torch.cat([torch.ones(2, 3), torch.ones(2, 2)], dim=1)",
    ),
    "no-places": ("torch.tensor(3.0)[0]", "torch.tensor(3.0).item()"),
    "place": ("torch.ones(3)[3]", "torch.ones(3)[-1]"),
    "places": ("torch.ones(3, 2)[0, 0, 0]", "torch.ones(3, 2)[0, 0]"),
    "dimension": ("torch.ones(3, 2).sum(dim=2)", "torch.ones(3, 2).sum(dim=-1)"),
    "tensors-in-a-tensor": (
        "torch.tensor([torch.ones(2), torch.ones(2)])",
        "torch.stack([torch.ones(2), torch.ones(2)])",
    ),
}
