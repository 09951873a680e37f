import pytest

import minigrad as mg
from minigrad import trace
from minigrad.widgets import Film, draw, filmstrip, growing


@pytest.fixture
def case():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x * 3
    y = a * b
    return {"x": x, "a": a, "b": b, "y": y}


class TestDraw:
    def test_it_is_the_picture_of_the_graph(self, case):
        figure = draw(case["y"], names=case)
        assert figure.view == "forward"
        assert figure.text().startswith("y = 18")
        assert figure.alt

    def test_several_in_one_picture(self, case):
        told = draw(case["a"], case["b"], names=case).text()
        assert "a = 3" in told
        assert "b = 6" in told

    @pytest.mark.parametrize(
        ("given", "says"),
        [
            (3, "not int"),
            ([1], "not a list"),
            (mg.nn.Linear(1, 1), r"not the module Linear.*draw\(loss\)"),
        ],
    )
    def test_what_is_no_tensor_is_told_what_to_do(self, given, says):
        with pytest.raises(TypeError, match=says):
            draw(given)

    def test_nothing_is_told_what_to_do(self):
        with pytest.raises(TypeError, match=r"draw\(y\)"):
            draw()

    def test_no_graph_is_told_what_to_do(self):
        with pytest.raises(ValueError, match="requires_grad=True"):
            draw(mg.ones(2) * 2)
        with pytest.raises(ValueError, match="leaf"):
            draw(mg.ones(2, requires_grad=True))

    def test_a_tensor_of_pytorch(self):
        torch = pytest.importorskip("torch")
        x = torch.tensor(2.0, requires_grad=True)
        y = x * 3
        assert draw(y).text().startswith("y = 6")


CELL = """
import minigrad as mg
from minigrad.widgets import growing
x = mg.tensor(2.0, requires_grad=True)
print("in between")
a = x + 1
def elsewhere():
    y = 1
    return y
y = a * x
w = growing(y)
y = None
"""


class TestGrowing:
    def run(self, text, monkeypatch, filename="<cell>"):
        import linecache

        monkeypatch.setitem(
            linecache.cache, filename, (len(text), None, text.splitlines(keepends=True), filename)
        )
        variables = {"__name__": "cell"}
        exec(compile(text, filename, "exec"), variables)
        return variables["w"]

    def test_each_step_points_at_the_line_that_made_it(self, monkeypatch):
        w = self.run(CELL, monkeypatch)
        code = w._data["code"]
        assert (code[0], code[-1]) == ("x = mg.tensor(2.0, requires_grad=True)", "y = a * x")
        assert [code[frame["line"] - 1] for frame in w.frames] == ["a = x + 1", "y = a * x"]

    def test_without_readable_lines_there_is_no_program(self, case):
        w = growing(case["y"], names=case)  # made in another function
        assert w._data["code"] is None
        assert [frame["line"] for frame in w.frames] == [None] * 3

    def test_it_names_no_key_that_does_nothing(self, case):
        keys = growing(case["y"], names=case)._data["words"]["keys"]
        assert "T as text" in keys
        assert "send" not in keys
        assert "answer" not in keys

    def test_what_comes_later_is_absent(self, case):
        w = growing(case["y"], names=case)
        absent = [sum("absent" in marks for marks in frame["marks"].values()) for frame in w.frames]
        assert sorted(absent, reverse=True) == absent
        assert absent[-1] == 0

    def test_the_text_of_a_step_holds_what_is_there(self, case):
        first, second, last = (f["tree"] for f in growing(case["y"], names=case).frames)
        assert first == "a = 3   made by + 1 (AddBackward0)   [new]\n└─ x = 2   leaf"
        assert "b = 6   made by × 3 (MulBackward0)   [new]" in second
        assert "y = " not in first + second
        assert last.startswith("y = ")
        assert last.count("[new]") == 1

    def test_steps_and_captions_can_be_chosen(self, case):
        w = growing(case["y"], names=case, steps=[["a", "b"], ["y"]], captions=["One.", "Two."])
        assert [frame["sentence"] for frame in w.frames] == ["One.", "Two."]
        nodes = [text[0] for label, text in w.frames[0]["details"][0]["rows"] if label == "node"]
        assert nodes == ["AddBackward0", "MulBackward0"]

    def test_wrong_steps_and_captions_are_refused(self, case):
        with pytest.raises(ValueError, match="no value named q"):
            growing(case["y"], names=case, steps=[["q"]])
        with pytest.raises(ValueError, match="as many captions"):
            growing(case["y"], names=case, captions=["One."])

    def test_all_steps_are_in_the_stored_picture(self, case):
        w = growing(case["y"], names=case)
        assert w._picture.svg().count("<svg") == 1 + len(w.frames)
        assert "data:image/svg+xml;base64" in w.html()


def _passed(case):
    passed = trace.record_backward(case["y"], names=case)
    return passed.graph, list(passed.frames())


class TestFilm:
    def test_a_filmstrip_shows_the_frames_it_is_given(self, case):
        passed = trace.record_backward(case["y"], names=case)
        chosen = [passed.frames()[0], passed.frames()[3]]
        w = filmstrip(passed.graph, chosen)
        assert [frame["sentence"] for frame in w.frames] == [f["sentence"] for f in chosen]
        assert w._picture.svg().count("<svg") == 3
        assert w.go(1).svg() == w._draw(chosen[1], None).svg()

    def test_all_moments_are_laid_out_alike(self, case):
        w = filmstrip(*_passed(case))
        assert len({panel.size for panel in w._picture.panels}) == 1

    def test_it_brings_the_style_of_what_it_shows_and_no_more(self, case):
        drawn = filmstrip(*_passed(case))._picture.svg()
        assert ".tray{" in drawn  # there are leaves
        assert ".cell" not in drawn  # and no repeated modules
        assert "prefers-color-scheme" not in drawn  # what is stored is on white

    def test_as_many_captions_as_frames(self, case):
        passed = trace.record_backward(case["y"], names=case)
        with pytest.raises(ValueError, match="as many captions"):
            filmstrip(passed.graph, passed.frames(), ["one"])

    def test_figures_beside_each_other(self, case):
        views = [draw(case["y"], view=view, names=case) for view in ("forward", "backward")]
        film = Film(views, ["values", "nodes"], "two views of one graph")
        shown = film._repr_mimebundle_()
        assert 'alt="two views of one graph"' in shown["text/html"]
        assert shown["text/plain"].startswith("1. values\n")
        ids = [part.split('"')[0] for part in film.svg().split(' id="')[1:]]
        assert len(ids) == len(set(ids)) > 0
        with pytest.raises(ValueError, match="as many captions"):
            Film(views, ["one"])
