"""A node is newer than those that its gradients go to: the engine takes the newest first."""

import threading

import pytest

import minigrad as mg
from minigrad.autograd.node import OFF_THE_HEAP
from minigrad.utils.checkpoint import checkpoint


class Twice(mg.autograd.Function):
    """Records something inside of its forward, which its node has nothing to do with."""

    @staticmethod
    def forward(ctx, x):
        with mg.enable_grad():
            ctx.inside = x.detach().requires_grad_() * 2
        return ctx.inside.detach().clone()

    @staticmethod
    def backward(ctx, g):
        return g * 2


def leaf():
    return mg.tensor([1.0, 2.0, 3.0], requires_grad=True)


def writes_into_views():
    x, buffer = leaf(), mg.zeros(3)
    view, early = buffer[1:], buffer[:2]
    y = x * 2
    buffer[0] = y[1]
    used = view * 2  # looks for the view's new history
    view *= x[:2]
    buffer[2] = early.sum()
    return (buffer * view.sum() + early.prod() + used.sum()).sum()


def custom_and_checkpointed():
    x = leaf()
    y = checkpoint(lambda x: Twice.apply(x).exp() * x, x * 3, use_reentrant=False)
    return Twice.apply(y).sum() + y[0]


def gradients_of_gradients():
    x = leaf()
    (g,) = mg.autograd.grad((x**3 * x.flip(0)).sum(), x, create_graph=True)
    return (g * x).sum() + g.norm()


def from_thread_to_thread():
    x = y = leaf()
    for _ in range(4):
        answers = []
        thread = threading.Thread(target=lambda y=y, to=answers: to.append(y * x + y.sin()))
        thread.start()
        thread.join()
        y = answers[0] * x
    return y.sum()


def several_results():
    x = leaf()
    low, high = (x * 2).split([1, 2])
    values, _ = mg.sort(high * low)
    return values[0] + (values * low).sum()


PROGRAMS = [
    writes_into_views,
    custom_and_checkpointed,
    gradients_of_gradients,
    from_thread_to_thread,
    several_results,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_node_is_newer_than_where_its_gradients_go(program):
    found = [program().grad_fn]
    for node in found:
        for edge in node.edges:
            if edge:
                older = edge.node.sequence
                assert older < node.sequence or older is OFF_THE_HEAP, (node, edge.node)
                if edge.node not in found:
                    found.append(edge.node)
    assert len(found) > 5
