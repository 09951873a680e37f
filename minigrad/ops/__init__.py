"""The operations, grouped as a reader would look them up.

How they become functions, methods and in-place forms is in :mod:`.bind`.
"""

# Each enters its operations into the table, and so do those that it imports.
from . import casting, cumulative, einsum, random_fill, softmax, sorting, statistics  # noqa: F401
from .bind import bind

bind()
