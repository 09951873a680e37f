"""The programs of the version debugger: six scripts, each with six ways to write its write."""

from __future__ import annotations

from dataclasses import dataclass

from ...language import _

A = "a = tensor([1., 3.], requires_grad=True)"
LOSS = "loss.backward()"


@dataclass(frozen=True)
class Script:
    """A program: lines before the write, the target of the write, an equal one out of place.

    ``button`` is a short form of ``says``. ``away`` writes out of place; ``usual`` is the way that
    the program has at first.
    """

    says: str
    button: str
    before: tuple[str, ...]
    target: str
    away: str
    usual: str = "plain"

    @property
    def name(self) -> str:
        """The name of the tensor that is written to."""
        return self.target.split("[")[0]


SCRIPTS = {
    "square": Script(
        "`b * b`, then write b",
        "`b * b`",
        (A, "b = a + 2", "loss = (b * b).mean()"),
        "b[0]",
        "b = b + tensor([997., 0.])",
    ),
    "sum": Script(
        "`b + b`, then write b",
        "`b + b`",
        (A, "b = a + 2", "loss = (b + b).mean()"),
        "b[0]",
        "b = b + tensor([997., 0.])",
    ),
    "exp": Script(
        "write exp's result",
        "exp's result",
        ("a = tensor([0., 1.], requires_grad=True)", "b = a.exp()", "loss = b.mean()"),
        "b[0]",
        "b = b + tensor([999., 0.])",
    ),
    "sin": Script(
        "write sin's input",
        "sin's input",
        (A, "b = a + 2", "loss = b.sin().mean()"),
        "b[0]",
        "b = b + tensor([997., 0.])",
    ),
    "view": Script(
        "write through a view",
        "a view",
        (A, "b = a + 2", "v = b[:1]", "loss = (b * b).mean()"),
        "v[0]",
        "v = v + 997",
    ),
    "leaf": Script(
        "write under `no_grad`",
        "`no_grad`",
        (A, "loss = (a * a).mean()"),
        "a[0]",
        "c = a + tensor([999., 0.])",
        usual="no_grad",
    ),
}

WAYS = ("plain", "clone", "away", "after", "no_grad", "data")


def program(script: str, way: str) -> tuple[str, ...]:
    """The lines of a script with its write written in one of the ways.

    >>> program("square", "data")[3:]
    ('b.data[0] = 1000.0', 'loss.backward()')
    >>> program("square", "after")[3:]
    ('loss.backward()', 'b[0] = 1000.0')
    """
    chosen = SCRIPTS[script]
    name, target = chosen.name, chosen.target
    copy = "d" if name == "c" else "c"
    refused = chosen.usual == "no_grad" and way == "after"  # as it would be outside of no_grad
    write = {
        "clone": f"{copy} = {name}.clone(); {target.replace(name, copy, 1)} = 1000.0",
        "away": chosen.away,
        "no_grad": f"with no_grad(): {target} = 1000.0",
        "data": f"{target.replace('[', '.data[')} = 1000.0",
    }.get("no_grad" if refused else way, f"{target} = 1000.0")
    ending = (LOSS, write) if way == "after" else (write, LOSS)
    return (*chosen.before, *ending)


def write_line(script: str, way: str) -> int:
    """The number of the line that writes, from 1."""
    return len(SCRIPTS[script].before) + (2 if way == "after" else 1)


def says(script: str, way: str) -> str:
    """What the button of a way says."""
    target = SCRIPTS[script].target
    return {
        "plain": f"`{target} = 1000.0`",
        "clone": _("on a clone"),
        "away": _("out of place"),
        "after": _("after backward"),
        "no_grad": _("under `no_grad`"),
        "data": _("through `.data`"),
    }[way]
