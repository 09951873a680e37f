"""The digits are those of scikit-learn, the file is the one that its README speaks of."""

import hashlib
from importlib.util import find_spec

import numpy as np
import pytest

from minigrad.lessons import digits as module
from minigrad.lessons.digits import CHECKSUM, FILE, digits, table

THEIRS = "68aea062d35a127749050fa0e52dca09d6569ac08092c925610e0954e172dde2"


def test_the_file_is_the_one_that_the_readme_speaks_of():
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == CHECKSUM
    readme = (FILE.parent / "README.md").read_text(encoding="utf-8")
    assert CHECKSUM in readme
    for said in ("UCI Machine Learning Repository", "CC BY 4.0", "scikit-learn", "BSD-3-Clause"):
        assert said in readme
    assert FILE.stat().st_size < 60_000


def test_a_file_that_was_changed_is_refused(tmp_path, monkeypatch):
    packed = bytearray(FILE.read_bytes())
    packed[-1] ^= 1
    (tmp_path / FILE.name).write_bytes(bytes(packed))
    monkeypatch.setattr(module, "FILE", tmp_path / FILE.name)
    with pytest.raises(ValueError, match="has been changed"):
        table.__wrapped__()


def test_the_digits_are_images_and_whole_numbers():
    images, kinds, new_images, new_kinds = digits()
    assert len(images) + len(new_images) == len(table()) == 1797
    assert images.dtype == np.float32
    assert kinds.dtype == np.int64
    assert images.min() == 0
    assert images.max() == 1
    for each in (kinds, new_kinds):
        assert np.unique(each).tolist() == list(range(10))
        assert np.bincount(each).min() >= 40


def test_the_numbers_are_those_that_scikit_learn_had():
    """The digest was taken of `load_digits()` of scikit-learn 1.9.1, written as bytes."""
    assert hashlib.sha256(table().tobytes()).hexdigest() == THEIRS


if find_spec("sklearn"):

    def test_they_are_those_of_the_scikit_learn_that_is_installed():
        from sklearn.datasets import load_digits

        theirs = load_digits()
        assert np.array_equal(theirs.data, table()[:, :64])
        assert np.array_equal(theirs.target, table()[:, 64])
