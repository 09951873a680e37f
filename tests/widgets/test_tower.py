"""The tower of gradients: its floors, its pictures, its buttons, as plain data."""

import itertools
import json
import math
import re

import pytest

from minigrad.widgets.safe import Refused
from minigrad.widgets.tower import Tower, tower
from minigrad.widgets.tower.drawn import describe, picture, still
from minigrad.widgets.tower.floors import HIGHEST, build, derivative
from minigrad.widgets.tower.placing import BOX, MOST_DRAWN, RX, RY, WIDEST, place
from minigrad.widgets.tower.screens import PRESETS, lines, sentence, show, state_of, stored_states
from minigrad.widgets.tower.ways import around, crossed, hits, obstacles

RECORDED = "grad(…, x, create_graph=True)"
BARE = "grad(…, x)"

#: How the k-th derivative of a formula is written by hand.
CLOSED = {
    "x * x * y": (2.0, [lambda x: 3 * x * x, lambda x: 6 * x, lambda x: 6.0]),
    "sin(x)": (
        1.0,
        [math.sin, math.cos, lambda x: -math.sin(x), lambda x: -math.cos(x), math.sin, math.cos],
    ),
    "x ** 3": (2.0, [lambda x: x**3, lambda x: 3 * x * x, lambda x: 6 * x, lambda x: 6.0]),
    "tanh(x)": (
        0.5,
        [
            math.tanh,
            lambda x: 1 - math.tanh(x) ** 2,
            lambda x: -2 * math.tanh(x) * (1 - math.tanh(x) ** 2),
            lambda x: (6 * math.tanh(x) ** 2 - 2) * (1 - math.tanh(x) ** 2),
        ],
    ),
}


@pytest.mark.parametrize("text", PRESETS)
def test_each_floor_is_worth_what_the_formula_by_hand_says(text):
    at, formulas = CLOSED[text]
    floors = build(text, ("x",) * (len(formulas) - 1)).floors
    assert len(floors) == len(formulas)
    for floor, formula in zip(floors, formulas, strict=True):
        assert floor.value == pytest.approx(formula(at))


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("x * x * y", [4, 6, 5]),
        ("sin(x)", [2, 3, 4, 3, 4, 3]),
        ("tanh(x)", [2, 3, 6, 14, 34, 84]),
        ("1 / x", [3, 4, 8, 20, 50, 128]),
        ("exp(x)", [2, 3, 3, 3, 3, 3]),
    ],
)
def test_the_nodes_of_each_graph_are_counted(text, totals):
    built = build(text, ("x",) * HIGHEST)
    assert [floor.total for floor in built.floors] == totals
    assert built.error == ("" if len(totals) > HIGHEST else built.error)


def test_what_is_new_on_a_floor_is_on_no_other():
    built = build("tanh(x)", ("x",) * 4)
    keys = [node.key for floor in built.floors for node in floor.new]
    assert len(keys) == len(set(keys))
    for count, floor in enumerate(built.floors):
        known = {node.key for one in built.floors[: count + 1] for node in one.new}
        assert all(set(node.uses) <= known for node in floor.new)
        assert floor.root in {node.key for node in floor.new}


def test_each_operation_says_what_it_made():
    floor = build("x * x * y", ("x",)).floors[1]
    assert sorted((node.symbol, node.text) for node in floor.operations) == [
        ("+", "12"),
        ("×", "3"),
        ("×", "6"),
        ("×", "6"),
    ]


def test_mixed_derivatives_are_named_and_do_not_depend_on_the_order():
    assert derivative(("x", "y", "x")) == "∂³z/∂y∂x²"
    one, other = (build("x * x * y * y", by).top for by in (("x", "y"), ("y", "x")))
    assert one.value == other.value == 24
    assert (one.name, other.name) == ("∂²z/∂y∂x", "∂²z/∂x∂y")


def test_a_walk_that_is_not_recorded_carries_no_further_floor():
    built = build("x * x * y", ("x-", "x"))
    assert len(built.floors) == 2
    assert (built.top.value, built.top.total, built.top.root) == (12, 0, None)
    assert built.error.startswith("element 0 of tensors does not require grad")
    assert "was not recorded" in sentence(built)


def test_where_no_road_leads_the_real_message_is_shown():
    built = build("x * x * y", ("x", "x", "x"))
    assert "appears to not have been used in the graph" in sentence(built)
    assert "No road leads from ∂²z/∂x² to x." in sentence(built)
    assert "No road leads" not in sentence(build("x ** 3", ("x",) * 5))
    assert "has no node behind it" in sentence(build("x ** 3", ("x",) * 5))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a * x", "only x and y here, not `a`"),
        ("y * y", "no slope by x"),
        ("[1, 2] * x", "has to be one number"),
        ("(x)", "made from x by an operation"),
        ("x *", "Expected a number"),
        ("x.grad", "A dot stands only inside a number"),
    ],
)
def test_what_is_no_formula_of_x_is_refused_with_a_sentence(text, said):
    with pytest.raises(Refused, match=re.escape(said)):
        build(text, ())
    with pytest.raises(ValueError, match=re.escape(said)):
        tower().enter(text=text)


def test_one_node_is_not_said_to_be_many():
    assert "left 1 new node. Its graph has 3: 2 are of other floors." in sentence(
        build("tanh(x)", ("x",))
    )
    assert "left 3 new nodes. Its graph has 4: 1 is of another floor." in sentence(
        build("x ** 3", ("x",))
    )


def test_a_recorded_walk_without_a_node_says_why():
    said = sentence(build("x ** 3", ("x",) * 4))
    assert said.startswith("∂⁴z/∂x⁴ = 0, and it has no `grad_fn`")
    assert said.endswith("no tensor that it was computed from has requires_grad=True.")


def test_dotted_lines_are_explained_where_there_are_some():
    for count in range(3):
        html = show(state_of("x * x * y", ("x",) * count)).parts[1].html
        assert ("Dotted:" in html) == ('class="link"' in html) == (count > 0)


def test_a_number_without_end_has_a_true_minus_sign():
    assert "∂z/∂x = −inf" in sentence(build("1 / (x - 2)", ("x",)))


# --- the picture ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*PRESETS, "exp(x) * sin(y) + x", "1 / (x * y)"])
def test_nothing_in_the_picture_overlaps_or_sticks_out(text):
    for count in range(HIGHEST + 1):
        placed = place(build(text, ("x",) * count))
        for band in placed.bands:
            assert 0 <= band.top < band.top + band.height <= placed.height
            spots = {placed.spots[node.key] for node in band.floor.new}
            if not band.folded:
                assert len(spots) == len(band.floor.new)
            for x, y in [*spots, band.result]:
                assert 0 < x < placed.width
                assert band.top < y < band.top + band.height
            assert band.folded == (len(band.floor.operations) > MOST_DRAWN)
        tops = [band.top for band in placed.bands]
        assert tops == sorted(tops, reverse=True)


def test_a_floor_begins_over_the_end_of_the_one_it_stands_on_and_goes_the_other_way():
    placed = place(build("x * x * y", ("x", "x")))
    zero, one, two = placed.bands
    first = min(one.floor.operations, key=lambda node: node.key)
    assert placed.spots[first.key][0] == zero.end[0]
    assert zero.result[0] > zero.end[0]
    assert one.result[0] < one.end[0]
    assert two.result[0] > two.end[0]


def test_there_is_a_dotted_line_for_each_value_of_another_floor():
    built = build("x * x * y", ("x",))
    home = {node.key: n for n, floor in enumerate(built.floors) for node in floor.new}
    crossing = {
        (one, node.key)
        for floor in built.floors
        for node in floor.operations
        for one in node.uses
        if home[one] != home[node.key]
    }
    assert picture(built).count('class="link"') == len(crossing) == 3


@pytest.mark.parametrize(("text", "most"), [("x * x * y", 5), ("sin(x)", 5), ("tanh(x)", 4)])
def test_no_dotted_line_runs_through_what_it_has_nothing_to_do_with(text, most):
    """Else it would look as if it ended there."""
    for count in range(1, most + 1):
        built = build(text, ("x",) * count)
        placed = place(built)
        home = {node.key: band for band in placed.bands for node in band.floor.new}
        there = obstacles(placed)
        for band in placed.bands:
            for node in band.floor.operations:
                end = placed.spots[node.key]
                for one in node.uses:
                    if home[one] is not band:
                        start = placed.spots[one]
                        others = [other for other in there if other[:2] not in (start, end)]
                        way = around(start, end, (home[one], band), there)
                        assert way[0] == start
                        assert way[-1] == end
                        assert not hits(way, others), (text, count, node)


PIECE = re.compile(r"([MLQC])([-\d. ]+)")


def _followed(path):
    """Points close to each other on the path of an SVG."""
    at, points = (0.0, 0.0), []
    for kind, numbers in PIECE.findall(path):
        flat = [float(one) for one in numbers.split()]
        if kind == "M":
            at = tuple(flat)
            continue
        curve = [at, *zip(flat[::2], flat[1::2], strict=True)]
        for step in range(41):
            left = curve
            while len(left) > 1:
                left = [
                    tuple(u + (v - u) * step / 40 for u, v in zip(*pair, strict=True))
                    for pair in itertools.pairwise(left)
                ]
            points.append(left[0])
        at = curve[-1]
    return points


@pytest.mark.parametrize("text", [*PRESETS, "1 / (x * y)", "exp(x) * sin(y) + x"])
@pytest.mark.parametrize("count", range(HIGHEST + 1))
def test_no_line_runs_through_an_oval_that_it_does_not_lead_to(text, count):
    """Else it would look as if it ended there and another began: read from the picture."""
    drawn = picture(build(text, ("x",) * count))
    ovals = [
        tuple(map(float, re.findall(r' c[xy]="([-\d.]+)"', one)))
        for one in re.findall(r"<ellipse[^>]*>", drawn)
    ]
    placed = place(build(text, ("x",) * count))
    ovals += [placed.spots[node.key] for node in placed.bands[0].floor.new if node.leaf]
    for path in re.findall(r'<path class="(?:f|link)" d="([^"]*)"', drawn):
        points = _followed(path)

        def deep(point, oval):
            return math.hypot((point[0] - oval[0]) / RX, (point[1] - oval[1]) / RY)

        own = [min(ovals, key=lambda oval: deep(end, oval)) for end in (points[0], points[-1])]
        for oval in set(ovals) - set(own):
            assert all(deep(point, oval) > 1 for point in points), (path, oval)


@pytest.mark.parametrize("count", range(1, 3))
def test_no_dotted_line_cuts_an_arrow_where_there_is_room_beside_it(count):
    drawn = picture(build("x * x * y", ("x",) * count))
    solid, dotted = (
        [_followed(path) for path in re.findall(rf'<path class="{kind}" d="([^"]*)"', drawn)]
        for kind in ("f", "link")
    )
    assert len(dotted) == 2 * count + 1
    cut = [crossed(line, solid) for line in dotted]
    assert sum(cut) == 1  # the upper of two ovals on floor 1 has arrows on both of its sides


@pytest.mark.parametrize(
    "text", [*PRESETS, "1 / (x * y)", "x*x*x*x*x*x*x*x*x*x*x*x", "sin(sin(x))"]
)
def test_floors_and_results_keep_within_the_width_of_a_card_in_a_notebook(text):
    for count in range(HIGHEST + 1):
        placed = place(build(text, ("x",) * count))
        assert placed.width <= WIDEST
        for band in placed.bands:
            for x, half in [(placed.spots[n.key][0], RX) for n in band.floor.operations] + [
                (band.result[0], BOX / 2)
            ]:
                assert half <= x <= placed.width - half


def test_a_floor_with_more_columns_than_fit_goes_on_above_the_other_way():
    placed = place(build("x*x*x*x*x*x*x*x*x*x*x", ()))
    (band,) = placed.bands
    below, above = band.lines
    assert (list(below), list(above)) == ([*range(8)], [7, 6, 5])
    assert band.end[1] < placed.spots[below[7][0]][1]
    assert band.result[0] < band.end[0]


def test_a_large_floor_is_one_block_that_counts_its_operations():
    built = build("tanh(x)", ("x",) * 5)
    drawn = picture(built)
    counts = built.top.counts
    assert sum(counts.values()) == 51
    for symbol, count in counts.items():
        assert f"{count} {symbol}" in drawn
    assert drawn.count("<ellipse") == sum(len(f.operations) for f in built.floors[:-1])


def test_the_picture_says_in_words_what_it_shows():
    assert describe(build("x * x * y", ("x",))) == (
        "Floor 0, z = 12: 2 × new, 4 in its graph. "
        "Floor 1, ∂z/∂x = 12: 3 ×, 1 + new, 6 in its graph."
    )
    assert "Floor 1, ∂z/∂x = 12, is empty." in describe(build("x * x * y", ("x-",)))
    assert still(build("sin(x)", ("x",))).startswith("<img")


# --- the tray ---------------------------------------------------------------------------------


def test_two_passes_into_one_tray_are_told_and_drawn():
    text = show("x * x * y | x x").parts[-1].text
    assert "With backward() twice, x.grad would hold 12 + 6 = 18." in text
    html = show("x * x * y | x x").parts[-1].html
    assert html.count('class="brick') == 2
    assert "would hold 4 + 0 = 4" not in show("x * x * y | y").parts[-1].text
    turned = show("sin(x) | x x").parts[-1]
    assert "would hold 0.5403 + (−0.8415) = −0.3012." in turned.text
    assert 'class="brick' not in turned.html


@pytest.mark.parametrize("by", ["", "x", "x y", "y x", "x x-", "x- x", "x x x", "y y"])
def test_where_there_are_not_two_walks_to_one_leaf_no_tray_is_shown(by):
    assert "would hold" not in show(f"x * x * y | {by}").parts[-1].text


# --- the board --------------------------------------------------------------------------------


def test_buttons_build_floors_and_take_them_away():
    here = tower()
    here.press(RECORDED).press(RECORDED)
    assert here.state == "x * x * y | x x"
    here.press("◀").press(BARE)
    assert here.state == "x * x * y | x x-"
    here.press(RECORDED)
    with pytest.raises(ValueError, match="Take a floor away first"):
        here.press(RECORDED)
    here.press("Reset")
    with pytest.raises(ValueError, match="no floor to take away"):
        here.press("◀")
    assert here.press("tanh(x)").screen.sentence.startswith("z = 0.4621.")


@pytest.mark.parametrize("by", ["q", "y", "y-", ""])
def test_a_walk_to_what_is_no_leaf_is_refused(by):
    with pytest.raises(ValueError, match="is no leaf of this formula"):
        tower("tanh(x)", "x", by) if by else tower("tanh(x)", "-")


def test_where_no_script_runs_two_floors_are_drawn_and_others_unfold():
    html = tower().html()
    assert "With two floors on it:" in html
    assert html.count("<img") == 1
    assert "z = tanh(x)</code>: 34 nodes in the graph of ∂⁴z/∂x⁴</summary>" in html
    assert "With two floors" not in tower("sin(x)", "x").html()


def test_a_tower_may_begin_higher():
    assert repr(tower("sin(x)", "x", "x")).startswith("Tower: ∂²z/∂x² = −0.8415.")


@pytest.mark.parametrize(
    ("guess", "said"), [("6", "Right: 6."), ("8", "Not quite: you said 8, and there are 6.")]
)
def test_a_guess_builds_the_next_floor_and_is_judged(guess, said):
    here = tower().enter(text="x * x * y", guess=guess)
    assert here.screen.sentence.startswith(f"{said} ∂z/∂x = 12.")
    assert here.press(RECORDED).state == "x * x * y | x x"


def test_a_guess_that_cannot_be_judged_is_answered():
    with pytest.raises(ValueError, match="whole number of nodes"):
        tower().enter(guess="many")
    stopped = tower("x * x * y", "x", "x").enter(guess="3")
    assert stopped.screen.sentence.startswith("You said 3. `grad()` stopped")
    with pytest.raises(ValueError, match="Take a floor away first"):
        stopped.enter(guess="3")
    assert 'data-input="guess"' not in stopped.screen.parts[-1].html


def test_a_formula_that_is_typed_is_looked_at_from_the_ground():
    here = tower("tanh(x)", "x").enter(text=" exp( x*y ) ", guess="4")
    assert here.state == "exp( x*y ) | "
    assert here.screen.title == "A tower on `z = exp( x*y )`"


def test_a_graph_that_grew_too_large_is_not_differentiated_further():
    here = tower("log(sin(x) * x) / (x * y) ** 3")
    for _count in range(HIGHEST):
        buttons = {button.says: button for button in here.screen.buttons}
        if buttons[f"`{RECORDED}`"].off:
            break
        here.press(RECORDED)
    assert "too many to go on" in buttons[f"`{RECORDED}`"].off


def test_the_code_is_what_was_run():
    import minigrad as mg

    for by in ((), ("x",), ("x", "y"), ("x", "x-")):
        built = build("x * x * y", by)
        names = {"mg": mg, "x": mg.tensor(2.0, requires_grad=True)}
        names["y"] = mg.tensor(3.0, requires_grad=True)
        exec("\n".join(lines(built)), names)
        last = names[f"g{len(by)}"] if by else names["z"]
        assert last.item() == built.top.value
        assert last.requires_grad == (built.top.root is not None)


def test_every_stored_state_has_a_screen_and_every_button_of_a_story_is_stored():
    stored = set(map(json.dumps, stored_states()))
    for state in map(json.loads, stored):
        assert show(state).sentence
    for text in PRESETS:
        here = Tower(text)
        for _count in range(HIGHEST):
            assert json.dumps(here.state) in stored
            button = next(b for b in here.screen.buttons if b.says == f"`{RECORDED}`")
            if button.off:
                break
            assert json.dumps(button.to) in stored
            here.state = button.to
