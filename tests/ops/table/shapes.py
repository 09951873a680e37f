"""Views, copies in another shape, dtype changes, joining."""

from tests.ops.samples import MATRIX, ODD, exactly, floats, ints
from tests.ops.table.case import add, method

CUBE = {"cube": [floats(2, 3, 2)]}


def view_of(name, calls, samples):
    for form, call in calls.items():
        add(name, "shape", call, samples, form)


view_of(
    "view",
    {
        "(3, 2)": lambda torch, x: x.view(3, 2),
        "-1": lambda torch, x: x.view(-1),
        "(1, -1, 2)": lambda torch, x: x.view(1, -1, 2),
        "misfit": lambda torch, x: x.view(4, 2),
    },
    MATRIX,
)
view_of("view", {"-1": lambda torch, x: x.view(-1)}, ODD)
view_of(
    "reshape",
    {
        "(3, 2)": lambda torch, x: x.reshape(3, 2),
        "-1": lambda torch, x: torch.reshape(x, (-1,)),
        "same": lambda torch, x: x.reshape(2, 3),
        "misfit": lambda torch, x: x.reshape(4, 2),
    },
    MATRIX,
)
view_of("view_as", {"": lambda torch, x: x.view_as(torch.ones(3, 2))}, {"matrix": MATRIX["matrix"]})
view_of("t", {"": lambda torch, x: x.t()}, {**MATRIX, "vector": [floats(3)], "0-d": ODD["0-d"]})
view_of("t", {"refused": lambda torch, x: x.t()}, CUBE)
view_of("T", {"": lambda torch, x: x.T}, {**MATRIX, "vector": [floats(3)], **CUBE})
view_of("mT", {"": lambda torch, x: x.mT}, {**MATRIX, **CUBE, "vector": [floats(3)]})
view_of(
    "transpose",
    {
        "0, 1": lambda torch, x: torch.transpose(x, 0, 1),
        "-1, 0": lambda torch, x: x.transpose(-1, 0),
        "out of range": lambda torch, x: x.transpose(0, 5),
    },
    {**MATRIX, **CUBE},
)
view_of(
    "permute",
    {
        "2, 0, 1": lambda torch, x: x.permute(2, 0, 1),
        "(0, 2, 1)": lambda torch, x: torch.permute(x, (0, 2, 1)),
        "too few": lambda torch, x: x.permute(0, 1),
    },
    CUBE,
)
THIN = {"thin": [floats(1, 3, 1)], "matrix": [floats(2, 3)], "0-d": ODD["0-d"]}
view_of(
    "squeeze",
    {
        "": lambda torch, x: x.squeeze(),
        "0": lambda torch, x: torch.squeeze(x, 0),
        "-1": lambda torch, x: x.squeeze(-1),
    },
    THIN,
)
view_of(
    "unsqueeze",
    {"0": lambda torch, x: x.unsqueeze(0), "-1": lambda torch, x: torch.unsqueeze(x, -1)},
    {**MATRIX, **ODD},
)
ROW = {"row": [floats(1, 3)], "vector": [floats(3)]}
view_of(
    "expand",
    {
        "(2, 3)": lambda torch, x: x.expand(2, 3),
        "(2, -1, 3)": lambda torch, x: x.expand(2, -1, 3),
        "misfit": lambda torch, x: x.expand(2, 4),
    },
    ROW,
)
view_of("expand_as", {"": lambda torch, x: x.expand_as(torch.ones(2, 3))}, ROW)
view_of("broadcast_to", {"": lambda torch, x: torch.broadcast_to(x, (2, 3))}, ROW)
view_of(
    "flatten",
    {"": lambda torch, x: x.flatten(), "1": lambda torch, x: torch.flatten(x, 1)},
    {**CUBE, **MATRIX},
)
view_of("flatten", {"": lambda torch, x: x.flatten()}, {"vector": [floats(3)], **ODD})
view_of("narrow", {"1, 1, 2": lambda torch, x: torch.narrow(x, 1, 1, 2)}, MATRIX)
view_of("narrow", {"out of range": lambda torch, x: x.narrow(1, 2, 2)}, MATRIX)
view_of(
    "select",
    {"0, 1": lambda torch, x: torch.select(x, 0, 1), "1, -1": lambda torch, x: x.select(1, -1)},
    MATRIX,
)
view_of(
    "split",
    {
        "2": lambda torch, x: torch.split(x, 2, dim=1),
        "[1, 2]": lambda torch, x: x.split([1, 2], 1),
        "misfit": lambda torch, x: x.split([1, 1], 1),
    },
    MATRIX,
)
view_of("chunk", {"2": lambda torch, x: torch.chunk(x, 2, dim=1)}, MATRIX)
view_of(
    "unbind", {"": lambda torch, x: x.unbind(), "1": lambda torch, x: torch.unbind(x, 1)}, MATRIX
)
view_of(
    "diagonal",
    {"": lambda torch, x: x.diagonal(), "1": lambda torch, x: torch.diagonal(x, 1)},
    {"matrix": [floats(3, 3)], "wide": [floats(2, 3)]},
)
view_of("detach", {"": lambda torch, x: x.detach()}, MATRIX)
view_of("clone", {"": lambda torch, x: x.clone()}, {**MATRIX, **ODD})
view_of("contiguous", {"": lambda torch, x: x.contiguous()}, MATRIX)
view_of(
    "repeat",
    {"2, 1": lambda torch, x: x.repeat(2, 1), "2, 1, 2": lambda torch, x: x.repeat(2, 1, 2)},
    MATRIX,
)
view_of(
    "flip",
    {"0": lambda torch, x: torch.flip(x, (0,)), "0, 1": lambda torch, x: x.flip(0, 1)},
    MATRIX,
)
view_of(
    "roll",
    {
        "1": lambda torch, x: torch.roll(x, 1),
        "1, 0": lambda torch, x: x.roll(1, 0),
        "(1, -1), (0, 1)": lambda torch, x: torch.roll(x, (1, -1), (0, 1)),
    },
    MATRIX,
)
SQUARE = {"matrix": [floats(3, 3)], "wide": [floats(2, 3)], "batch": [floats(2, 2, 2)]}
view_of("tril", {"": lambda torch, x: torch.tril(x), "-1": lambda torch, x: x.tril(-1)}, SQUARE)
view_of("triu", {"": lambda torch, x: torch.triu(x), "1": lambda torch, x: x.triu(1)}, SQUARE)
view_of("movedim", {"0, -1": lambda torch, x: torch.movedim(x, 0, -1)}, CUBE)
view_of(
    "to",
    {
        "float32": lambda torch, x: x.to(torch.float32),
        "the same": lambda torch, x: x.to(torch.float64),
        "int64": lambda torch, x: x.to(torch.int64),
    },
    {"vector": [floats(3)]},
)
for name in ("float", "double", "half", "long", "int", "bool"):
    call = method(name)
    view_of(name, {"": call}, {"vector": [exactly([-1.5, 0.0, 2.75])], "int": [ints([0, 3])]})

JOINED = {
    "matrices": [floats(2, 3, seed=1), floats(2, 3, seed=2)],
    "dtypes": [floats(2, 3, seed=1).single(), floats(2, 3, seed=2)],
    "int, float": [ints([[1, 2]]), floats(1, 2)],
}
view_of("cat", {"": lambda torch, a, b: torch.cat([a, b])}, JOINED)
view_of("cat", {"dim=1": lambda torch, a, b: torch.cat((a, b), dim=1)}, JOINED)
view_of("cat", {"x, x": lambda torch, x: torch.cat([x, x], -1)}, MATRIX)
view_of(
    "cat",
    {"misfit": lambda torch, a, b: torch.cat([a, b])},
    {"shapes": [floats(2, 3), floats(2, 2)]},
)
view_of("stack", {"": lambda torch, a, b: torch.stack([a, b])}, JOINED)
view_of("stack", {"dim=-1": lambda torch, a, b: torch.stack((a, b), dim=-1)}, JOINED)
view_of(
    "stack", {"misfit": lambda torch, a, b: torch.stack([a, b])}, {"shapes": [floats(2), floats(3)]}
)

view_of(
    "diag",
    {
        "": lambda torch, x: torch.diag(x),
        "1": lambda torch, x: x.diag(1),
        "-2": lambda torch, x: torch.diag(x, diagonal=-2),
        "far": lambda torch, x: x.diag(7),
    },
    {**MATRIX, **CUBE, "vector": [floats(3)], **ODD, "int": [ints([1, 2])]},
)
view_of(
    "diag_embed",
    {
        "": lambda torch, x: torch.diag_embed(x),
        "1, 0, 2": lambda torch, x: x.diag_embed(1, 0, 2),
        "-1, 0, -1": lambda torch, x: torch.diag_embed(x, offset=-1, dim1=0, dim2=-1),
        "equal dims": lambda torch, x: x.diag_embed(0, 1, 1),
    },
    {**MATRIX, "vector": [floats(3)], **ODD},
)
GRID = {
    "vectors": [floats(2, seed=1), floats(3, seed=2)],
    "0-d, vector": [floats(seed=1), floats(3, seed=2)],
    "dtypes": [floats(2, seed=1), floats(3, seed=2).single()],
    "three": [floats(2, seed=1), floats(3, seed=2), floats(2, seed=3)],
    "one": [floats(2)],
    "int": [ints([1, 2]), ints([3, 4, 5])],
}
view_of(
    "meshgrid",
    {
        "ij": lambda torch, *xs: torch.meshgrid(*xs, indexing="ij"),
        "xy": lambda torch, *xs: torch.meshgrid(xs, indexing="xy"),
        "a typo": lambda torch, *xs: torch.meshgrid(*xs, indexing="yx"),
    },
    GRID,
)
view_of("meshgrid", {"no indexing": lambda torch, *xs: torch.meshgrid(*xs)}, {"one": GRID["one"]})
view_of("meshgrid", {"of nothing": lambda torch, x: torch.meshgrid(indexing="ij")}, ODD)
view_of(
    "repeat_interleave",
    {
        "2": lambda torch, x: torch.repeat_interleave(x, 2),
        "3, 0": lambda torch, x: x.repeat_interleave(3, 0),
        "2, -1": lambda torch, x: x.repeat_interleave(2, dim=-1),
        "0": lambda torch, x: x.repeat_interleave(0),
        "-1": lambda torch, x: x.repeat_interleave(-1),
        "a tensor": lambda torch, x: x.repeat_interleave(torch.tensor([2, 0, 1]), dim=-1),
        "a tensor of one": lambda torch, x: torch.repeat_interleave(x, torch.tensor([2])),
        "too few": lambda torch, x: x.repeat_interleave(torch.tensor([2, 0]), dim=-1),
        "negative": lambda torch, x: x.repeat_interleave(torch.tensor([-2])),
        "of floats": lambda torch, x: x.repeat_interleave(torch.tensor([2.0])),
        "a matrix": lambda torch, x: x.repeat_interleave(torch.ones(2, 2)),
        "output_size": lambda torch, x: x.repeat_interleave(2, 0, output_size=4),
    },
    {**MATRIX, "vector": [floats(3)], **ODD},
)
COUNTS = {"int": [ints([2, 0, 1])], "negative": [ints([-1])], "float": [floats(2)]}
view_of("repeat_interleave", {"alone": lambda torch, x: torch.repeat_interleave(x)}, COUNTS)
