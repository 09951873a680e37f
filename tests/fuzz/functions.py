"""Custom Functions for random programs, as source: each program defines those that it uses."""

FUNCTIONS = {
    "Cube": """class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x
""",
    "Grow": """class Grow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = (x / 4).exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, g):
        (result,) = ctx.saved_tensors
        return g * result / 4
""",
    "Scale": """class Scale(torch.autograd.Function):
    @staticmethod
    def forward(x, factor):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None
""",
    "Pair": """class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x - y

    @staticmethod
    def backward(ctx, g, h):
        see("needs", ctx.needs_input_grad)
        x, y = ctx.saved_tensors
        return g * y + h, g * x - h
""",
    "Lazy": """class Lazy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, g, h):
        see("gradients", (g, h))
        return g * 2 if h is None else h * 3
""",
    "Bump": """class Bump(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2
""",
    "Split": """class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x > 0
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * 2, mask

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        return g * 2 * mask
""",
    "Once": """class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 5

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * 5
""",
    "Surplus": """class Surplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2, g
""",
    "Misfit": """class Misfit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return torch.ones(7)
""",
}
