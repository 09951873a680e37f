"""Make a failing program small while it keeps failing in the same way.

Steps go first, in large blocks and then one by one, each with those that need what it made. Then
names are put for one another, grad modes and arguments go, and numbers become simple.
"""

import re
from dataclasses import replace

from tests.fuzz.program import NAME, Program

# What a step may lose, tried in order: (pattern, replacement).
SIMPLER = [
    (re.compile(r", (retain_graph|create_graph|allow_unused|materialize_grads|keepdim)=True"), ""),
    (re.compile(r", dtype=torch\.\w+"), ""),
    (re.compile(r"torch\.manual_seed\(\d+\)\n"), ""),
    (re.compile(r"-?\d+\.\d+"), "2.0"),
    (re.compile(r"np\.float64\((.*?)\)"), r"\1"),
]


def shrink(program, fails):
    """The smallest program found for which ``fails(program)`` still holds."""
    while True:
        smaller = fewer_steps(program, fails)
        smaller = fewer_names(smaller, fails)
        smaller = simpler_steps(smaller, fails)
        if smaller == program:
            return program
        program = smaller


def fewer_steps(program, fails):
    """Leave steps out, many at once and then single ones, the last first."""
    size = len(program.steps)
    while size:
        end = len(program.steps)
        while end > 0:
            candidate = program.without(range(max(end - size, 0), end))
            if candidate.steps and fails(candidate):
                program = candidate
            end = min(end - size, len(program.steps))
        size //= 2
    return program


def fewer_names(program, fails):
    """Let one variable do the work of another, and drop the step that made that."""
    for position in reversed(range(len(program.steps))):
        if position >= len(program.steps):
            continue
        made = sorted(program.steps[position].makes)
        if len(made) != 1 or not NAME.fullmatch(made[0]):
            continue
        earlier = [n for step in program.steps[:position] for n in step.makes if n[0] == made[0][0]]
        rest = Program(program.steps[:position] + program.steps[position + 1 :], program.look)
        for name in dict.fromkeys(earlier):
            candidate = rest.renamed(made[0], name)
            if fails(candidate):
                program = candidate
                break
    return program


def simpler_steps(program, fails):
    """Simplify steps one by one: no grad mode, fewer arguments, round numbers."""
    if program.look != "each":
        candidate = replace(program, look="each")
        program = candidate if fails(candidate) else program
    for position in range(len(program.steps)):
        step = program.steps[position]
        simpler = [replace(step, mode=None)]
        simpler += [replace(step, code=pattern.sub(to, step.code)) for pattern, to in SIMPLER]
        for candidate_step in simpler:
            if candidate_step == program.steps[position]:
                continue
            steps = list(program.steps)
            steps[position] = candidate_step
            candidate = replace(program, steps=tuple(steps))
            if fails(candidate):
                program = candidate
    return program
