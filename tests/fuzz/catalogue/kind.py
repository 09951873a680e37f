"""One kind of step, and how it gets into the catalogue."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of step: ``build(writer)`` answers its code, or raises NothingFits."""

    name: str
    group: str
    weight: float
    build: Callable


STEPS = {}


def kind(group, name, weight=1.0):
    """Put a function that builds steps into the catalogue."""

    def register(build):
        if name in STEPS:
            raise ValueError(f"{name} is in the catalogue twice")
        STEPS[name] = Kind(name, group, weight, build)
        return build

    return register


def each(group, names, weight=1.0):
    """Put ``build(writer, name)`` into the catalogue once for every name."""

    def register(build):
        for name in names:
            kind(group, name, weight)(lambda writer, name=name: build(writer, name))
        return build

    return register
