"""Handwritten digits of 8 × 8 pixels, which lesson 12 trains on; `data/README.md` says whose."""

import gzip
import hashlib
from functools import cache
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("data") / "digits.csv.gz"
CHECKSUM = (
    "e31b7ccbf8cc2b158de948b1bb7a67bf39a856fb064b3aa8ef489f12a2dc4b63"  #: SHA-256 of the file
)
TRAINED_ON = 1297  #: the other 500 are held out
DARKEST = 16


@cache
def table() -> np.ndarray:
    """All 1,797 digits, a row for each: 64 pixels from 0 to 16, row by row, and then the digit.

    Raises `ValueError` where the file is not the one that belongs here.

    >>> table().shape, table().max()
    ((1797, 65), np.uint8(16))
    """
    packed = FILE.read_bytes()
    if hashlib.sha256(packed).hexdigest() != CHECKSUM:
        raise ValueError(f"{FILE} has been changed; take the file of the project again")
    lines = gzip.decompress(packed).decode("ascii").split()
    return np.array([line.split(",") for line in lines], dtype=np.uint8)


def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images and digits to train on, then images and digits that are held out.

    An image is a row of 64 numbers from 0 to 1, float32; a digit is a whole number, int64.

    >>> [array.shape for array in digits()]
    [(1297, 64), (1297,), (500, 64), (500,)]
    """
    images = table()[:, :64].astype(np.float32) / DARKEST
    kinds = table()[:, 64].astype(np.int64)
    return images[:TRAINED_ON], kinds[:TRAINED_ON], images[TRAINED_ON:], kinds[TRAINED_ON:]
