"""Lesson 08: nobody who is right is refused, and what is said of wrong answers is true of them."""

import itertools
import random
import re

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import graph_memory, lesson_08
from minigrad.lessons.exercises import LOOK_AGAIN
from tests.notebooks import linter
from tests.notebooks.reading import LESSONS, read

L08 = next(path for path in LESSONS if path.name.startswith("08"))
HINTS = {
    exercise.name: {mistake: m.hint for mistake, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["08"].exercises
}
checkpoint = mg.utils.checkpoint.checkpoint


def said_about(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


def changed(cell_id, old, new):
    """What becomes of a cell after what *Change it* says was done."""
    source = next(c.source for c in linter.code_cells(read(L08)) if c.id == cell_id)
    assert old in source
    names = {"mg": mg, "graph_memory": graph_memory, "predict": lessons.predict}
    exec(source.replace(old, new), names)
    return names


def test_what_is_folded_away_under_change_it_is_so():
    with pytest.raises(RuntimeError, match="a second time"):
        changed("run-detached", "z = u * x", "z = y * x")
    after = changed("run-loop", "total = total + loss", "total = total + loss.item()")
    assert after["kept"].bytes == 4000
    del after["loss"]
    assert after["kept"].bytes == 0


# --- 08-1a ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (
            lambda z, u, x, y: (2 * x * y + 4 * x**3, x * x),
            "Both numbers are right, and your function never went back to t.",
        ),
        (
            lambda z, u, x, y: mg.autograd.grad(z + u, (x, y), retain_graph=True),
            "One pass is enough, and yours is told to keep what it used.",
        ),
        (
            lambda z, u, x, y: mg.autograd.grad(z - u, (x, y)),
            "At x = 2 and y = 3 yours are -20 and 4. Nudges say 44 and 4.",
        ),
        (lambda z, u, x, y: mg.autograd.grad(z + u, x), "Return two numbers"),
        (lambda z, u, x, y: u.backward() or (x.grad, "y"), "A number is wanted here"),
        (lambda z, u, x, y: 1 / 0, "Your function stopped: ZeroDivisionError"),
        (lambda z, u, x, y: (z + u).backward(), "Your function ran, and what its `return` hands"),
    ],
)
def test_08_1a_tells_what_a_function_did(function, said):
    verdict, words = said_about("08-1a", function)
    assert verdict.heading == LOOK_AGAIN
    assert words.startswith(said)


def test_08_1a_counts_the_walks():
    def two_calls(z, u, x, y):
        of_x = mg.autograd.grad(z + u, x, retain_graph=True)
        return of_x, mg.autograd.grad(z, y)

    assert said_about("08-1a", two_calls)[0].is_yes is False


# --- 08-1b ------------------------------------------------------------------------------------


def test_the_sentences_that_are_right_are_so():
    x = mg.tensor(0.5, requires_grad=True)
    p = x * x
    q = (p + 1).tanh()
    q.backward()
    holds = {"A": q.grad_fn.name() == "TanhBackward0", "B": True, "D": True}
    holds["C"] = q.grad_fn.next_functions[0][0].name() == "AddBackward0"
    for letter, run in {"B": lambda: p.grad_fn._saved_self, "D": (p * 3).backward}.items():
        try:
            run()
        except RuntimeError as error:
            holds[letter] = "a second time" not in str(error)
    p = x * x
    (p + 1).tanh().backward(retain_graph=True)
    with pytest.warns(UserWarning, match="not a leaf"):
        holds["E"] = p.grad is not None
    exercise = next(e for e in lessons.LESSONS["08"].exercises if e.name == "08-1b")
    assert {letter for letter, true in holds.items() if true} == exercise.judge.__self__.right


def test_a_sentence_that_was_ticked_is_spoken_of_before_one_that_was_left_out():
    assert said_about("08-1b", "AE")[1].startswith("E:")
    assert said_about("08-1b", "D")[1].startswith("D:")
    assert said_about("08-1b", "A")[1].startswith("C:")


# --- 08-2 -------------------------------------------------------------------------------------

LINES = {
    "forward": ("loss = loss_of(w, batch)", "loss = loss_of(w, batch).detach()"),
    "back": ("loss.backward()", "loss.backward(retain_graph=True)", "pass"),
    "add": (
        "total = total + loss.item()", "total = total + loss.detach()", "total = total + loss",
        "total += loss", "total = loss", "kept.append(loss)", "total += float(loss.detach())",
    ),
    "end": ("return total", "return total.detach()", "return float(total)", "return sum(kept)"),
}  # fmt: skip


def reports():
    for forward, back, add, end in itertools.product(*LINES.values()):
        code = (
            "def report(w, batches, loss_of):\n    total, kept = 0, []\n    for batch in batches:\n"
            f"        {forward}\n        {back}\n        {add}\n    {end}"
        )
        yield (forward, back, add, end), code


def most_alive(code):
    """How many graphs of batches are there when a batch comes, by the saved values."""
    memory, most = [], []

    def loss_of(w, batch):
        most.append(sum(one.bytes > 0 for one in memory))
        with graph_memory() as kept:
            loss = ((w * batch - 1) ** 2).mean()
        memory.append(kept)
        return loss

    names = {"mg": mg}
    exec(code, names)
    batches = [mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), mg.tensor([5.0, 6.0])]
    names["report"](mg.tensor(2.0, requires_grad=True), batches, loss_of)
    return max(most)


@pytest.mark.filterwarnings("ignore:Converting a tensor")
def test_every_loop_is_judged_by_what_it_keeps():
    heard = set()
    for (forward, back, add, end), code in reports():
        names = {"mg": mg}
        exec(code, names)
        verdict, said = said_about("08-2", names["report"])
        numbers = add in (LINES["add"][0], LINES["add"][1], LINES["add"][6])
        right = forward == LINES["forward"][0] and back == "loss.backward()" and numbers
        right = right and (end == "return total" or end == "return float(total)"
                           or (end == "return total.detach()" and "detach()" in add
                               and "float" not in add))  # fmt: skip
        if said == HINTS["08-2"]["kept for nothing"]:
            assert back.startswith("loss.backward(retain")
            assert most_alive(code) == 1  # with its values, though its backward is over
        assert verdict.is_yes == right, (code, said)
        heard.add(re.sub(r"[\d.]+", "#", said)[:40])
        hints = HINTS["08-2"]
        if said == hints["as it stands"]:
            assert add in ("total = total + loss", "total += loss", "kept.append(loss)")
        if said == hints["cut at the end"]:
            assert end in ("return total.detach()", "return float(total)")
        if said == hints["never back"]:
            assert back == "pass"
        if said == hints["cut too early"]:
            assert ".detach()" in forward
    assert len(heard) >= 6


def test_a_loop_that_keeps_graphs_keeps_what_they_saved():
    told = dict(reports())
    usual = "loss = loss_of(w, batch)", "pass"
    assert most_alive(told[*usual, "total = total + loss", "return total"]) == 2
    assert most_alive(told[*usual, "total = total + loss.item()", "return total"]) == 1


def test_a_batch_that_is_left_out_is_told():
    def half(w, batches, loss_of):
        return sum(loss_of(w, batch).item() for batch in batches[::2])

    assert said_about("08-2", half)[1] == "Of 12 batches your function asked for the loss of 6."


# --- 08-3 -------------------------------------------------------------------------------------


def in_parts(cuts, **options):
    """Layers that are cut before each of these numbers."""

    def run(x, layers):
        def part(y, some):
            for layer in some:
                y = layer(y)
            return y

        for start, end in itertools.pairwise([0, *cuts, len(layers)]):
            x = checkpoint(part, x, layers[start:end], use_reentrant=False, **options)
        return x

    return run


def test_every_way_to_cut_is_judged_by_both_limits():
    draw, verdicts = random.Random(3), []
    for _ in range(150):
        cuts = sorted(draw.sample(range(1, 16), draw.randint(0, 7)))
        lengths = [b - a for a, b in itertools.pairwise([0, *cuts, 16])]
        most = max(k + length for k, length in enumerate(lengths, start=1))
        verdict, said = said_about("08-3", in_parts(cuts))
        assert verdict.is_yes == (len(lengths) <= 5 and most <= 10), (lengths, said)
        if counted := re.search(r"keeps (\d+) tensors", said):
            assert int(counted[1]) == len(lengths)
        if counted := re.search(r"In backward, (\d+) tensors", said):
            assert int(counted[1]) == most
        verdicts.append(verdict.is_yes)
    assert 20 < sum(verdicts) < 130


def cut_between(x, layers):
    """The second half begins anew: nothing goes back to the first one."""
    half = in_parts([4])(x, layers[:8])
    return in_parts([4])(half.detach().requires_grad_(), layers[8:])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x, layers: x, "Your result is 0.7."),
        (lambda x, layers: in_parts([4, 8, 12])(x, layers[::-1]), "Your result is "),
        (lambda x, layers: in_parts([4, 8, 12])(x.detach().requires_grad_(), layers), "`x.grad`"),
        (lambda x, layers: cut_between(x, layers), "`x.grad` should be 0.0466, and yours is None."),
        (lambda x, layers: 3.0, "Return the tensor that the last layer gives."),
        (lambda x, layers: in_parts([3, 6, 9, 12, 15])(x, layers), "After the forward pass your"),
        (
            lambda x, layers: in_parts([1, 2, 3])(x, layers),
            "In backward, 17 tensors are there at once;",
        ),
        (lambda x, layers: checkpoint(x, use_reentrant=False), "Your function stopped: TypeE"),
    ],
)
def test_08_3_tells_what_a_function_did(function, said):
    verdict, words = said_about("08-3", function)
    assert verdict.heading == LOOK_AGAIN
    assert words.startswith(said)


def test_a_late_look_up_is_noticed_though_no_error_comes():
    answer = next(e for e in lessons.LESSONS["08"].exercises if e.name == "08-3").mistakes[
        "other layers ran again"
    ]
    chain = lesson_08._Layers()
    x = mg.tensor(0.7, dtype=mg.float64, requires_grad=True)
    answer.wrong(mg)(x, chain.layers).backward()
    assert set(chain.ran[16:]) == {12, 13, 14, 15}
    assert x.grad is not None


# --- 08-4 -------------------------------------------------------------------------------------


def test_the_snippets_on_the_page_are_those_that_are_judged():
    text = "\n".join(c.source for c in linter.text_cells(read(L08)))
    for letter, code in lesson_08.SNIPPETS.items():
        assert f"* {letter}: `{code}`" in text


def test_every_order_but_one_is_told_a_pair_that_stands_wrong():
    hints, true = HINTS["08-4"], "BDAEC"
    for order in itertools.permutations("ABCDE"):
        verdict, said = said_about("08-4", "".join(order))
        assert verdict.is_yes == ("".join(order) == true)
        if verdict.is_yes or said == hints["the other way round"]:
            continue
        (name,) = (name for name, hint in hints.items() if hint == said)
        first, _before, second = name.split()
        assert order.index(first) > order.index(second)
        assert lesson_08.bytes_kept()[first] < lesson_08.bytes_kept()[second]


@pytest.mark.parametrize("odd", ["ABCD", "ABCDEF", "AABCD", [1, 2, 3, 4, 5], "first A"])
def test_an_order_needs_each_letter_once(odd):
    assert said_about("08-4", odd)[1] == "Answer with each of the letters A, B, C, D, E once."
