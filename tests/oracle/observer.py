"""Watch a snippet run and write down what it shows, as plain data.

A *snippet* is a function ``snippet(torch, see)``. Its first argument is the library under
observation, real PyTorch or minigrad, and it never asks which. Its second is an `Observer`:

    see("x.grad", x.grad)              # a value, exactly as it prints, and its numbers
    with see.error("y.backward()"):    # the exception this line raises
        y.backward()

Warnings need no call: each is written down at the moment it is given, with the reader's line that
it points at. The result is a list of ``[label, observation]`` pairs that JSON can hold, so what
PyTorch showed once can be stored and compared with what minigrad shows today.
"""

import linecache
import math
import re
import warnings
from contextlib import contextmanager

ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
FORWARD_CALL = re.compile(r"(Traceback of forward call that caused the error:).*", re.DOTALL)
TRIGGERED = re.compile(r"\s*\(Triggered internally at .*\)\s*$", re.DOTALL)


def normalized(text):
    """The text without what differs from run to run: memory addresses."""
    return ADDRESS.sub("0xADDR", text)


class Observer:
    """The list of what a snippet has shown so far."""

    def __init__(self, source_file=None):
        self.seen = []
        self.source_file = source_file

    def __call__(self, label, value):
        """Write down a value under a label."""
        self.seen.append([label, plain(value)])

    @contextmanager
    def error(self, label):
        """Write down the exception that the block raises, or that it raises none."""
        try:
            yield
        except Exception as error:
            self.seen.append([label, {"raises": type(error).__name__, "text": said_by(error)}])
        else:
            self.seen.append([label, {"raises": None}])

    def warned(self, message, category, filename, lineno, file=None, line=None):
        """Write down a warning; stands in for `warnings.showwarning`."""
        mine = filename == self.source_file
        where = linecache.getline(filename, lineno).strip() if mine else "inside the library"
        seen = {"warns": category.__name__, "text": warning_text(message), "at": where}
        self.seen.append(["warning", seen])


def observe(snippet, torch):
    """Run a snippet on a library and return what it showed: a list of [label, observation]."""
    see = Observer(snippet.__code__.co_filename)
    with warnings.catch_warnings(), every_warning(torch):
        warnings.showwarning = see.warned
        snippet(torch, see)
    return see.seen


@contextmanager
def every_warning(torch):
    """Let warnings through each time, those too that PyTorch gives once per process."""
    warnings.simplefilter("always")
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(False)


def warning_text(message):
    """The text of a warning without places in somebody's files."""
    return normalized(FORWARD_CALL.sub(r"\1 ...", TRIGGERED.sub("", str(message))))


def said_by(error):
    """The message of an exception as a traceback shows it (a KeyError would add quotes)."""
    return normalized(str(error))


def plain(value):
    """A value as JSON can hold it, with nothing lost that a learner could see."""
    if value is None or isinstance(value, (bool, int, str)):
        return normalized(value) if isinstance(value, str) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, list):
        return [plain(element) for element in value]
    if type(value) is tuple:
        return {"tuple": [plain(element) for element in value]}
    if isinstance(value, dict):
        return {"dict": {str(key): plain(element) for key, element in value.items()}}
    if hasattr(value, "requires_grad") and hasattr(value, "tolist"):
        return {
            "prints": normalized(repr(value)),
            "dtype": str(value.dtype),
            "numbers": plain(value.detach().tolist()),
        }
    return {"prints": normalized(repr(value))}


def differences(expected, actual, at="", tolerance=1e-6):
    """Where two observations differ: a list of sentences, empty when they agree.

    Floats may differ by ``tolerance`` relative to the expected one, since the last bits of a sine
    depend on the machine. Everything else, the printed text too, must be the same.
    """
    if type(expected) is not type(actual):
        return [f"{at}: expected {expected!r}, got {actual!r}"]
    if isinstance(expected, dict):
        wanted = [f"{at}: nothing under {key!r}" for key in expected if key not in actual]
        surplus = [f"{at}: {key!r} is {actual[key]!r}" for key in actual if key not in expected]
        if wanted or surplus:
            return wanted + surplus
        pairs = [(f"{at}.{key}" if at else key, expected[key], actual[key]) for key in expected]
    elif isinstance(expected, list):
        if len(expected) != len(actual):
            return [f"{at}: expected {len(expected)} entries {expected!r}, got {actual!r}"]
        pairs = [(f"{at}[{i}]", *pair) for i, pair in enumerate(zip(expected, actual, strict=True))]
    elif isinstance(expected, float):
        same = math.isclose(expected, actual, rel_tol=tolerance)
        return [] if same else [f"{at}: expected {expected!r}, got {actual!r}"]
    else:
        return [] if expected == actual else [f"{at}: expected {expected!r}, got {actual!r}"]
    return [found for where, one, two in pairs for found in differences(one, two, where, tolerance)]


def unlike(expected, actual, tolerance=1e-6):
    """Where what a snippet showed differs from what it should show, in the snippet's own labels."""
    found = []
    for number, (label, wanted) in enumerate(expected):
        if number >= len(actual):
            found.append(f"{label}: expected {wanted!r}, but the snippet showed nothing more")
            break
        got_label, got = actual[number]
        if got_label != label:
            found.append(f"{label}: expected {wanted!r}, but saw {got_label}: {got!r}")
            break  # from here on the two lists are out of step
        found += differences(wanted, got, label, tolerance)
    found += [f"{label}: not expected, got {got!r}" for label, got in actual[len(expected) :]]
    return found
