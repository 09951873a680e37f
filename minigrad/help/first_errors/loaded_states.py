"""States that do not fit the module they are loaded into: by a prefix, a size, or as a whole."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.failure import Failure
from ..source.syntax import is_call
from ..source.variables import is_module, parameters_of
from ..words.sentences import tell


def state_that_differs(failure: Failure, _found: re.Match) -> Iterator[str]:
    """How the names or sizes of a state differ from those of the module that is to take it."""
    call = failure.expression
    if not is_call(call, {"load_state_dict"}) or not call.args:
        return
    owner, given = call.func.value, call.args[0]
    net, state = failure.value(owner), failure.value(given)
    if is_call(given, {"state_dict"}):
        state = dict(parameters_of(failure.value(given.func.value)))
    if not is_module(net) or not isinstance(state, dict):
        return
    names = ast.unparse(owner), ast.unparse(given)
    own = dict(parameters_of(net))
    yield from (
        [*whole_checkpoint(own, state, *names)]
        or [*under_a_prefix(own, state, *names)]
        or of_other_sizes(own, state, *names)
    )


def whole_checkpoint(own: dict, state: dict, net: str, name: str) -> Iterator[str]:
    """That a dict holds the state under one of its names."""
    for key, inner in state.items():
        if isinstance(inner, dict) and inner.keys() & own.keys():
            yield tell("state-inside", name=name, at=repr(key))
            yield f"Try: {net}.load_state_dict({name}[{key!r}])."


def under_a_prefix(own: dict, state: dict, net: str, name: str) -> Iterator[str]:
    """That all names of one begin by a word more than those of the other."""
    if (more := prefix_of(own, state)) and "." not in more:
        yield tell("own-prefix", net=net, name=name, more=more)
        yield f"Try: {net}.{more}.load_state_dict({name})."
    elif more := prefix_of(state, own):
        yield tell("its-prefix", net=net, name=name, more=more)
        without = f"{{k.removeprefix('{more}.'): v for k, v in {name}.items()}}"
        yield f"Try: {net}.load_state_dict({without})."


def prefix_of(longer: dict, shorter: dict) -> str:
    """What all names of one dict begin with, before those of another; empty for none."""
    first = next(iter(shorter), "")
    for path in longer:
        more = path.removesuffix(f".{first}")
        if more != path and {f"{more}.{each}" for each in shorter} == longer.keys():
            return more
    return ""


def of_other_sizes(own: dict, state: dict, net: str, name: str) -> Iterator[str]:
    """That a layer has another size than the one that was saved."""
    pairs = {path: (leaf, state.get(path)) for path, leaf in own.items()}
    others = {
        path: (tuple(leaf.shape), tuple(kept.shape))
        for path, (leaf, kept) in pairs.items()
        if isinstance(kept, Tensor) and kept.shape != leaf.shape
    }
    if not others or len(others) == len(own):
        return
    (path, (here, there)), layers = (
        next(iter(others.items())),
        {p.rpartition(".")[0] for p in others},
    )
    yield tell("other-size", path=path, here=here, there=there, name=name)
    keeps = " and ".join(f"not k.startswith('{each}.')" for each in sorted(layers))
    without = f"{{k: v for k, v in {name}.items() if {keeps}}}"
    yield f"Try: {net}.load_state_dict({without}, strict=False), where that layer is to be new."
