"""Engines as learners might write them: right in other ways than the solution."""

import heapq
import itertools


class Whole:
    """Everything in one class; the sums of a pass are in a dictionary."""

    def __init__(self, data, op="", parents=(), rule=None):
        self.data, self.op, self.parents, self.rule = data, op, parents, rule
        self.grad = None

    def __repr__(self):
        return "<" + str(self.data) + ">"

    def _with(self, other):
        return other if isinstance(other, Whole) else Whole(other)

    def __add__(self, other):
        other = self._with(other)
        return Whole(self.data + other.data, "+", (self, other), lambda came: (came, came))

    def __mul__(self, other):
        other = self._with(other)
        rule = lambda came: [came * other.data, came * self.data]  # noqa: E731
        return Whole(self.data * other.data, "×", [self, other], rule)

    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        waits, found = {}, [self]
        while found:
            for parent in found.pop().parents:
                if parent not in waits:
                    waits[parent] = 0
                    found.append(parent)
                waits[parent] += 1
        sums, ready = {self: 1.0}, [self]
        while ready:
            value = ready.pop(0)
            came = sums.pop(value)
            if not value.parents:
                value.grad = came if value.grad is None else value.grad + came
                continue
            for parent, part in zip(value.parents, value.rule(came), strict=True):
                sums[parent] = sums.get(parent, 0.0) + part
                waits[parent] -= 1
                if not waits[parent]:
                    ready.append(parent)

    def zero(self):
        self.grad = None


class Closures:
    """The class with a rule that is a method of a small object, and slots."""

    __slots__ = ("data", "grad", "op", "parents", "rule")

    def __init__(self, data, op=None, parents=None, rule=None):
        self.data, self.op, self.rule, self.grad = float(data), op or "", rule, None
        self.parents = tuple(parents or ())

    def __repr__(self):
        return f"number {self.data} made by {self.op or 'hand'}"

    def __add__(self, other):
        other = other if isinstance(other, Closures) else Closures(other)
        return Closures(self.data + other.data, "+", (self, other), Slopes(1.0, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Closures) else Closures(other)
        slopes = Slopes(other.data, self.data)
        return Closures(self.data * other.data, "×", (self, other), slopes)

    __radd__, __rmul__ = __add__, __mul__


class Slopes:
    def __init__(self, *slopes):
        self.slopes = slopes

    def __call__(self, came):
        return tuple(came * slope for slope in self.slopes)


def roads(mg):
    """Each road by itself: right, and slow where roads are many."""

    class Roads(Whole):
        def __init__(self, *given):
            super().__init__(*given)

        def _with(self, other):
            return other if isinstance(other, Whole) else Roads(other)

        def backward(self, part=1.0):
            self.grad = part + (self.grad or 0.0)
            for parent, further in zip(self.parents, self.rule(part) if self.parents else ()):
                Roads.backward(parent, further)

    return Roads


def newest_first(mg):
    """By creation number, as PyTorch chooses among the ready ones."""
    numbers = itertools.count()

    class Newest(Whole):
        def __init__(self, *given):
            super().__init__(*given)
            self.number = next(numbers)

        def __add__(self, other):
            return remade(Whole.__add__(self, other))

        def __mul__(self, other):
            return remade(Whole.__mul__(self, other))

        __radd__, __rmul__ = __add__, __mul__

        def backward(self):
            sums, heap = {self: 1.0}, [(-self.number, self)]
            while heap:
                value = heapq.heappop(heap)[1]
                came = sums.pop(value)
                if not value.parents:
                    value.grad = came + (value.grad or 0.0)
                for parent, part in zip(value.parents, value.rule(came) if value.parents else ()):
                    if parent not in sums:
                        heapq.heappush(heap, (-parent.number, parent))
                    sums[parent] = sums.get(parent, 0.0) + part

    def remade(result):
        parents = [p if isinstance(p, Newest) else Newest(p.data) for p in result.parents]
        return Newest(result.data, result.op, tuple(parents), result.rule)

    return Newest


def counted_by_stack(result):
    """Parts counted by a stack of arrows; the result itself is left out."""
    counts, seen, stack = {}, {result}, [result]
    while stack:
        for parent in stack.pop().parents:
            counts[parent] = counts.get(parent, 0) + 1
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    return counts


def doubled(a):
    b = 2 * a
    while -1000 < b.data < 1000:
        b = b + b
    if b.data > 0:
        return b
    return b * 100
