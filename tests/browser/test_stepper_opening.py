"""What a stepper's picture shows before anybody has pressed a key."""

import pytest

import minigrad as mg

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body>{}</body>'


def lstm_cell():
    mg.manual_seed(0)
    x, h, c = mg.randn(1, 3), mg.randn(1, 4), mg.randn(1, 4)
    w_x, w_h = mg.randn(3, 16, requires_grad=True), mg.randn(4, 16, requires_grad=True)
    i, f, g, o = (x @ w_x + h @ w_h).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return (o.sigmoid() * c.tanh()).sum()


def attention():
    mg.manual_seed(0)
    x = mg.randn(4, 6)
    w_q, w_k, w_v = (mg.randn(6, 6, requires_grad=True) for _ in range(3))
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = (q @ k.T / 6**0.5).softmax(-1)
    return (weights @ v).pow(2).mean().log()


HIDDEN = """() => [...document.querySelectorAll(".figure")].flatMap(box => {
    const seen = box.getBoundingClientRect();
    return [...box.querySelectorAll("g.now:not(.edge)")].filter(node => {
        const { top, bottom, left, right } = node.getBoundingClientRect();
        return top < seen.top - 1 || bottom > seen.bottom + 1
            || left < seen.left - 1 || right > seen.right + 1;
    }).map(node => node.id);
})"""
SCROLLS = """() => [...document.querySelectorAll(".figure")].some(box =>
    box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)"""


@pytest.mark.parametrize("graph", [lstm_cell, attention])
def test_the_current_node_is_in_sight_at_the_opening(chromium, tmp_path, graph):
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(mg.stepper(graph()).html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.locator(".minigrad-player .place").wait_for()
    page.wait_for_timeout(300)
    assert page.locator(".figure g.now:not(.edge)").count() == 1
    assert page.evaluate(SCROLLS), "this picture fits into its box and shows nothing of the fault"
    assert page.evaluate(HIDDEN) == []
    page.close()


CUT = """() => [...document.querySelectorAll(".section > div")].filter(box =>
    box.scrollHeight > box.clientHeight + 1 && box.clientHeight % 19 > 1).length"""


def test_rows_that_scroll_are_not_cut(chromium, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(mg.stepper(lstm_cell()).html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.locator(".minigrad-player .place").wait_for()
    for _ in range(8):
        assert page.evaluate(CUT) == 0
        page.locator(".minigrad-player").press("ArrowRight")
    page.screenshot(path=tmp_path / "shot.png")
    page.close()
