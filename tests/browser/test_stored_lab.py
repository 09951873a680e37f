"""What a notebook keeps of its players: untrusted, saved and opened again, exported to HTML."""

import base64
import json
import subprocess
import sys
import zlib

import nbformat
import pytest

from tests.browser.harness import (
    CONTRAST,
    ROOT,
    TOKEN,
    choose_theme,
    open_notebook,
    screenshot,
)

PROGRAM = """\
import minigrad as mg
x = mg.tensor(2.0, requires_grad=True)
a = x + 1
y = a * (x + 2)
mg.stepper(y)"""
OTHER = """\
p = mg.tensor(3.0, requires_grad=True)
q = p * p
mg.stepper(q)"""
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A notebook with two players, run without a front end and stored without widget views."""
    nbclient = pytest.importorskip("nbclient")
    cells = [nbformat.v4.new_code_cell(source) for source in (PROGRAM, OTHER)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    folder = tmp_path_factory.mktemp("executed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        settings = {"metadata": {"path": str(folder)}}
        nbclient.NotebookClient(notebook, resources=settings, timeout=120).execute()
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.outputs:
            output.data.pop(VIEW, None)
    return notebook


def html_of(notebook):
    return ["".join(cell.outputs[-1].data["text/html"]) for cell in notebook.cells]


def test_the_code_is_stored_once(executed):
    assert [html.count("class Player ") for html in html_of(executed)] == [1, 0]


@pytest.fixture(scope="module")
def untrusted(chromium, lab, executed):
    """The notebook in a JupyterLab that has never seen it; nothing has run."""
    (lab.folder / "untrusted.ipynb").write_text(nbformat.writes(executed), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    open_notebook(page, lab, "untrusted.ipynb")
    page.locator(".jp-RenderedHTMLCommon img").first.wait_for()
    yield page
    page.close()


def test_pictures_and_steps_show_where_a_notebook_is_not_trusted(untrusted):
    images = untrusted.locator(".jp-RenderedHTMLCommon img")
    assert images.count() == 2
    for image in images.all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 200")
        assert "steps" in image.get_attribute("alt")
    steps = untrusted.locator(".jp-RenderedHTMLCommon details")
    assert steps.count() == 6
    steps.nth(1).locator("summary").click()
    assert steps.nth(1).locator("table").is_visible()
    assert untrusted.locator(".minigrad-player .place").count() == 0
    screenshot(untrusted, "lab-untrusted")


def test_stored_steps_can_be_read_in_the_dark_theme(untrusted):
    choose_theme(untrusted, "JupyterLab Dark", "false")
    card = untrusted.locator(".jp-RenderedHTMLCommon .minigrad-player").first
    card.locator("details").nth(1).evaluate("step => { step.open = true; }")
    parts = [part for part in card.locator("summary, td, th").all() if part.is_visible()]
    assert len(parts) > 6
    for part in parts:
        assert part.evaluate(CONTRAST) > 4.5, part.inner_text()
    picture = card.locator("div:has(> img), div:has(> div > img)").first
    ground = "found => getComputedStyle(found).backgroundColor"
    assert picture.evaluate(ground) == "rgb(255, 255, 255)"
    screenshot(untrusted, "lab-untrusted-dark")
    choose_theme(untrusted, "JupyterLab Light", "true")


def test_a_picture_that_is_wider_than_its_card_scrolls_in_it(untrusted):
    for card in untrusted.locator(".jp-RenderedHTMLCommon .minigrad-player").all():
        card.evaluate("card => { card.style.maxWidth = '200px'; }")
        box = card.locator("img >> xpath=..")
        assert box.evaluate("box => box.scrollWidth > box.clientWidth")
        assert card.evaluate("card => card.scrollWidth <= card.clientWidth")
        card.evaluate("card => { card.style.maxWidth = ''; }")


def test_once_trusted_the_players_play_without_a_kernel(untrusted):
    untrusted.keyboard.press("Control+Shift+C")
    untrusted.locator(".lm-CommandPalette-input").fill("trust notebook")
    untrusted.keyboard.press("Enter")
    screenshot(untrusted, "lab-trusting")
    untrusted.locator(".jp-Dialog .jp-mod-accept").click()
    untrusted.locator(".jp-Dialog").wait_for(state="detached")
    untrusted.set_viewport_size({"width": 1280, "height": 1600})  # Lab hides cells out of sight
    untrusted.reload()
    untrusted.locator(".minigrad-player .place").nth(1).wait_for()
    found = untrusted.locator(".minigrad-player")
    found.nth(1).get_by_role("button", name="To end").click()
    assert found.nth(1).locator(".place").inner_text() == "step 2 of 2"
    screenshot(untrusted, "lab-trusted")


@pytest.fixture
def seven(chromium, lab):
    """Open a notebook of the lab's folder in Notebook 7, another front end of the same server."""
    pytest.importorskip("notebook")
    pages = []

    def opened(name):
        pages.append(chromium.new_page(viewport={"width": 1280, "height": 720}))
        pages[-1].goto(f"{lab.address}/notebooks/{name}?token={TOKEN}")
        return pages[-1]

    yield opened
    for page in pages:
        page.close()


def test_pictures_show_in_notebook_7_too(lab, executed, seven):
    """Nothing is trusted there either."""
    (lab.folder / "seven.ipynb").write_text(nbformat.writes(executed), encoding="utf-8")
    page = seven("seven.ipynb")
    images = page.locator(".jp-RenderedHTMLCommon img")
    images.nth(1).wait_for(timeout=60_000)
    assert all(image.evaluate("image => image.naturalWidth > 200") for image in images.all())
    assert page.locator(".jp-RenderedHTMLCommon details").count() == 6
    assert page.locator(".minigrad-player .place").count() == 0
    screenshot(page, "notebook-7-untrusted")


def test_the_live_stepper_plays_in_notebook_7(lab, seven):
    page = seven(lab.write_notebook("seven_live.ipynb", PROGRAM))
    # Before there is a kernel the indicator says idle, too: wait until the last word on it is gone.
    page.locator(".jp-NotebookKernelStatus-fade:empty").wait_for(state="attached", timeout=60_000)
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for(timeout=60_000)
    page.locator(".jp-Cell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    found = page.locator(".minigrad-player")
    found.locator(".place").wait_for(timeout=60_000)
    found.focus()
    page.keyboard.press("ArrowRight")
    assert found.locator(".place").inner_text() == "step 2 of 4"
    assert page.locator(".jp-Cell").count() == 1
    screenshot(page, "notebook-7-live")


def test_an_export_plays_offline(chromium, executed, tmp_path):
    pytest.importorskip("nbconvert")
    (tmp_path / "lesson.ipynb").write_text(nbformat.writes(executed), encoding="utf-8")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "lesson.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "lesson.html").as_uri(), wait_until="commit")
    page.locator(".minigrad-player .place").nth(1).wait_for()
    places = page.locator(".minigrad-player .place").all_inner_texts()
    assert places == ["step 1 of 4", "step 1 of 2"]
    context.close()


def test_a_cell_that_is_shown_alone_keeps_its_picture(chromium, executed, tmp_path):
    """Copied out of its notebook, where the code is in another cell."""
    (tmp_path / "alone.html").write_text(html_of(executed)[1], encoding="utf-8")
    page = chromium.new_page()
    page.goto((tmp_path / "alone.html").as_uri())
    assert page.locator("img").evaluate("image => image.naturalWidth") > 100
    assert page.locator("details").count() == 2
    page.close()


def test_the_stored_data_has_every_step(executed):
    for html in html_of(executed):
        data = json.loads(html.split('<script type="application/json">')[1].split("</script>")[0])
        if "deflated" in data:
            data = json.loads(zlib.decompress(base64.b64decode(data["deflated"])))
        assert data["frames"]["coarse"][0]["sentence"]
