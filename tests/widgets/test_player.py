import json
from types import SimpleNamespace

import pytest

from minigrad.language import set_catalogue
from minigrad.widgets import Player
from minigrad.widgets.packing import changes
from tests.widgets.made_up import FINE, FRAMES, Figure, player


@pytest.fixture
def w():
    return player()


class TestSteps:
    def test_it_starts_at_the_first_and_goes(self, w):
        assert (w.step, w.sentence) == (0, FRAMES[0]["sentence"])
        assert w.go(3) is w
        assert (w.step, w.sentence) == (3, FRAMES[3]["sentence"])
        w.step = 1
        assert w.frame is FRAMES[1]

    def test_negative_steps_count_from_the_end(self, w):
        assert w.go(-1).step == 3

    @pytest.mark.parametrize("step", [4, -5, 100])
    def test_a_step_outside_is_refused(self, w, step):
        w.go(2)
        with pytest.raises(IndexError, match="its steps are 0 to 3"):
            w.go(step)
        assert w.step == 2

    @pytest.mark.parametrize("step", [1.5, "2", None])
    def test_a_step_is_a_whole_number(self, w, step):
        with pytest.raises(TypeError):
            w.go(step)

    def test_finer_steps_stay_at_the_same_place(self, w):
        w.go(1).detail = "fine"
        assert (w.step, w.frame) == (2, FINE[2])
        w.go(-1).detail = "coarse"
        assert w.step == 3

    def test_an_unknown_detail_is_refused(self, w):
        with pytest.raises(ValueError, match="'coarse' or 'fine', not 'tiny'"):
            w.detail = "tiny"

    def test_frames_are_made_when_they_are_asked_for(self):
        made = []
        frames = {"coarse": FRAMES * 20, "fine": lambda: made.append(1) or FINE}
        w = player(frames)
        w.html()
        assert made == []
        w.detail = "fine"
        assert (made, len(w.frames)) == ([1], len(FINE))

    def test_a_plain_list_is_enough(self):
        w = Player("steps", FRAMES, Figure)
        assert (w.details, w.title) == (("coarse",), "steps")


class TestLooks:
    def test_the_repr_counts(self, w):
        assert repr(w) == "Player: 4 steps"
        assert repr(player([FRAMES[0]])) == "Player: 1 step"

    def test_the_text_has_every_step_and_row(self, w):
        text = w.text()
        places = [text.index(f"Step {n}: ") for n in (1, 2, 3, 4)]
        assert places == sorted(places)
        assert all(frame["sentence"] in text for frame in FRAMES)
        assert "sends        3 × 1 = 3 → x" in text
        assert text == w.go(2).text()

    def test_the_picture_is_that_of_the_step(self, w):
        assert "3 + ?" not in w.svg()
        assert "3 + ?" in w.go(1).svg()
        assert 'id="mgmadem0"' in w.svg("m0")

    def test_notes_are_told_everywhere(self):
        w = player(notes=["A hook of yours ran."])
        assert "A hook of yours ran." in w.text()
        assert "<p>A hook of yours ran.</p>" in w.html()

    def test_words_are_looked_up_when_they_are_used(self):
        before = set_catalogue({"Next": "Weiter"})
        try:
            assert player()._data["words"]["next"] == "Weiter"
        finally:
            set_catalogue(before)
        assert player()._data["words"]["next"] == "Next"

    def test_without_a_drawing_each_step_brings_its_tree(self, monkeypatch):
        monkeypatch.setattr(Figure, "svg", lambda figure, styled=True: None)
        w = player()
        assert w.svg() is None
        assert "<pre>y = 12" in w.html()
        trees = [frame["tree"] for frame in w._data["frames"]["coarse"]]
        assert [tree.split()[-1] for tree in trees] == ["None", "None", "None", "7"]
        assert "tree" not in FRAMES[0]


class TestData:
    def test_it_is_plain_and_complete(self, w):
        data = json.loads(json.dumps(w._data))
        assert data["frames"] == {"coarse": changes(FRAMES), "fine": changes(FINE)}
        assert list(data["scenes"]) == ["", "m0"]
        assert data["groups"]["m0"]["name"] == "net.0"

    def test_finer_steps_of_a_long_pass_are_left_out(self):
        w = player({"coarse": FRAMES * 20, "fine": FINE * 20})
        assert (list(w._data["frames"]), w._data["details"]) == (["coarse"], ["coarse", "fine"])

    def test_many_groups_are_left_out(self):
        from tests.widgets.made_up import GROUP

        many = [SimpleNamespace(**{**vars(GROUP), "key": f"m{n}"}) for n in range(40)]
        stored = list(player(groups=many)._data["scenes"])
        assert stored[:3] == ["", "m0", "m1"]
        assert len(stored) < 40


class TestLive:
    @pytest.fixture(autouse=True)
    def anywidget(self):
        pytest.importorskip("anywidget")

    def test_python_moves_the_view(self, w):
        seen = []
        w.live.observe(lambda change: seen.append(change.new), "step")
        w.go(2)
        w.step = 3
        assert (w.live.step, seen) == (3, [2, 3])

    def test_the_view_moves_python(self, w):
        w.live.step = 2
        assert (w.step, w.sentence) == (2, FRAMES[2]["sentence"])

    def test_the_view_may_change_both_at_once(self, w):
        w.live.set_state({"detail": "fine", "step": 5})
        assert (w.detail, w.step, w.live.step) == ("fine", 5, 5)

    def test_an_impossible_step_or_detail_is_put_right(self, w):
        w.live.step = 77
        assert (w.step, w.live.step) == (3, 3)
        w.live.detail = "tiny"
        assert (w.detail, w.live.detail) == ("coarse", "coarse")

    def ask(self, w, **asked):
        answers = []
        w.live.send = answers.append
        w.live._handle_custom_msg({"number": 1, **asked}, [])
        return answers

    def test_a_view_asks_for_what_it_was_not_given(self, w):
        assert self.ask(w, scene="m0") == [{"number": 1, "answer": Figure(None, "m0").svg()}]
        assert self.ask(w, frames="fine") == [{"number": 1, "answer": changes(FINE)}]

    @pytest.mark.parametrize("asked", [{"scene": "m9"}, {"frames": "tiny"}, {}])
    def test_what_there_is_not_is_answered_too(self, w, asked):
        assert self.ask(w, **asked) == [{"number": 1, "answer": None}]

    def test_the_bundle_has_a_view_and_all_fallbacks(self, w):
        shown = w._repr_mimebundle_()
        view = "application/vnd.jupyter.widget-view+json"
        assert set(shown) == {view, "text/html", "text/plain"}
        assert shown[view]["model_id"] == w.live.model_id
        assert shown["text/plain"] == "Player: 4 steps"

    def test_the_metadata_that_colab_needs_is_handed_on(self, w, monkeypatch):
        bundle = w.live._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        metadata = {"application/vnd.jupyter.widget-view+json": {"colab": {"url": "here"}}}
        monkeypatch.setattr(w.live, "_repr_mimebundle_", lambda **_: (data, metadata))
        shown, told = w._repr_mimebundle_()
        assert "text/html" in shown
        assert told == metadata
