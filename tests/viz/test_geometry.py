"""Where lines and labels are, measured on the finished drawing."""

import re
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

import minigrad as mg
from minigrad import viz
from minigrad.trace import graph_of, record_backward
from minigrad.viz import svg
from minigrad.viz.arrange import arrows_seen, bezier, most_seen, share_seen
from minigrad.viz.curves import BORDER
from minigrad.viz.labels import LINE, label_size
from minigrad.viz.shapes import curve, way_along
from tests.viz.graphs import (
    GRAPHS,
    PLAIN,
    case_1,
    chain,
    model_003,
    room_of,
    room_of_003,
    square_and_sum,
    used_often,
    wide_chain,
)

pytestmark = pytest.mark.skipif(viz.engine() is None, reason="no Graphviz to draw with")


def painted(graph, direction=None):
    return viz.draw(graph, room=room_of(graph), direction=direction).painter


@cache
def known(name, direction=None):
    """A known graph, painted once for all tests, which only look."""
    return painted(GRAPHS[name](), direction)


def distance(block, point):
    """How far a point is from the outline of a block: the union of its shapes."""
    x, y = point[0] - block.x, point[1] - block.y
    found = []
    if block.oval:
        o = block.oval
        angles = np.linspace(0, 2 * np.pi, 4000)
        outline = np.stack(
            [o.x + (o.rx + BORDER) * np.cos(angles), o.y + (o.ry + BORDER) * np.sin(angles)]
        )
        far = np.hypot(outline[0] - x, outline[1] - y).min()
        inside = ((x - o.x) / (o.rx + BORDER)) ** 2 + ((y - o.y) / (o.ry + BORDER)) ** 2 < 1
        found.append(-far if inside else far)
    rects = [box.rect for box in block.boxes if box.rect.width] + [block.tray] * bool(block.tray)
    if block.group:
        rects = [(0, 0, block.width, block.height)]
    for left, top, width, height in rects:
        dx = max(left - BORDER - x, x - left - width - BORDER)
        dy = max(top - BORDER - y, y - top - height - BORDER)
        found.append(np.hypot(max(dx, 0), max(dy, 0)) if max(dx, dy) > 0 else max(dx, dy))
    return abs(min(found))


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_line_starts_and_ends_on_an_outline(name, direction):
    painter = known(name, direction)
    blocks = painter.drawing.blocks
    for number, wire in enumerate(painter.drawing.wires):
        for lines in (painter.curves.forward, painter.curves.gradient):
            assert distance(blocks[wire.source], lines[number][0]) < 0.5, wire
            assert distance(blocks[wire.target], lines[number][-1]) < 0.5, wire


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("name", GRAPHS)
def test_forward_line_and_gradient_are_14_pixels_apart(name, direction):
    painter = known(name, direction)
    for number, wire in enumerate(painter.drawing.wires):
        forward, gradient = (
            lines[number] for lines in (painter.curves.forward, painter.curves.gradient)
        )
        middle = gradient[len(gradient) // 4 : -len(gradient) // 4]
        near = np.hypot(*(forward[None] - middle[:, None]).T).min(axis=0)
        if wire.asked:
            assert near.max() < 14.5
            assert near.min() > 11, "closer only on the inside of a bend"
        else:
            assert near.max() == 0, "nothing comes back, so there is one line"


@pytest.mark.parametrize("graph", [case_1, model_003])
def test_the_gradient_runs_below_or_to_the_right(graph):
    for direction, axis in (("right", 1), ("down", 0)):
        painter = painted(graph(), direction)
        for number, wire in enumerate(painter.drawing.wires):
            forward = painter.curves.forward[number]
            gradient = painter.curves.gradient[number]
            if wire.asked:
                assert gradient[-1][axis] > forward[-1][axis]
                assert gradient[0][axis] > forward[0][axis]


def rectangles(painter):
    """Blocks and what is written beside them, on the screen."""
    for block in painter.drawing.blocks.values():
        yield block.x, block.y, block.x + block.width, block.y + block.height
        for x, y, width, height in block.texts():
            yield block.x + x, block.y + y, block.x + x + width, block.y + y + height


def label_boxes(painter):
    wires = {wire.key: wire for wire in painter.drawing.wires}
    for key, label in painter.labels.items():
        if label:
            width, height = label_size(wires[key], label), LINE * label.lines
            x, y = label.x - width / 2, label.y - height / 2
            yield x, y, x + width, y + height


@pytest.mark.parametrize("name", GRAPHS)
def test_no_label_lies_over_a_line_a_block_or_another_label(name):
    painter = known(name)
    asked = [n for n, wire in enumerate(painter.drawing.wires) if wire.asked]
    lines = [*painter.curves.forward, *(painter.curves.gradient[n] for n in asked)]
    points = np.concatenate(lines)
    boxes = list(label_boxes(painter))
    taken = list(rectangles(painter))
    for number, (left, top, right, bottom) in enumerate(boxes):
        inside = (points > (left, top)) & (points < (right, bottom))
        assert not inside.all(axis=1).any()
        for l, t, r, b in taken:
            assert min(right, r) <= max(left, l) + 0.01 or min(bottom, b) <= max(top, t) + 0.01
        for l, t, r, b in boxes[:number]:  # two side by side would be read as one
            assert min(right, r) <= max(left, l) - 5.99 or min(bottom, b) <= max(top, t) - 1.99


@pytest.mark.parametrize("name", PLAIN)
def test_every_label_of_a_known_graph_finds_a_place(name):
    graph = PLAIN[name]()
    painter = viz.draw(graph, room=room_of(graph, "×4 → ", "12")).painter
    assert [key for key, label in painter.labels.items() if label is None] == []


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("name", GRAPHS)
def test_blocks_do_not_overlap(name, direction):
    blocks = list(known(name, direction).drawing.blocks.values())
    for number, a in enumerate(blocks):
        for b in blocks[:number]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x
            assert apart or a.y + a.height <= b.y or b.y + b.height <= a.y


@pytest.mark.parametrize("name", GRAPHS)
def test_everything_is_inside_the_picture(name):
    painter = known(name)
    width, height = painter.size
    for left, top, right, bottom in [*rectangles(painter), *label_boxes(painter)]:
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height


def test_pictures_grow_to_the_right_while_as_much_is_seen_of_them():
    assert not painted(case_1()).drawing.down
    painter = viz.draw(model_003(), room=room_of_003()).painter
    assert not painter.drawing.down
    assert painter.size[0] <= 872
    assert not painted(chain(30)).drawing.down
    assert painted(case_1(), "down").drawing.down


def test_a_picture_of_which_more_is_seen_downwards_grows_downwards():
    graph = wide_chain(5)
    frame = {"labels": room_of(graph, "×0.25 → ", "[200, 400, 24, 1000, 1000]"), "marks": {}}
    alt = "a chain of five products of long values"
    right, down, chosen = (
        viz.draw(graph, "both", alt, frame, direction=direction)
        for direction in ("right", "down", None)
    )
    assert share_seen(right.size) < share_seen(down.size)
    assert chosen.size == down.size


def test_one_that_is_played_grows_to_where_more_arrows_are_seen_with_both_ends():
    graph = wide_chain(5)
    room = room_of(graph, "×0.25 → ", "[200, 400, 24, 1000, 1000]")
    right, down, chosen = (
        viz.draw(graph, room=room, direction=direction).painter
        for direction in ("right", "down", None)
    )
    assert share_seen(right.size) < share_seen(down.size)
    assert arrows_seen(down.drawing) < arrows_seen(right.drawing) == len(right.drawing.wires)
    assert chosen.size == right.size


@pytest.mark.parametrize("name", GRAPHS)
def test_no_more_is_seen_than_is_said_before_laying_out(name):
    painter = known(name, "down")
    assert share_seen(painter.size) <= most_seen(painter.drawing)


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("view", ["forward", "both"])
@pytest.mark.parametrize("graph", [case_1, model_003, square_and_sum, used_often])
def test_what_leaves_a_leaf_leaves_its_value_and_not_its_tray(graph, view, direction):
    painter = viz.draw(graph(), view, direction=direction).painter
    across, first = (0, "x") if direction == "down" else (1, "y")
    seen = 0
    for wire, line in zip(painter.drawing.wires, painter.curves.forward):
        block = painter.drawing.blocks[wire.source]
        if block.tray:
            at = line[0][across] - getattr(block, first)
            assert 0 <= at <= getattr(block.tray, first), wire.key
            seen += 1
    assert seen


def test_a_picture_that_is_a_little_too_wide_scrolls():
    """Its letters of 12 pixels would be smaller if it shrank."""
    graph = chain(4)
    little = viz.draw(graph, room=room_of(graph, "×4 → ", "2000000"))
    assert 872 < little.size[0] < 1014
    assert little.scrolls
    assert not viz.draw(graph, room=room_of(graph, "×4 → ", "20")).scrolls


def test_a_picture_a_little_wider_than_a_page_beside_files_has_narrower_gaps(monkeypatch):
    """In JupyterLab with its list of files the main picture of lesson 02 would scroll."""
    narrow = viz.draw(model_003(), room=room_of_003()).painter
    monkeypatch.setattr(svg, "BESIDE_FILES", 1)
    wide = viz.draw(model_003(), room=room_of_003()).painter
    assert narrow.size[0] <= 800 < wide.size[0]
    assert narrow.size[1] == wide.size[1]
    for key, label in wide.labels.items():
        assert narrow.labels[key].factor == label.factor, key


def test_gaps_that_cannot_be_narrow_enough_stay_as_they_were(monkeypatch):
    graph = model_003()
    monkeypatch.setattr(svg, "BESIDE_FILES", 720)
    monkeypatch.setattr(svg, "TOO_WIDE", 1.3)
    tried = viz.draw(graph, room=room_of_003()).painter
    monkeypatch.setattr(svg, "BESIDE_FILES", 1)
    assert tried.size == viz.draw(graph, room=room_of_003()).painter.size


def test_two_lines_from_a_value_to_one_operation_have_their_factors():
    graph = square_and_sum()
    labels = viz.draw(graph, room=room_of(graph, "×3 → ", "3")).painter.labels
    assert labels["e0"].factor
    assert labels["e1"].factor


def test_no_state_is_written_over_the_next_one():
    graph = chain(4)
    room = room_of(graph, "", "")
    room["n1"]["came"] = "[10, 20, 6] + [10, 20, 6] = [20, 40, 12]"
    blocks = viz.draw(graph, room=room).painter.drawing.blocks
    states = {key: (b.x + b.texts()[0].x, b.y + b.texts()[0].y) for key, b in blocks.items()}
    assert states["n1"][0] + blocks["n1"].state_width > states["n2"][0]
    assert states["n1"][1] + 18 <= states["n2"][1]
    assert states["n2"][1] == states["n3"][1]


def on_states(painter):
    """How many points of lines lie under the state of each block, as it is told there."""
    points = np.concatenate([*painter.curves.forward, *painter.curves.gradient])
    found = {}
    for block in painter.drawing.blocks.values():
        if block.says_state:
            left, top = block.x + block.state_at[0] - 8, block.y + block.state_at[1] - 7
            low, high = (left, top), (left + block.told_width, top + 14)
            found[block.key] = ((low < points) & (points < high)).all(axis=1).sum()
    return found


def used_again():
    """A value between lines to both sides, which gets a sum of two parts."""
    x, k = mg.tensor(3.0, requires_grad=True), mg.tensor(-2.0, requires_grad=True)
    s = x * k
    t = s + x
    v = s * t - k * t
    return v, {"x": x, "k": k, "s": s, "t": t, "v": v}


def test_a_sum_without_a_place_is_told_without_its_terms():
    v, names = used_again()
    passed = record_backward(v, names=names)
    frames = passed.frames("coarse")
    figure = viz.draw(passed.graph, frame=frames[-1], room=frames.room)
    assert max(on_states(figure.painter).values()) <= 8  # of which a line has 200
    (key,) = [block.key for block in figure.painter.drawing.blocks.values() if block.brief]
    assert frames[-1]["labels"][key]["came"] == "−3 + (−4) = −7"
    assert f'-{key}-came" class="came" dx="7" data-brief="">−7<' in figure.svg()
    assert "−3 + (−4)" not in figure.svg(still=True)


def test_the_sign_of_a_state_stands_beside_a_line_and_not_on_it():
    x = mg.tensor(2.0, requires_grad=True)
    y = x**3 * mg.sin(x)
    (g,) = mg.autograd.grad(y, x, create_graph=True)
    passed = record_backward(g, names={"x": x, "g": g})
    painter = viz.draw(passed.graph, room=passed.frames("coarse").room, direction="right").painter
    points = np.concatenate([*painter.curves.forward, *painter.curves.gradient])
    for block in painter.drawing.blocks.values():
        sign = np.add(block.state_at, (block.x, block.y))
        assert not block.says_state or np.hypot(*(points - sign).T).min() > 8, block.key


def test_an_oval_alone_says_which_of_several_sums_it_is_beside_its_lines():
    c = mg.tensor(0.7, requires_grad=True)
    d = c * 2
    f = d.sin() + d.cos() + d.exp() + d * d + d**3 + 1 / d
    passed = record_backward(f, names={"c": c, "d": d, "f": f})
    painter = viz.draw(passed.graph, room=passed.frames("coarse").room, direction="right").painter
    alone = [b for b in painter.drawing.blocks.values() if b.oval and not b.boxes]
    assert {block.under for block in alone} >= {"the third sum", "the fourth sum"}
    points = np.concatenate([*painter.curves.forward, *painter.curves.gradient])
    for block in alone:
        if block.under:
            x, y, width, height = block.texts()[-1]
            low = np.array([block.x + x, block.y + y])
            over = (low < points) & (points < low + (width, height))
            assert over.all(axis=1).sum() <= 12, block.under  # of which a line has 200


CROWDED = {"third derivative": 45, "model of 003": 165}  #: a label would lose its place


@pytest.mark.parametrize("name", GRAPHS)
def test_no_state_lies_over_a_line(name):
    covered = sum(on_states(known(name, "right")).values())
    assert covered <= CROWDED.get(name, 4)  # elsewhere a corner may be touched


def test_a_number_on_a_second_line_stands_behind_its_arrow():
    """A line that ends with the arrow would have it point at nothing."""
    painter = painted(chain(30))
    wire = next(wire for wire in painter.drawing.wires if painter.labels[wire.key].lines == 2)
    painter.paint("p", {}, {wire.key: {"factor": "×0.25 → ", "sent": "0.5"}})
    told = ElementTree.fromstring(painter.label(wire, painter.labels[wire.key]))
    assert [line.text for line in told] == ["×0.25", "→ 0.5"]


def test_an_arrow_does_not_stand_in_a_line_of_its_own():
    graph = chain(30)
    painter = viz.draw(graph, room=room_of(graph, "→ ", "‖g‖ 0.354")).painter
    assert {label.lines for label in painter.labels.values()} == {1}


def test_a_chain_that_grows_downwards_is_straight():
    painter = painted(chain(30), "down")
    assert all(np.ptp(line[:, 0]) < 0.1 for line in painter.curves.forward)


def test_the_gradient_of_a_single_line_ends_in_the_tray():
    graph = chain(1)
    painter = painted(graph)
    leaf = painter.drawing.blocks["v0"]
    tip = painter.curves.gradient[0][0]
    assert leaf.tray.y + leaf.y < tip[1] < leaf.tray.y + leaf.tray.height + leaf.y
    assert abs(tip[0] - leaf.x - leaf.tray.x - leaf.tray.width) < 1
    leaf, tip = (painter := painted(graph, "down")).drawing.blocks["v0"], painter.curves.gradient
    assert leaf.tray.x + leaf.x < tip[0][0][0] < leaf.tray.x + leaf.tray.width + leaf.x
    assert abs(tip[0][0][1] - leaf.y - leaf.tray.y - leaf.tray.height) < 1


def test_a_much_used_leaf_has_three_lines_and_stubs():
    drawing = painted(used_often(40)).drawing
    stubs = [block for block in drawing.blocks.values() if block.kind == "stub"]
    home = [wire for wire in drawing.wires if wire.source == "v0"]
    assert (len(stubs), len(home)) == (37, 3)


def recurrence():
    """Three steps of a recurrence, whose weights go far past its other blocks."""
    w, u, b = (mg.tensor(number, requires_grad=True) for number in (0.5, -1.0, 0.1))
    h = mg.tensor(0.0)
    for given in (1.0, 2.0, -1.0):
        h = (w * h + u * given + b).tanh()
    return graph_of((h - 0.3) ** 2)


def test_lines_leave_a_box_in_the_order_in_which_they_part():
    painter = viz.draw(recurrence(), direction="down").painter
    assert painter.drawing.down
    leaving = {}
    for number, wire in enumerate(painter.drawing.wires):
        leaving.setdefault(wire.source, []).append(painter.curves.forward[number])
    fans = [lines for lines in leaving.values() if len(lines) > 1]
    assert [len(lines) for lines in fans] == [3, 3, 3]
    for lines in fans:
        lines.sort(key=lambda line: line[0, 0])
        below = np.arange(lines[0][0, 1], min(line[-1, 1] for line in lines))
        across = [np.interp(below, line[:, 1], line[:, 0]) for line in lines]
        assert (np.diff(across, axis=0) > 0).all()


def test_a_long_line_goes_around_the_blocks_in_its_way():
    for name in GRAPHS:
        painter = known(name, "right")
        blocks = painter.drawing.blocks
        for number, wire in enumerate(painter.drawing.wires):
            for block in blocks.values():
                if block.place not in (wire.source, wire.target):
                    x, y = painter.curves.forward[number].T
                    over = (block.x < x) & (x < block.x + block.width)
                    over &= (block.y < y) & (y < block.y + block.height)
                    assert not over.any(), (name, wire, block.place)


@pytest.mark.parametrize("name", GRAPHS)
def test_the_path_that_is_drawn_is_the_curve_that_was_measured(name):
    for line in known(name).curves.forward:
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", curve("", line, way_along(line)))]
        points = np.array(numbers).reshape(-1, 2)
        if len(points) == 2:
            points = points[[0, 0, 1, 1]]
        drawn = bezier(points, 60)
        way = way_along(line)
        fine = np.arange(0, way[-1], 0.5)
        fine = np.stack([np.interp(fine, way, line[:, k]) for k in (0, 1)], axis=-1)
        far = np.hypot(*(drawn[:, None] - fine[None]).transpose(2, 0, 1)).min(axis=1)
        assert far.max() < 2
        assert np.hypot(*(drawn[0] - line[0])) < 0.1


def far_from(painter, key, line):
    """How far a label is from a line."""
    label = painter.labels[key]
    wire = next(wire for wire in painter.drawing.wires if wire.key == key)
    half = np.array([label_size(wire, label), LINE * label.lines]) / 2
    return np.hypot(*np.maximum(np.abs(line - (label.x, label.y)) - half, 0).T).min()


def nearest(painter, key):
    """The wire to which a label would be taken to belong, of those whose gradient is drawn."""
    wires = painter.drawing.wires
    far = {
        wire.key: far_from(painter, key, line)
        for wire, line in zip(wires, painter.curves.gradient)
        if wire.asked
    }
    return min(far, key=far.get)


def second_derivative():
    """x·x·y differentiated by x: two products go to the same two values, and cross."""
    x, y = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0, requires_grad=True)
    start = mg.tensor(1.0)
    with mg.watch():
        z = x * x * y
        (grad_x,) = mg.autograd.grad(z, x, start, create_graph=True)
    passed = record_backward(grad_x, names={"x": x, "y": y, "start": start, "grad_x": grad_x})
    return passed.graph, passed.frames("coarse").room


def test_a_number_is_nearer_to_its_arrow_than_to_any_other_line():
    graph, room = second_derivative()
    painter = viz.draw(graph, room=room).painter
    assert painter.size[0] <= svg.BESIDE_FILES
    for key in painter.labels:
        assert nearest(painter, key) == key
    crowded = [key for key, label in painter.labels.items() if not label.alone]
    assert len(crowded) <= 1
    painter = painted(case_1())
    assert all(label.alone for label in painter.labels.values())
    for number, wire in enumerate(painter.drawing.wires):
        own = far_from(painter, wire.key, painter.curves.gradient[number])
        for other, line in zip(painter.drawing.wires, painter.curves.forward):
            if other is not wire:
                assert far_from(painter, wire.key, line) > own, (wire.key, other.key)


def test_a_number_without_room_below_its_arrow_stands_above():
    """Layer norm: what goes back to h passes above mu, with no room between the two."""
    h = mg.tensor([1.0, 2.0, 4.0], requires_grad=True)
    mu = h.mean()
    gamma = mg.tensor([1.0, 1.0, 2.0], requires_grad=True)
    out = (h - mu) / (((h - mu) ** 2).mean() + 1e-5).sqrt() * gamma
    loss = (out * mg.tensor([1.0, -1.0, 2.0])).sum()
    passed = record_backward(loss, names={"h": h, "mu": mu, "gamma": gamma, "loss": loss})
    painter = viz.draw(passed.graph, room=passed.frames("coarse").room).painter
    assert not painter.drawing.down
    above = []
    for number, wire in enumerate(painter.drawing.wires):
        label = painter.labels.get(wire.key)
        if label:
            lines = painter.curves.forward[number], painter.curves.gradient[number]
            forward, gradient = (np.hypot(*(line - (label.x, label.y)).T).min() for line in lines)
            if forward < gradient:
                above.append(wire)
                assert far_from(painter, wire.key, lines[0]) >= 2
    assert "v0" in {wire.source for wire in above}


def test_two_arrows_upwards_between_the_same_blocks_have_a_number_each():
    """On their outer sides: between them there is no room for numbers."""
    x = mg.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    passed = record_backward((x * x).exp(), mg.tensor([1.0, 0.1, 1.0, 0.01]), names={"x": x})
    room = passed.frames("coarse").room
    painter = viz.draw(passed.graph, room=room, direction="down").painter
    left, right = sorted(("e0", "e1"), key=lambda key: painter.labels[key].x)
    wires = [wire.key for wire in painter.drawing.wires]
    gradient, forward = painter.curves.gradient, painter.curves.forward
    for key, side in ((left, -1), (right, 1)):
        number = wires.index(key)
        assert (gradient[number][:, 0].mean() - forward[number][:, 0].mean()) * side > 10
        assert (painter.labels[key].x - gradient[number][:, 0].mean()) * side > 20
        assert nearest(painter, key) == key


@pytest.mark.parametrize("name", PLAIN)
def test_no_other_line_parts_a_label_from_its_arrow(name):
    painter = known(name)
    wires = {wire.key: number for number, wire in enumerate(painter.drawing.wires)}
    for key, label in painter.labels.items():
        if label:
            center = np.array([label.x, label.y])
            line = painter.curves.gradient[wires[key]]
            foot = line[np.hypot(*(line - center).T).argmin()]
            size = label_size(painter.drawing.wires[wires[key]], label), LINE * label.lines
            edge = np.clip(foot, center - np.array(size) / 2, center + np.array(size) / 2)
            way = foot + (edge - foot) * np.linspace(0.35, 1, 20)[:, None]
            for number, other in enumerate(painter.curves.gradient):
                if number != wires[key] and painter.drawing.wires[number].asked:
                    near = np.hypot(*(other[None] - way[:, None]).transpose(2, 0, 1))
                    assert near.min() > 0.5, (key, painter.drawing.wires[number].key)


def test_no_line_without_a_gradient_passes_between_a_label_and_its_arrow():
    x, t = (
        mg.tensor([[1.5, -0.3], [-2.2, 0.6], [-1.1, -1.4], [0.4, 0.8]]),
        mg.tensor([0.0, 1, 1, 0]),
    )
    w = mg.zeros(2, requires_grad=True)
    p = mg.sigmoid(x @ w)
    loss = -(t * mg.log(p) + (1 - t) * mg.log(1 - p)).mean()
    passed = record_backward(loss, names={"x": x, "t": t, "w": w, "p": p, "L": loss})
    room = passed.frames("coarse").room
    painter = viz.draw(passed.graph, room=room, direction="right").painter
    wires = painter.drawing.wires
    for number, wire in enumerate(wires):
        label = painter.labels.get(wire.key)
        if label:
            line = painter.curves.gradient[number]
            foot = line[np.hypot(*(line - (label.x, label.y)).T).argmin()]
            way = np.linspace(foot, (label.x, label.y), 40)[4:]
            for other, plain in zip(wires, painter.curves.forward):
                if not other.asked:
                    near = np.hypot(*(plain[None] - way[:, None]).transpose(2, 0, 1))
                    assert near.min() > 2, (wire.key, other.key)


def painter_of(player):
    return player._draw(player.frames[0], None).painter


def test_leaves_stand_closer_together_than_operations():
    names = [mg.tensor(float(n), requires_grad=True) for n in range(1, 5)]
    p, q, r, s = names
    painter = painter_of(mg.stepper((p + q) * (r + s), names=dict(zip("pqrs", names))))
    leaves = sorted(b.y for b in painter.drawing.blocks.values() if b.kind == "leaf")
    assert len(leaves) == 4
    assert np.diff(leaves).max() < 120  # by Graphviz 128
    assert [key for key, label in painter.labels.items() if label is None] == []


def linear():
    mg.manual_seed(0)
    model = mg.nn.Linear(2, 1)
    with mg.watch(model):
        loss = model(mg.ones(1, 2)).square().mean()
    return mg.stepper(loss)


def test_a_gap_gets_wider_for_a_label_that_lost_its_factor():
    w, b = (mg.tensor(float(n), requires_grad=True) for n in (3, 1))
    with mg.watch():
        guess = w * 2 + b
        loss = guess**2
    painter = painter_of(mg.stepper(loss, names={"w": w, "b": b}))
    assert all(label.factor for label in painter.labels.values())
    assert painter.size[0] <= svg.BESIDE_FILES


def test_a_gap_is_as_wide_as_the_number_on_its_arrow_needs():
    painter = painter_of(linear())
    assert [key for key, label in painter.labels.items() if label is None] == []


def test_beside_a_leaf_that_is_moved_no_other_line_is_hit():
    painter = painter_of(linear())
    blocks = painter.drawing.blocks
    for number, wire in enumerate(painter.drawing.wires):
        for place, block in blocks.items():
            if place in (wire.source, wire.target):
                continue
            x, y = painter.curves.forward[number].T
            inside = (block.x < x) & (x < block.x + block.width)
            inside &= (block.y < y) & (y < block.y + block.height)
            assert not inside.any()


def test_an_upright_picture_a_little_too_high_has_lower_gaps():
    x = mg.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    with mg.watch():
        y = x * x + 2
        z = y.view(2, 2)
    start = mg.tensor([[1.0, 0.1], [1.0, 0.01]])
    painter = painter_of(mg.stepper(z, start))
    assert painter.drawing.down
    assert 450 < painter.size[1] <= svg.UPRIGHT
