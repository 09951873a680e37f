"""Products of vectors, matrices and batches."""

from tests.ops.samples import floats, ints
from tests.ops.table.case import add, function


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
