"""Run a program on a library, step by step, and write down what each step shows."""

import re
import warnings
from contextlib import ExitStack, suppress

import numpy as np

from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.look import look_at, look_at_gradient
from tests.fuzz.program import NAME
from tests.oracle.observer import every_warning, said_by, warning_text

FILE = "<program>"
GRADIENT = re.compile(r"autograd\.grad|\.grad\b")


class Player:
    """A library in the middle of a program; a context manager that leaves no setting behind.

    `names` holds the program's variables, `shown` how each tensor looked when it was last seen,
    `gradients` the names of what backward passes computed and of what was computed from that, and
    `recorded` their nodes: how the derivative behind such a node was computed is nobody's business.
    """

    def __init__(self, torch, look="each"):
        self.torch = torch
        self.look = look
        self.names = {"torch": torch, "np": np, "see": self.see}
        self.shown = {}
        self.gradients, self.recorded = set(), set()
        self.seen, self.warned = [], []

    def __enter__(self):
        self.exits = ExitStack()
        self.exits.enter_context(warnings.catch_warnings())
        self.exits.enter_context(every_warning(self.torch))
        self.exits.enter_context(np.errstate(all="warn"))
        self.exits.callback(self.torch.autograd.set_detect_anomaly, False)
        self.exits.callback(self.torch.set_grad_enabled, True)
        warnings.showwarning = self.note_warning
        return self

    def __exit__(self, *exception):
        self.names.clear()
        self.recorded.clear()
        self.exits.close()

    def play(self, step):
        """Run one step; return what it showed."""
        self.seen, self.warned, observed = [], [], {}
        try:
            self.define_functions(step.code)
            exec(compile(step.source, FILE, "exec"), self.names)
        except Exception as error:
            observed["raises"] = [type(error).__name__, said_by(error)]
            del error
        self.note_gradients(step)
        observed["warned"], observed["seen"] = self.warned, self.seen
        if self.look == "each":
            observed["now"] = self.changes(self.variables())
        elif self.look == "made":
            touched = step.makes | step.uses if "raises" not in observed else step.uses
            observed["now"] = self.changes(sorted(touched & self.names.keys()))
        return {key: value for key, value in observed.items() if value}

    def end(self):
        """Look at everything once more, when the program is over."""
        self.seen, self.warned = [], []
        observed = {"now": self.changes(self.variables()), "warned": self.warned}
        return {key: value for key, value in observed.items() if value}

    def variables(self):
        """The names of the program's variables, in the order of their making."""
        return [name for name in self.names if NAME.fullmatch(name)]

    def changes(self, names):
        """How those of the variables look that look different from the last time."""
        changed = {}
        for name in [name for name in names if name in self.gradients]:
            with suppress(RuntimeError):  # of a view that may not be used any more
                self.recorded.add(getattr(self.names[name], "grad_fn", None))
        for name in names:
            value = self.names[name]
            try:
                if name in self.gradients:
                    shown = look_at_gradient(value)
                else:
                    shown = look_at(value, self.recorded)
            except Exception as error:  # a view that may not be used any more says so when asked
                shown = {"raises": [type(error).__name__, said_by(error)]}
            if shown != self.shown.get(name, self):
                self.shown[name] = changed[name] = shown
        return changed

    def see(self, label, value):
        """Called by programs: show a value. A hook that does nothing else changes nothing."""
        look = look_at if isinstance(value, (bool, int)) else look_at_gradient
        self.seen.append([label, look(value)])

    def note_gradients(self, step):
        """Remember which variables hold gradients from here on."""
        if GRADIENT.search(step.code) or step.uses & self.gradients:
            self.gradients |= step.makes or step.uses  # made from them, or written with them
        else:
            self.gradients -= step.makes

    def define_functions(self, code):
        """Bring in the custom Functions that the code mentions."""
        for name, source in FUNCTIONS.items():
            if f"{name}." in code and name not in self.names:
                exec(compile(source, FILE, "exec"), self.names)

    def note_warning(self, message, category, filename, lineno, file=None, line=None):
        place = lineno if filename == FILE else "inside the library"
        self.warned.append([category.__name__, warning_text(message), place])


def played(program, torch):
    """What every step of a program shows on a library, and last the look at the end."""
    with Player(torch, program.look) as player:
        return [*(player.play(step) for step in program.steps), player.end()]
