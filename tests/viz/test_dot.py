"""DOT text: the part of a picture that does not depend on the Graphviz at hand."""

import re

import minigrad as mg
from minigrad.trace import graph_of, record, record_backward
from minigrad.viz import to_dot


def product():
    x = mg.tensor(2.0, requires_grad=True)
    with record() as tape:
        a = x + 1
        b = x + 2
        y = a * b
    return graph_of(y, tape=tape)


def attributes(dot, name):
    """The attributes of a node or edge, as a dict."""
    inside = r'\[((?:"(?:\\.|[^"\\])*"|[^\]"])*)\]'
    found = re.search(rf"^\s*{re.escape(name)} {inside}$", dot, re.MULTILINE)[1]
    pairs = re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|\S+)', found)
    return {key: value.strip('"') for key, value in pairs}


def test_shapes_of_the_vocabulary():
    dot = to_dot(product(), "forward")
    leaf, result, operation = (attributes(dot, key) for key in ("v0", "v1", "n0"))
    assert (leaf["shape"], leaf["peripheries"], leaf["label"]) == ("box", "2", "x = 2")
    assert (result["shape"], result["peripheries"], result["label"]) == ("box", "1", "a = 3")
    assert operation["shape"] == "ellipse"
    assert operation["label"] == "+ 1\nAddBackward0"


def test_an_operand_that_asks_for_nothing_is_dotted_and_gray():
    w = mg.tensor(2.0, requires_grad=True)
    input = mg.ones(2, 2)
    y = input * w
    graph = graph_of(y)
    box = next(value.key for value in graph.values if value.name == "input")
    found = attributes(to_dot(graph, "forward"), box)
    assert found["style"] == "dotted"
    assert found["label"] == "input = [[1, 1], [1, 1]]\nno grad"


def test_the_backward_view_names_nodes_and_dashes_edges():
    dot = to_dot(product(), "backward")
    assert attributes(dot, "v0")["label"] == "AccumulateGrad\nx"
    assert attributes(dot, "n2")["label"] == "MulBackward0\n×"
    assert attributes(dot, "v0 -> n0")["style"] == "dashed"


def test_all_views_have_the_same_sizes():
    graph = product()
    sizes = []
    for view in ("forward", "backward", "both"):
        dot = to_dot(graph, view)
        size = {}
        for key in ("v0", "v1", "v2", "v3", "n0", "n1", "n2"):
            found = attributes(dot, key)
            size[key] = found["width"], found["height"]
        sizes.append(size)
    assert sizes[0] == sizes[1] == sizes[2]


def test_x_times_x_has_two_numbered_edges():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x
    dot = to_dot(graph_of(y))
    assert len(re.findall(r"v0 -> n0", dot)) == 2
    assert "①" in dot
    assert "②" in dot


def test_edges_keep_room_for_the_widest_gradient():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    assert 'label="×3 → 3"' in to_dot(record_backward(y).graph, "both")


def test_labels_are_escaped():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    dot = to_dot(graph_of(y, names={'a "b" \\N {c}': x, "y": y}))
    assert attributes(dot, "v0")["label"] == 'a \\"b\\" \\\\N {c} = 2'


def test_the_same_graph_gives_the_same_text():
    assert to_dot(product()) == to_dot(product())


def test_short_graphs_grow_to_the_right_and_long_ones_down():
    x = mg.tensor(2.0, requires_grad=True)
    assert "rankdir=LR" in to_dot(graph_of(x * 2))
    assert "rankdir=TB" in to_dot(graph_of(x * 2 * 2 * 2))
    assert "rankdir=TB" in to_dot(graph_of(x * 2), direction="down")
