"""Frames: what is said, marked, listed and asked at each step; and laws that all passes obey."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.trace import record_backward


def case_1(**options):
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return record_backward(y, **options)


def panel(frame):
    return dict(frame["panel"])


def test_sentences_of_case_1():
    assert [frame["sentence"] for frame in case_1().frames()] == [
        "Backward starts at y with 1. y sends 4 to a and 3 to b. a and b are ready.",
        "b sends 3 to x. x has one of its two parts, so it waits.",
        "a sends 4 to x. x has both of its parts, so it is ready.",
        "x has both of its parts: 3 (by b) + 4 (by a) = 7. It goes into x.grad, which was None.",
    ]


def test_panel_of_the_second_step():
    frame = case_1().frames()[1]
    assert frame["title"] == "run AddBackward0 (made b)"
    assert frame["panel"] == [
        ["NOW", "AddBackward0 → b"],
        ["CAME IN", "3 (from y)"],
        ["RULE", "∂b/∂x = 1"],
        ["SEND", "3 × 1 = 3 → x"],
        ["NOT SENT", "the second operand asks for no gradient"],
        ["x HAS", "3 so far, 1 of 2 in: waits"],
    ]


def test_table_of_the_first_step():
    assert case_1().frames()[0]["table"] == [
        ["READY", "b, a (newest first)"],
        ["WAITING", "x: 0 of 2 in"],
        ["KEPT", "y: a = 3, b = 4 → freed"],
        [".grad", "x: None"],
    ]


def test_rules_in_three_spellings():
    rules = case_1().frames()[0]["rules"]
    assert rules["symbols"] == "∂y/∂a = b = 4\n∂y/∂b = a = 3"
    assert rules["code"] == "grad_a = grad_y * (b)\ngrad_b = grad_y * (a)"
    assert rules["words"].startswith("to a: ")


def test_marks_follow_the_pass():
    frames = case_1().frames()
    assert [frame["marks"]["n2"] for frame in frames] == [
        ["now", "freed"],
        ["done", "freed"],
        ["done", "freed"],
        ["done", "freed"],
    ]
    assert [frame["marks"]["v0"] for frame in frames] == [
        ["waiting"],
        ["waiting"],
        ["ready"],
        ["now"],
    ]
    assert all(frame["marks"]["v0"] == frame["marks"]["n3"] for frame in frames)


def test_labels_follow_the_pass():
    frames = case_1().frames()
    assert [frame["labels"]["v0"] for frame in frames] == [
        {"status": "0 of 2 in", "grad": ".grad None"},
        {"status": "1 of 2 in", "grad": ".grad None"},
        {"status": "ready", "grad": ".grad None"},
        {"status": "▶ now", "grad": ".grad 7"},
    ]
    assert frames[0]["labels"]["e4"] == {"gradient": "×4 → 4"}
    assert "e0" not in frames[1]["labels"]
    assert frames[2]["labels"]["e0"] == {"gradient": "×1 → 4"}


def test_kept_or_freed():
    freed = case_1().frames()[0]
    assert panel(freed)["FREED"] == "a, b"
    for option in ("retain_graph", "create_graph"):
        kept = case_1(**{option: True}).frames()[0]
        assert panel(kept)["STAYS KEPT"] == "a, b"
        assert kept["marks"]["n2"] == ["now", "kept"]
        assert kept["labels"]["n2"]["saved"] == "keeps a = 3, b = 4"


def test_saved_values_are_told_as_kept_until_their_node_has_run():
    x = mg.tensor(2.0, requires_grad=True)
    t = x * x
    z = t * 3
    frames = record_backward(z).frames()
    assert frames[0]["marks"]["n0"] == ["ready", "kept"]
    assert frames[1]["marks"]["n0"] == ["now", "freed"]


def test_fine_steps_take_multiply_send_add():
    frames = case_1().frames("fine")
    second = [frame["sentence"] for frame in frames if frame["coarse"] == 1]
    assert second == [
        "3 has come in for b. Now AddBackward0 runs.",
        "b changes as fast as x.",
        "For x: 3 × 1 = 3.",
        "b sends 3 to x. x has one of its two parts, so it waits.",
    ]


def test_fine_and_coarse_end_alike():
    trace = case_1()
    coarse, fine = trace.frames(), trace.frames("fine")
    for frame in coarse:
        last = [other for other in fine if other["coarse"] == frame["step"]][-1]
        for part in ("labels", "table", "row"):
            assert last[part] == frame[part]


def test_tags_say_where_to_jump():
    tags = [frame["tags"] for frame in case_1().frames()]
    assert tags == [["send"], ["send", "skip"], ["send", "skip"], ["leaf", "end"]]


def test_questions_are_answered_by_the_frame_they_precede():
    questions = [frame["question"] for frame in case_1().frames()]
    assert questions[0] is None
    assert questions[1]["options"][questions[1]["answer"]] == "AddBackward0 → b"
    assert questions[2]["text"] == "What number does a send to x?"
    assert questions[2]["answer"] == 4.0
    assert questions[3] == {
        "kind": "number",
        "text": "What will x.grad be?",
        "answer": 7.0,
        "reply": "3 (by b) + 4 (by a) = 7.",
    }


def test_a_question_whether_something_is_ready():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    z = y.exp()
    s = z.sum()
    t = s * s
    question = record_backward(t).frames()[3]["question"]
    assert question["text"] == "After this step, is x ready?"
    assert question["options"][question["answer"]] == "yes"
    assert question["reply"] == "x has 2 of 2 parts."


def test_broadcasting_is_told():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    m = mg.ones(3, 2)
    y = m * x
    z = y.sum()
    sent = panel(record_backward(z).frames()[1])["SEND"]
    assert sent == "1 × 1 = 1 in each element, summed over axis 0 to fit shape [2]: [3, 3] → x"


def test_large_arrays_are_told_by_shape_range_and_one_element():
    x = mg.arange(20.0).requires_grad_()
    y = x * x
    z = y.sum()
    trace = record_backward(z)
    frame = trace.frames()[1]
    assert panel(frame)["CAME IN"] == "shape [20], all 1 (from z)"
    assert panel(frame)["SEND"].split("\n")[0] == (
        "what came in × the rule, element by element = shape [20], 0 … 19 → x; "
        "element [0]: 1 × 0 = 0"
    )
    followed = trace.frames(follow=(7,))[1]
    assert "element [7]: 1 × 7 = 7" in panel(followed)["SEND"]
    beyond = trace.frames(follow=(99,))[1]
    assert "element [0]" in panel(beyond)["SEND"]


def test_a_rule_is_never_told_with_a_product_that_was_not_sent():
    a = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    b = mg.tensor([[5.0, 6.0], [7.0, 8.0]])
    y = (a @ b).sum()
    sent = panel(record_backward(y).frames()[1])["SEND"]
    assert sent == "[[11, 15], [11, 15]] → a"


def test_an_error_is_the_last_step():
    x = mg.tensor(2.0, requires_grad=True)
    e = x.exp()
    y = e * x
    with mg.no_grad():
        e.mul_(2)
    trace = record_backward(y)
    (frame,) = trace.frames()
    assert "modified by an inplace operation" in trace.error
    assert frame["sentence"].endswith(
        "MulBackward0 stops: a value it kept at version 0 was changed in place since "
        "and is now at version 1."
    )
    assert "error" in frame["tags"]
    assert frame["marks"]["n1"][0] == "error"
    assert frame["labels"]["n1"] == {"status": "✗ stopped", "saved": "keeps x = 2, e"}
    assert x.grad is None


def test_more_than_500_frames_offer_a_range():
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(600):
        y = y + 1
    trace = record_backward(y)
    first = trace.frames()
    assert len(first) == 500
    assert first[-1]["panel"][-1] == ["MORE", "steps 1 to 500 of 601; frames(start=500) goes on"]
    rest = trace.frames(start=500)
    assert [frame["step"] for frame in rest] == list(range(500, 601))
    assert "MORE" not in panel(rest[-1])


def test_frames_are_json():
    frames = case_1().frames("fine")
    assert json.loads(json.dumps(frames)) == frames


def test_room_is_enough_for_every_frame():
    trace = case_1()
    for frame in [*trace.frames(), *trace.frames("fine")]:
        for key, slots in frame["labels"].items():
            for slot, text in slots.items():
                assert len(text) <= len(trace.graph.room[key][slot]), (key, slot, text)


def test_numbers_have_no_noise():
    x = mg.tensor(0.1, requires_grad=True)
    y = x * 3
    trace = record_backward(y, mg.tensor(0.1))
    assert trace.frames()[0]["row"][2:] == [
        "[0.1]",
        "0.3 → AccumulateGrad(x); (no grad needed)",
    ]


UNARY = ("sin", "exp", "neg")
BINARY = ("add", "mul", "sub")


@st.composite
def passes(draw):
    """A root and its leaves: a random graph of at most thirteen operations."""
    leaves = draw(st.integers(1, 3))
    tensors = [mg.tensor(0.5 + 0.25 * i, requires_grad=draw(st.booleans())) for i in range(leaves)]
    tensors[0].requires_grad_()
    for _ in range(draw(st.integers(1, 12))):
        one = tensors[draw(st.integers(0, len(tensors) - 1))]
        other = tensors[draw(st.integers(0, len(tensors) - 1))]
        name = draw(st.sampled_from(UNARY + BINARY))
        operands = (one, other) if name in BINARY else (one,)
        tensors.append(getattr(mg, name)(*operands))
    root = tensors[-1] * tensors[0]
    return root, tensors[:leaves]


@settings(max_examples=25)
@given(passes())
def test_what_is_sent_into_a_leaf_is_what_is_added(drawn):
    root, leaves = drawn
    trace = record_backward(root, names={})
    edges = {edge.key: edge for edge in trace.graph.edges}
    for event in trace.events:
        if event["kind"] == "accumulate":
            sent = [
                other["grad"]
                for other in trace.events
                if other["kind"] == "send" and edges[other["edge"]].source == event["leaf"]
            ]
            np.testing.assert_allclose(np.sum(sent, axis=0), event["added"], rtol=1e-5)
    root.backward()
    told = [event["after"] for event in trace.events if event["kind"] == "accumulate"]
    real = [leaf.grad.numpy() for leaf in leaves if leaf.grad is not None]
    np.testing.assert_allclose(sorted(map(float, told)), sorted(map(float, real)), rtol=1e-6)


@settings(max_examples=25)
@given(passes())
def test_every_node_runs_once_when_all_its_parts_have_come(drawn):
    trace = record_backward(drawn[0], names={})
    parts = {e["node"]: e["n"] for e in trace.events if e["kind"] == "deps"}
    ran = [e["node"] for e in trace.events if e["kind"] == "run"]
    assert sorted(ran) == sorted(parts)
    arrived = dict.fromkeys(parts, 0)
    maker = {v: op.key for op in trace.graph.operations for v in (op.outputs or (op.makes,))}
    edges = {edge.key: edge for edge in trace.graph.edges}
    for event in trace.events:
        if event["kind"] == "send":
            node = maker[edges[event["edge"]].source]
            arrived[node] += 1
            assert event["arrived"] == arrived[node]
            assert event["still_waits"] == parts[node] - arrived[node]
        elif event["kind"] == "run":
            assert arrived[event["node"]] == parts[event["node"]]


@settings(max_examples=25)
@given(passes())
def test_every_claimed_product_is_what_was_sent(drawn):
    trace = record_backward(drawn[0], names={})
    for frame in trace.frames():
        for line in panel(frame).get("SEND", "").split("\n"):
            if " = " in line:
                factors, _, answer = line.partition(" → ")[0].partition(" = ")
                left, _, right = factors.partition(" × ")
                product = float(left) * float(right.strip("()"))
                np.testing.assert_allclose(product, float(answer), rtol=2e-5, atol=1e-30)
