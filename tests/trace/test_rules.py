"""Rules: what a step says about an operation is what the engine computes, in all spellings."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.trace import record_backward, walk
from minigrad.trace.derivatives import entries_of
from minigrad.trace.factors import factor_between, worked_out
from minigrad.trace.formulas import as_mathematics, rule
from minigrad.trace.numbers import raw
from minigrad.trace.sentences import table
from minigrad.trace.survey import Survey
from tests.trace.programs_of_rules import OF_TORCH, OTHERS, POSITIVE, PROGRAMS


def rules_of(module, line):
    """All rules of a program: ``(rule, what came in, what is right, names of its values)``."""
    x = module.tensor(POSITIVE, dtype=module.float64, requires_grad=True)
    y = module.tensor(OTHERS, dtype=module.float64, requires_grad=True)
    out = eval(line, {"m": module, "x": x, "y": y})
    names = {"x": x, "y": y, "out": out}
    survey = Survey((out,), names)
    for operation in survey.graph.operations:
        if operation.kind == "operation":
            yield from _rules_of_node(module, survey, operation, names)


def _rules_of_node(module, survey, operation, names):
    node = survey.nodes[operation.key]
    outputs = survey.index.results[operation.key]
    shape = survey.arrays[outputs[0].target].shape if outputs[0].target in survey.arrays else None
    if shape is None:
        return
    seed = module.tensor(np.linspace(0.5, 2.0, int(np.prod(shape))).reshape(shape))
    sent = node(seed)
    sent = sent if isinstance(sent, tuple) else (sent,)
    for edge in survey.index.operands[operation.key]:
        if sent[edge.argument] is None:
            continue
        made = survey.index.made(operation)
        target = survey.index.values[edge.source].name
        found = rule(survey, operation, edge.argument, made, target)
        yield found, seed, sent[edge.argument], names, made


def agrees(found, seed, sent):
    product = worked_out(found, raw(seed), raw(sent))
    if found.number is not None:
        product = factor_between(raw(seed), found.number, raw(sent))
        assert product is not None, found.symbols


def computes(module, found, seed, sent, names, made):
    """Run the line of code as a reader would, where all its names are known."""
    if found.code.startswith("#"):
        return False
    space = {"m": module, **names, f"grad_{made}": seed, "grad_result": seed}
    try:
        exec(found.code, {"__builtins__": {}}, space)
    except NameError:
        return False  # about a result that has no name here
    target = re.match(r"grad_([\w.]+)", found.code)[1]
    got, right = raw(space[f"grad_{target}"]), raw(sent)
    if right.ndim > got.ndim:  # the engine sums what broadcasting repeated after the node has run
        right = right.reshape(-1, *got.shape).sum(0)
    elif got.shape != right.shape:
        got = got.reshape(-1, *right.shape).sum(0)
    np.testing.assert_allclose(got, right, rtol=1e-9, atol=1e-12, err_msg=found.code)
    return True


@pytest.mark.parametrize("line", PROGRAMS)
def test_numbers_and_code_give_what_is_sent(line):
    checked = [
        agrees(found, seed, sent) or computes(mg, found, seed, sent, names, made)
        for found, seed, sent, names, made in rules_of(mg, line)
    ]
    assert checked


@pytest.mark.oracle
@pytest.mark.parametrize("line", PROGRAMS + OF_TORCH)
def test_also_on_the_graphs_of_pytorch(line):
    torch = pytest.importorskip("torch")
    checked = [
        agrees(found, seed, sent) or computes(torch, found, seed, sent, names, made)
        for found, seed, sent, names, made in rules_of(torch, line)
    ]
    assert checked


def test_most_lines_of_code_were_run():
    run = sum(
        computes(mg, found, seed, sent, names, made)
        for line in PROGRAMS
        for found, seed, sent, names, made in rules_of(mg, line)
    )
    assert run > 70


def every_rule():
    """The rules of all operations that the package declares."""
    import gc

    import minigrad.nn.functional  # noqa: F401
    from minigrad.ops.more import WHERE, load
    from minigrad.ops.rule import Rule

    for name in WHERE:
        load(name)
    return {r.node_name: r for r in gc.get_objects() if type(r) is Rule}


INTERNAL = re.compile(r"sym_|reduced_count|counted|_turned|averaged_|\bself\b|grad_other|\{|\}")


def test_every_operation_has_words_for_every_operand():
    from minigrad.trace.derivatives import entries_of

    for name, declared in every_rule().items():
        if name.count("Backward") > 1 or name in ("NotImplemented", "RecurrenceBackward0"):
            continue
        for operand in declared.operands:
            assert entries_of(name)[operand].words, (name, operand)


@pytest.mark.parametrize("line", PROGRAMS)
def test_nothing_internal_is_shown(line):
    for found, *_ in rules_of(mg, line):
        for spelling in (found.words, found.symbols, found.code):
            assert not INTERNAL.search(spelling), spelling


def test_the_table_has_no_entry_without_words():
    assert all(entry.words for name in table("derivatives") for entry in entries_of(name).values())


def test_a_wrong_product_is_not_claimed():
    y = mg.tensor(2.0, requires_grad=True) * 3
    survey = Survey((y,), {"y": y})
    found = rule(survey, survey.graph.operations[0], 0, "y", "x")
    assert str(worked_out(found, np.float32(1), np.float32(3))) == "1 × 3 = 3"
    assert worked_out(found, np.float32(1), np.float32(4)) is None


def test_a_wrong_rule_is_not_shown_as_a_product(monkeypatch):
    wrong = walk.Rule("wrong", "∂y/∂x = 7", "grad_x = grad_y * 7", np.asarray(7.0))
    monkeypatch.setattr(walk, "rule", lambda *_: wrong)
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    trace = record_backward(y)
    frame = trace.frames()[0]
    assert ["sends", [["3"], " → x"]] in frame["details"][0]["rows"]
    assert frame["labels"]["e0"]["factor"] == "→ "


def test_a_slope_of_many_numbers_is_told_by_its_range():
    x = mg.arange(20.0).requires_grad_()
    y = x * x
    z = y.sum()
    assert record_backward(z).frames()[1]["rules"]["symbols"].startswith("∂y/∂x = x = 0 … 19")


def test_nan_and_infinity_are_told():
    x = mg.tensor(0.0, requires_grad=True)
    y = x.log()
    rows = record_backward(y).frames()[0]["details"][0]["rows"]
    assert ["sends", ["1 × inf = ", ["inf"], " → x"]] in rows


@pytest.mark.parametrize(
    ("code", "signs"),
    [
        ("2 * x ** (2 - 1)", "2 × x"),
        ("3 * x ** (3 - 1)", "3 × x²"),
        ("-x / y ** 2", "−x ÷ y²"),
        ("a - b", "a − b"),
        ("g @ w.T", "g · wᵀ"),
        ("-0.5 * y ** 3", "−0.5 × y³"),
    ],
)
def test_signs_of_the_blackboard(code, signs):
    assert as_mathematics(code) == signs


def test_small_matrices_are_multiplied_out():
    a = mg.tensor([[1.0, 2.0]], requires_grad=True)
    b = mg.tensor([[3.0], [4.0]], requires_grad=True)
    c = a @ b
    survey = Survey((c,), {"a": a, "b": b, "c": c})
    found = rule(survey, survey.graph.operations[0], 0, "c", "a")
    product = worked_out(found, np.float32([[2]]), np.float32([[6, 8]]))
    assert str(product) == "[[2]] · [[3], [4]]ᵀ = [[6, 8]]"


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("program", "said", "unsaid"),
    [
        ("x[0].unsqueeze(1)", "puts it back", "÷"),
        ("m.stack([x, x], 1)", "the piece of it", "÷"),
        ("F.cross_entropy(x, m.tensor([-100, 1]))", "by the row's weight", "÷ 2"),
        ("F.cross_entropy(x, m.tensor([2, 0]), weight=w)", "by the row's weight", "÷ 2"),
        (
            "F.binary_cross_entropy_with_logits(x, y.detach(), pos_weight=w)",
            "by its weight",
            "sigmoid",
        ),
        ("x.max()", "shared in a tie", "÷"),
    ],
)
def test_a_special_case_is_not_told_as_the_plain_one(program, said, unsaid):
    torch = pytest.importorskip("torch")
    x = torch.tensor(POSITIVE, requires_grad=True)
    y = torch.tensor(OTHERS, requires_grad=True)
    weight = torch.tensor([1.0, 2.0, 3.0])
    out = eval(program, {"m": torch, "F": torch.nn.functional, "x": x, "y": y, "w": weight})
    survey = Survey((out,), {"x": x, "y": y, "out": out})
    operation = survey.graph.operations[-1]
    while operation.kind != "operation" or "out" not in survey.index.made(operation):
        operation = survey.graph.operations[survey.graph.operations.index(operation) - 1]
    found = rule(survey, operation, 0, "out", "x")
    told = f"{found.words} {found.symbols}"
    assert said in told
    assert unsaid not in told


@pytest.mark.oracle
def test_a_tensor_of_one_number_is_no_plain_number():
    torch = pytest.importorskip("torch")
    k = torch.tensor(3.0, requires_grad=True)
    survey = Survey(((k * 2).detach() * k,), {"k": k})
    assert survey.graph.operations[0].constants == {}
    survey = Survey((k * 2,), {"k": k})
    assert survey.graph.operations[0].constants == {1: "2"}


@pytest.mark.oracle
def test_complex_gradients_are_told():
    torch = pytest.importorskip("torch")
    a = torch.tensor([3.0, 1.0], requires_grad=True)
    from minigrad.trace import record_backward

    assert len(record_backward(torch.fft.fft(a).abs().sum()).frames("coarse")) == 4


@pytest.mark.parametrize(
    ("write", "sent"),
    [(lambda row: row.mul_(3), [3, 3, 1, 1]), (lambda row: row.fill_(5), [0, 0, 1, 1])],
)
def test_what_is_said_of_a_write_holds_whatever_wrote(write, sent):
    """Only a filled place passes 0 on; one that was multiplied passes on so many times as much."""
    w = mg.ones(4, requires_grad=True)
    a = w * 2
    write(a[:2])
    frame = next(f for f in record_backward(a.sum()).frames() if "CopySlices" in f["title"])
    told = {row[0]: row[1] for row in frame["details"][0]["rows"]}
    assert told["sends"][0] == [str(sent).replace("-", "−")]
    assert "by the rule of what wrote there" in frame["rules"]["words"]
    assert "0 where it was" not in frame["rules"]["words"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda w: (w - 5) ** 2, "times 2 times (w−5)"),
        (lambda w: w**2, "times 2 times w"),
        (lambda w: w**2.0, "times 2 times w"),
        (lambda w: w**3, "times 3, times w to the power of one less"),
        (lambda w: w ** mg.tensor(2.0), "times input₁, times w to the power of one less"),
    ],
)
def test_a_square_is_told_without_a_power_of_one(make, words):
    w = mg.tensor(3.0, requires_grad=True)
    loss = make(w)
    assert record_backward(loss).frames()[0]["rules"]["words"] == words
