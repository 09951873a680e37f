"""The least k of a list, equal ones among them as C++ leaves them.

PyTorch's ``topk`` calls ``std::partial_sort`` for few of many, else ``std::nth_element`` and
``std::sort``. None of them keeps the order of equal elements, so which of them are chosen depends
on every step; the steps here are those of libstdc++ (``bits/stl_algo.h``, ``bits/stl_heap.h``).
Sorting a short list there keeps the order of equal elements, so Python's own sort stands for it;
the guard against lists made to slow the selection down is left out.
"""

from __future__ import annotations

SHORT = 16  # up to this length std::sort leaves a list to insertion sort


def least(ranks: list[int], k: int) -> list[int]:
    """The places of the ``k`` least ranks, in order.

    >>> least([1, 0, 2, 0, 1], 3), least([0, 0, 0, 0], 1)
    ([1, 3, 0], [2])
    """
    places = list(range(len(ranks)))
    if 64 * k <= len(ranks):
        return partial_sort(places, k, ranks)
    nth_element(places, k - 1, ranks)
    quicksort(places, 0, k - 1, ranks)
    return sorted(places[: k - 1], key=ranks.__getitem__) + places[k - 1 : k]


def nth_element(places: list, nth: int, ranks: list) -> None:
    """Bring the place that belongs at ``nth`` there, lower ranks before and higher ones behind."""
    first, last = 0, len(places)
    while last - first > 3:
        cut = partition(places, first, last, ranks)
        first, last = (cut, last) if cut <= nth else (first, cut)
    places[first:last] = sorted(places[first:last], key=ranks.__getitem__)


def quicksort(places: list, first: int, last: int, ranks: list) -> None:
    """Sort from ``first`` to ``last``, but for the insides of short pieces."""
    while last - first > SHORT:
        cut = partition(places, first, last, ranks)
        quicksort(places, cut, last, ranks)
        last = cut


def partition(places: list, first: int, last: int, ranks: list) -> int:
    """Part places by the median of three; the answer is where the second part begins."""
    ends = first + 1, (first + last) // 2, last - 1
    a, b, c = (ranks[places[end]] for end in ends)
    if a < b:
        middle = ends[1] if b < c else ends[2] if a < c else ends[0]
    else:
        middle = ends[0] if a < c else ends[2] if b < c else ends[1]
    places[first], places[middle] = places[middle], places[first]
    pivot, low, high = ranks[places[first]], first + 1, last - 1
    while True:
        while ranks[places[low]] < pivot:
            low += 1
        while pivot < ranks[places[high]]:
            high -= 1
        if low >= high:
            return low
        places[low], places[high] = places[high], places[low]
        low, high = low + 1, high - 1


def partial_sort(places: list, k: int, ranks: list) -> list:
    """The first ``k`` places, in order, by a heap whose root is the last of them."""
    heap = places[:k]
    for hole in reversed(range(k // 2)):
        sift(heap, hole, k, heap[hole], ranks)
    for place in places[k:]:
        if k and ranks[place] < ranks[heap[0]]:
            sift(heap, 0, k, place, ranks)
    for size in reversed(range(1, k)):
        place, heap[size] = heap[size], heap[0]
        sift(heap, 0, size, place, ranks)
    return heap


def sift(heap: list, top: int, size: int, place: int, ranks: list) -> None:
    """Fill the hole at ``top`` of a heap: children move up as far as it goes, then ``place``."""
    hole = top
    while (child := 2 * hole + 1) < size:
        if child + 1 < size and not ranks[heap[child + 1]] < ranks[heap[child]]:
            child += 1
        heap[hole], hole = heap[child], child
    while hole > top and ranks[heap[parent := (hole - 1) // 2]] < ranks[place]:
        heap[hole], hole = heap[parent], parent
    heap[hole] = place
