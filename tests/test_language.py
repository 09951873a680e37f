"""The seam for translations: looked up when a sentence is used, English where nothing is known."""

import pytest

from minigrad.language import _, set_catalogue


@pytest.fixture(autouse=True)
def english_afterwards():
    before = set_catalogue(None)
    yield
    set_catalogue(before)


def test_english_needs_no_catalogue():
    assert _("Right.") == "Right."


def test_a_catalogue_holds_from_the_moment_it_is_set():
    sentence = "You said {}."
    set_catalogue({sentence: "Du sagtest {}."})
    assert _(sentence).format(6) == "Du sagtest 6."
    set_catalogue(None)
    assert _(sentence).format(6) == "You said 6."


@pytest.mark.parametrize("catalogue", [{}, {"Right.": ""}])
def test_what_is_missing_stays_english(catalogue):
    set_catalogue(catalogue)
    assert _("Right.") == "Right."


def test_the_catalogue_before_is_handed_back():
    first = {"Right.": "Richtig."}
    set_catalogue(first)
    assert set_catalogue({}) is first
