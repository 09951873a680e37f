"""Boards of one page leave each other's looks alone: each brings a style sheet of its own."""

from minigrad.lessons import tape_viewer, trays
from tests.browser.boards import PAGE


def test_narrow_tables_of_other_boards_are_not_folded_as_those_of_trays(chromium, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE.format("", trays().html() + tape_viewer().html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 600, "height": 720})
    page.goto(path.as_uri())
    heads = page.locator(".minigrad-board table.tape thead")
    heads.wait_for()
    assert page.locator("table.facts:has(.kind) thead").is_hidden()
    row = page.locator(".minigrad-board table.tape tbody tr").first
    assert row.evaluate("row => getComputedStyle(row).display") == "table-row"
    page.close()
