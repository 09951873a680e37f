"""Random programs of either library: views, writes, several results, hooks, own functions."""

import importlib
import random


def program(library, seed, length=14):
    """A random program; its last tensor and its leaves. The same seed, the same program."""
    return _Writer(library, seed).run(length)


class _Writer:
    def __init__(self, library, seed):
        self.lib = library
        self.draw = random.Random(seed)
        self.leaves = [self.leaf() for _ in range(3)]
        self.made = [leaf * 1.5 for leaf in self.leaves]
        self.double = doubling(library)
        module = importlib.import_module(f"{library.__name__}.utils.checkpoint")
        self.checkpoint = module.checkpoint

    def leaf(self):
        rows = [[round(self.draw.uniform(0.5, 1.5), 3) for _ in range(2)] for _ in range(2)]
        return self.lib.tensor(rows, dtype=self.lib.float64, requires_grad=True)

    def pick(self):
        return self.draw.choice(self.made + self.leaves)

    def run(self, length):
        for _ in range(length):
            kind = self.draw.choice(KINDS)
            made = getattr(self, kind)()
            if made is not None:
                self.made.append(made)
                if self.draw.random() < 0.2:
                    self.attend(made)
        total = self.made[0].sum()
        for tensor in self.made[1:]:
            total = total + tensor.sum()
        return total, self.leaves

    def attend(self, tensor):
        """Hooks of a reader."""
        kind = self.draw.choice(["look", "replace", "retain", "node"])
        if kind == "look":
            tensor.register_hook(lambda gradient: None)
        elif kind == "replace":
            tensor.register_hook(lambda gradient: gradient * 0.5)
        elif kind == "retain":
            tensor.retain_grad()
        else:
            tensor.grad_fn.register_hook(
                lambda after, before: tuple(None if g is None else g * 0.9 for g in after)
            )

    # -- operations, all from [2, 2] to [2, 2] ------------------------------------------

    def add(self):
        return self.pick() + self.pick()

    def sub(self):
        return self.pick() - self.pick() * 0.5

    def mul(self):
        return self.pick() * self.pick() * 0.5

    def div(self):
        return self.pick() / (self.pick() ** 2 + 1)

    def sin(self):
        return self.pick().sin()

    def matmul(self):
        return self.pick() @ self.pick().t() * 0.1

    def broadcast(self):
        return self.pick() + self.pick()[0] * self.pick().mean()

    def view(self):
        return self.pick().reshape(4).flip(0).view(2, 2)

    def unbind(self):
        first, second = self.pick().unbind()
        return self.lib.stack((second, first if self.draw.random() < 0.5 else second))

    def split(self):
        parts = self.pick().reshape(4).split(2)
        return self.lib.stack(parts)

    def largest(self):
        return self.pick() * self.pick().max(0)[0]

    def write(self):
        copy = self.pick() * 1.0
        copy += self.pick()
        return copy

    def write_into_view(self):
        copy = self.pick().clone()
        copy[0] = self.pick()[1]
        return copy

    def write_what_was_read(self):
        copy = self.pick().clone()
        copy[0] *= self.pick()[1]
        return copy

    def write_constant(self):
        copy = self.pick() * 1.0
        copy[1].mul_(2)
        return copy

    def own_function(self):
        return self.double.apply(self.pick())

    def checkpointed(self):
        reentrant = self.draw.random() < 0.5
        return self.checkpoint(lambda t: (t * t).sin(), self.pick(), use_reentrant=reentrant)

    def untracked(self):
        return self.pick() * self.pick().detach()


KINDS = [name for name in vars(_Writer) if name not in ("leaf", "pick", "run", "attend")]
KINDS = [name for name in KINDS if not name.startswith("_")]


def doubling(library):
    class Double(library.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient * 2 + x * 0

    return Double
