"""What `linalg` promises beyond the table of operations."""

import pytest

import minigrad as mg
from minigrad import linalg

WELL = [[4.0, 1.0, 0.5], [1.0, 3.0, 1.0], [0.5, 1.0, 2.0]]


def leaf(rows):
    return mg.tensor(rows, dtype=mg.float64, requires_grad=True)


@pytest.mark.parametrize(
    "compute",
    [
        linalg.inv,
        linalg.det,
        lambda a: linalg.cholesky((a + a.mT) / 2),
        lambda a: linalg.solve(a, a[0]),
        lambda a: linalg.solve(a, a[:2], left=False),
        lambda a: linalg.norm(a, mg.inf),
    ],
)
def test_gradients_of_any_order(compute):
    assert mg.autograd.gradcheck(compute, leaf(WELL))
    assert mg.autograd.gradgradcheck(compute, leaf(WELL))


@pytest.mark.parametrize("rows", [[[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_the_determinant_of_a_singular_matrix_has_its_gradients(rows):
    assert mg.autograd.gradcheck(linalg.det, leaf(rows))
    assert mg.autograd.gradgradcheck(linalg.det, leaf(rows))


def test_the_determinant_of_a_matrix_whose_rank_is_one_less():
    x = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    assert mg.autograd.gradcheck(linalg.det, x)


@pytest.mark.parametrize("order", [2, -2, "nuc"])
def test_norms_by_singular_values_are_left_out(order):
    with pytest.raises(NotImplementedError, match="no singular values"):
        linalg.matrix_norm(mg.eye(2), order)


def test_a_name_that_is_left_out_says_so():
    assert not hasattr(linalg, "svd")
    with pytest.raises(
        NotImplementedError, match=r"module 'minigrad\.linalg' has no attribute 'qr'"
    ):
        _ = linalg.qr


def test_errors_can_be_caught_by_their_name():
    with pytest.raises(linalg.LinAlgError, match="singular"):
        linalg.inv(mg.zeros(2, 2))
    with pytest.raises(
        TypeError, match=r"linalg_inv\(\): argument 'A' \(position 1\) must be Tens"
    ):
        linalg.inv([[1.0]])


def test_what_is_saved_is_seen_under_the_names_of_pytorch():
    x = leaf(WELL)
    for made, name in ((linalg.inv(x), "inverse"), (linalg.cholesky(x), "L")):
        assert getattr(made.grad_fn, f"_saved_{name}").equal(made)
        made.sum().backward()
        with pytest.raises(RuntimeError, match="second time"):
            getattr(made.grad_fn, f"_saved_{name}")
