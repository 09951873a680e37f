"""JupyterLab as learners get it: it opens, runs a notebook, and leaves them alone."""

import re
import urllib.error
import urllib.request

import pytest

from tests.browser.harness import open_notebook, run_all, screenshot


@pytest.fixture(scope="module")
def tiny(page, lab):
    name = lab.write_notebook("tiny.ipynb", "x = 6", "print('the answer is', x * 7)")
    open_notebook(page, lab, name)
    run_all(page)
    screenshot(page, "lab-tiny")
    return page


def test_a_notebook_runs(tiny):
    assert tiny.locator(".jp-OutputArea-output").inner_text().strip() == "the answer is 42"


def test_nothing_pops_up(tiny):
    assert tiny.locator(".Toastify__toast, .jp-Dialog").count() == 0


def test_the_lessons_are_there(lab):
    assert list(lab.folder.glob("01_*.ipynb"))


def test_a_lesson_is_trusted_so_that_its_stored_pictures_show(page, lab):
    lesson = min(lab.folder.glob("01_*.ipynb"))
    open_notebook(page, lab, lesson.name)
    titles = """() => [...document.querySelectorAll("[title*='trusted']")]
        .map(shield => shield.title).find(title => /\\d+ of \\d+/.test(title))"""
    title = page.wait_for_function(titles).json_value()
    trusted, cells = re.search(r"(\d+) of (\d+)", title).groups()
    assert trusted == cells


def test_strangers_stay_out(lab):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener.open(f"{lab.address}/api/contents", timeout=10)
    assert refused.value.code == 403
