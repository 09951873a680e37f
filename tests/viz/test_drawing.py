"""What a picture shows: blocks, lines, sizes, DOT; nothing of it depends on the engine at hand."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from minigrad import viz
from minigrad.trace.model import Saved
from minigrad.viz.blocks import TEXT, shape_text
from minigrad.viz.dot import dot_of
from minigrad.viz.drawing import compose, keeps
from minigrad.viz.layout import _run_engine, lay_out
from minigrad.viz.measure import clip, text_width
from tests.viz.graphs import (
    GRAPHS,
    Builder,
    case_1,
    mlp_loss,
    model_003,
    modules,
    room_of,
    split_in_two,
    square_and_sum,
    used_often,
)


def blocks_of(graph, **more):
    return compose(graph, **more).blocks


def said(block):
    return [" ".join(text for _, text in line) for box in block.boxes for line in box.lines]


def test_an_operation_and_what_it_made_are_one_block():
    blocks = blocks_of(case_1())
    assert list(blocks) == ["v0", "n0", "n1", "n2"]
    block = blocks["n0"]
    assert (block.sign, said(block), block.under) == ("+ 1", ["a  = 3"], "AddBackward0")
    assert block.oval.x + block.oval.rx == block.boxes[0].rect.x + 9
    assert (block.oval.rx, block.oval.ry, block.boxes[0].rect.height) == (27, 24, 40)


def test_a_leaf_has_a_tray_and_what_asks_for_nothing_says_so():
    blocks = blocks_of(model_003())
    leaf, given = blocks["v1"], blocks["v0"]
    assert (leaf.kind, leaf.grad, leaf.tray.x, leaf.tray.height) == ("leaf", "None", 5, 20)
    assert leaf.width >= 86
    assert (given.kind, given.under, given.tray) == ("unasked", "no grad", None)
    assert said(given) == ["input 2×2", "all 1"]


def test_beginners_see_values_alone():
    blocks = blocks_of(case_1(), view="forward", show="values")
    assert all(block.tray is None for block in blocks.values())
    assert all(block.under == "" for block in blocks.values())


def test_a_result_of_which_nothing_is_known_is_an_oval_alone():
    b = Builder()
    y = b.make("×", "", [b.leaf("x")], "?")
    block = blocks_of(b.done(y))["n0"]
    assert (block.boxes, block.oval.rx, block.oval.ry) == ([], 24, 20)
    b = Builder()
    y = b.make("×", "", [b.leaf("x")], "4")
    assert said(blocks_of(b.done(y))["n0"]) == ["4"]
    b = Builder()
    y = b.make("×", "y", [b.leaf("x")], "?", None)
    assert said(blocks_of(b.done(y))["n0"]) == ["y"]


def test_an_operation_with_two_results_has_two_boxes_and_one_oval():
    drawing = compose(split_in_two())
    block = drawing.blocks["n0"]
    upper, lower = (box.rect for box in block.boxes)
    assert upper.y + upper.height == lower.y
    assert block.oval.y == lower.y
    assert [wire.value for wire in drawing.wires if wire.source == "n0"] == ["v1", "v2"]


def test_a_class_wider_than_its_block_is_left_to_the_details():
    b = Builder()
    x = b.leaf("x")
    y = b.make("very_long_name_of_an_operation", "y", [x])
    block = blocks_of(b.done(y))["n0"]
    assert block.under == "" or text_width(block.under, 12) <= block.width
    assert blocks_of(b.graph, down=True)["n0"].under == "Very_long_name_of_an_operationBackward0"


def test_boxes_that_say_the_same_are_told_apart_as_sentences_do():
    b = Builder()
    x = b.leaf("x")
    twins = [b.make("×", "x·x", [x, x]), b.make("×", "x·x", [x, x])]
    graph = b.done(b.make("+", "y", twins))
    for key, place in zip(twins, ("first", "second")):
        value = graph.index.values[key]
        value.named, value.role = False, f"the {place} product"
    under = [block.under for block in blocks_of(graph, room=room_of(graph)).values()]
    assert under == ["", "the first product", "the second product", "AddBackward0"]
    assert blocks_of(graph)["n0"].under == "MulBackward0", "no sentence speaks of it"


def test_where_products_are_told_apart_each_of_them_says_what_sentences_call_it():
    b = Builder()
    x, y = b.leaf("x"), b.leaf("y")
    other = b.make("×", "x·y", [x, y])
    twins = [b.make("×", "x·x·y", [x, other]), b.make("×", "x·x·y", [x, other])]
    graph = b.done(b.make("+", "z", twins))
    roles = ["the product x·y", "the second product", "the third product"]
    for key, role in zip([other, *twins], roles):
        value = graph.index.values[key]
        value.named, value.role = False, role
    blocks = blocks_of(graph, room=room_of(graph))
    assert [blocks[key].under for key in ("n0", "n1", "n2", "n3")] == [*roles, "AddBackward0"]


def test_ordinals_stand_only_where_order_matters():
    b = Builder()
    x, w = b.leaf("x"), b.leaf("w")
    graph = b.done(b.make("+", "y", [x, b.make("−", "d", [x, w])]))
    numbers = {(wire.target, wire.ordinal) for wire in compose(graph).wires}
    assert numbers == {("n0", "①"), ("n0", "②"), ("n1", "")}


def test_ordinals_stand_beside_the_sign_of_an_oval_alone():
    b = Builder()
    x, y = b.leaf("x"), b.leaf("y")
    graph = b.done(b.make("exp", "z", [b.make("[…] =", "", [x, y], "?")]))
    svg = viz.draw(graph, room=room_of(graph)).svg()
    (sign,) = re.findall(r'class="sign mid" x="([\d.]+)"[^>]*>\[…', svg)
    ordinals = re.findall(r'class="ordinal mid" x="([\d.]+)"', svg)
    assert len(ordinals) == 2
    begins = float(sign) - text_width("[…] =", 13) / 2
    assert max(map(float, ordinals)) + text_width("①", 12) / 2 < begins


def test_x_times_x_has_two_lines():
    wires = compose(square_and_sum()).wires
    assert [(wire.source, wire.target) for wire in wires][:2] == [("v0", "n0")] * 2


def test_lines_know_what_they_will_carry_and_whether_they_will():
    graph = model_003()
    wires = {w.key: w for w in compose(graph, room=room_of(graph, "×4 → ", "12")).wires}
    assert (wires["e1"].factor, wires["e1"].sent, wires["e1"].asked) == ("×4 → ", "12", True)
    assert (wires["e0"].factor, wires["e0"].sent, wires["e0"].asked) == ("", "", False)
    forward = compose(graph, "forward", room=room_of(graph)).wires
    assert not any(wire.factor or wire.sent for wire in forward)


def test_stubs_start_with_the_fourth_use():
    assert not any(b.kind == "stub" for b in blocks_of(used_often(3)).values())
    stubs = [b for b in blocks_of(used_often(5)).values() if b.kind == "stub"]
    assert [said(stub) for stub in stubs] == [["w"], ["w"]]
    assert {stub.under for stub in stubs} == {"again"}


def test_the_backward_view_has_nodes_and_what_they_keep():
    graph = case_1()
    graph.operations[2].saved = [Saved("a", "3", 0, "self"), Saved("b", "4", 2, "other")]
    blocks = blocks_of(graph, view="backward")
    assert (blocks["n2"].sign, blocks["n2"].under) == ("MulBackward0", "keeps a, b v2")
    assert (blocks["v0"].sign, blocks["v0"].grad) == ("AccumulateGrad", "None")
    graph.operations[2].freed = True
    assert blocks_of(graph, view="backward")["n2"].under == "freed"
    assert keeps(graph.operations[0]) == ""


def test_the_backward_view_leaves_out_who_asked_for_nothing():
    drawing = compose(model_003(), "backward")
    assert "v0" not in drawing.blocks
    assert "e0" not in {wire.key for wire in drawing.wires}


def test_groups_are_boxes_and_repeats_have_cells():
    blocks = blocks_of(modules())
    assert list(blocks) == ["v2", "m0", "m1", "n4"]
    assert [name for _, name, _ in blocks["m0"].rows] == ["weight", "bias"]
    assert [(group.key, label) for group, label, _ in blocks["m1"].cells] == [
        ("m2", "0"),
        ("m3", "1"),
        ("m4", "2"),
    ]


def test_cells_have_the_numbers_of_their_modules():
    graph = modules()
    for group in graph.groups[2:]:
        group.name = f"block {int(group.key[1:]) + 5}"
    assert [label for _, label, _ in blocks_of(graph)["m1"].cells] == ["7", "8", "9"]


def test_a_row_of_a_module_has_room_for_the_widest_gradient_and_its_name():
    narrow = blocks_of(modules())["m0"].width
    widest = "≈[0.0904, 0.0904]"
    block = blocks_of(modules(), room={"v1": {"grad": widest}})["m0"]
    needed = text_width("bias", 12) + text_width(widest, 12, True)
    assert block.width >= needed + 9 + 14 + 9
    assert block.width > narrow


def test_the_inside_of_a_group_has_what_comes_from_outside():
    blocks = blocks_of(modules(), inside="m2")
    assert {block.kind for block in blocks.values()} == {"value", "operation"}
    assert said(blocks["v3"]) == ["h", "8×5"]


def test_no_text_is_wider_than_its_box():
    for name, graph in GRAPHS.items():
        for down in (False, True):
            for block in blocks_of(graph(), down=down).values():
                for box in block.boxes:
                    for line in box.lines:
                        sizes = {"nm": (14, True), "v": (14, False), "sh": (12, False)}
                        wide = sum(text_width(text, *sizes[kind]) for kind, text in line)
                        assert wide < box.rect.width, (name, line)


def test_texts_are_clipped():
    assert clip("a\nb\x00c", 10) == "a b\ufffdc"
    assert len(clip("x" * 20000, TEXT)) == TEXT
    assert shape_text((2, 3)) == "2×3"
    assert shape_text(()) == shape_text(None) == ""


def test_widths_do_not_depend_on_this_machine():
    assert text_width("W", 10) == 10
    assert text_width("語", 10) == 10
    assert text_width("e\u0301", 10) == text_width("e", 10)


# -- DOT -----------------------------------------------------------------------------------


def attributes(dot, name):
    found = re.search(rf"^\s*{re.escape(name)} \[(.*?)\]$", dot, re.M | re.S)[1]
    return dict(re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|\S+)', found))


def test_nodes_have_fixed_sizes_and_edges_no_labels():
    graph = case_1()
    dot = dot_of(compose(graph, room=room_of(graph)))
    assert "fixedsize=true" in dot
    block = compose(graph, room=room_of(graph)).blocks["n0"]
    found = attributes(dot, "n0")
    assert abs(float(found["width"]) * 72 - block.width) <= 1
    assert abs(float(found["height"]) * 72 - block.height) <= 1
    assert set(attributes(dot, "v0 -> n0")) == {"id", "weight"}
    assert "x = 2" not in dot


def test_dot_for_other_readers_has_labels_that_cannot_break_out():
    dot = viz.to_dot(case_1('a "b" \\N {c}'))
    assert r"a \"b\" \\N {c}" in attributes(dot, "v0")["label"]
    assert "rankdir=TB" in viz.to_dot(case_1(), direction="down")


def test_the_same_graph_gives_the_same_text():
    assert viz.to_dot(mlp_loss()) == viz.to_dot(mlp_loss())


def test_room_changes_sizes_only_where_it_is_needed():
    graph = model_003()
    plain, wide = (dot_of(compose(graph, room=room)) for room in ({}, room_of(graph)))
    assert attributes(plain, "n1") == attributes(wide, "n1")


drawn = pytest.mark.skipif(viz.engine() is None, reason="no Graphviz is installed")


def places(answer):
    """Where an engine put the nodes."""
    found = json.loads(answer)["objects"]
    return {node["name"]: [float(n) for n in node["pos"].split(",")] for node in found}


OTHER = Path(__file__).with_name(
    "places.json"
)  # Debian's Graphviz 2.42; record_places.py writes it


@pytest.mark.parametrize("name", GRAPHS)
@drawn
def test_engines_agree(name):
    recorded = json.loads(OTHER.read_text(encoding="utf-8"))[name]
    dot = dot_of(compose(GRAPHS[name](), down=len(name) % 2 == 0))
    assert dot == recorded["dot"], "the layout has changed: run tests/viz/record_places.py"
    for node, place in places(_run_engine(dot)).items():  # Graphviz 2 rounds to points on its way
        assert place == pytest.approx(recorded["places"][node], abs=3), node


@drawn
def test_runs_without_a_line_between_them_stand_in_the_order_in_which_they_came():
    b = Builder()
    ends = [b.make("×", name, [b.leaf(name.lower())]) for name in "PQR"]
    ends[1] = b.make("×", "QQ", [ends[1]])
    centers = lay_out(dot_of(compose(b.done(*ends)))).centers
    heights = [centers[place][1] for place in ("n0", "n1", "n2")]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3


def test_nothing_is_printed_while_laying_out(capfd):
    lay_out.cache_clear()
    for graph in (case_1(), model_003(), modules()):
        lay_out(dot_of(compose(graph)))
    assert capfd.readouterr() == ("", "")


def test_the_graph_is_not_changed_by_drawing():
    graph = modules()
    before = dataclasses.asdict(graph)
    viz.draw(graph).html()
    assert dataclasses.asdict(graph) == before
