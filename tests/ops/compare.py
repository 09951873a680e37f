"""When two libraries count as agreeing on a case."""

from tests.oracle.observer import differences

# By the dtype of the result: float32 keeps seven digits, of which a sum may lose one or two.
TOLERANCES = {"torch.float64": 1e-9, "torch.float32": 1e-5, "torch.float16": 2e-3}


# What PyTorch keeps of a matrix that it has factored, so as to solve with it again.
FACTORS = {"LU", "pivots"}


def unlike_oracle(expected, actual):
    """Where a case shows something else than PyTorch showed: a list of sentences.

    All that PyTorch printed, said and saved must be the same. Two liberties: the last digits of a
    number, and what a node notes down beside tensors (sizes, dims), which counts only where the
    other side notes it too, and the factors of a matrix beside that matrix.
    """
    expected, actual = without_private_notes(expected, actual)
    return differences(expected, actual, "", tolerance_for(expected))


def without_private_notes(expected, actual):
    """Both sides without the plain values that only one of the two nodes shows."""
    one, two = expected.get("node"), actual.get("node")
    if not one or not two:
        return expected, actual
    shared = one["saved"].keys() & two["saved"].keys()

    def stripped(side):
        saved = {
            name: value
            for name, value in side["node"]["saved"].items()
            if name in shared or holds_tensor(value) and name not in FACTORS
        }
        return {**side, "node": {**side["node"], "saved": saved}}

    return stripped(expected), stripped(actual)


def holds_tensor(value):
    return isinstance(value, dict) and "tensor" in value


def tolerance_for(seen):
    """The coarsest dtype that takes part decides."""
    text = str(seen)
    return max((digits for dtype, digits in TOLERANCES.items() if dtype in text), default=0.0)
