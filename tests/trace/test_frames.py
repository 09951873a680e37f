"""Frames: what is said, marked, listed and asked at each step of small passes."""

import json

import pytest

import minigrad as mg
from minigrad.language import set_catalogue
from minigrad.trace import record_backward
from tests.trace.reading import case_1, key_of, model_003, rows, sentences


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
