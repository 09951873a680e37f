"""Programs whose gradients or values are nan or inf, and the node to blame; for both libraries.

Each is source that leaves `x`, a leaf that asks, and `loss`; `mended` is what is advised in place
of the last line but one, and has to give finite gradients.
"""

from dataclasses import dataclass

LEAF = "x = mg.tensor([0.0, 4.0], requires_grad=True)"


@dataclass(frozen=True)
class Bad:
    """One program: what makes the trouble, what mends it, and what has to be said."""

    line: str
    mended: str
    node: str
    said: str
    x: str = LEAF

    def source(self, mended=False):
        """The program, with the trouble or mended."""
        return f"{self.x}\n{self.mended if mended else self.line}\nloss = y.sum()\n"


BAD = {
    "sqrt of 0": Bad("y = x.sqrt()", "y = (x + 1e-12).sqrt()", "SqrtBackward0", "1 of its 2"),
    "rsqrt of 0": Bad("y = x.rsqrt()", "y = (x + 1e-12).rsqrt()", "RsqrtBackward0", "1 of its 2"),
    "log of 0": Bad("y = x.log()", "y = x.clamp(min=1e-12).log()", "LogBackward0", "at 1 of its 2"),
    "1/0": Bad("y = 1 / x", "y = 1 / (x + 1e-12)", "ReciprocalBackward0", "at 1 of its 2"),
    "a quotient": Bad("y = 3 * x / x", "y = 3 * x / (x + 1e-12)", "DivBackward0", "divides by 0"),
    "a root": Bad("y = x ** 0.5", "y = (x + 1e-12) ** 0.5", "PowBackward0", "a power below 1"),
    "exp": Bad(
        "y = (x * 100).exp()", "y = (x * 100).softmax(0)", "ExpBackward0", "exp has overflowed"
    ),
    "a where that comes too late": Bad(
        "y = mg.where(x > 0, x.sqrt(), mg.zeros(2))",
        "safe = mg.where(x > 0, x, mg.ones_like(x)); "
        "y = mg.where(x > 0, safe.sqrt(), mg.zeros_like(x))",
        "SqrtBackward0",
        "0 × inf = nan",
    ),
}

FINE = {
    "a square": "y = x ** 2",
    "a power of 1": "y = x ** 1.0",
    "a masked sqrt": "y = x[x > 0].sqrt()",
    "relu": "y = x.relu()",
    "a quotient by a number": "y = x / 3",
}
