import json
import re
from html.parser import HTMLParser

import pytest

import minigrad as mg
from minigrad.widgets import stepper
from minigrad.widgets.assets import read, slim
from minigrad.widgets.page import for_script, page


@pytest.fixture(scope="module")
def w():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) * (x + 2)
    return stepper(y, names={"x": x, "y": y})


@pytest.fixture(scope="module")
def html(w):
    return w.html()


class Balance(HTMLParser):
    """Fails on a tag that is closed but was not opened."""

    VOID = frozenset({"br", "hr", "img", "input", "meta", "link"})

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_tags_are_balanced(html):
    parser = Balance()
    parser.feed(html)
    assert parser.open == []


def test_without_scripts_every_step_unfolds(w, html):
    told = re.findall(r"<details><summary>(\d+)\. .*?</summary><p>(.*?)</p>", html)
    assert [int(number) for number, _ in told] == [1, 2, 3, 4]
    assert all(f["sentence"] in html for f in w.frames)


def test_nothing_is_fetched(html):
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", html)
    assert "@import" not in html
    assert not re.search(r"^import\b", html, re.M)


def test_what_tells_steppers_apart_does_not_hang_on_how_a_graphviz_draws(w):
    one, other = (page({**w._data, "svg": svg}, w.frames) for svg in ("<svg>1</svg>", None))
    names = [re.search(r'data-stepper="(\w+)"', text).group(1) for text in (one, other)]
    assert names[0] == names[1]


def test_the_data_survives_the_way_into_the_page(w, html):
    told = re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1]
    data = json.loads(told)
    assert data["frames"] == json.loads(json.dumps(w._data["frames"]))
    assert data["svg"] is None  # it stands in the page itself


def test_an_end_of_script_in_a_name_ends_nothing():
    x = mg.tensor(2.0, requires_grad=True)
    name = "</script><b>"
    html = stepper(x * x, names={name: x}).html()
    assert name not in html
    parser = Balance()
    parser.feed(html)
    assert parser.open == []
    assert json.loads(for_script(json.dumps(name))) == name


def test_two_different_steppers_have_different_names(html):
    x = mg.tensor(3.0, requires_grad=True)
    other = stepper(x * x).html()
    name = r'data-stepper="(\w+)"'
    assert re.search(name, html)[1] != re.search(name, other)[1]
    assert html.count(re.search(name, html)[1]) == 2  # where it stands, and where it is started


def test_inlined_files_lose_comments_and_indentation_only():
    for file in ("player.js", "player.css"):
        lines = read(file).splitlines()
        kept = [line.strip() for line in lines if line.strip() in slim(file).splitlines()]
        assert "\n".join(kept) == slim(file)
        lost = {line.strip() for line in lines} - set(kept) - {""}
        assert all(line.startswith(("//", "/*")) for line in lost)
        assert "</script" not in slim(file)
        assert "</style" not in slim(file)


def test_the_player_has_no_words_of_its_own(w):
    source = read("player.js")
    used = set(re.findall(r"\bwords\.(\w+)", source))
    assert used <= set(w._data["words"])


def test_colors_have_enough_contrast():
    """Text at least 4.5 to 1 on the card's white, and on the shade of the sentence."""

    def luminance(color):
        digits = color[1:] if len(color) == 7 else "".join(2 * d for d in color[1:])
        parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    css = read("player.css")
    text = set(re.findall(r"(?<![-\w])color: (#\w+)", css))
    grounds = set(re.findall(r"background: (#\w+)", css))
    assert "#fff" in grounds
    assert text
    for color in text:
        for ground in grounds:
            high, low = sorted((luminance(color), luminance(ground)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5, (color, ground)
