"""Interactive pictures for notebooks.

    from minigrad.widgets import stepper

    w = stepper(y)    # step through y.backward(), which itself is not run
    w.text()          # the same as text

`stepper` works without any widget library, and so do the questions of `minigrad.widgets.quiz`:
each shows the best form that is possible here, live controls, else HTML, else text.
"""

from .stepper import Stepper, stepper

__all__ = ["Stepper", "stepper"]
