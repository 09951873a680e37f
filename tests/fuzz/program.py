"""A random program as plain data: a list of steps, each a line or two of source code.

Source text is data enough: it can be stored, printed as a snippet that runs, and shrunk. Which
names a step reads and makes is asked of Python's own parser.
"""

import ast
import re
from dataclasses import dataclass, field, replace
from functools import cached_property

from tests.fuzz.functions import FUNCTIONS

NAME = re.compile(r"[th]\d+")  # tensors are t0, t1, …; handles of hooks h0, h1, …
SEE = """def see(label, value):
    print(label, value)
"""


@dataclass(frozen=True)
class Step:
    """One step: its code, and the grad mode it is wrapped in, such as ``no_grad()``."""

    code: str
    mode: str | None = None
    features: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def _names(self):
        nodes = [node for node in ast.walk(ast.parse(self.code)) if isinstance(node, ast.Name)]
        return [node for node in nodes if NAME.fullmatch(node.id)]

    @cached_property
    def makes(self):
        """The names that this step binds."""
        return {node.id for node in self._names if isinstance(node.ctx, ast.Store)}

    @cached_property
    def uses(self):
        """The names that must exist before it; of ``t1 += t0`` both."""
        used = {node.id for node in self._names if not isinstance(node.ctx, ast.Store)}
        for node in ast.walk(ast.parse(self.code)):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                used.add(node.target.id)
        return used

    @property
    def source(self):
        """The lines of this step, inside its grad mode."""
        if self.mode is None:
            return self.code
        body = "\n".join("    " + line for line in self.code.splitlines())
        return f"with torch.{self.mode}:\n{body}"


@dataclass(frozen=True)
class Program:
    """Steps, and when to look at the tensors: after ``each`` step, as ``made``, or at the ``end``.

    Looking is not innocent: it brings the history of a view up to date. So some programs look at
    everything all the time, and some only where they say so.
    """

    steps: tuple[Step, ...]
    look: str = "each"

    def source(self, library="minigrad"):
        """The program as a snippet that runs by itself."""
        body = "\n".join(step.source for step in self.steps)
        functions = [code for name, code in FUNCTIONS.items() if f"{name}." in body]
        head = [f"import {library} as torch" if library != "torch" else "import torch"]
        if "np." in body:
            head.insert(0, "import numpy as np")
        parts = ["\n".join(head)]
        if "see(" in body or any("see(" in code for code in functions):
            parts.append("\n" + SEE)
        return "\n".join([*parts, *("\n" + code for code in functions), body])

    def without(self, positions):
        """The program without some steps, nor those that need what they made."""
        missing, kept = set(), []
        for position, step in enumerate(self.steps):
            if position in positions or step.uses & missing:
                missing |= step.makes - step.uses
            else:
                missing -= step.makes
                kept.append(step)
        return Program(tuple(kept), self.look)

    def renamed(self, old, new):
        """The program with one name standing for another."""
        pattern = re.compile(rf"\b{old}\b")
        steps = [replace(step, code=pattern.sub(new, step.code)) for step in self.steps]
        return Program(tuple(steps), self.look)

    def as_list(self):
        """The program as JSON can hold it."""
        return [self.look, *([step.code, step.mode] for step in self.steps)]

    @classmethod
    def from_list(cls, stored):
        look, *steps = stored
        return cls(tuple(Step(*step) for step in steps), look)
