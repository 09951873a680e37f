"""Custom functions, right and wrong, as a learner writes them: code for minigrad or PyTorch."""

HEAD = """
class {name}(mg.autograd.Function):
    @staticmethod
    def forward(ctx, {inputs}):
        {forward}

    @staticmethod
    def backward(ctx, grad_output):
        {backward}
{name}
"""


def written(name, inputs, forward, backward):
    lines = [part.replace("; ", "\n        ") for part in (forward, backward)]
    return HEAD.format(name=name, inputs=inputs, forward=lines[0], backward=lines[1])


TIMES = ("MulConstant", "tensor, constant", "ctx.constant = constant; return tensor * constant")
SQUARE = ("Square", "x", "ctx.save_for_backward(x); return x * x")
KEPT = ("Square", "x", "ctx.t = x; return x * x")
LINEAR = ("Linear", "M, x", "ctx.save_for_backward(M, x); return M @ x")
VECTOR = "mg.tensor([1., 3.], dtype=mg.float64, requires_grad=True)"
MATRIX = "mg.tensor([[1., 2.], [3., 4.]], dtype=mg.float64, requires_grad=True)"

#: By name: the code, its inputs, and the check that fails (None: all hold).
PRESETS = {
    "missing factor": (written(*TIMES, "return grad_output, None"), f"{VECTOR}, 5", "jacobian"),
    "times 1": (written(*TIMES, "return grad_output, None"), f"{VECTOR}, 1", None),
    "fine": (written(*TIMES, "return grad_output * ctx.constant, None"), f"{VECTOR}, 5", None),
    "wrong count": (written(*TIMES, "return grad_output * ctx.constant"), f"{VECTOR}, 5", "count"),
    "gradient of a number": (
        written(*TIMES, "return grad_output * ctx.constant, grad_output"),
        f"{VECTOR}, 5",
        "none",
    ),
    "no number": (written(*TIMES, "return grad_output * 'five', None"), f"{VECTOR}, 5", "count"),
    "ctx.t": (written(*KEPT, "return 2 * grad_output * ctx.t"), VECTOR, "saved"),
    "saved": (
        written(*SQUARE, "x, = ctx.saved_tensors; return 2 * grad_output * x"),
        VECTOR,
        None,
    ),
    "nothing comes in": (written(*KEPT, "return 2 * ctx.t"), VECTOR, "jacobian"),
    "a lost gradient": (
        written(*LINEAR, "M, x = ctx.saved_tensors; return None, M.T @ grad_output"),
        f"{MATRIX}, {VECTOR}",
        "none",
    ),
    "wrong transpose": (
        written(
            *LINEAR, "M, x = ctx.saved_tensors; return mg.outer(grad_output, x), M @ grad_output"
        ),
        f"{MATRIX}, {VECTOR}",
        "jacobian",
    ),
    "right transpose": (
        written(
            *LINEAR, "M, x = ctx.saved_tensors; return mg.outer(grad_output, x), M.T @ grad_output"
        ),
        f"{MATRIX}, {VECTOR}",
        None,
    ),
    "wrong shape": (
        written(*SQUARE, "return mg.ones(3, dtype=mg.float64)"),
        VECTOR,
        "shapes",
    ),
    "detached": (
        written(*SQUARE, "x, = ctx.saved_tensors; return 2 * grad_output * x.detach()"),
        VECTOR,
        "second",
    ),
    "forward fails": (written("F", "x", "return x.no_such_thing", "return 1"), VECTOR, "forward"),
    "forward forgets": (written("F", "x", "x * 2", "return 2 * grad_output"), VECTOR, "forward"),
}
