"""Where a program shows something else on minigrad than on PyTorch, and how bad that is.

Kinds of difference, the worst first:

* ``silently wrong``: other numbers, shapes or dtypes, or a lost path for gradients;
* ``crash``: an exception where PyTorch answers;
* ``unsupported``: the same, by an exception that says so;
* ``not refused``: no exception where PyTorch has one;
* ``message``: another exception or warning;
* ``attribute``: anything else that can be seen.
"""

import math
import re
from dataclasses import dataclass

KINDS = ("silently wrong", "crash", "unsupported", "not refused", "message", "attribute")
NUMERIC = ("numbers", "shape", "dtype")
MISSING = "not there"
UNSUPPORTED = ("NotImplementedError", "NotSupported")
# By the coarsest dtype of the program, relative to its largest number: what rounding may change.
TOLERANCES = {"float64": 1e-10, "float32": 2e-5, "float16": 2e-2}

NAMED_PART = re.compile(r"\w+=[^,)]*")


@dataclass(frozen=True)
class Difference:
    """One difference: of which kind, at which step, in what, and what both sides showed."""

    kind: str
    step: int
    what: str
    expected: object
    actual: object

    def __str__(self):
        return (
            f"{self.kind}: {self.what}\n"
            f"    PyTorch:  {shortened(self.expected)}\n"
            f"    minigrad: {shortened(self.actual)}"
        )


def shortened(value):
    text = str(value)
    return text if len(text) <= 600 else f"{text[:600]} …"


class Precision:
    """How far two numbers may be apart, learned from what PyTorch shows."""

    def __init__(self):
        self.scale = 1.0
        self.tolerance = 0.0

    def learn(self, seen):
        """Take note of the dtypes and of the largest number in an observation."""
        if isinstance(seen, dict):
            if isinstance(seen.get("numbers"), list):
                finite = [abs(n) for n in seen["numbers"] if isinstance(n, (int, float))]
                self.scale = max(self.scale, max(finite, default=0.0))
                self.tolerance = max(self.tolerance, TOLERANCES.get(seen["dtype"], 0.0))
            seen = list(seen.values())
        if isinstance(seen, list):
            for part in seen:
                self.learn(part)

    def agree(self, one, two):
        """Whether two lists of numbers agree within rounding."""
        return len(one) == len(two) and all(map(self.close, one, two))

    def close(self, a, b):
        if isinstance(a, bool) or isinstance(b, bool) or isinstance(a, str) or isinstance(b, str):
            return a == b and type(a) is type(b)
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        tolerance = self.tolerance or TOLERANCES["float32"]
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance * self.scale)


def compared(expected, actual):
    """The differences at the first step where the two differ, each once."""
    precision = Precision()
    precision.learn(expected)
    for number, (wanted, got) in enumerate(paired(expected, actual)):
        found = list(at_step(number, wanted, got, precision))
        if found:
            return found
    return []


def paired(expected, actual):
    """The steps of both, each with all variables that look different on either side since then."""
    known = {}, {}
    for steps in zip(expected, actual, strict=True):
        now = [step.get("now", {}) for step in steps]
        for seen, changed in zip(known, now, strict=True):
            seen.update(changed)
        names = {**now[0], **now[1]}
        yield [
            {**step, "now": {name: seen[name] for name in names if name in seen}}
            for step, seen in zip(steps, known, strict=True)
        ]


def at_step(number, wanted, got, precision):
    """The differences between what one step showed on both sides."""
    yield from errors(number, wanted.get("raises"), got.get("raises"))
    if wanted.get("raises") != got.get("raises"):
        return  # the rest follows from it
    for label in ("seen", "warned", "now"):
        for what, one, two in unequal(wanted.get(label, []), got.get(label, []), label, precision):
            yield Difference(kind_of(what, one, two), number, what, one, two)


def errors(number, wanted, got):
    """Compare what a step raised."""
    if wanted == got:
        return
    if wanted is None:
        kind = "unsupported" if got[0] in UNSUPPORTED else "crash"
    else:
        kind = "not refused" if got is None else "message"
    if wanted and got and got[0] in UNSUPPORTED and wanted[0] != got[0]:
        kind = "unsupported"
    yield Difference(kind, number, "exception", wanted, got)


def kind_of(what, one, two):
    """The kind of a difference other than an exception."""
    part = what.rsplit(".", 1)[-1]
    if "raises" in what:
        return "not refused" if two == MISSING else "crash" if one == MISSING else "message"
    if what.startswith("warned"):
        return "message"
    lost = part == "requires_grad" and what.startswith("now")  # and with it, gradients
    if part in NUMERIC or lost or (part == "grad" and (one is None or two is None)):
        return "silently wrong"
    return "attribute"


def unequal(one, two, what, precision):
    """The places where two observations differ, as (where, expected, actual)."""
    if is_tensor(one) and is_tensor(two):
        yield from unequal_tensors(one, two, what, precision)
    elif refused(one) != refused(two):  # when looked at; the rest follows from it
        yield f"{what}.raises", refused(one) or MISSING, refused(two) or MISSING
    elif isinstance(one, dict) and isinstance(two, dict):
        for key in {**one, **two}:
            if key not in one or key not in two:
                yield f"{what}.{key}", one.get(key, MISSING), two.get(key, MISSING)
            else:
                yield from unequal(one[key], two[key], f"{what}.{key}", precision)
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for position, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from unequal(left, right, f"{what}[{position}]", precision)
    elif isinstance(one, float) and isinstance(two, float):
        if not precision.close(one, two):
            yield f"{what}.numbers", one, two
    elif one != two or type(one) is not type(two):
        yield what, one, two


def refused(seen):
    """The exception that looking at a tensor raised."""
    return seen.get("raises") if isinstance(seen, dict) else None


def is_tensor(seen):
    return isinstance(seen, dict) and "numbers" in seen


def unequal_tensors(one, two, what, precision):
    """Compare two tensors part by part; the print follows from its parts, rounding aside.

    The sign of a zero counts as rounding: it depends on how a sum was begun.
    """
    for key in {**one, **two}:
        left, right = one.get(key), two.get(key)  # None: not set
        if key == "numbers":
            same = precision.agree(left, right)
        elif key == "prints":
            same = left == right or (
                repr(one["numbers"]) != repr(two["numbers"])
                and after_numbers(left) == after_numbers(right)
            )
        elif key == "graph":
            same = left == right
        elif key == "grad":
            yield from unequal(left, right, f"{what}.grad", precision)
            continue
        else:
            same = left == right
        if not same:
            yield f"{what}.{key}", left, right


def after_numbers(text):
    """The end of a printed tensor: its dtype and its node. Where digits differ, layout may too."""
    return NAMED_PART.findall(text)
