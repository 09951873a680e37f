"""Parameters that were made of the values of others, as of layers that were to share theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..source import reader
from ..source.parsed import expression_at
from ..source.syntax import is_call, without_copies
from ..words.sentences import say


def made_of_another(named: Mapping[str, Any]) -> Iterator[str]:
    """That a parameter was made of the values of another of the net, and learns apart from it."""
    names_of = {id(tensor): name for name, tensor in named.items()}
    for name, own in named.items():
        learns = isinstance(own, Tensor) and own.requires_grad and own.grad is not None
        for cut in cuts_of(own) if learns else ():
            others = [leaf() for leaf in cut.leaves]
            its = [names_of[id(each)] for each in others if id(each) in names_of]
            call = None if cut.place is None else expression_at(cut.place)
            if len(its) == 1 and its[0] != name and is_call(call, {"Parameter"}):
                given = without_copies(call.args[0])
                is_it = ast.unparse(given).endswith(f".{its[0]}")
                do = say("one-parameter" if is_it else "one-in-forward", of=ast.unparse(given))
                line = reader.spoken(cut.place)
                yield say("made-of-another", own=name, other=its[0], line=line, do=do)
                return
