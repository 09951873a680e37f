"""How long a sentence, a row and all frames may be, and what is left out where room is short."""

import json

import pytest

import minigrad as mg
from minigrad.trace import record_backward
from tests.trace.reading import rows, sentences

# -- length --------------------------------------------------------------------------------


class Layer(mg.nn.Module):
    def __init__(self):
        super().__init__()
        self.projection_of_all = mg.nn.Linear(4, 4)
        self.projection_of_some = mg.nn.Linear(4, 4)

    def forward(self, x):
        return x + self.projection_of_some(self.projection_of_all(x)).relu()


def deep_model():
    model = mg.nn.Sequential(*(Layer() for _ in range(4)), mg.nn.Linear(4, 2))
    with mg.watch(encoder_of_the_network=model):
        loss = (model(mg.randn(5, 4)) ** 2).mean()
    return record_backward(loss, names={})


def test_no_sentence_is_longer_than_two_lines():
    for detail in ("coarse", "fine"):
        told = sentences(deep_model(), detail)
        assert max(map(len, told)) <= 180


def test_a_long_line_that_changed_a_value_is_cut():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x + 1
    z = y * y
    y[0] = 7.0 + 1000.0 + 10000.0 + 100000.0 + 1000000.0 + 10000000.0 + 100000000.0 + 1000000.0
    told = sentences(record_backward(z, mg.ones(2)))[-1]
    assert "What changed it: " in told
    assert told.endswith("….")
    assert len(told) < 240


def test_long_paths_lose_their_middle_and_stay_apart():
    x, y = (mg.tensor(2.0, requires_grad=True) for _ in range(2))
    long = "a_model.with_many.layers.{}.that_go.deep_inside.weight"
    names = {long.format(0): x, long.format(1): y}
    told = sentences(record_backward(x * y, names=names))
    assert told[0] == (
        "Backward starts at the product with 1: the product sends 2 to "
        "a_model…layers.0.that_go.deep_inside.weight and 2 to "
        "a_model…layers.1.that_go.deep_inside.weight. Both are ready."
    )


def test_a_sum_that_has_no_room_is_left_out_but_not_that_it_is_complete():
    x = mg.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    part, name = x * mg.tensor([1111.0, 2222.0, 3333.0, 4444.0]), "a_name_with_many_parts"
    told = sentences(record_backward(part + x.exp(), mg.ones(4), names={name: x}))[2]
    assert told.endswith(f" to {name}. {name} has both of its parts and is ready.")


@pytest.mark.parametrize(
    ("last", "sent"), [("", "≈[0.333, 0.667, 1]"), ("_of_many_numbered_operands", "3 numbers")]
)
def test_all_targets_are_told_to_be_ready_where_their_names_have_no_room(last, sent):
    """Arrays are told by their size before that is left out: the details write them anyway."""
    leaves = [mg.ones(3, requires_grad=True) for _ in range(3)]
    names = dict(zip(("the_first_operand", "the_second_operand", "the_third" + last), leaves))
    result = mg.addcmul(*leaves) * mg.tensor([1 / 3, 2 / 3, 1.0])
    told = sentences(record_backward(result.sum(), names=names))[2]
    assert told.endswith(f" {sent} to the_third{last}. All are ready.")


def test_kept_has_at_most_three_rows_and_that_of_grad():
    trace = deep_model()
    for frame in trace.frames():
        labels = [label for label, *_ in frame["details"][2]["rows"]]
        assert len(labels) <= 4
        assert labels[-1] == ".grad"
    kept = rows(trace.frames()[2], 2)
    others = next(label for label in kept if label.endswith(" nodes"))
    saving = [op.key for op in trace.graph.operations if op.saved]
    ran = [turn.node for turn in trace.turns[:3]]
    assert int(others.split()[0]) == len(set(saving) - set(ran))
    assert kept[others] == "keep their values"


def test_this_steps_node_is_told_as_freed_in_a_long_graph():
    y = mg.tensor(1.0, requires_grad=True)
    for _ in range(20):
        y = y * 1.5
    frames = record_backward(y, names={}).frames()
    assert rows(frames[8], 2) == {
        "11 nodes": "keep their values",
        "the 12th product": "values freed",
        ".grad": "leaf₁ None",
    }


def test_what_a_node_keeps_of_its_own_is_called_its_result():
    p = mg.tensor(0.5, requires_grad=True).sigmoid()
    trace = record_backward(p * 3, names={"p": p})
    assert rows(trace.frames()[0], 2)["p"] == "its result"


def test_a_gradient_that_is_repeated_says_so():
    x = mg.tensor([[1.0, 2.0], [3.0, 5.0]] * 3, requires_grad=True)
    y = (x.mean(0) * mg.tensor([1.0, 6.0])).sum()
    (sends,) = [rows(f, 0)["sends"] for f in record_backward(y).frames() if "Mean" in f["title"]]
    assert sends == "[1, 6] × 0.166667 = [0.166667, 1], repeated to 6×2 → x"


def test_a_write_into_a_part_shows_no_number_that_nobody_can_know():
    with mg.watch():
        a = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        b = a * 2
        b[0].mul_(10)
        y = b.sum()
    trace = record_backward(y)
    assert trace.notes == []
    (writes,) = [f for f in trace.frames() if "CopySlices" in f["title"]]
    assert "sends nothing" not in rows(writes, 0)
    assert [o.constants for o in trace.graph.operations if o.node == "CopySlices"] == [{}]


def test_equal_entries_are_said_as_the_picture_writes_them():
    x = mg.tensor([3.0, 4.0], requires_grad=True)
    told = sentences(record_backward((x * 2).sum(), names={"x": x}))
    assert told[1].startswith("The product sends all 2 to x.")
    assert told[2] == "A gradient of all 2 goes into x.grad, which was None."
    x.grad = mg.ones(2)
    told = sentences(record_backward((x * 2).sum(), names={"x": x}))
    assert told[2] == "A gradient of all 2 is added into x.grad: 1 + 2 = 3."


def test_a_number_that_is_not_the_value_says_so_in_picture_and_sentence():
    x = mg.tensor([3.0, 4.0], requires_grad=True)
    s = x / 3
    y = s.sum() * 1000.0
    frames = record_backward(y).frames()
    assert frames[2]["sentence"] == "s sends all ≈333 to x. x is ready."
    edges = [slots["sent"] for slots in frames[-1]["labels"].values() if "sent" in slots]
    assert edges == ["1000", "all 1000", "all 333"]
    assert frames[-1]["sentence"] == "A gradient of all ≈333 goes into x.grad, which was None."
    graph = record_backward(y).graph
    assert [value.text for value in graph.values] == ["[3, 4]", "≈[1, 1.33]", "?", "≈2333"]


def test_numbers_that_are_the_value_are_not_marked():
    x = mg.tensor(0.1, requires_grad=True)
    y = x * 0.3
    (first, _) = record_backward(y).frames()
    assert first["sentence"] == "Backward starts at y with 1: y sends 0.3 to x. x is ready."
    assert [value.text for value in record_backward(y).graph.values] == ["0.1", "0.03"]


# -- cost -----------------------------------------------------------------------------------


def test_a_large_tensor_is_not_printed_entry_by_entry():
    x = mg.ones(300, 300).requires_grad_()
    y = (x * mg.arange(300.0)).tanh().sum()
    trace = record_backward(y)
    for detail in ("coarse", "fine"):
        assert len(json.dumps(trace.frames(detail).changes())) < 50_000


def test_changes_of_a_long_chain_stay_small():
    def size(length):
        y = mg.tensor(1.0, requires_grad=True)
        for _ in range(length):
            y = y * 1.5
        changes = record_backward(y, names={}).frames().changes()
        assert len(changes) == length + 1
        return sum(len(json.dumps(change)) for change in changes[30:]) / len(changes[30:])

    assert size(600) < 1.2 * size(200)


def test_many_leaves_in_one_step():
    y = mg.stack([mg.tensor(float(i), requires_grad=True) for i in range(300)]).sum()
    changes = record_backward(y, names={}).frames().changes()
    steps = [len(json.dumps(change)) for change in changes]
    assert max(steps[3:]) < 4000  # before, 300 gradients travel and arrive
    for change in changes:
        assert all(len(group["rows"]) < 20 for group in change["details"])


def test_of_many_leaves_the_filled_ones_are_shown():
    leaves = [mg.tensor(float(i), requires_grad=True) for i in range(30)]
    y = mg.stack(leaves).sum()
    frames = record_backward(y, names={f"w{i}": leaf for i, leaf in enumerate(leaves)}).frames()
    assert (
        rows(frames[3], 2)[".grad"].startswith("w1 1, w0 1, w2 None")
        or rows(frames[3], 2)[".grad"].count(" 1") == 2
    )
    last = rows(frames[-1], 2)[".grad"]
    assert last.endswith(", and 22 more filled")
    assert "None" not in last
