"""What is recorded is what hooks see in the pass that the reader runs afterwards."""

import importlib
from collections import Counter

import numpy as np
import pytest

from minigrad.trace import record_backward
from tests.trace.random_programs import program


def library(name):
    if name == "torch":
        return pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    return importlib.import_module(name)


def nodes_below(root):
    found, waiting = {}, [root.grad_fn]
    while waiting:
        node = waiting.pop()
        if id(node) not in found:
            found[id(node)] = node
            waiting += [target for target, _ in node.next_functions if target is not None]
    return found


def seen_by_hooks(root):
    """(node, incoming, outgoing) of each node of a true pass, in order."""
    seen = []
    nodes = nodes_below(root)

    def hooks(key):
        def before(grads):
            seen.append([key, [copied(g) for g in grads], None])

        def after(outgoing, grads):
            next(entry for entry in reversed(seen) if entry[0] == key)[2] = [
                copied(g) for g in outgoing
            ]

        return before, after

    for key, node in nodes.items():
        before, after = hooks(key)
        node.register_prehook(before)
        node.register_hook(after)
    root.backward()
    return seen


def copied(tensor):
    return None if tensor is None else np.array(tensor.detach().numpy())


def alike(left, right):
    if left is None or right is None:
        return left is right
    return left.shape == right.shape and np.array_equal(left, right, equal_nan=True)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("name", ["minigrad", pytest.param("torch", marks=pytest.mark.oracle)])
def test_a_recorded_pass_is_the_pass(name, seed):
    root, leaves = program(library(name), seed)
    held = [leaf.grad for leaf in leaves]
    trace = record_backward(root)
    assert [leaf.grad for leaf in leaves] == held
    keys = {id(node): key for key, node in trace.survey.nodes.items()}
    seen = seen_by_hooks(root)
    assert [keys[node] for node, *_ in seen] == [turn.node for turn in trace.turns]
    told = {}  # sums that the receivers should have got
    for (_, incoming, outgoing), turn in zip(seen, trace.turns):
        assert all(map(alike, incoming, turn.incoming))
        assert len(incoming) == len(turn.incoming)
        compare_sends(trace, turn, outgoing, told)
    compare_parts(trace, keys)
    index = trace.survey.index
    for turn in trace.turns:
        if turn.accumulation is not None:
            leaf = trace.survey.nodes[turn.node].variable
            assert alike(turn.accumulation.after, copied(leaf.grad))
        for value, grad in turn.retained:
            assert index.maker[value].key == turn.node
            tensor = trace.survey.tensors.get(value)
            assert tensor is None or not tensor.retains_grad or alike(grad, copied(tensor.grad))


def compare_sends(trace, turn, outgoing, told):
    index = trace.survey.index
    changed = {change.value for change in turn.changes}
    operation = index.operations[turn.node]
    for value, number in index.arrivals(operation):
        if value in told and value not in changed:
            assert alike(told[value], turn.incoming[number])
    if turn.accumulation is not None:
        return
    edges = [index.edges[send.edge] for send in turn.sends]
    asked = trace.survey.nodes[turn.node].next_functions
    assert [e.argument for e in edges] == [i for i, (t, _) in enumerate(asked) if t is not None]
    for send, edge in zip(turn.sends, edges):
        assert alike(send.grad, outgoing[edge.argument])
        if send.grad is not None:
            before = told.get(edge.source)
            told[edge.source] = send.grad if before is None else before + send.grad
        assert alike(send.after, told.get(edge.source))


def compare_parts(trace, keys):
    counted = Counter(
        keys[id(target)]
        for node in trace.survey.nodes.values()
        for target, _ in node.next_functions
        if target is not None
    )
    index = trace.survey.index
    parts = {key: index.parts(operation) for key, operation in index.operations.items()}
    assert {key: n for key, n in parts.items() if n} == dict(counted)
    sent = (index.edges[send.edge] for turn in trace.turns for send in turn.sends)
    assert Counter(index.maker[edge.source].key for edge in sent) == counted
