"""Warnings about an index point at the line that indexes, on every supported Python."""

import warnings

import pytest

import minigrad


def bytes_read(x):
    x[minigrad.tensor([1, 0], dtype=minigrad.uint8)]


def bytes_written(x):
    x[minigrad.tensor([1, 1], dtype=minigrad.uint8)] = minigrad.ones(2)


def list_read(x):
    x[[slice(0, 1)]]


@pytest.mark.parametrize("index", [bytes_read, bytes_written, list_read])
def test_the_readers_line(index):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        index(minigrad.zeros(2))
    (warning,) = given
    assert (warning.filename, warning.lineno) == (__file__, index.__code__.co_firstlineno + 1)
