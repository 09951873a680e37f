"""Reverse mode on single numbers, from nothing: the engine that lesson 05 builds.

It is what the lesson's solutions give when they are put together, for whoever skipped that lesson.
Nothing of minigrad is used.

>>> x = Value(2.0)
>>> y = (x + 1) * (x + 2)
>>> y.backward()
>>> y, x.grad
(Value(12.0), 7.0)
"""


class Value:
    """A number that remembers how it was made."""

    def __init__(self, data, op="", parents=(), rule=None):
        self.data = data
        self.op = op
        self.parents = parents
        self.rule = rule
        self.grad = None

    def __repr__(self):
        return f"Value({self.data})"


def as_value(x):
    """A plain number becomes a value without parents."""
    return x if isinstance(x, Value) else Value(x)


def add(a, b):
    """The sum; what comes in goes on to both operands, unchanged."""
    a, b = as_value(a), as_value(b)

    def rule(came):
        return came, came

    return Value(a.data + b.data, "+", (a, b), rule)


def multiply(a, b):
    """The product; what comes in goes on to each factor, times the other one."""
    a, b = as_value(a), as_value(b)

    def rule(came):
        return came * b.data, came * a.data

    return Value(a.data * b.data, "×", (a, b), rule)


def receive(value, part):
    """Add a part to what has come to a value so far."""
    if value.grad is None:
        value.grad = part
    else:
        value.grad = value.grad + part


def send(value):
    """Give what has come to a value on to its parents; a leaf keeps it."""
    if value.parents:
        came = value.grad
        value.grad = None
        parts = value.rule(came)
        for parent, part in zip(value.parents, parts):
            receive(parent, part)


def backward(result):
    """Add to `.grad` of every leaf how fast `result` moves with it."""
    counts = count_parts(result)
    receive(result, 1.0)
    ready = [result]
    while ready:
        value = ready.pop()
        send(value)
        for parent in value.parents:
            counts[parent] -= 1
            if counts[parent] == 0:
                ready.append(parent)


def count_parts(result):
    """For every value behind `result` the number of parts that will come to it."""
    counts = {result: 0}
    found = [result]
    for value in found:
        for parent in value.parents:
            if parent not in counts:
                counts[parent] = 0
                found.append(parent)
            counts[parent] += 1
    return counts


def zero(value):
    """Forget the gradient."""
    value.grad = None


Value.__add__ = Value.__radd__ = add
Value.__mul__ = Value.__rmul__ = multiply
Value.zero = zero
Value.backward = backward
