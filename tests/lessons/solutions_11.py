"""Reference solutions of lesson 11, and answers in which something is still blank."""

import numpy as np

import minigrad
from minigrad.lessons.snippets import run
from tests.lessons.custom_functions import written


def _made(name, inputs, forward, backward):
    return lambda mg: run(written(name, inputs, forward, backward), mg=mg)[0]


def _sinc_by_where(mg):
    def sinc(x):
        safe = mg.where(x == 0, 1.0, x)
        return mg.where(x == 0, 1.0, mg.sin(safe) / safe)

    return sinc


def _sinc_by_denominator(mg):
    """Only what divides is replaced."""

    def sinc(x):
        zero = x == 0
        return mg.where(zero, 1.0, mg.sin(x) / mg.where(zero, 1.0, x))

    return sinc


def _sinc_by_fill(mg):
    def sinc(x):
        safe = x.masked_fill(x == 0, 1.0)
        return (mg.sin(safe) / safe).masked_fill(x == 0, 1.0)

    return sinc


def _clip_by_lambda(mg):
    return lambda h, most: h.register_hook(lambda g: g.clamp(-most, most))


def _clip_by_where(mg):
    def clip_at(h, most):
        def hook(g):
            return mg.where(g > most, most, mg.where(g < -most, -most, g))

        return h.register_hook(hook)

    return clip_at


SAVED = (
    "ClampMin",
    "x, least",
    "ctx.save_for_backward(x); ctx.least = least; return x.clamp(min=least)",
)
BOTH = ("Weighted", "x, w", "ctx.save_for_backward(x, w); return x * w")

SOLUTIONS = {
    "11-1": [
        _made("Mul", "t, c", "ctx.c = c; return t * c", "return grad_output * ctx.c, None"),
        _made("Mul", "t, c", "ctx.c = c; return c * t", "return ctx.c * grad_output, None, None"),
        _made(
            "Mul",
            "t, c",
            "k = mg.tensor(c, dtype=t.dtype); ctx.save_for_backward(k); return t * k",
            "k, = ctx.saved_tensors; return grad_output * k, None",
        ),
    ],
    "11-2a": [
        _made(*SAVED, "x, = ctx.saved_tensors; return grad_output * (x > ctx.least), None"),
        _made(
            *SAVED,
            "x, = ctx.saved_tensors; return mg.where(x >= ctx.least, grad_output, 0.), None",
        ),
        _made(
            "C",
            "x, least",
            "ctx.stays = x > least; return mg.where(ctx.stays, x, least)",
            "return grad_output * ctx.stays, None",
        ),
        _made(
            "C",
            "x, least",
            "y = x.clamp(min=least); ctx.save_for_backward(y); ctx.least = least; return y",
            "y, = ctx.saved_tensors; return grad_output * (y > ctx.least), None",
        ),
    ],
    "11-2b": [
        lambda mg: [-2.0, 0.5, 3.0],
        lambda mg: mg.tensor([[0.25, 7.0]]),
        lambda mg: np.array([0.9, 1.1]),
        lambda mg: (2, 0.5),
    ],
    "11-3": [
        _made(*BOTH, "x, w = ctx.saved_tensors; return grad_output * w, grad_output * x"),
        _made(
            "Weighted",
            "x, w",
            "ctx.save_for_backward(w, x); return w * x",
            "w, x = ctx.saved_tensors; return w * grad_output, x * grad_output",
        ),
    ],
    "11-4": [
        lambda mg: {"node": "DivBackward0", "sinc": _sinc_by_where(mg)},
        lambda mg: {"node": "divbackward0 ", "sinc": _sinc_by_denominator(mg)},
        lambda mg: {"node": "Div", "sinc": _sinc_by_fill(mg)},
    ],
    "11-5": [_clip_by_lambda, _clip_by_where],
}  # fmt: skip


def _nothing(*_arguments):
    pass


def _blank_class(forward, backward):
    return _made("Blank", "x, c", forward, backward)


def blanks(mg):
    """For each exercise answers that are not filled in."""
    return {
        "11-1": [_blank_class("return ...", "return ...")(mg)],
        "11-2a": [
            _blank_class("return ...", "return ...")(mg),
            _blank_class("return x.clamp(min=c)", "return ...")(mg),
            _blank_class("raise NotImplementedError", "return ...")(mg),
        ],
        "11-2b": [[...], [1.0, None]],
        "11-3": [_blank_class("return x * c", "return ..., ...")(mg)],
        "11-4": [{"node": ..., "sinc": _sinc_by_where(mg)}, {"node": "Div", "sinc": _nothing}],
        "11-5": [_nothing, lambda h, most: ...],
    }


BLANKS = blanks(minigrad)

#: Pieces of the answers that no hint may hold.
ANSWERS = {
    "11-1": ["incoming * ctx", "ctx.constant * incoming"],
    "11-2a": ["incoming * (", "x > least", "x > ctx"],
    "11-2b": ["0.5", "between 0 and"],
    "11-3": ["incoming * w", "w * incoming"],
    "11-4": ["Div", "/ safe"],
    "11-5": ["return h.register_hook", "lambda"],
}
