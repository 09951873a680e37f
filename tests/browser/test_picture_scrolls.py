"""A picture that is wider than its page says so at the right, as long as there is more to come."""

import pytest

from minigrad import viz
from minigrad.viz.figure import STRIP
from tests.viz.graphs import chain

pytestmark = pytest.mark.skipif(viz.engine() is None, reason="no Graphviz to draw with")
SEEN = """box => {
    const edge = box.getBoundingClientRect(), [shade, cover] = box.querySelectorAll("i");
    const top = document.elementFromPoint(edge.right - 3, edge.top + 20);
    return top === shade ? "shade" : top === cover ? "card" : top.tagName;
}"""


@pytest.fixture
def box(chromium):
    context = chromium.new_context(viewport={"width": 600, "height": 700})
    page = context.new_page()

    def shown(graph):
        page.set_content(f"<body style='margin:0'>{viz.draw(graph).html()}")
        return page.locator("div").first

    yield shown
    context.close()


def test_a_shade_lies_at_the_right_until_the_end_is_seen(box):
    found = box(chain(12))
    assert found.evaluate("box => box.scrollWidth") > 600
    assert found.evaluate(SEEN) == "shade"
    found.evaluate("box => box.scrollLeft = 60")
    assert found.evaluate(SEEN) == "shade"
    found.evaluate("box => box.scrollLeft = box.scrollWidth")
    assert found.evaluate(SEEN) == "card"


def test_a_picture_that_fits_has_none(box):
    found = box(chain(3))
    assert found.evaluate("box => box.scrollWidth") == 600
    cover = found.locator("i").nth(1)
    assert cover.bounding_box() == found.locator("i").nth(0).bounding_box()
    assert cover.bounding_box()["width"] == STRIP
