"""Figures as a notebook, a browser and a reader without pictures meet them."""

import base64
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import minigrad as mg
from minigrad import viz
from minigrad.trace import graph_of, record_backward
from minigrad.trace.model import Operation, Value
from minigrad.viz import layout, style
from minigrad.viz.blocks import lines_of
from minigrad.viz.text import text_lines
from tests.viz.graphs import (
    Builder,
    case_1,
    chain,
    model_003,
    modules,
    room_of,
    split_in_two,
    step_of_case_1,
)

SVG = "{http://www.w3.org/2000/svg}"
drawn = pytest.mark.skipif(viz.engine() is None, reason="no Graphviz to draw with")
BAD = '<script>alert("&")</script>'


def parsed(figure):
    return ET.fromstring(figure.svg())


def group(root, figure, key):
    (found,) = [g for g in root.iter(f"{SVG}g") if g.get("id") == f"{figure.prefix}-{key}"]
    return found


def slots(root, figure):
    """Key and slot of every changing text, and what it says."""
    found = {}
    for text in root.iter(f"{SVG}tspan"):
        if text.get("id"):
            found[text.get("id").removeprefix(f"{figure.prefix}-")] = text.text or ""
    return found


@pytest.fixture
def no_engine(monkeypatch):
    monkeypatch.setattr(layout, "engine", lambda: None)
    layout.lay_out.cache_clear()
    yield
    layout.lay_out.cache_clear()


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)


# -- SVG -------------------------------------------------------------------------------------


@drawn
def test_it_is_an_image_with_title_and_description():
    figure = viz.draw(case_1(), alt="Seven arrives at x: four by way of a, three by b")
    root = parsed(figure)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [element.get("id") for element in root[:2]]
    assert root.find(f"{SVG}desc").text == figure.alt


@drawn
def test_every_element_has_its_group():
    graph = model_003()
    figure = viz.draw(graph)
    root = parsed(figure)
    for operation in graph.operations:
        if operation.kind != "accumulate":
            assert "operation" in group(root, figure, operation.key).get("class")
    for value in graph.values:
        assert group(root, figure, value.key) is not None
    for edge in graph.edges:
        if edge.argument is not None:
            assert "edge" in group(root, figure, edge.key).get("class")


@drawn
def test_a_step_is_what_the_frame_says():
    frame, room = step_of_case_1()
    figure = viz.draw(case_1(), frame=frame, room=room)
    root = parsed(figure)
    told = {
        f"{key}-{slot}": text
        for key, labels in frame["labels"].items()
        for slot, text in labels.items()
    }
    assert {name: text for name, text in slots(root, figure).items() if text} == told
    for key, marks in frame["marks"].items():
        found = group(root, figure, key)
        assert found.get("class") == " ".join([found.get("data-class"), *marks])
    assert figure.alt == frame["sentence"]


@drawn
def test_nothing_moves_from_step_to_step():
    frame, room = step_of_case_1()
    outlines = set()
    for step in (None, frame, {**frame, "marks": {}, "labels": {}}):
        svg = viz.draw(case_1(), frame=step, room=room).svg()
        svg = re.sub(r"<desc.*?</desc>", "", svg)
        svg = re.sub(r' class="[^"]*"', "", svg)
        outlines.add(re.sub(r'(<tspan id="[^>]*>)[^<]*', r"\1", svg))
    assert len(outlines) == 1


@drawn
def test_a_gradient_that_is_not_none_is_marked_as_full():
    frame, room = step_of_case_1()
    figure = viz.draw(case_1(), frame=frame, room=room)
    assert 'v0-grad" class="grad">None' in figure.svg()
    frame["labels"]["v0"]["grad"] = "7"
    figure = viz.draw(case_1(), frame=frame, room=room)
    assert 'v0-grad" class="grad full">7' in figure.svg()


@drawn
def test_forward_and_both_have_everything_in_the_same_place():
    places = [
        {b.place: (b.x, b.y) for b in viz.draw(case_1(), view).painter.drawing.blocks.values()}
        for view in ("forward", "both")
    ]
    assert places[0] == places[1]


@drawn
def test_groups_can_be_opened():
    figure = viz.draw(modules())
    root = parsed(figure)
    opened = [g.get("data-open") for g in root.iter(f"{SVG}g") if g.get("data-open")]
    assert opened == ["m0", "m2", "m3", "m4"]
    assert "v0-grad" in slots(root, figure)
    inside = viz.draw(modules(), inside="m0")
    assert group(parsed(inside), inside, "n0") is not None
    assert inside.prefix != figure.prefix
    with pytest.raises(KeyError, match="no group 'm9'"):
        viz.draw(modules(), inside="m9")


@drawn
def test_two_figures_share_no_id_unless_they_are_the_same():
    forward, both = (viz.draw(case_1(), view) for view in ("forward", "both"))
    ids = [set(re.findall(r' id="([^"]+)"', figure.svg())) for figure in (forward, both)]
    assert not ids[0] & ids[1]
    assert viz.draw(case_1()).svg() == both.svg()


@drawn
@pytest.mark.parametrize("graph", [model_003, split_in_two, modules, lambda: chain(20)])
def test_ids_within_a_figure_are_unique(graph):
    for view in viz.VIEWS:
        ids = re.findall(r' id="([^"]+)"', viz.draw(graph(), view, room=room_of(graph())).svg())
        assert len(ids) == len(set(ids))


@drawn
def test_pictures_as_wide_as_a_page_go_along_with_it_and_wider_ones_scroll():
    assert "max-width:100%" in viz.draw(case_1()).svg()
    assert not viz.draw(case_1()).scrolls
    large = viz.draw(chain(20))
    assert large.scrolls
    assert "max-width" not in large.svg(styled=False)
    # JupyterLab makes an image as narrow as its page where the image does not say otherwise.
    assert 'style="max-width:none"' in large.html()


@drawn
def test_the_rows_of_a_module_say_that_they_tell_gradients():
    said = [text.text for text in parsed(viz.draw(modules())).iter(f"{SVG}text")]
    assert said.count(".grad") == 1  # of three kinds of box, one has parameters
    plain = [text.text for text in parsed(viz.draw(modules(), show="values")).iter(f"{SVG}text")]
    assert ".grad" not in plain


# -- what is stored --------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_a_shape_without_a_name_does_not_stand_where_names_do():
    named = Value("v0", "h", "0 … 1.04", (8, 4))
    assert lines_of(named) == [[("nm", "h"), ("sh", "8×4")], [("v", "0 … 1.04")]]
    assert lines_of(replace(named, name="")) == [[("v", "0 … 1.04")], [("sh", "8×4")]]


@drawn
def test_a_notebook_stores_an_image_that_needs_no_trust():
    bundle = viz.draw(case_1())._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    (_, _), (tag, attributes) = Tags(bundle["text/html"]).found
    assert tag == "img"
    assert attributes["alt"] == viz.draw(case_1()).alt
    kind, _, data = attributes["src"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    root = ET.fromstring(base64.b64decode(data))
    assert root.tag == f"{SVG}svg"
    sheet = root.find(f"{SVG}style").text
    assert "prefers-color-scheme" not in sheet, "a stored picture cannot know its page"
    assert ".card{fill:#FFF;" in sheet
    assert bundle == viz.draw(case_1())._repr_mimebundle_()


@drawn
def test_a_stored_picture_has_the_rules_it_uses_and_no_others():
    frame, room = step_of_case_1()
    figure = viz.draw(case_1(), frame=frame, room=room)
    data = figure.image().partition("base64,")[2].partition('"')[0]
    root = ET.fromstring(base64.b64decode(data))
    sheet = root.find(f"{SVG}style").text
    assert len(sheet) < 2200
    used = {c for e in root.iter() for c in e.get("class", "").split()}
    used |= {e.tag.removeprefix(SVG) for e in root.iter()}
    kept = {s for rule in re.findall(r"([^{}]+){", sheet) for s in rule.split(",")}
    for rule in re.findall(r"([^{}]+){", style._RULES):
        for selector in rule.split(","):
            selector = " ".join(selector.split())
            names = {name.lstrip(".") for name in re.findall(r"[.\w-]+", selector)}
            names = {part for name in names for part in name.split(".")}
            assert (selector.replace(" > ", ">") in kept) == (names <= used), selector


@drawn
def test_what_is_stored_of_a_still_picture_is_only_what_it_shows():
    figure = viz.draw(case_1())
    still, playable = (
        base64.b64decode(re.search(r"base64,([^\"]*)", drawn)[1]).decode()
        for drawn in (figure.html(), figure.image())
    )
    assert "-v0" in playable
    assert "-v0" not in still
    assert "dot-" not in still.partition("</style>")[2]
    assert "dot-ready" in playable.partition("</style>")[2]
    shown = [re.sub(r"<[^>]+>", "", drawn.partition("</style>")[2]) for drawn in (still, playable)]
    assert shown[0].split() == shown[1].split()


@drawn
def test_alt_text_says_what_was_made_from_what():
    assert viz.draw(case_1()).alt == (
        "Graph of y = 12: a = 3 by + 1 from x; b = 4 by + 2 from x; y = 12 by × from a, b."
    )
    assert viz.draw(case_1(), "backward").alt == (
        "Backward graph of y = 12: AddBackward0 sends to x; AddBackward0 sends to x; "
        "MulBackward0 sends to a, b."
    )
    assert viz.draw(chain(20)).alt == "Graph of h19 = 4: 20 operations on the leaves x."
    assert viz.draw(modules()).alt == (
        "Graph of loss = 1.12: 1 operation and the boxes net.0, block."
    )


def test_what_is_asked_for_is_checked():
    graph = case_1()
    with pytest.raises(ValueError, match="at least 20 characters"):
        viz.draw(graph, alt="graph")
    with pytest.raises(ValueError, match="forward, backward, both; got 'sideways'"):
        viz.draw(graph, "sideways")
    with pytest.raises(ValueError, match="'right' or 'down', got 'up'"):
        viz.draw(graph, direction="up")
    with pytest.raises(ValueError, match="show must be one of all, values; got 'some'"):
        viz.draw(graph, show="some")


# -- what a reader may have written ------------------------------------------------------------


@drawn
@pytest.mark.parametrize("view", viz.VIEWS)
def test_nothing_that_is_given_can_break_out(view):
    graph = modules()
    graph.groups[0].name = graph.groups[0].about = BAD
    for value in graph.values:
        value.name = value.text = value.grad = BAD
    for operation in graph.operations:
        operation.node = operation.symbol = BAD
        operation.constants = {1: BAD} if operation.kind == "operation" else {}
    slots_of = ("state", "came", "grad", "factor", "sent")
    elements = (*graph.values, *graph.operations, *graph.edges, *graph.groups)
    keys = [element.key for element in elements]
    labels = {key: dict.fromkeys(slots_of, BAD) for key in keys}
    frame = {"step": 0, "sentence": BAD, "marks": {}, "labels": labels}
    for step in (None, frame):
        for inside in (None, "m0"):
            figure = viz.draw(graph, view, frame=step, inside=inside, room=labels)
            root = parsed(figure)
            tags = {element.tag.removeprefix(SVG) for element in root.iter()}
            known = {"svg", "title", "desc", "style", "rect", "g", "path", "circle", "ellipse"}
            assert tags <= known | {"text", "tspan"}
            tags = [tag for tag, _ in Tags(figure.html()).found]
            assert tags[:2] == ["div", "img"]
            assert tags[2:] in ([], ["i", "i"])
            if step:
                assert root.find(f"{SVG}desc").text == BAD
                assert BAD in slots(root, figure).values()


def test_the_text_in_place_of_a_picture_cannot_break_out(no_engine):
    figure = viz.draw(case_1(BAD))
    assert [tag for tag, _ in Tags(figure.html()).found] == ["pre"]
    assert "&lt;script&gt;" in figure.html()
    frame, room = step_of_case_1()
    frame["sentence"] = f'"><img src=x>{BAD}'
    page = viz.draw(case_1(), frame=frame, room=room).html()
    assert [tag for tag, _ in Tags(page).found] == ["pre"]


@pytest.mark.parametrize("name", ["a\x00b", "x" * 20000, "half \ud800", "tab\tand\nline", "", "𝔁"])
def test_strange_names_are_drawn_all_the_same(name):
    figure = viz.draw(case_1(name))
    assert figure.text().encode()
    assert figure.alt.encode()
    assert len(figure.alt) < 400
    if viz.engine():
        parsed(figure)
        assert figure.painter.size[0] < 1000
        assert viz.to_dot(case_1(name)).encode()


# -- text ----------------------------------------------------------------------------------------

TREE = """\
y = 12   made by × (MulBackward0)
├─ a = 3   made by + 1 (AddBackward0)
│  └─ x = 2   leaf, .grad None
└─ b = 4   made by + 2 (AddBackward0)
   └─ x   (as above)"""

STEP = """\
y = 12   made by × (MulBackward0)   [done: 1]
├─ a = 3   made by + 1 (AddBackward0)   [ready: 4]   gradient ×4 → 4
│  └─ x = 2   leaf, .grad None   [1 of 2 parts: 3 + ?]
└─ b = 4   made by + 2 (AddBackward0)   [now: 3]   gradient ×3 → 3
   └─ x   (as above)   gradient ×1 → 3"""


def test_text_of_a_graph_and_of_a_step():
    assert viz.draw(case_1()).text() == TREE
    frame, room = step_of_case_1()
    assert viz.draw(case_1(), frame=frame, room=room).text() == STEP


def test_two_results_of_one_operation_are_told_once():
    assert viz.to_text(split_in_two(), "forward") == (
        "y = 5   made by sum (SumBackward0)\n"
        "└─ d = all 3 (3)   made by − (SubBackward0)\n"
        "   ├─ ① a = 0 … 2 (3)   made by unbind (UnbindBackward0)\n"
        "   │  └─ x = 0 … 5 (6)   leaf\n"
        "   └─ ② b = 0 … 2 (3)   from the same unbind"
    )


def test_text_shows_groups_as_the_picture_does():
    assert viz.to_text(modules(), "forward") == (
        "loss = 1.12   made by mean (MeanBackward0)\n"
        "└─ ⊞ block × 3\n"
        "   └─ ⊞ net.0   Linear 4 → 5\n"
        "      └─ X 8×4   no grad"
    )
    assert "from outside" in viz.to_text(modules(), inside="m3")


def test_deep_graphs_are_read_without_recursion():
    assert viz.to_text(chain(3000)).count("made by") == 3000


def test_a_deep_graph_is_a_list_in_which_every_name_is_a_line():
    u, w = (mg.tensor(number, requires_grad=True) for number in (0.5, 0.9))
    h = mg.tensor(0.0)
    for number in (0.1, -0.4, 0.3):
        h = mg.tanh(w * h + u * number)
    graph = graph_of(h, names={"w": w, "u": u, "h": h})
    lines = [line for line, _key in text_lines(graph, "forward")]
    assert lines[0].split("   ")[0] == f"h ≈ {h.item():.3g}"
    assert lines[0].endswith("made by tanh from the third sum (TanhBackward0)")
    heads = [re.split(" [=≈] |   ", line)[0] for line in lines]
    made_from = [line.partition(" from ")[2].rpartition(" (")[0].split(", ") for line in lines]
    assert {name for names in made_from for name in names if name} == set(heads) - {"h"}
    assert len({len(line.split("made by")[0]) for line in lines if "made by" in line}) == 1
    assert lines[-1].split() == ["u", "=", "0.5", "leaf"]


def test_each_line_of_a_text_has_the_key_of_what_it_tells():
    x = mg.tensor(2.0, requires_grad=True)
    a = x - x
    y = a.exp()
    told = text_lines(graph_of(y, names={"x": x, "a": a, "y": y}))
    assert [key for _line, key in told] == ["n1", "n0", "v0", ""]


def test_what_comes_out_of_a_closed_part_is_named_in_a_list():
    x = mg.tensor(2.0, requires_grad=True)
    y = x
    for _ in range(300):
        y = y * x
    graph = record_backward(y, names={"x": x, "y": y}).graph
    assert re.search(r"from the \d+\w\w product in operations \d+ to \d+, x ", viz.to_text(graph))


@pytest.mark.parametrize("missing", ["no_engine", "no_graphviz"])
def test_without_graphviz_there_is_text(missing, request):
    request.getfixturevalue(missing)
    figure = viz.draw(case_1())
    assert (figure.svg(), figure.image(), figure.size) == (None, None, None)
    assert figure.text() == TREE
    assert "x = 2   leaf" in figure.html()


def test_steps_as_text_have_all_their_rows():
    details = [
        {
            "title": "This step",
            "of": "AddBackward0 of b",
            "rows": [["took", [["3"], ", from y"]], ["local slope", ["∂b/∂x = 1"], "rule"]],
        },
        {"title": "After it", "of": "", "rows": [["next", ["a,\nready"]], ["waiting", "none"]]},
    ]
    frame = {"step": 1, "title": "run AddBackward0", "sentence": "b sends.", "details": details}
    assert viz.steps_text([frame, frame]).split("\n\n")[1] == (
        "Step 2: run AddBackward0\n"
        "  b sends.\n"
        "  This step AddBackward0 of b\n"
        "    took         3, from y\n"
        "    local slope  ∂b/∂x = 1\n"
        "  After it\n"
        "    next         a,\n"
        "                 ready\n"
        "    waiting      none"
    )


# -- a graph that grows --------------------------------------------------------------------------


def there(frame, graph):
    every = {op.key for op in graph.operations if op.kind == "operation"}
    return every - {key for key, marks in frame["marks"].items() if "absent" in marks}


def test_a_graph_grows_by_one_operation_a_step():
    graph = case_1()
    frames = viz.growing_frames(graph)
    assert [frame["sentence"] for frame in frames] == [
        "+ 1 makes a = 3.",
        "+ 2 makes b = 4.",
        "× makes y = 12.",
    ]
    assert [there(frame, graph) for frame in frames] == [{"n0"}, {"n0", "n1"}, {"n0", "n1", "n2"}]
    assert "absent" in frames[0]["marks"]["e2"]
    assert [frame["marks"].get("n1") for frame in frames] == [["absent"], ["now"], None]


def test_a_graph_grows_in_chosen_steps():
    frames = viz.growing_frames(case_1(), [["a", "b"], ["y"]], ["Two sums.", "A product."])
    assert [frame["sentence"] for frame in frames] == ["Two sums.", "A product."]
    with pytest.raises(ValueError, match="no value named q was made; there are a, b, y"):
        viz.growing_frames(case_1(), [["q"]])
    with pytest.raises(ValueError, match="3 steps need as many captions, got 1"):
        viz.growing_frames(case_1(), captions=["One."])


# -- colors ----------------------------------------------------------------------------------------


def luminance(color):
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(color, ground):
    light, dark = sorted((luminance(color), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [style.LIGHT, style.DARK])
def test_contrast_of_texts_and_lines(colors):
    texts = [colors[name] for name in ("ink", "dim", "gradtext", "green", "pasttext")]
    lines = [colors[name] for name in ("blue", "grad", "past", "edge", "green")]
    for ground in (colors["card"], colors["soft"]):
        assert min(contrast(color, ground) for color in texts) >= 4.5
        assert min(contrast(color, ground) for color in lines) >= 3.0


def test_every_color_is_one_of_the_palette():
    assert not re.findall(r"(?:fill|stroke): (?!none|var)\S+", style.RULES)
    assert set(style.LIGHT) == set(style.DARK)


def test_styles_stay_inside_the_figure():
    rules = re.findall(r"([^{}]+)\{", style.RULES)
    selectors = [part.strip() for rule in rules for part in rule.split(",")]
    assert len(selectors) > 50
    assert all(selector.startswith(".minigrad-figure") for selector in selectors)


def test_text_is_at_least_twelve_pixels():
    sizes = [float(size) for size in re.findall(r"font-size: (\d+)px", style.RULES)]
    assert len(sizes) > 3
    assert min(sizes) >= 12


@drawn
def test_an_error_of_the_forward_pass_is_told_below_its_operation():
    message = "mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4), whatever is tried with them"
    b = Builder()
    b.edge(b.leaf("x"), "n9", 0)
    failed = Operation("n9", "RuntimeError", "@", None, None, "error", error=message)
    b.graph.operations.append(failed)
    figure = viz.draw(b.done("v0"))
    lines = [text.text for text in parsed(figure).iter(f"{SVG}text")]
    assert "mat1 and mat2 shapes cannot be" in lines
    assert "multiplied (1x2 and 3x4), whatever is…" in lines
    assert f"@ of x stopped with RuntimeError: {message}" in figure.alt


def test_a_figure_of_nothing_at_all():
    b = Builder()
    x = b.leaf("x")
    figure = viz.draw(b.done(x))
    assert figure.text() == "x = 2   leaf, .grad None"
    assert figure.alt == "Graph of x = 2: no operation."
    if viz.engine():
        parsed(figure)


def test_the_text_of_a_pass_that_failed_says_where():
    net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Linear(4, 1))
    tape = mg.watch(net)
    with pytest.raises(RuntimeError), tape:
        net(mg.ones(5, 2))
    assert "stopped here: RuntimeError: mat1 and mat2" in mg.draw(tape, depth=0).text()
