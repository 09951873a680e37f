"""Products of vectors, matrices and batches."""

from tests.ops.samples import exactly, floats, ints
from tests.ops.table.case import INF, add, function, method


def einsum(equation):
    """The sum that an equation writes down."""
    return lambda torch, *inputs: torch.einsum(equation, *inputs)


PRODUCTS = {
    "vector, vector": [floats(3, seed=1), floats(3, seed=2)],
    "matrix, vector": [floats(2, 3, seed=1), floats(3, seed=2)],
    "vector, matrix": [floats(2, seed=1), floats(2, 3, seed=2)],
    "matrix, matrix": [floats(2, 3, seed=1), floats(3, 2, seed=2)],
    "batch, batch": [floats(2, 2, 3, seed=1), floats(2, 3, 2, seed=2)],
    "batch, matrix": [floats(2, 2, 3, seed=1), floats(3, 2, seed=2)],
    "batch, vector": [floats(2, 2, 3, seed=1), floats(3, seed=2)],
    "matrix, batch": [floats(2, 3, seed=1), floats(2, 3, 2, seed=2)],
    "vector, batch": [floats(3, seed=1), floats(2, 3, 2, seed=2)],
    "broadcast batches": [floats(2, 1, 2, 2, seed=1), floats(3, 2, 2, seed=2)],
    "strided": [floats(2, 3, seed=1).strided(), floats(3, 2, seed=2).strided()],
    "first tracked": [floats(2, 3, seed=1), floats(3, 2, seed=2).constant()],
    "second tracked": [floats(2, 3, seed=1).constant(), floats(3, 2, seed=2)],
    "empty": [floats(2, 0), floats(0, 3)],
    "float32": [floats(2, 2, seed=1).single(), floats(2, 2, seed=2).single()],
    "ints": [ints([[1, 2], [3, 4]]), ints([[1, 0], [1, 1]])],
}
UNFIT = {
    "shapes": [floats(2, 3), floats(2, 3)],
    "vectors": [floats(2), floats(3)],
    "0-d": [floats(), floats(3)],
    "dtypes": [floats(2, 2), floats(2, 2).single()],
}
add("matmul", "linear algebra", lambda torch, a, b: torch.matmul(a, b), PRODUCTS)
add("matmul", "linear algebra", lambda torch, a, b: a @ b, UNFIT, "refused")
add("matmul", "linear algebra", lambda torch, a: a @ a, {"matrix": [floats(2, 2)]}, "x @ x")
add("matmul", "linear algebra", lambda torch, a: a @ a.T, {"matrix": [floats(2, 3)]}, "x @ x.T")
for name, pairs in {
    "mm": ["matrix, matrix", "strided", "first tracked", "empty", "vector, vector"],
    "mv": ["matrix, vector", "matrix, matrix"],
    "dot": ["vector, vector", "matrix, vector"],
    "outer": ["vector, vector"],
    "bmm": ["batch, batch", "batch, matrix"],
}.items():
    call = function(name)
    add(name, "linear algebra", call, {key: PRODUCTS[key] for key in pairs})
for equation, pair in {
    "ij,jk->ik": "matrix, matrix",
    "i,i->": "vector, vector",
    "i,j->ij": "vector, vector",
    "bij,bjk->bik": "batch, batch",
    "ij,j": "matrix, vector",
}.items():
    call = einsum(equation)
    add("einsum", "linear algebra", call, {pair: PRODUCTS[pair]}, equation)
for equation in ("ii->", "ii->i", "ij->ji", "ij->", "ij->j"):
    call = einsum(equation)
    add("einsum", "linear algebra", call, {"matrix": [floats(3, 3)]}, equation)

# -- what is in `linalg` ---------------------------------------------------------------------------


def of_linalg(name, *arguments, **options):
    """``torch.linalg.name(inputs..., arguments...)``"""
    return lambda torch, *inputs: getattr(torch.linalg, name)(*inputs, *arguments, **options)


VECTOR = {"vector": [exactly([3.0, -4.0, 1.5])], "0-d": [floats()], "float32": [floats(3).single()]}
MATRICES = {
    "matrix": [floats(2, 3)],
    "strided": [floats(2, 3).strided()],
    "batch": [floats(2, 2, 3)],
    "vector": [floats(3)],
    "int": [ints([[1, 2], [3, 4]])],
}
for form, options in {
    "": {},
    "1": {"ord": 1},
    "inf": {"ord": INF},
    "-1, dim=-1": {"ord": -1, "dim": -1},
    "3, dim=(0, 1)": {"ord": 3, "dim": (0, 1), "keepdim": True},
    "dtype": {"dtype": "float64"},
}.items():
    add(
        "linalg.vector_norm",
        "linear algebra",
        lambda torch, x, options=options: torch.linalg.vector_norm(
            x, **{k: getattr(torch, v) if k == "dtype" else v for k, v in options.items()}
        ),
        {**VECTOR, **MATRICES} if "dim" not in options else {"matrix": MATRICES["matrix"]},
        form,
    )
add("linalg.vector_norm", "linear algebra", of_linalg("vector_norm", "fro"), VECTOR, "a name")
for ord in ("fro", 1, -1, INF, -INF, 3, "x"):
    call = of_linalg("matrix_norm", ord)
    add("linalg.matrix_norm", "linear algebra", call, MATRICES, f"{ord}")
for form, call in {
    "default": of_linalg("matrix_norm"),
    "1, (2, 0)": of_linalg("matrix_norm", 1, (2, 0), keepdim=True),
    "inf, (0, -1)": of_linalg("matrix_norm", INF, (0, -1)),
    "equal dims": of_linalg("matrix_norm", 1, (0, 0)),
    "three dims": of_linalg("norm", 1, (0, 1, 2)),
    "no dims": of_linalg("norm", 1),
}.items():
    add("linalg.matrix_norm", "linear algebra", call, {"batch": MATRICES["batch"]}, form)
for form, call in {
    "": of_linalg("norm"),
    "1": of_linalg("norm", 1),
    "fro": of_linalg("norm", "fro"),
    "dim=0": of_linalg("norm", dim=0),
    "inf, 1": of_linalg("norm", INF, 1, True),
    "2, -1": of_linalg("norm", 2, -1),
    "None, (0, 1)": of_linalg("norm", dim=(0, 1), keepdim=True),
}.items():
    add("linalg.norm", "linear algebra", call, {**VECTOR, **MATRICES}, form)

POSITIVE = [[4.0, 1.0, 0.5], [1.0, 3.0, 1.0], [0.5, 1.0, 2.0]]
SQUARE = {
    "matrix": [exactly([[2.0, 1.0], [0.5, 3.0]])],
    "three": [exactly(POSITIVE)],
    "exchanged": [exactly([[0.0, 2.0, 1.0], [1.0, 0.5, 0.0], [3.0, 1.0, 2.0]])],
    "strided": [exactly([[2.0, 1.0], [0.5, 3.0]]).strided()],
    "batch": [exactly([[[2.0, 1.0], [1.0, 3.0]], [[1.0, 0.5], [0.5, 4.0]]])],
    "float32": [exactly([[2.0, 1.0], [0.5, 3.0]], "float32")],
    "untracked": [exactly([[2.0, 1.0], [0.5, 3.0]]).constant()],
    "wide": [floats(2, 3)],
    "vector": [floats(2)],
    "int": [ints([[2, 1], [1, 3]])],
    "float16": [exactly([[2.0, 1.0], [1.0, 3.0]], "float16")],
}
SINGULAR = {
    "singular": [exactly([[1.0, 2.0], [2.0, 4.0]])],
    "batch, singular": [exactly([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [0.0, 4.0]]])],
    "zeros": [exactly([[0.0, 0.0], [0.0, 0.0]])],
}
EMPTY = {"empty": [floats(0, 0)]}
for name in ("inverse", "det"):
    add(name, "linear algebra", function(name), {**SQUARE, **SINGULAR})
    add(name, "linear algebra", method(name), {"matrix": SQUARE["matrix"]}, "method")
add("inverse", "linear algebra", function("inverse"), EMPTY)
for name in ("inv", "det"):
    add(f"linalg.{name}", "linear algebra", of_linalg(name), {**SQUARE, **SINGULAR})
# A cut through symmetric matrices, because one triangle is all that is read.
ROOTS = {name: SQUARE[name] for name in ("three", "batch", "wide", "vector", "int")}
ROOTS |= {
    **EMPTY,
    "not positive": [exactly([[1.0, 2.0], [2.0, 1.0]])],
    "batch, not positive": [exactly([[[1.0, 0.0], [0.0, 1.0]], [[-1.0, 2.0], [2.0, 4.0]]])],
    "float16": SQUARE["float16"],
}


def root(**options):
    """The factor of Cholesky of what a matrix becomes when it is made symmetric."""
    return lambda torch, x: torch.linalg.cholesky((x + x.mT) / 2 if x.ndim > 1 else x, **options)


for form, call in {
    "": root(),
    "upper": root(upper=True),
    "alone": of_linalg("cholesky"),
    "alone, upper": of_linalg("cholesky", upper=True),
}.items():
    add("linalg.cholesky", "linear algebra", call, ROOTS, form, smooth="alone" not in form)
A, TWO = SQUARE["matrix"][0], SQUARE["batch"][0]
SYSTEMS = {
    "matrix, vector": [A, floats(2)],
    "matrix, matrix": [A, floats(2, 3)],
    "matrix, batch": [A, floats(2, 2, 3)],
    "batch, vector": [TWO, floats(2)],
    "batch, vectors": [TWO, floats(2, 2)],
    "batch, matrix": [TWO, floats(2, 3)],
    "batch, batch": [TWO, floats(1, 2, 3)],
    "strided": [A.strided(), floats(2, 3).strided()],
    "float32": [A.single(), floats(2).single()],
    "first tracked": [A, floats(2).constant()],
    "second tracked": [A.constant(), floats(2)],
    "singular": [SINGULAR["singular"][0], floats(2)],
    "batch, singular": [SINGULAR["batch, singular"][0], floats(2)],
    "sizes": [A, floats(3)],
    "sizes of matrices": [A, floats(3, 2)],
    "dtypes": [A, floats(2).single()],
    "wide": [floats(2, 3), floats(2)],
    "vectors": [floats(2), floats(2)],
    "0-d": [A, floats()],
    "ints": [ints([[2, 1], [1, 3]]), ints([1, 2])],
    "empty": [floats(0, 0), floats(0)],
}
add("linalg.solve", "linear algebra", of_linalg("solve"), SYSTEMS)
FROM_THE_RIGHT = {
    "matrix": [A, floats(3, 2)],
    "batch": [TWO, floats(2, 3, 2)],
    "vector": [A, floats(2)],
    "sizes": [A, floats(2, 3)],
}
add("linalg.solve", "linear algebra", of_linalg("solve", left=False), FROM_THE_RIGHT, "left=False")
