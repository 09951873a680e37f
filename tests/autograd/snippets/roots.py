"""What `backward` and `grad` take: roots, vectors and inputs, in every form."""

# ruff: noqa: RUF059 - a snippet names the whole example

import numpy as np

from tests.oracle.snippets import snippet


def parts(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    return x, w, (x * w).sum()


@snippet
def inputs_by_name(torch, see):
    x, w, y = parts(torch)
    torch.autograd.backward(y, inputs={"x": x}, retain_graph=True)
    see("one of two", (x.grad, w.grad))
    y.backward(inputs={1: x, 2: w}, retain_graph=True)
    see("both", (x.grad, w.grad))
    for inputs in ({}, {"x": 3}, {"x": None}, np.ones(2)):
        with see.error(f"backward, {inputs}"):
            torch.autograd.backward(y, inputs=inputs)
        with see.error(f"grad, {inputs}"):
            torch.autograd.grad(y, inputs)


@snippet
def roots_that_are_no_tensors(torch, see):
    x, w, y = parts(torch)
    one = torch.tensor(1.0)
    for roots in ([3], "a", [None], [[y]], np.ones(2), [y, 3]):
        for vectors in (None, one, [one, one], [2.0], []):
            with see.error(f"{roots}, {vectors}"):
                torch.autograd.backward(roots, vectors)
    with see.error("grad"):
        torch.autograd.grad([2.5], x)
    for roots in (3, None):
        with see.error(f"{roots}"):
            torch.autograd.backward(roots)


@snippet
def vectors_that_do_not_fit(torch, see):
    x, w, y = parts(torch)
    for vectors in ([], [2.0], ["a", "b"], [torch.ones(3)], torch.ones(3)):
        with see.error(f"{vectors}"):
            torch.autograd.backward([y, x * w], vectors)


@snippet
def edges_know_their_tensors(torch, see):
    x, w, y = parts(torch)
    edge_of = torch.autograd.graph.get_gradient_edge
    grad, one, z = torch.autograd.grad, torch.tensor(1.0), x * w
    for root, vector in ((z, None), (z, one), (y, torch.ones(1)), (x, one)):
        with see.error(f"{list(root.shape)}, {vector}"):
            grad(edge_of(root), (x, w), vector)
    for number in (2, True, 2.5):
        vector = torch.tensor(number, dtype=torch.float64 if number == 2.5 else None)
        see(f"{number}", grad(edge_of(y), (x, w), vector, retain_graph=True))
    for dtype in (torch.float16, torch.float64):
        u = torch.ones(1, 1, dtype=dtype, requires_grad=True)
        see("dtype and shape", grad(edge_of(u * 2), u))
        torch.autograd.backward(edge_of(u.sum()))
        see("filled", u.grad)
    see("a batch", grad(edge_of(z), (x, w), torch.eye(2), is_grads_batched=True))
    other = torch.ones(2, requires_grad=True)
    with see.error("no zeros for an edge"):
        grad(y, edge_of(other), materialize_grads=True)


@snippet
def batches_of_something_else(torch, see):
    x, w, y = parts(torch)
    calls = {
        "no vector": (y, None),
        "a number": (y, 2.0),
        "one number as a tensor": (y, torch.tensor(1.0)),
        "no batch for one of two": ([x * w, y], [torch.eye(2), None]),
        "no roots": ([], None),
    }
    for name, (roots, vectors) in calls.items():
        with see.error(name):
            torch.autograd.grad(roots, x, vectors, is_grads_batched=True)


@snippet
def zeros_beside_a_batch(torch, see):
    x, w, y = parts(torch)
    other = torch.ones(2, 2, requires_grad=True)
    for recorded in (False, True):
        zeros = torch.autograd.grad(
            y, (x, other), torch.ones(3), create_graph=recorded, retain_graph=True,
            is_grads_batched=True, materialize_grads=True,
        )[1]  # fmt: skip
        see("zeros", (zeros, zeros.is_leaf))


@snippet
def options_that_are_no_bools(torch, see):
    x, w, y = parts(torch)
    for flag in (0, 1, torch.tensor(True)):
        for name in ("retain_graph", "create_graph", "allow_unused"):
            y = (x * x).sum()
            with see.error(f"{name}={flag}"):
                torch.autograd.grad(y, x, **{name: flag})
            with see.error("again"):
                torch.autograd.grad(y, x)
        with see.error(f"backward, retain_graph={flag}"):
            (x * x).sum().backward(retain_graph=flag)
