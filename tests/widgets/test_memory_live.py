"""Bytes that graphs keep, counted in PyTorch and in minigrad: they are the same."""

import random

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

import minigrad as mg
from minigrad.lessons.lesson_08 import SNIPPETS
from minigrad.widgets.memory import graph_memory, lab
from minigrad.widgets.memory.running import ran

STEPS = (
    "y + x", "y * x", "y * 2", "y.tanh()", "y.sin()", "y.exp() + y", "y * c", "y / (c + 1)",
    "(y - x) * y", "y.sigmoid()", "y * y", "y + y.mean()", "y.view(4, 5).sum(0).repeat(4)",
)  # fmt: skip


def counted(engine, lines):
    """Bytes and tensors before a backward, and bytes after it."""
    x = engine.full((20,), 0.5, requires_grad=True)
    names = {"x": x, "y": x, "c": engine.full((20,), 0.25), "mg": engine}
    with graph_memory() as kept:
        exec("\n".join(lines), names)
    before = kept.bytes, kept.tensors
    names["y"].sum().backward()
    return *before, kept.bytes


@pytest.mark.parametrize("seed", range(60))
def test_random_chains_keep_the_same(seed):
    draw = random.Random(seed)
    lines = [f"y = {draw.choice(STEPS)}" for _ in range(draw.randint(1, 8))]
    assert counted(mg, lines) == counted(torch, lines), lines


@pytest.mark.parametrize("snippet", SNIPPETS.values())
def test_the_snippets_of_lesson_08_keep_the_same(snippet):
    assert counted(mg, [f"y = {snippet}"]) == counted(torch, [f"y = {snippet}"])


@pytest.mark.parametrize("op", ["+", "×", "tanh"])
@pytest.mark.parametrize("more", [{}, {"every": 4}, {"keep": True}, {"grad": False}])
def test_the_code_of_the_lab_keeps_the_same_in_pytorch(op, more):
    base = {"op": op, "d": 8, "w": 10, "grad": True, "keep": False, "every": 0, "done": 1}
    state = {**base, **more}
    run = ran(lab.setting_of(state))
    *code, backward = lab.lines(state)
    names = {"mg": torch}
    with graph_memory() as kept:
        exec("\n".join(code), names)
    assert kept.bytes == run.before
    said = ""
    try:
        exec(backward, names)
    except RuntimeError as error:
        said = str(error)
    assert (said, kept.bytes) == (run.error, run.after)
