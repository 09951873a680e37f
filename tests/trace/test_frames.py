"""Frames: what is said, marked, listed and asked at each step of small passes."""

import json

import pytest

import minigrad as mg
from minigrad.language import set_catalogue
from minigrad.trace import record_backward


def case_1(**options):
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return record_backward(y, **options)


def model_003():
    input = mg.ones(2, 2)
    w1, w2, w3 = (mg.tensor(number, requires_grad=True) for number in (2.0, 3.0, 4.0))
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    loss = l4.mean()
    return record_backward(loss)


def text(pieces):
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)


def rows(frame, group):
    """The rows of a group as label and text; a row without a label belongs to the one before."""
    found = []
    for label, pieces, *_ in frame["details"][group]["rows"]:
        if label or not found:
            found.append([label, text(pieces)])
        else:
            found[-1][1] += "\n" + text(pieces)
    return dict(found)


def sentences(trace, detail="coarse"):
    return [frame["sentence"] for frame in trace.frames(detail)]


def key_of(trace, name):
    return next(value.key for value in trace.graph.values if value.name == name)


def test_a_part_that_is_read_changed_and_written_back():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y[1:] *= 10  # AsStridedBackward0 keeps sizes and steps, which are no numbers
    frames = record_backward(y.sum()).frames()
    assert frames[-1]["sentence"] == "[2, 20, 20] goes into x.grad, which was None."


def test_sentences_of_case_1():
    assert sentences(case_1()) == [
        "Backward starts at y with 1: y sends 4 to a and 3 to b. a and b are ready.",
        "b sends 3 to x. x has 1 of its 2 parts, so it waits.",
        "a sends 4 to x. x has both of its parts, 3 + 4 = 7, and is ready.",
        "The sum 3 + 4 = 7 goes into x.grad, which was None.",
    ]


def test_the_step_that_the_design_draws():
    frame = model_003().frames()[4]
    assert frame["title"] == "run AddBackward0 (made l2)"
    assert frame["sentence"] == (
        "l2 sends all 2 to l1 and 8 to w2. l1 has both of its parts, 5 + 2 = 7, and is ready."
    )
    step, after, kept = frame["details"]
    assert step == {
        "title": "This step",
        "of": "AddBackward0 of l2",
        "rows": [
            ["took", [["all 2"], ", 2×2", ", from l4"]],
            ["local slopes", ["∂l2/∂l1 = 1, ∂l2/∂w2 = 1"], "rule"],
            ["sends", ["2 × 1 = ", ["all 2"], ", 2×2 → l1"]],
            ["", ["2 × 1 = 2", ", sum of 4 = ", ["8"], " → w2"]],
        ],
    }
    assert after["rows"] == [
        ["next", ["w2, then l1"]],
        ["waiting", ["none"]],
        ["l1 has", ["5 (by l3) + 2 (by l2) = ", ["7"], ", 2×2"]],
    ]
    assert kept["rows"] == [
        ["l1", ["input"]],
        ["l4, l3", ["values freed"]],
        [".grad", ["w1 ", "None", ", w2 ", "None", ", w3 ", ["10"]]],
    ]


def test_the_picture_of_that_step():
    trace = model_003()
    frame = trace.frames()[4]
    labels = {value.name: frame["labels"].get(value.key) for value in trace.graph.values}
    assert labels["w2"] == {"state": "ready", "came": "8", "grad": "None"}
    assert labels["w3"] == {"state": "done", "grad": "10"}
    nodes = {
        name: frame["labels"][op.key]
        for op in trace.graph.operations
        for name in [next(v.name for v in trace.graph.values if v.key == op.makes)]
    }
    assert nodes["l1"] == {"state": "ready", "came": "5 + 2 = 7"}
    assert nodes["l2"] == {"state": "now", "came": "all 2"}
    assert nodes["l3"] == {"state": "took", "came": "all 1.25"}  # "done 1" would be a turn
    assert nodes["loss"] == {"state": "took", "came": "1"}
    edges = {}
    for edge in trace.graph.edges:
        if edge.argument is not None:
            source = next(v.name for v in trace.graph.values if v.key == edge.source)
            slots = frame["labels"].get(edge.key, {})
            shown = slots.get("factor", "") + slots.get("sent", "")
            edges[source, edge.target] = (shown, frame["marks"].get(edge.key, []))
    by_source = {source: told for (source, _), told in edges.items() if source not in ("l1",)}
    assert by_source["w2"] == ("×1, Σ4 → 8", ["now"])
    assert by_source["w3"] == ("×2, Σ4 → 10", ["past", "left"])
    assert by_source["l4"] == ("×0.25 → all 0.25", ["past", "left"])
    assert by_source["input"] == by_source["w1"] == ("", [])
    arrived = sorted(told for (source, _), told in edges.items() if source == "l1")
    assert arrived == [("×1 → all 2", ["now"]), ("×4 → all 5", ["held", "left"])]


def test_rows_of_the_second_step():
    frame = case_1().frames()[1]
    assert rows(frame, 0) == {
        "took": "3, from y",
        "local slope": "∂b/∂x = 1",
        "sends": "3 × 1 = 3 → x",
        "sends nothing": "to 2: no gradient goes there",
    }
    assert rows(frame, 1) == {"next": "a, ready with 4", "waiting": "x: 3 + ?, 1 of 2 parts"}
    assert rows(frame, 2) == {"y": "values freed", ".grad": "x None"}


def test_rules_in_three_spellings():
    rules = case_1().frames()[0]["rules"]
    assert rules["symbols"] == "∂y/∂a = b = 4, ∂y/∂b = a = 3"
    assert rules["code"] == "grad_a = grad_y * b\ngrad_b = grad_y * a"
    assert rules["words"] == "times b, the other factor\ntimes a, the other factor"


def test_a_rule_of_all_operands_is_said_once_in_words():
    """Twice it would not be seen whole: the section is as low as the card needs it."""
    x = mg.tensor(2.0, requires_grad=True)
    y = mg.tensor(3.0, requires_grad=True)
    rules = record_backward(x + y).frames()[0]["rules"]
    assert rules["words"] == "each operand: passed on unchanged"
    assert rules["code"].count("\n") == 1
    rules = record_backward(x * y + x * y).frames()[0]["rules"]
    assert rules["words"] == "each operand: passed on unchanged"
    assert record_backward(x + 1).frames()[0]["rules"]["words"] == "passed on unchanged"


def test_formulas_are_written_with_names_not_with_roles():
    y = mg.tensor(2.0, requires_grad=True)
    for _ in range(5):
        y = (y * 1.5).sin()
    frames = record_backward(y * 1, names={}).frames()
    assert frames[1]["rules"]["symbols"].startswith("∂result/∂operand = cos(operand) = ")
    assert frames[2]["rules"]["symbols"] == "∂result/∂operand = 1.5"
    assert frames[1]["rules"]["code"] == "grad_operand = grad_result * operand.cos()"
    assert "the" not in frames[2]["rules"]["symbols"]


def test_marks_follow_the_pass():
    trace = case_1()
    y, x = "n2", key_of(trace, "x")
    assert [frame["marks"][y] for frame in trace.frames()] == [["now"], *[["done"]] * 3]
    assert [frame["marks"].get(x) for frame in trace.frames()] == [
        None,
        ["waiting"],
        ["ready"],
        ["now"],
    ]
    assert all(f["marks"].get("v0") == f["marks"].get("n3") for f in trace.frames())
    edge = [frame["marks"].get("e4") for frame in trace.frames()]
    assert edge == [["now"], ["held", "left"], ["past", "left"], ["past", "left"]]


def test_labels_follow_the_pass():
    assert [frame["labels"]["v0"] for frame in case_1().frames()] == [
        {"grad": "None"},
        {"state": "1 of 2 parts", "came": "3 + ?", "grad": "None"},
        {"state": "ready", "came": "3 + 4 = 7", "grad": "None"},
        {"state": "now", "came": "3 + 4 = 7", "grad": "7"},
    ]


def test_an_operand_that_asks_for_nothing_is_skipped_and_left():
    a, w = mg.tensor(3.0), mg.tensor(2.0, requires_grad=True)
    y = a * w
    z = y * 1
    trace = record_backward(z)
    edge = next(e.key for e in trace.graph.edges if e.source == key_of(trace, "a"))
    marks = [frame["marks"].get(edge) for frame in trace.frames()]
    assert marks == [None, ["skipped"], ["skipped", "left"]]
    assert rows(trace.frames()[1], 0)["sends nothing"] == "to a: it asks for no gradient"


def test_kept_or_freed():
    assert rows(case_1().frames()[0], 2)["y"] == "values freed"
    for option in ("retain_graph", "create_graph"):
        assert rows(case_1(**{option: True}).frames()[-1], 2)["y"] == "a, b"


def test_fine_steps_take_multiply_send_add():
    frames = case_1().frames("fine")
    assert [frame["sentence"] for frame in frames if frame["coarse"] == 1] == [
        "b takes 3.",
        "When x moves a little, b moves just as far.",
        "What came in, times the slope: 3 × 1 = 3.",
        "b sends 3 to x. x has 1 of its 2 parts, so it waits.",
    ]


def test_tags_say_where_to_jump():
    tags = [frame["tags"] for frame in case_1().frames()]
    assert tags == [["send"], ["send", "skip"], ["send", "skip"], ["leaf", "end"]]


def test_detail_is_one_of_two_words():
    with pytest.raises(ValueError, match="'coarse' or 'fine', not 'all'"):
        case_1().frames("all")


def test_frames_are_a_sequence():
    frames = case_1().frames()
    assert len(frames) == 4
    assert frames[-1] == frames[3]
    assert frames[2:] == [frames[2], frames[3]]
    assert frames[1]["step"] == 1  # back again after the end
    with pytest.raises(IndexError):
        frames[4]


def test_frames_are_json():
    frames = list(case_1().frames("fine"))
    assert json.loads(json.dumps(frames)) == frames


# -- numbers and sums -----------------------------------------------------------------------


def test_a_sum_of_long_lists_is_left_to_the_rows():
    """Above a block it would be wider than half a page, and with it the picture."""
    told = {(1.0, 2.0): "[1, 2] + [1, 2] = [2, 4]", (1 / 3, 0.28): "≈[0.667, 0.56]"}
    for numbers, came in told.items():
        x = mg.tensor(numbers, requires_grad=True)
        last = record_backward((x * x).sum()).frames()[-1]
        assert last["labels"]["v0"]["came"] == came


def test_a_sum_that_does_not_add_up_as_printed_is_not_written_as_equal():
    x = mg.tensor(1.0, requires_grad=True)
    a = x / 3
    b = x / 3
    y = a + b
    frames = record_backward(y).frames()
    assert frames[2]["sentence"].endswith("0.333 + 0.333 ≈ 0.667, and is ready.")
    assert rows(frames[2], 1)["x has"] == "0.333333 (by b) + 0.333333 (by a) ≈ 0.666667"


def test_a_hook_stands_beside_the_true_sum():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    x.register_hook(lambda gradient: gradient * 2)
    last = record_backward(y).frames()[-1]
    assert last["sentence"] == (
        "A hook on x turned 7 into 14. 14 goes into x.grad, which was None."
    )
    told = rows(last, 0)
    assert told["took"] == "3 (by b) + 4 (by a) = 7"
    assert told["hook"] == "turned 7 into 14"
    assert told["adds"] == "14 into x.grad"
    assert last["labels"]["v0"]["came"] == "3 + 4 = 7; hook: 14"
    assert last["question"]["reply"] == "The parts add up: 3 + 4 = 7. A hook turned 7 into 14."


def test_what_was_in_grad_is_added_to():
    x = mg.tensor(2.0, requires_grad=True)
    x.grad = mg.tensor(10.0)
    y = x * 3
    frames = record_backward(y).frames()
    assert frames[-1]["sentence"] == "3 is added into x.grad: 10 + 3 = 13."
    assert rows(frames[-1], 0)["adds"] == "10 + 3 = 13 in x.grad"
    assert [frame["labels"]["v0"]["grad"] for frame in frames] == ["10", "13"]


def test_a_hook_on_grad_itself_is_told_apart():
    x = mg.tensor(2.0, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, "grad", None))
    y = x * 3
    last = record_backward(y).frames()[-1]
    assert last["sentence"] == ("3 goes into x.grad, which was None. A hook then emptied x.grad.")
    assert last["labels"]["v0"]["grad"] == "None"
    assert rows(last, 2)[".grad"] == "x None"


def test_many_parts_are_counted_not_listed():
    x = mg.tensor(2.0, requires_grad=True)
    y = mg.stack([x * number for number in range(41)]).sum()
    frames = record_backward(y).frames()
    assert frames[-2]["sentence"].endswith("x has all 41 parts, together 820, and is ready.")
    assert frames[-1]["sentence"] == ("The sum of 41 parts, 820, goes into x.grad, which was None.")
    assert frames[-2]["labels"]["v0"]["came"] == "41 parts, 820"
    assert frames[-3]["labels"]["v0"]["state"] == "40 of 41 parts"
    assert frames[-3]["labels"]["v0"]["came"] == "820 + …"
    assert rows(frames[-1], 0)["took"] == "all 41 parts; together 820"
    assert all(len(frame["sentence"]) < 200 for frame in frames)


def test_broadcasting_is_told():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    m = mg.ones(3, 2)
    y = m * x
    z = y.sum()
    trace = record_backward(z)
    frame = trace.frames()[1]
    assert rows(frame, 0)["sends"] == "1 × 1 = 1, sums of 3 = all 3, 2 entries → x"
    edge = next(e.key for e in trace.graph.edges if e.source == key_of(trace, "x"))
    assert frame["labels"][edge] == {"factor": "×1, Σ3 → ", "sent": "all 3"}


def test_a_factor_that_was_not_used_is_not_shown():
    x = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    w = mg.tensor([[5.0, 6.0], [7.0, 8.0]])
    y = (x @ w).sum()
    trace = record_backward(y)
    edge = next(e.key for e in trace.graph.edges if e.source == key_of(trace, "x"))
    assert trace.frames()[1]["labels"][edge]["factor"] == "→ "
    assert rows(trace.frames()[1], 0)["sends"] == (
        "[[1, 1], [1, 1]] · [[5, 6], [7, 8]]ᵀ = [[11, 15], [11, 15]] → x"
    )


def test_large_arrays_are_told_by_shape_range_and_norm():
    x = mg.arange(20.0).requires_grad_()
    y = x * x
    z = y.sum()
    trace = record_backward(z)
    frame = trace.frames()[1]
    assert frame["sentence"].startswith("y sends 20 numbers to x twice.")
    assert rows(frame, 0)["took"] == "all 1, 20 entries, from z"
    assert rows(frame, 0)["sends"].split("\n")[0] == "20 entries, 0 … 19 → x"
    assert frame["labels"]["v0"]["came"] == "‖g‖ 99.4"
    assert rows(frame, 1)["x has"] == "both parts; together 20 entries, 0 … 38"


def test_numbers_have_no_noise():
    x = mg.tensor(0.1, requires_grad=True)
    y = x * 3
    trace = record_backward(y, mg.tensor(0.1))
    assert trace.frames()[0]["row"][2:] == [
        "[0.1]",
        "0.3 → AccumulateGrad(x); (no gradient asked)",
    ]


def test_nothing_that_came_in():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    a, _b = x.unbind()
    y = a * 2
    frames = record_backward(y).frames()
    assert frames[0]["sentence"].endswith("a is ready.")
    assert rows(frames[1], 0)["took"] == "2, from y"


def test_no_operand_wants_a_gradient():
    class Source(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x, flag):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None, None

    x = mg.tensor(2.0, requires_grad=True)
    y = Source.apply(x, 3)
    frames = record_backward(y).frames()
    assert frames[0]["sentence"] == "Backward starts at y with 1: y sends nothing to x. x is ready."
    assert frames[-1]["sentence"] == "Nothing came in for x, so x.grad stays as it is."
    assert rows(frames[0], 0)["sends"] == "None → x, counts as zero"


# -- errors, names, questions ---------------------------------------------------------------


def test_an_error_is_the_last_step():
    x = mg.tensor(2.0, requires_grad=True)
    e = x.exp()
    y = e * x
    with mg.no_grad():
        e.mul_(2)
    trace = record_backward(y)
    (frame,) = trace.frames()
    assert "modified by an inplace operation" in trace.error
    assert frame["sentence"].startswith("Backward starts at y with 1. y stops: ")
    assert "at version 0" in frame["sentence"]
    assert "at version 1" in frame["sentence"]
    assert "MulBackward0" not in frame["sentence"]
    assert "error" in frame["tags"]
    assert frame["marks"]["n1"] == ["error"]
    assert frame["labels"]["n1"]["state"] == "stopped"
    assert rows(frame, 0)["error"] == trace.error
    if trace.turns[-1].stop.value is not None:
        assert frame["marks"][key_of(trace, "e")] == ["changed"]
        edge = next(k.key for k in trace.graph.edges if k.source == key_of(trace, "e"))
        assert frame["marks"][edge] == ["error"]
    assert x.grad is None


def test_what_has_no_name_is_called_by_its_role():
    trace = case_1()
    for value in trace.graph.values:
        if value.name in "ab":
            value.named, value.role = False, f"the sum {value.name}"
        if value.name == "y":
            value.named, value.role, value.name = False, "the product", "a·b"
    told = sentences(trace)
    assert told[0].startswith(
        "Backward starts at the product with 1: "
        "the product sends 4 to the sum a and 3 to the sum b."
    )
    assert told[1].startswith("The sum b sends 3 to x.")


def test_no_sentence_names_a_class():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    parts = x.unbind()
    y = (parts[0] * parts[1]).exp()
    for detail in ("coarse", "fine"):
        for told in sentences(record_backward(y), detail):
            assert "Backward0" not in told, told


def test_words_are_looked_up_when_they_are_said():
    trace = case_1()
    assert trace.frames()[1]["sentence"].startswith("b sends")
    before = set_catalogue({"{made} sends {gifts}.": "{made} schickt {gifts}."})
    try:
        assert case_1().frames()[1]["sentence"].startswith("b schickt 3 to x.")
    finally:
        set_catalogue(before)


def test_names_with_braces_are_names():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    frames = record_backward(y, names={"{x}": x, "{y.__class__}": y}).frames()
    assert frames[0]["sentence"] == (
        "Backward starts at {y.__class__} with 1: {y.__class__} sends 3 to {x}. {x} is ready."
    )
    assert frames[1]["sentence"] == "3 goes into {x}.grad, which was None."


def test_questions_are_answered_by_the_frame_they_precede():
    questions = [frame["question"] for frame in case_1().frames()]
    assert questions[0] is None
    assert questions[1]["options"][questions[1]["answer"]] == "AddBackward0 of b"
    assert questions[1]["reasons"] == ["a is ready, but it was made earlier.", ""]
    assert questions[2]["text"] == "What number does a send to x?"
    assert questions[2]["answer"] == 4.0
    assert questions[3] == {
        "kind": "number",
        "text": "What will x.grad be?",
        "answer": 7.0,
        "reply": "The parts add up: 3 + 4 = 7.",
        "mistakes": [
            [3.0, "3 is one part; all 2 parts are added up."],
            [4.0, "4 is one part; all 2 parts are added up."],
        ],
    }


def test_a_question_whether_something_is_ready():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    z = y.exp()
    s = z.sum()
    t = s * s
    question = record_backward(t).frames()[3]["question"]
    assert question["text"] == "After the next step, is x ready?"
    assert question["options"][question["answer"]] == "yes"
    assert question["reply"] == "x then has 2 of its 2 parts."
    assert [bool(reason) for reason in question["reasons"]] == [False, True]


# -- notes ----------------------------------------------------------------------------------

UNKNOWN = (
    "Numbers that nobody kept read ?. To see them, run the lines above inside `with mg.watch():`."
)


def test_a_number_that_nobody_kept_is_noted_once():
    def trace():
        x = mg.tensor(2.0, requires_grad=True)
        return record_backward((x + 1) + 2)

    assert trace().notes == [UNKNOWN]
    with mg.watch():
        watched = trace()
    assert watched.notes == []
    assert model_003().notes == []


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
