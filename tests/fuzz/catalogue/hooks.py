"""Hooks on tensors and on nodes: seeing, replacing, removing.

A view whose base was written to gets its history anew when ``grad_fn`` is read. Every step reads it
before it sets a hook: PyTorch 2.13.0 ends the process otherwise.
"""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import inner, leaf, tracked

HANDLES = "h"


def watching(x, kind):
    """A hook that shows the gradient."""
    return f"lambda g: see('hook {kind} {x}', g)"


@kind("hooks", "register_hook", 1.2)
def tensor_hook(w):
    x = w.prefer(tracked, probability=0.97)
    return f"{x}.grad_fn\n{w.new_handle()} = {x}.register_hook({watching(x, 'of')})"


@kind("hooks", "replacing hook", 0.6)
def replacing_hook(w):
    x = w.pick(tracked)
    change = w.one("g * 2", "-g", "g + 1", "g.clone()")
    return f"{x}.grad_fn\n{w.new_handle()} = {x}.register_hook(lambda g: {change})"


@kind("hooks", "node hook", 0.6)
def node_hook(w):
    x = w.pick(inner)
    see = f"lambda gi, go: see('hook after {x}', (gi, go))"
    return f"{w.new_handle()} = {x}.grad_fn.register_hook({see})"


@kind("hooks", "replacing node hook", 0.2)
def replacing_node_hook(w):
    x = w.pick(inner)
    change = "lambda gi, go: tuple(None if g is None else g * 2 for g in gi)"
    return f"{w.new_handle()} = {x}.grad_fn.register_hook({change})"


@kind("hooks", "node prehook", 0.5)
def node_prehook(w):
    x = w.pick(inner)
    return f"{w.new_handle()} = {x}.grad_fn.register_prehook({watching(x, 'before')})"


@kind("hooks", "replacing prehook", 0.2)
def replacing_prehook(w):
    x = w.pick(inner)
    change = "lambda go: tuple(None if g is None else g * 3 for g in go)"
    return f"{w.new_handle()} = {x}.grad_fn.register_prehook({change})"


@kind("hooks", "AccumulateGrad hook", 0.3)
def accumulator_hook(w):
    x, handle = w.pick(leaf), w.new_handle()
    node = f"({x} * 1).grad_fn.next_functions[0][0]"
    see = w.one(
        f"register_hook(lambda gi, go: see('hook after {x}', (gi, go)))",
        f"register_prehook(lambda go: see('hook before {x}', go))",
    )
    return f"{handle} = {node}.{see}"


@kind("hooks", "post accumulate hook", 0.4)
def post_accumulate(w):
    x = w.prefer(leaf, tracked, probability=0.95)
    see = f"lambda t: see('hook post {x}', t.grad)"
    return f"{x}.grad_fn\n{w.new_handle()} = {x}.register_post_accumulate_grad_hook({see})"


@kind("hooks", "raising hook", 0.1)
def raising_hook(w):
    x = w.pick(tracked)
    return f"{x}.grad_fn\n{w.new_handle()} = {x}.register_hook(lambda g: g + 'text')"


@kind("hooks", "remove", 0.4)
def remove(w):
    handles = [name for name in w.player.names if name.startswith(HANDLES) and name[1:].isdigit()]
    if not handles:
        return tensor_hook(w)
    return f"{w.rng.choice(handles)}.remove()"


@kind("hooks", "multi_grad_hook", 0.15)
def multi_grad(w):
    """On two leaves; above them lie hooks of which PyTorch calls some twice."""
    x = w.pick(leaf, lambda t: not t._is_view())
    y = w.pick(leaf, lambda t: not t._is_view() and t is not w.value(x))
    return (
        f"with torch.autograd.graph.register_multi_grad_hook(\n"
        f"    ({x}, {y}), lambda gs: see('hook multi', gs)\n"
        f"):\n    (({x} * 2).sum() + ({y} * 3).sum()).backward()"
    )


@each("hooks", ["_backward_hooks"], 0.05)
def backward_hooks(w, name):
    return f"see('hooks', {w.pick()}._backward_hooks is None)"
