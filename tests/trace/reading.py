"""Small passes, and what is read off their frames."""

import minigrad as mg
from minigrad.trace import record_backward
from tests.autograd import golden


def case_1(**options):
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return record_backward(y, **options)


def model_003():
    loss, _gradient, names = golden.four_node_model(mg)
    return record_backward(loss, names=names)


def text(pieces):
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)


def rows(frame, group):
    """The rows of a group as label and text; a row without a label belongs to the one before."""
    found = []
    for label, pieces, *_ in frame["details"][group]["rows"]:
        if label or not found:
            found.append([label, text(pieces)])
        else:
            found[-1][1] += "\n" + text(pieces)
    return dict(found)


def sentences(trace, detail="coarse"):
    return [frame["sentence"] for frame in trace.frames(detail)]


def key_of(trace, name):
    return next(value.key for value in trace.graph.values if value.name == name)
