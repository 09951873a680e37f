import base64
import json
import re
import subprocess
import sys
import zlib
from html import escape
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import minigrad as mg
from minigrad.viz.style import LIGHT
from minigrad.widgets import stored
from minigrad.widgets.assets import HERE, MODULES, read, script, slim, style
from minigrad.widgets.stored import UNFOLDED, for_script
from tests.widgets.made_up import FRAMES, Figure, frame, player
from tests.widgets.made_up_board import board


@pytest.fixture(scope="module")
def w():
    return player()


@pytest.fixture(scope="module")
def html(w):
    return w.html()


class Balance(HTMLParser):
    """Fails on a tag that is closed but was not opened; keeps what stands in the page."""

    VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr"})

    def __init__(self, html):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def data_in(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def test_the_tags_are_balanced(html):
    Balance(html)


def test_without_scripts_every_step_unfolds(html):
    told = re.findall(r"<details><summary>(\d+)\. .*?</summary><p>(.*?)</p>", html)
    assert [int(number) for number, _ in told] == [1, 2, 3, 4]
    assert [sentence for _, sentence in told] == [f["sentence"] for f in FRAMES]


@pytest.mark.parametrize("made", [player, board])
def test_where_no_script_runs_it_says_what_to_do_for_buttons(made):
    head, picture = made().html().split("<strong>", 1)[1].split("</strong>", 1)
    assert "In Jupyter, run this cell to press the buttons." in picture[:200]
    assert "Jupyter" not in head


def test_a_long_pass_unfolds_its_first_steps_and_says_how_many_there_are():
    html = player(FRAMES * 30).html()
    assert html.count("<details>") == UNFOLDED
    assert f"{120 - UNFOLDED} more steps" in html
    data = data_in(html)
    if "deflated" in data:
        data = json.loads(zlib.decompress(base64.b64decode(data["deflated"])))
    assert len(data["frames"]["coarse"]) == 120


def test_the_picture_is_an_image_and_the_same_that_the_player_draws(html):
    (image,) = [about for tag, about in Balance(html).seen if tag == "img"]
    head, coded = image["src"].split(",")
    assert head == "data:image/svg+xml;base64"
    assert base64.b64decode(coded).decode() == Figure(FRAMES[-1]).svg()
    assert image["alt"] == "Backward through y, 4 steps. 7 goes into x.grad, which was None."
    assert not [tag for tag, _ in Balance(html).seen if tag == "svg"]
    assert data_in(html)["scenes"][""] == "image"  # it stands in the page once


def test_nothing_is_fetched(html):
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", html)
    assert "@import" not in html
    assert not re.search(r"^import\b", html, re.M)


def test_what_tells_players_apart_does_not_hang_on_how_a_graphviz_draws(html, monkeypatch):
    name = re.compile(r'data-player="(\w+)"')
    drawn = Figure.svg
    monkeypatch.setattr(
        Figure, "svg", lambda figure, styled=True: drawn(figure).replace("250", "251")
    )
    other = player(groups=[]).html()
    monkeypatch.undo()
    assert name.search(player(groups=[]).html())[1] == name.search(other)[1]


def test_two_different_players_have_different_names(html):
    name = r'data-player="(\w+)"'
    assert re.search(name, html)[1] != re.search(name, player(FRAMES[:2]).html())[1]


PAYLOADS = ["</script><b>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "<!--"]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_in_a_word_stays_a_word(payload):
    frames = [
        frame(0, payload, payload, {}, {"v0": {"grad": payload}}),
    ]
    frames[0]["details"][0]["rows"][0] = [payload, [[payload], payload]]
    w = player(frames, title=payload, notes=[payload], code=[payload])
    html = w._html()
    assert payload not in html.replace(base64_of(html), "")
    seen = [tag for tag, _ in Balance(html).seen]
    assert not {"b", "svg", "!--"} & set(seen)
    assert seen.count("img") == 1
    assert json.loads(for_script(json.dumps(payload))) == payload


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_in_a_tree_stays_a_word_where_nothing_draws(payload, monkeypatch):
    monkeypatch.setattr(Figure, "svg", lambda *_, **__: None)
    monkeypatch.setattr(Figure, "image", lambda _: None)
    monkeypatch.setattr(Figure, "text", lambda _: payload)
    html = player(groups=[])._html()
    assert f"<pre>{escape(payload)}</pre>" in html
    assert payload not in html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_in_a_name_is_no_markup_of_a_picture(payload):
    """The picture is well-formed, and has no element that a name brought."""
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    figure = mg.stepper(y, names={payload: y, payload[::-1]: x})._draw(None, None)
    drawn = ElementTree.fromstring(figure.svg())
    kinds = {element.tag.rpartition("}")[2] for element in drawn.iter()}
    assert not kinds & {"b", "img", "script"}
    assert [e for e in drawn.iter() if e.tag.endswith("svg")] == [drawn]


@pytest.mark.parametrize("module", MODULES)
def test_the_player_writes_text_never_markup(module):
    code = read(f"browser/{module}.js")
    assert not re.search(r"(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(", code)


def base64_of(html):
    return re.search(r'base64,([^"]*)"', html)[1]


def test_a_letter_that_cannot_be_written_harms_nothing():
    html = player([frame(0, "\ud800", "\ud800", {}, {})])._html()
    html.encode("utf-8")


class TestCode:
    def test_it_is_in_the_page_once(self, html):
        assert html.count("class Player ") == 1

    def test_all_modules_are_in_it(self):
        files = {path.stem for path in (HERE / "browser").glob("*.js")}
        assert files == set(MODULES)
        assert not re.search(r"^import ", script(), re.M)
        kinds = r"^(?:async )?(?:function|class|const|let) (\w+)"
        names = re.findall(kinds, script(), re.M)
        assert len(names) == len(set(names))

    def test_slim_loses_comments_indentation_and_line_ends_at_brackets_and_commas_only(self):
        for text in (script(), style()):
            lines = [line.strip() for line in text.splitlines()]
            whole = ("//", "/*", "* ", "*/")
            code = [line for line in lines if line and not line.startswith(whole)]
            parts = [line.partition(" // ")[0] for line in code]
            ends = ["", *parts]
            goes_on = [
                bool(re.fullmatch(r"[\])}]+[;,]?", part)) or end.endswith((",", "(", "{"))
                for end, part in zip(ends, parts)
            ]
            joined = [f" {p}" if on else f"\n{p}" for on, p in zip(goes_on, parts, strict=True)]
            assert slim(text) == "".join(joined)[1:]
            texts = [part.replace('"`"', "") for part in parts]
            assert all(part.count("`") % 2 == 0 for part in texts)  # none has several lines
            behind = [part for part, line in zip(parts, code, strict=True) if part != line]
            assert all(part.count(sign) % 2 == 0 for part in behind for sign in "\"'`")
            assert "</script" not in slim(text)
            assert "</style" not in slim(text)

    @pytest.mark.parametrize(
        "sheet", sorted(path.name for path in (HERE / "browser").glob("*.css"))
    )
    def test_no_part_of_a_comment_is_left_in_a_style(self, sheet):
        """What is left of a comment takes the rule below it along."""
        assert not re.search(r"/\*|\*/", slim(read(f"browser/{sheet}")))

    def test_the_player_has_no_words_of_its_own(self, w):
        player = "".join(read(f"browser/{name}.js") for name in MODULES if name != "board")
        used = set(re.findall(r"\bwords\.(\w+)", player))
        assert used <= set(w._data["words"])
        assert used | {"words", "symbols", "code", "send", "leaf"} == set(w._data["words"])

    @pytest.fixture
    def in_a_notebook(self, monkeypatch):
        """Make as if a cell ran: call with its id and its text."""
        player()._repr_mimebundle_()  # imports the widget libraries while IPython is the real one
        monkeypatch.setattr(stored, "HOLDER", stored.Holder())
        parent = {}
        shell = SimpleNamespace(kernel=1, get_parent=lambda: parent)
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
        monkeypatch.delitem(sys.modules, "google.colab", raising=False)

        def show(cell, text=""):
            parent.update(metadata={"cellId": cell} if cell else {}, content={"code": text})
            shown = player()._repr_mimebundle_()
            data = shown[0] if isinstance(shown, tuple) else shown
            return "class Player " in data["text/html"]

        return show

    def test_a_notebook_stores_it_with_its_first_player(self, in_a_notebook):
        assert [in_a_notebook(cell) for cell in "abc"] == [True, False, False]

    def test_the_cell_that_has_it_keeps_it_when_it_runs_again(self, in_a_notebook):
        assert [in_a_notebook(cell) for cell in "abab"] == [True, False, True, False]

    def test_cells_without_ids_are_told_apart_by_their_text(self, in_a_notebook):
        shown = [in_a_notebook(None, text) for text in ("stepper(y)", "stepper(z)", "stepper(y)")]
        assert shown == [True, False, True]

    def test_in_colab_every_output_is_a_page_of_its_own(self, in_a_notebook, monkeypatch):
        monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace())
        assert [in_a_notebook(cell) for cell in "ab"] == [True, True]

    def test_outside_of_a_notebook_every_page_has_it(self):
        assert all("class Player " in player().html() for _ in range(2))


def test_the_colors_are_those_of_pictures():
    """Their contrast is tested where they are."""
    own = "".join(read(path.relative_to(HERE)) for path in HERE.glob("browser/*.css"))
    assert not re.findall(r"#[0-9a-fA-F]{3,6}\b", own)
    assert set(re.findall(r"--mg-(\w+)", own)) <= set(LIGHT)


def test_the_first_use_of_a_player_imports_no_widget_library():
    program = (
        "import sys; import minigrad.widgets; from tests.widgets.made_up import player;"
        "player().html(); print('anywidget' in sys.modules or 'ipywidgets' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


# -- a file of its own


def kinds_of_page():
    x = mg.tensor(2.0, requires_grad=True)
    return {"player": mg.stepper(x * 3), "figure": mg.draw(x * 3), "board": board()}


@pytest.mark.parametrize("kind", ["player", "figure", "board"])
def test_what_is_shown_can_be_saved_as_a_whole_page(kind, tmp_path):
    shown = kinds_of_page()[kind]
    path = shown.save(tmp_path / "page.html")
    page = path.read_bytes().decode("utf-8")
    head, part = page.split("<body>\n")
    assert page.startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in head.partition("<title>")[0]  # before the first letter
    assert f"<title>{escape(shown.heading)}</title>" in head
    assert part == f"{shown.html()}\n</body>\n</html>\n"


def test_a_saved_page_asks_no_other_address(tmp_path):
    for shown in kinds_of_page().values():
        page = shown.save(str(tmp_path / "page.html")).read_text(encoding="utf-8")
        assert set(re.findall(r"\bhttps?://[^/\"' ]+", page)) <= {"http://www.w3.org"}


def test_half_a_letter_and_a_bracket_can_be_saved(tmp_path):
    shown = mg.stepper(mg.tensor(2.0, requires_grad=True) * 3, names={"<\ud83d": mg.tensor(1.0)})
    shown.title = "<\ud83d"
    assert "<title>&lt;?</title>" in shown.save(tmp_path / "p.html").read_text(encoding="utf-8")
