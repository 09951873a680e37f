import base64
import json
import re
import subprocess
import sys
import zlib
from html import escape

import pytest

from minigrad.language import set_catalogue
from minigrad.widgets.assets import read
from minigrad.widgets.board import Board, Button, Part, Screen
from minigrad.widgets.screen import key_of
from tests.widgets.made_up_board import board, show
from tests.widgets.test_stored import PAYLOADS, Balance


@pytest.fixture
def w():
    return board()


def data_in(html):
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])
    if "deflated" in data:
        data = json.loads(zlib.decompress(base64.b64decode(data["deflated"])))
    return data


def screen_in(data, key):
    """A stored screen, put together from its pieces."""
    numbers = data["screens"][key]
    return {
        name: [data["pieces"][one] for one in at] if isinstance(at, list) else data["pieces"][at]
        for name, at in numbers.items()
    }


class TestState:
    def test_it_begins_at_the_start(self, w):
        assert w.state == {"lamp": "red", "count": 0}
        assert repr(w) == "Board: The red lamp was lit 0 times."

    def test_it_can_be_set_and_read_but_not_changed_in_place(self, w):
        w.state = {"lamp": "green", "count": 2}
        w.state["count"] = 9
        assert w.state == {"lamp": "green", "count": 2}
        assert w.screen.place == "2 times"

    def test_a_state_whose_screen_fails_leaves_the_old_one(self, w):
        with pytest.raises(ValueError, match="no lamp is blue"):
            w.state = {"lamp": "blue", "count": 0}
        assert w.state["lamp"] == "red"

    def test_equal_json_is_the_same_screen(self, w):
        first = w.screen
        w.state = dict(reversed(w.state.items()))
        assert w.screen is first

    def test_a_tuple_is_a_list_as_it_is_in_the_browser(self):
        seen = []
        made = Board("b", lambda state: seen.append(state) or show(START), (1, (2, 3)))
        assert made.screen
        assert seen == [[1, [2, 3]]]

    def test_a_state_that_is_no_json_is_refused(self, w):
        with pytest.raises(TypeError, match="not JSON serializable"):
            w.state = {"lamp": {1, 2}}


START = {"lamp": "red", "count": 0}


class TestPress:
    def test_a_button_leads_to_its_state(self, w):
        assert w.press("light it").press("light it").state["count"] == 2

    def test_backquotes_may_be_left_out(self, w):
        assert w.press("lamp = green").state["lamp"] == "green"
        assert w.press("`lamp = red`").state["lamp"] == "red"

    def test_what_is_not_there_is_told_with_what_is(self, w):
        with pytest.raises(LookupError, match=r"0 buttons say 'off'; there are: .*'light it'"):
            w.press("off")

    def test_two_of_the_same_name_are_not_guessed(self):
        both = (Button("on", 1), Button("on", 2))
        made = Board("b", lambda _: Screen("", "", (("", both),), (), "s", ()), 0)
        with pytest.raises(LookupError, match="2 buttons say 'on'"):
            made.press("on")

    def test_an_off_button_says_why(self, w):
        w.press("light it").press("light it").press("light it")
        with pytest.raises(ValueError, match="Three times is enough"):
            w.press("light it")
        assert w.state["count"] == 3


class TestEnter:
    def test_typed_text_makes_a_state(self, w):
        assert w.enter(count="2").state["count"] == 2

    def test_what_cannot_be_read_is_said(self, w):
        with pytest.raises(ValueError, match="many is no number"):
            w.enter(count="many")

    def test_a_board_without_inputs_says_so(self):
        with pytest.raises(ValueError, match="Nothing can be typed here"):
            Board("b", show, START).enter(count="2")


def test_the_text_has_every_word_of_the_screen(w):
    assert w.text() == (
        "A lamp · 0 times\n\n"
        "lamp: [● lamp = red] [lamp = green]\n\n"
        "red: ○\n\n"
        "Facts\nlamp   red\ntimes  0\n\n"
        "The red lamp was lit 0 times.\n\n"
        "[light it]\n[off: back] [reset]"
    )


class TestData:
    def test_stored_screens_are_those_that_were_asked_for(self, w):
        data = data_in(w.html())
        states = [json.loads(key) for key in data["screens"]]
        assert states == [{"count": n, "lamp": lamp} for lamp in ("red", "green") for n in range(3)]
        assert data["first"] == key_of(START)

    def test_a_screen_comes_back_whole(self, w):
        shown = show(START)
        stored = screen_in(data_in(w.html()), key_of(START))
        assert stored["title"] == shown.title
        assert stored["sentence"] == shown.sentence
        assert [part["text"] for part in stored["parts"]] == [part.text for part in shown.parts]
        says = [one["says"] for group in stored["rows"] for one in group[1]]
        assert says == ["`lamp = red`", "`lamp = green`"]

    def test_equal_pieces_are_stored_once(self, w):
        data = data_in(w.html())
        told = [json.dumps(piece) for piece in data["pieces"]]
        assert len(told) == len(set(told))
        assert len({screen["title"] for screen in data["screens"].values()}) == 1

    def test_true_is_not_one(self):
        """Python takes 1 and True for the same key of a dict; JSON does not."""
        made = Board(
            "b", lambda s: Screen(json.dumps(s), "", (), (), "s", ()), [1], stored=[[True]]
        )
        data = data_in(made.html())
        assert [screen_in(data, key)["title"] for key in ("[1]", "[true]")] == ["[1]", "[true]"]

    @pytest.mark.parametrize("quote", ["'", '"'])
    def test_states_in_html_are_spelled_as_keys(self, quote):
        state = {"b": [1, True], "a": "<'\">"}
        written = escape(json.dumps(state))
        part = Part("p", f"<i data-to={quote}{written}{quote}>go</i>", "go")
        made = Board("b", lambda _: Screen("", "", (), (part,), "s", ()), 0)
        (html,) = (p["html"] for p in screen_in(data_in(made.html()), "0")["parts"])
        assert html == f'<i data-to="{escape(key_of(state))}">go</i>'

    def test_the_words_are_the_readers(self, w):
        before = set_catalogue({"As text": "Als Text"})
        try:
            assert data_in(w.html())["words"]["text"] == "Als Text"
        finally:
            set_catalogue(before)


def test_the_board_has_no_words_of_its_own(w):
    used = set(re.findall(r"\bwords\.(\w+)", read("browser/board.js")))
    assert used == set(data_in(w.html())["words"])

    def test_a_button_that_plays_says_so_and_others_do_not(self):
        def show(turn):
            on = Button("on", turn + 1, plays=True)
            return Screen("A lamp", "", (), (), "It is on.", (("", (on, Button("off", 0))),))

        data = Board("lamp", show, 0)._data("0")
        ((_label, buttons),) = screen_in(data, "0")["actions"]
        assert [one.get("plays") for one in buttons] == [True, None]
        assert {"play", "pause"} <= data["words"].keys()


class TestPage:
    def test_the_tags_are_balanced(self, w):
        Balance(w.html())

    def test_without_scripts_there_is_text_to_unfold(self, w):
        html = w._html()
        assert ">Facts\nlamp   red\ntimes  0</pre>" in html
        (summary, said), *more = re.findall(r"<details><summary>(.*?)</summary><p>(.*?)</p>", html)
        assert ("red, lit once", "The red lamp was lit 1 times.") == (summary, said)
        assert len(more) == 1

    def test_a_figure_takes_the_place_of_the_text(self):
        html = board(figure='<img src="data:," alt="a lamp">')._html()
        assert '<img src="data:," alt="a lamp">' in html
        assert ">Facts" not in html.split("<details>")[0]

    def test_a_captioned_figure_leaves_the_title_alone(self):
        html = board(figure='<img src="data:," alt="a lamp">', captioned=True)._html()
        head = html.split("<details>")[0]
        assert "<strong>" in head
        assert head.count("<p>") == 1  # what to do for buttons

    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_markup_in_a_word_stays_a_word(self, payload):
        part = Part("p", "<p>x</p>", payload, title=payload)
        button = Button(payload, payload, off=payload)
        rows = ((payload, (button,)),)
        shown = Screen(payload, payload, rows, (part,), payload, rows)
        html = Board(payload, lambda _: shown, payload, told=[(payload, 0)])._html()
        assert payload not in html
        assert not {"b", "svg", "img"} & {tag for tag, _ in Balance(html).seen}

    def test_the_same_board_is_the_same_text(self):
        assert board().html() == board().html()

    def test_two_boards_have_different_names(self, w):
        name = r'data-player="(\w+)"'
        other = Board("another", show, START)
        assert re.search(name, w._html())[1] != re.search(name, other._html())[1]

    def test_it_needs_no_widget_library(self):
        program = (
            "import sys; from tests.widgets.made_up_board import board; board().html();"
            "board().press('light it'); print('anywidget' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.stdout.strip() == "False", done.stderr


class TestLive:
    @pytest.fixture
    def w(self):
        pytest.importorskip("anywidget")
        return board()

    def test_a_view_follows_python_and_python_a_view(self, w):
        told = []
        w.live.observe(lambda change: told.append(change["new"]), "state")
        w.press("light it")
        assert w.live.key == key_of({"lamp": "red", "count": 1})
        w.live.key = key_of({"lamp": "green", "count": 2})
        assert w.state == {"lamp": "green", "count": 2}
        assert told == [{"lamp": "red", "count": 1}, {"lamp": "green", "count": 2}]

    def test_a_view_gets_the_screen_it_asks_for(self, w):
        key = key_of({"lamp": "red", "count": 3})
        answer = w._answer({"number": 1, "state": key})
        assert answer["state"] == key
        assert screen_in(answer["screen"], key)["place"] == "3 times"

    def test_a_view_gets_what_typed_text_leads_to(self, w):
        answer = w._answer({"number": 1, "state": key_of(START), "enter": {"count": "3"}})
        assert json.loads(answer["state"]) == {"lamp": "red", "count": 3}

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ({"enter": {"count": "many"}}, "many is no number."),
            ({"state": '{"lamp":"blue","count":0}'}, "no lamp is blue"),
            ({"state": '{"lamp":"red"}'}, "KeyError: 'count'"),
        ],
    )
    def test_what_fails_is_a_sentence(self, w, asked, said):
        assert w._answer({"number": 1, "state": key_of(START), **asked}) == {"wrong": said}

    def test_a_view_that_is_shown_later_begins_where_the_board_is(self, w):
        w.state = {"lamp": "red", "count": 3}
        data = w.live.data
        assert data["first"] == key_of(w.state)
        assert data["first"] in data["screens"]

    def test_it_shows_live_and_as_html(self, w):
        shown = w._repr_mimebundle_()
        data = shown[0] if isinstance(shown, tuple) else shown
        assert data["text/plain"] == "Board: The red lamp was lit 0 times."
        assert {"text/html", "application/vnd.jupyter.widget-view+json"} <= set(data)


def test_a_style_of_its_own_travels_with_the_data():
    with_style = Board("b", lambda state: board().screen, 0, style="vjp")
    assert ".jacobian" in with_style._data("0")["style"]
    assert "style" not in board()._data(board()._start)
