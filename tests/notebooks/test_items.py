"""The list of the 138 items is complete, and every item is shown or excused."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.documents import nothing_to_run, snippets

ROOT = Path(__file__).parents[2]
ITEMS = tomllib.loads((ROOT / "notebooks" / "sources.toml").read_text(encoding="utf-8"))["items"]
KINDS = {item["id"]: item["kind"] for item in ITEMS}
# By document: its items that claim something wrong, outdated or misleading.
WRONG = {
    0: [1, 4, 6, 13, 15, 19, 22, 30, 37, 41, 42],
    1: [10, 11, 17, 18, 19, 20],
    2: [2, 4, 17, 18, 21],
    3: [3, 11, 16, 21, 25],
    4: [5, 7, 10, 16, 17, 21],
}


def name(document, number):
    return f"00{document}-{document}.{number}"


def test_all_138_items_are_listed_in_order():
    counts = {"000-0": 43, "001-1": 23, "002-2": 22, "003-3": 27, "004-4": 23}
    expected = [
        f"{document}.{n}" for document, count in counts.items() for n in range(1, count + 1)
    ]
    assert [item["id"] for item in ITEMS] == expected
    assert len(ITEMS) == 138


def test_kinds_are_the_known_four():
    assert {letter for kind in KINDS.values() for letter in kind} == set("ECXT")
    assert Counter(letter for kind in KINDS.values() for letter in kind) == {
        "E": 61,
        "C": 55,
        "X": 33,
        "T": 13,
    }
    wrong = [name(doc, n) for doc, numbers in WRONG.items() for n in numbers]
    assert [item["id"] for item in ITEMS if "X" in item["kind"]] == wrong


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_each_item_has_its_line_and_lessons(item):
    assert set(item) - {"shows", "verdict"} == {"id", "kind", "lessons", "line"}
    assert item.get("verdict", "changed since") == "changed since"
    assert item.get("shows", ["something"])
    assert 10 <= len(item["line"]) <= 90
    assert item["lessons"]
    assert item["lessons"] == sorted(set(item["lessons"]))
    assert set(item["lessons"]) <= {f"{number:02}" for number in range(13)}


def test_each_lesson_has_items():
    taught = {lesson for item in ITEMS for lesson in item["lessons"]}
    assert taught == {f"{number:02}" for number in range(13)}


def test_every_item_is_shown_or_excused():
    shown = {snippet.item for snippet in snippets().values()}
    assert shown | nothing_to_run().keys() == KINDS.keys()
    assert not shown & nothing_to_run().keys()


def test_no_example_and_no_wrong_claim_is_excused():
    assert not [name for name in nothing_to_run() if set("EX") & set(KINDS[name])]
    assert all(len(reason) > 10 for reason in nothing_to_run().values())
