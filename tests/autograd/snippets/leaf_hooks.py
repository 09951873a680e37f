"""What the hooks of a leaf's `AccumulateGrad` see, after other hooks had the gradient."""

import warnings

from tests.oracle.snippets import snippet

KEPT = []


def hooks(torch):
    """Hooks that leave a gradient, replace it, or keep it, by name."""

    def keeps_the_old(grad):
        KEPT.append(grad)

    def keeps_the_new(grad):
        KEPT.append(grad * 10)
        return KEPT[-1]

    return {
        "looks": lambda grad: None,
        "returns it": lambda grad: grad,
        "replaces it": lambda grad: grad * 10,
        "replaces it by a view": lambda grad: (grad * 10).view(2),
        "writes to it": lambda grad: grad.mul_(3),
        "keeps the old": keeps_the_old,
        "keeps the new": keeps_the_new,
        "repeats a number": lambda grad: torch.tensor([7.0]).expand(2),
    }


PLACES = ("tensor", "node", "both")


def leaf_with(torch, hook, place):
    """A leaf and its node, with a hook in one place or in both."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    node = torch.autograd.graph.get_gradient_edge(x).node
    if place != "node":
        x.register_hook(hook)
    if place != "tensor":

        def before(grads):
            new = hook(grads[0])
            return None if new is None else (new,)

        node.register_prehook(before)
    return x, node


@snippet
def what_a_post_accumulate_hook_writes(torch, see):
    for name, hook in hooks(torch).items():
        for place in PLACES:
            for before in (None, [1000.0, 1000.0]):
                x, node = leaf_with(torch, hook, place)
                x.grad = None if before is None else torch.tensor(before)

                def write(leaf):
                    leaf.grad.mul_(5)

                def look(grad_inputs, grad_outputs, name=name, place=place):
                    see(f"{name}, {place}", (len(grad_inputs), grad_outputs[0]))

                x.register_post_accumulate_grad_hook(write)
                node.register_hook(look)
                (x * 3).sum().backward()
                see("grad", x.grad)
                see("kept", [grad.tolist() for grad in KEPT])
                KEPT.clear()


@snippet
def a_post_accumulate_hook_that_takes_the_gradient_away(torch, see):
    x, node = leaf_with(torch, lambda grad: grad * 10, "tensor")
    seen = []

    def take(leaf):
        seen.append(leaf.grad)
        leaf.grad = None

    x.register_post_accumulate_grad_hook(take)
    node.register_hook(lambda grad_inputs, grad_outputs: see("node", grad_outputs[0]))
    (x * 3).sum().backward()
    see("taken", (seen, x.grad))


@snippet
def the_gradient_of_a_recorded_pass(torch, see):
    x, node = leaf_with(torch, lambda grad: grad * 10, "tensor")

    def write(leaf):
        with torch.no_grad():
            leaf.grad.mul_(5)

    x.register_post_accumulate_grad_hook(write)
    node.register_hook(lambda grad_inputs, grad_outputs: see("node", grad_outputs[0].tolist()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x).sum().backward(create_graph=True)
    see("grad", x.grad.tolist())
