"""Reading and writing by index, and the functions that do so by name."""

from tests.ops.samples import MATRIX, ODD, bools, exactly, floats, ints
from tests.ops.table.case import NAN, add, function

for form, read in {
    "x[0]": lambda x: x[0],
    "x[-1]": lambda x: x[-1],
    "x[0, 1]": lambda x: x[0, 1],
    "x[1:]": lambda x: x[1:],
    "x[:, ::2]": lambda x: x[:, ::2],
    "x[:]": lambda x: x[:],
    "x[...]": lambda x: x[...],
    "x[..., 0]": lambda x: x[..., 0],
    "x[None]": lambda x: x[None],
    "x[:, None, 1]": lambda x: x[:, None, 1],
    "x[x > 0]": lambda x: x[x > 0],
    "x[[0, 0, 1]]": lambda x: x[[0, 0, 1]],
    "x[[0, 1], [2, 2]]": lambda x: x[[0, 1], [2, 2]],
    "x[:, [0, 2]]": lambda x: x[:, [0, 2]],
    "x[:, [0, 9]]": lambda x: x[:, [0, 9]],
    "x[True]": lambda x: x[True],
    "x[5]": lambda x: x[5],
    "x[0, 0, 0]": lambda x: x[0, 0, 0],
    "x['a']": lambda x: x["a"],
}.items():
    add("__getitem__", "indexing", lambda torch, x, read=read: read(x), MATRIX, form)
INDEXED = {"matrix, repeats": [floats(3, 2), ints([2, 0, 2])]}
add("__getitem__", "indexing", lambda torch, x, i: x[i], INDEXED, "x[tensor]")
add("__getitem__", "indexing", lambda torch, x, i: x[i, 1], INDEXED, "x[tensor, 1]")
add("__getitem__", "indexing", lambda torch, x: x[0], ODD, "refused")
add(
    "__getitem__",
    "indexing",
    lambda torch, x: x[[True, False, True], [0, 1, 0]],
    {"three rows": [floats(3, 2)]},
    "x[mask of two, three places]",
)


def assigned(write, *number):
    """A write by index into a clone, so that the leaf itself is spared."""

    def call(torch, x, *value):
        y = x.clone()
        write(y, *value, *number)
        return y

    return call


for form, write in {
    "x[0] = v": lambda x, v: x.__setitem__(0, v),
    "x[0, 1] = v": lambda x, v: x.__setitem__((0, 1), v),
    "x[:, 1:] = v": lambda x, v: x.__setitem__((slice(None), slice(1, None)), v),
    "x[:] = v": lambda x, v: x.__setitem__(slice(None), v),
    "x[...] = v": lambda x, v: x.__setitem__(..., v),
    "x[[0, 1], [2, 0]] = v": lambda x, v: x.__setitem__(([0, 1], [2, 0]), v),
    "x[x > 0] = v": lambda x, v: x.__setitem__(x > 0, v),
}.items():
    values = {"0-d": [floats(2, 3), exactly(7.0)]}
    add("__setitem__", "indexing", assigned(write), values, form)
    number = assigned(write, 7.0)
    add("__setitem__", "indexing", number, {"number": [floats(2, 3)]}, form)
add(
    "__setitem__",
    "indexing",
    assigned(lambda x, v: x.__setitem__(0, v)),
    {"row": [floats(2, 3), floats(3)], "misfit": [floats(2, 3), floats(2)]},
    "x[0] = row",
)

COLUMNS = [floats(2, 3), ints([[0, 2], [1, 1]])]
add("gather", "indexing", lambda torch, x, i: torch.gather(x, 1, i), {"matrix": COLUMNS})
PLACES = [floats(2, 3), ints([[0, 2], [1, 0]]), floats(2, 2, seed=3)]
REPEATS = [floats(2, 3), ints([[0, 0], [1, 1]]), floats(2, 2, seed=3)]
add("scatter", "indexing", lambda torch, x, i, v: torch.scatter(x, 1, i, v), {"matrix": PLACES})
add(
    "scatter",
    "indexing",
    lambda torch, x, i: x.scatter(1, i, 9.0),
    {"number": PLACES[:2]},
)
SUMMED = {"matrix": PLACES, "repeats": REPEATS}
add("scatter_add", "indexing", lambda torch, x, i, v: torch.scatter_add(x, 1, i, v), SUMMED)
add(
    "scatter_add",
    "indexing",
    lambda torch, x, i, v: x.clone().scatter_add_(1, i, v),
    {"repeats": REPEATS},
    "in place",
)
ROWS_BY_INDEX = {"repeats": [floats(3, 2), ints([2, 0, 2])]}
add("index_select", "indexing", lambda torch, x, i: torch.index_select(x, 0, i), ROWS_BY_INDEX)
ADDED = {"repeats": [floats(3, 2), ints([2, 0, 2]), floats(3, 2, seed=3)]}
add("index_add", "indexing", lambda torch, x, i, v: torch.index_add(x, 0, i, v), ADDED)
add("index_add", "indexing", lambda torch, x, i, v: x.index_add(0, i, v, alpha=2), ADDED, "alpha=2")
MASKED = [floats(2, 2), bools([[True, False], [False, True]])]
add(
    "masked_fill",
    "indexing",
    lambda torch, x, m: torch.masked_fill(x, m, 5.0),
    {"number": MASKED, "broadcast": [floats(2, 2), bools([True, False])]},
)
add(
    "masked_fill",
    "indexing",
    lambda torch, x, m, v: x.masked_fill(m, v),
    {"0-d": [*MASKED, exactly(5.0)]},
)
add(
    "masked_fill",
    "indexing",
    lambda torch, x, m: x.clone().masked_fill_(m, 5.0),
    {"number": MASKED},
    "in place",
)
add("masked_select", "indexing", lambda torch, x, m: torch.masked_select(x, m), {"matrix": MASKED})
add(
    "take",
    "indexing",
    lambda torch, x, i: torch.take(x, i),
    {"repeats": [floats(2, 3), ints([5, 0, 5])]},
)
UNSORTED = {"vector": [floats(5)], "matrix": [floats(2, 3)], "ints": [ints([3, 1, 2])]}
add("sort", "indexing", lambda torch, x: torch.sort(x), UNSORTED)
add("sort", "indexing", lambda torch, x: x.sort(0, descending=True), UNSORTED, "dim=0, descending")
add("topk", "indexing", lambda torch, x: torch.topk(x, 2), UNSORTED)
add("topk", "indexing", lambda torch, x: x.topk(2, largest=False), UNSORTED, "smallest")
add("topk", "indexing", lambda torch, x: x.topk(1), {"bools": [bools([True, False])]}, "refused")
DOUBLED = {"vector": [exactly([2.0, 1.0, 2.0]).constant()], "ints": [ints([[3, 1], [1, 2]])]}
add("unique", "indexing", lambda torch, x: torch.unique(x), DOUBLED)
add(
    "unique",
    "indexing",
    lambda torch, x: torch.unique(x, return_inverse=True, return_counts=True),
    DOUBLED,
    "inverse, counts",
)
SOME_ZEROS = {"matrix": [exactly([[0.0, 1.0], [2.0, 0.0]])], "bool": [bools([True, False])]}
add("nonzero", "indexing", lambda torch, x: torch.nonzero(x), SOME_ZEROS)
add("nonzero", "indexing", lambda torch, x: x.nonzero(as_tuple=True), SOME_ZEROS, "as_tuple")
add("count_nonzero", "indexing", lambda torch, x: torch.count_nonzero(x), SOME_ZEROS)
add("count_nonzero", "indexing", lambda torch, x: x.count_nonzero(dim=0), SOME_ZEROS, "dim=0")

ROW, SOUGHT = exactly([1.0, 3.0, 5.0, 5.0]), exactly([[0.0, 3.0, 9.0], [5.0, 4.0, NAN]])
ROWS = exactly([[1.0, 2.0], [3.0, 5.0]])
SEARCHED = {
    "row": [ROW, SOUGHT],
    "rows": [ROWS, SOUGHT],
    "0-d": [ROW, exactly(5.0)],
    "rows, 0-d": [ROWS, exactly(5.0)],
    "strided": [ROWS.strided(), SOUGHT.strided()],
    "dtypes": [ints([1, 3]), SOUGHT.single()],
    "misfit": [ROWS, exactly([1.0])],
    "of nothing": [floats(0), SOUGHT],
    "no row": [exactly(1.0), SOUGHT],
    "bools": [bools([False, True]), bools([True])],
}
for form, call in {
    "": function("searchsorted"),
    "right": function("searchsorted", right=True, out_int32=True),
    "side": function("searchsorted", side="right"),
    "both": function("searchsorted", right=True, side="left"),
    "a typo": function("searchsorted", side="up"),
    "bucketize": lambda torch, row, x: torch.bucketize(x, row, right=True),
    "a number": lambda torch, row, x: torch.searchsorted(row, 4),
    "bucketize a number": lambda torch, row, x: torch.bucketize(4.5, row),
}.items():
    add("searchsorted", "indexing", call, SEARCHED, form)
for sample, order in {"row": [1, 0], "too long": [1, 0, 2], "out of range": [0, 2]}.items():
    call = lambda torch, row, x, order=order: torch.searchsorted(  # noqa: E731
        row, x, sorter=torch.tensor(order)
    )
    add("searchsorted", "indexing", call, {sample: [exactly([4.0, 1.0]), SOUGHT]}, "sorter")


def drawn(*arguments, **options):
    """Indices drawn from a new start of the generator, and the number that comes after them."""

    def call(torch, weights):
        torch.manual_seed(7)
        found = torch.multinomial(weights, *arguments, **options)
        return [found, torch.rand(1)]

    return call


WEIGHTS = {
    "row": [exactly([1.0, 2.0, 3.0, 0.0, 4.0])],
    "float32": [exactly([1.0, 2.0, 3.0, 0.0, 4.0], "float32")],
    "float16": [exactly([1.0, 2.0, 3.0, 0.0, 4.0], "float16")],
    "rows": [exactly([[1.0, 2.0, 3.0], [0.5, 0.25, 0.0]], "float32")],
    "zeros": [exactly([[1.0, 1.0], [0.0, 0.0]])],
    "negative": [exactly([1.0, -1.0])],
    "nan": [exactly([1.0, NAN])],
    "ints": [ints([1, 2])],
    "0-d": [exactly(1.0)],
    "cube": [floats(2, 2, 2)],
}
for form, call in {
    "1": drawn(1),
    "2": drawn(2),
    "9, replacement": drawn(9, replacement=True),
    "9": drawn(9),
    "0": drawn(0),
    "method": lambda torch, w: (torch.manual_seed(3), w.multinomial(1))[1],
}.items():
    add("multinomial", "indexing", call, WEIGHTS, form)
