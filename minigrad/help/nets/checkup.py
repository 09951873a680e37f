"""``minigrad.checkup``: why a net does not learn, as one table of its parameters.

Only public doors are used (``named_parameters``, ``param_groups``, ``grad_fn``), so nets of PyTorch
are looked at in the same way. What a door does not tell is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from ...nn.module import Module
from ..gradients.passes import rounds
from ..graph.bounds import largest_of
from ..graph.nan_and_inf import kind_of
from ..graph.nodes import leaves_behind
from ..graph.recorded import emptied_at, runs_again
from ..program.emptied import is_emptied_unseen
from ..program.program import Program
from ..source import reader
from ..source.homes import home
from ..source.variables import groups_of, is_module, stepped_by
from ..training.kept_states import kept_values
from ..words.sentences import say
from .around import loss_of, optimizer_of
from .findings import Checked, emptied_lines, findings, of_another
from .parameter_table import Checkup, Row


def checkup(net: Any, optimizer: Any = None, loss: Any = None) -> Checkup:
    """Look at every parameter of a net: does it ask, is it stepped, is it reached, what came?

    Looking changes nothing. Nets, optimizers and losses of minigrad and of PyTorch are taken.

    Args:
        net: a module, with ``named_parameters()``.
        optimizer: what is to change the parameters; of several, a list. Of one without
            ``param_groups``, as you may write yourself, only what its steps have done is known.
        loss: a result of the net, of any shape, whose graph is walked (also when it has been
            freed). Of both, None takes the only one of your program; where there are several, or
            none, that column is empty.

    Raises:
        TypeError: ``net`` has no parameters to name, ``optimizer`` no groups, or ``loss`` no graph
            to walk.

    >>> import minigrad as mg
    >>> f = mg.nn.Linear(1, 1)
    >>> optimizer = mg.optim.SGD(f.parameters(), lr=0.1)
    >>> f.weight.requires_grad = False
    >>> print(mg.checkup(f, optimizer, f(mg.ones(1, 1))))
    Frozen (requires_grad is False): weight. Try: f.weight.requires_grad_(True), if it is to learn.
    <BLANKLINE>
    parameter  asks  in optimizer  reached by loss  .grad
    weight     no    yes           no               None
    bias       yes   yes           yes              None
    """
    if not hasattr(net, "named_parameters"):
        kind = type(net).__name__
        said = f"checkup() takes a module first, not {kind}: it asks named_parameters()"
        do = "Where there is none, explain(loss) tells what hinders its leaves"
        are_nets = isinstance(net, list | tuple) and all(map(is_module, net)) and net
        do = "Of several modules, give nn.ModuleList([...]), or ask one by one" if are_nets else do
        raise TypeError(f"{said}. {do}")
    tools = [*optimizer] if isinstance(optimizer, list | tuple) else [optimizer]
    for each in (each for each in tools if each is not None and not hasattr(each, "step")):
        raise TypeError(f"checkup() takes an optimizer second, not {type(each).__name__}")
    # Of the reader's own nobody knows where they keep what they step.
    tools = [each for each in tools if hasattr(each, "param_groups")] or [None]
    if loss is not None and not hasattr(loss, "grad_fn"):
        kind = type(loss).__name__
        do = "give the tensor that backward() is called on, no number of it; or leave it out"
        raise TypeError(f"checkup() takes a tensor as loss, not {kind}: {do}")
    with reader.asked_at(home((net, optimizer, loss), reader.frame())):
        return looked_at(net, tools, loss)


def looked_at(net: Any, tools: list[Any], loss: Any) -> Checkup:
    """The same of what may be looked at; of what was not given, the only one of the program."""
    program = Program.of(reader.frame())
    optimizer = optimizer_of(net, program) if tools == [None] else joined(net, tools)
    loss = loss_of(net, program) if loss is None else loss
    reached = None if loss is None else {id(leaf) for leaf in leaves_behind(loss)}
    again = loss is not None and runs_again(loss)
    known = None if optimizer is None else {id(tensor) for tensor in stepped_by(optimizer)}
    unseen = is_emptied_unseen(reader.frame())
    rows = [
        Row(
            name,
            tensor.requires_grad,
            None if known is None else id(tensor) in known,
            is_reached(tensor, reached, again),
            gradient_in_words(tensor.grad),
            None if unseen else rounds(tensor),
        )
        for name, tensor in net.named_parameters()
    ]
    checked = Checked(net, optimizer, loss, rows, unseen)
    found = [*findings(checked)] or [*nothing_yet(checked)]
    found = found or [*filter(None, [" ".join(kept_values(program))])]
    found = found or [say("nothing"), *was_emptied(checked)]
    found += of_another(checked)
    if rows and checked.result is None and found == [say("nothing")]:
        found = [say("no-loss")]
    return Checkup(rows, found, isinstance(net, Module))


def joined(net: Any, tools: list[Any]) -> Any:
    """The optimizer that steps parameters of a net; of several what all of them step, as one."""
    own = {id(each) for each in net.parameters()}
    tools = [each for each in tools if own & {*map(id, stepped_by(each))}] or tools[:1]
    groups = [group for each in tools for group in groups_of(each)]
    return tools[0] if len(tools) == 1 else SimpleNamespace(param_groups=groups)


def is_reached(tensor: Any, reached: set[int] | None, computes_again: bool) -> bool | None:
    """Whether the graph leads to a tensor; None where a node that computes again may as well."""
    if reached is None:
        return None
    return id(tensor) in reached or (None if computes_again else False)


def gradient_in_words(grad: Any) -> str:
    """``None``, ``0``, ``nan``, ``inf``, or how large its largest element is."""
    if grad is None:
        return "None"
    largest = largest_of(grad)
    return kind_of(grad) or (f"up to {largest:.3g}" if largest else "0")


def nothing_yet(checked: Checked) -> Iterator[str]:
    """That no pass has ever filled what the loss leads to and the optimizer would step."""
    rows = checked.rows
    waiting = all(row.reached and row.optimized and row.grad == "None" for row in rows)
    if rows and waiting and not any(map(emptied_at, checked.named.values())):
        yield say("nothing-yet")


def was_emptied(checked: Checked) -> Iterator[str]:
    """Where gradients were emptied, if none has come since, so that nobody misses a backward()."""
    lines = emptied_lines(checked)
    if len(lines) == 1 and None not in lines:
        yield say("was-emptied", line=lines.pop())
