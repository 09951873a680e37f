"""One program for each operation whose rule has a formula: what it computes, from two leaves."""

POSITIVE = [[0.3, 0.7, 0.2], [0.6, 0.1, 0.8]]
OTHERS = [[0.5, 0.4, 0.9], [0.35, 0.65, 0.15]]

#: Lines that make ``out``; ``x`` and ``y`` are leaves of shape [2, 3], ``m`` is a module: torch.
PROGRAMS = [
    *("x + y", "x - y", "3 - x", "x * y", "x / y", "-x", "x ** 3", "x ** y", "3 ** x", "2 / x"),
    *("m.add(x, y, alpha=3)", "m.sub(x, y, alpha=2)", "x + 1", "x * 2", "x / 4", "x % y"),
    *("x.clone()", "m.addcmul(x, x, y)", "m.addcdiv(x, x, y)", "m.lerp(x, y, 0.3)"),
    *("m.lerp(x, y, x)", "x.exp()", "x.exp2()", "x.expm1()", "x.log()", "x.log2()", "x.log10()"),
    *("x.log1p()", "x.sqrt()", "x.rsqrt()", "x.abs()", "x.sin()", "x.cos()", "x.tan()"),
    *("x.asin()", "x.acos()", "x.atan()", "x.sinh()", "x.cosh()", "x.tanh()", "x.sigmoid()"),
    *("x.reciprocal()", "(x - 0.5).relu()", "x.floor()", "x.ceil()", "x.round()", "x.trunc()"),
    *(
        "x.sign()",
        "x.clamp(0.2, 0.6)",
        "x.clamp_min(0.4)",
        "x.clamp_max(0.4)",
        "m.diag(x[0])",
        "m.diag_embed(x)",
        "x.nan_to_num()",
        "m.maximum(x, y)",
        "m.minimum(x, y)",
        "m.where(x > y, x, y)",
    ),
    *(
        "x.masked_fill(x > 0.5, 0.0)",
        "x.sum()",
        "x.sum(0)",
        "x.sum(1, keepdim=True)",
        "x.sum((0, 1))",
    ),
    *("x.mean()", "x.mean(0)", "x.mean(1, keepdim=True)", "x.max()", "x.min()"),
    *("x @ y.t()", "x.t() @ y", "x @ y[0]", "x[0].dot(y[0])", "x.softmax(1)", "x.log_softmax(0)"),
    *("x.reshape(3, 2)", "x.view(6)", "x.unsqueeze(0)", "x.t()", "x[1]", "x[:, 1]", "x[:, 1:3]"),
    *("x[0:2, 0]", "x.unsqueeze(0).squeeze()", "m.nn.functional.linear(x, y, y.mean(1))"),
    *("m.nn.functional.mse_loss(x, y)", "m.nn.functional.mse_loss(x, y, reduction='sum')"),
    *("m.nn.functional.nll_loss(x, m.tensor([2, 0]))", "m.nn.functional.softplus(x)"),
    *("m.nn.functional.nll_loss(x, m.tensor([2, 0]), reduction='sum')",),
    "m.nn.functional.cross_entropy(x, m.tensor([2, 0]))",
    "m.nn.functional.embedding(m.tensor([1, 0, 1]), x)",
]

#: What only PyTorch has.
OF_TORCH = [
    *("m.erf(x)", "m.atan2(x, y)", "m.logaddexp(x, y)", "m.fmod(x, y)"),
    *(
        "m.bmm(x[None], y.t()[None])",
        "m.nn.functional.leaky_relu(x - 0.5, 0.1)",
    ),
    *("m.nn.functional.elu(x - 0.5)", "m.nn.functional.silu(x)", "m.nn.functional.logsigmoid(x)"),
    *("m.nn.functional.hardtanh(x, 0.2, 0.6)", "m.nn.functional.threshold(x, 0.4, 0.0)"),
    *("m.nn.functional.prelu(x - 0.5, y[0, :1])", "m.special.expit(x)"),
    "m.baddbmm(x[:, :2].reshape(1, 2, 2), x[None], y.t()[None])",
]
