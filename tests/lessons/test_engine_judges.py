"""Lesson 05 judges engines: wrong ones get a true sentence, right ones are not refused."""

import linecache
import random
import re
import subprocess
import sys
import time
from fractions import Fraction

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import engine, engine_trial, lesson_05, reference_engine
from minigrad.lessons import engine_programs as given
from minigrad.lessons.engine_steps import built, solutions
from minigrad.lessons.guard import TooLong, guarded
from minigrad.lessons.snippets import run_in
from tests.lessons import engines

EXERCISES = {e.name: e for e in lessons.LESSONS["05"].exercises}
WALKS = ["05-4", "05-5", "05-6", "05-7b", "05-8"]


def changed(name, old, new):
    """The answer to a step whose solution has one piece of text changed."""
    code = solutions()[name]
    assert old in code
    scope = built(name)
    last = {"05-7a": "count_parts", "05-9": "doubling"}.get(name, "Value")
    return run_in(scope, code.replace(old, new) + f"\n{last}")


# --- the formulas ------------------------------------------------------------------------------


@pytest.mark.parametrize("shared", [given.ONCE, given.LEAF, given.ANY])
def test_two_hundred_formulas_are_drawn_and_use_all_they_have(shared):
    programs = given.programs(shared)
    assert len(programs) >= 200
    assert [str(p) for p in given.programs(shared)] == [str(p) for p in programs]
    for program in programs:
        used = [place for _sign, *places in program.steps for place in places]
        leaves, values = len(program.numbers), len(program.numbers) + len(program.steps)
        assert set(used) == set(range(values - 1))
        if shared == given.ONCE:
            assert len(used) == len(set(used))
        if shared == given.LEAF:
            inner = [place for place in used if place >= leaves]
            assert len(inner) == len(set(inner))


@pytest.mark.parametrize("shared", [given.ONCE, given.LEAF, given.ANY])
def test_what_a_nudge_says_is_what_minigrad_says(shared):
    for program in given.programs(shared, 40):
        leaves = [
            mg.tensor(float(n), dtype=mg.float64, requires_grad=True) for n in program.numbers
        ]
        grads = mg.autograd.grad(program.run(leaves)[-1], leaves)
        assert [g.item() for g in grads] == pytest.approx(list(program.slopes))


def test_the_text_of_a_formula_is_the_formula():
    """It is read by Python and computed again, with exact numbers."""
    for program in given.programs(given.ANY):
        formula, _at, numbers = str(program).partition(" at ")
        scope = {name: Fraction(n) for name, n in re.findall(r"(\w) = (-?\d+)", numbers)}
        exec(formula.replace(", ", "; "), {}, scope)
        assert scope["y"] == program.run([Fraction(n) for n in program.numbers])[-1]


# --- right engines -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", solutions())
def test_each_step_is_an_engine_that_is_judged_right_at_once(name):
    scope = built(name)
    run_in(scope, solutions()[name])
    answer = scope[{"05-7a": "count_parts", "05-9": "doubling"}.get(name, "Value")]
    start = time.perf_counter()
    assert lessons.check(name, answer).is_yes
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize("name", ["05-4", "05-5", "05-6", "05-7b"])
def test_the_whole_engine_is_right_at_every_earlier_step(name):
    assert lessons.check(name, reference_engine.Value).is_yes


def test_each_step_has_at_most_fifteen_lines_and_all_have_about_sixty():
    lines = {
        n: sum(bool(line.strip()) for line in code.splitlines()) for n, code in solutions().items()
    }
    assert max(lines.values()) <= 15, lines
    source = [line for line in lesson_source().splitlines() if line.strip()]
    assert 50 <= len(source) <= 65


def lesson_source():
    from minigrad.lessons.engine_source import source_of

    return source_of(built()["Value"])


# --- wrong engines -----------------------------------------------------------------------------

NUMBER = r"-?[\d.]+(?:e[+-]\d+)?"
COUNTEREXAMPLE = re.compile(
    rf"For (?P<formula>.+) at (?P<at>.+) yours gives (?P<leaf>\w)\.grad (?P<mine>None|{NUMBER}); "
    rf"a nudge says (?P<slope>{NUMBER})\."
)


def true_of(engine, said):
    """Whether a counterexample holds: computed anew, on the engine and on minigrad."""
    found = COUNTEREXAMPLE.fullmatch(said)
    numbers = {name: float(n) for name, n in re.findall(r"(\w) = (-?\d+)", found["at"])}
    lines = found["formula"].replace(", ", "; ")
    mine = {name: engine(number) for name, number in numbers.items()}
    theirs = {n: mg.tensor(v, dtype=mg.float64, requires_grad=True) for n, v in numbers.items()}
    for scope in (mine, theirs):
        leaves = dict(scope)
        exec(lines, {}, scope)
        scope["y"].backward()
        scope |= {"leaf": leaves[found["leaf"]]}
        if scope["leaf"] is leaves[found["leaf"]] and hasattr(scope["leaf"], "is_leaf"):
            slope = scope["leaf"].grad.item()
        else:
            said_mine = engine_trial.said(leaves[found["leaf"]].grad)
    return said_mine == found["mine"] and slope == pytest.approx(float(found["slope"]))


def mutant(seed):
    """A wrong engine: one or two small changes to the loop, the rules or the way parts are kept."""
    draw = random.Random(seed)
    plus = draw.choice(
        ["came, came"] * 3 + ["came, 0.0", "came, -came", "came * 2, came", "1.0, 1.0"]
    )
    times = draw.choice(
        ["came * b.data, came * a.data"] * 3
        + ["came * a.data, came * b.data", "b.data, a.data", "came * b.data, came", "came, came"]
    )
    keep = draw.choice(
        ["value.grad = part if value.grad is None else value.grad + part"] * 2
        + [
            "value.grad = part",
            "value.grad = part if value.grad is None else value.grad - part",
            "value.grad = part if value.grad is None else max(value.grad, part)",
            "value.grad = (value.grad or 1.0) + part",
            "value.grad = (value.grad or 0.0) * 0.5 + part",
        ]
    )
    ready = draw.choice(["counts[parent] == 0"] * 2 + ["counts[parent] <= 1", "True", "parent.op"])
    seed_value = draw.choice(["1.0"] * 3 + ["result.data", "0.0"])
    scope = built()
    run_in(
        scope,
        f"""
Value.__add__ = lambda a, b: Value(a.data + b.data, "+", (a, b), lambda came: ({plus}))
Value.__mul__ = lambda a, b: Value(a.data * b.data, "×", (a, b), lambda came: ({times}))

def receive(value, part):
    {keep}

def backward(result):
    counts = count_parts(result)
    receive(result, {seed_value})
    ready = [result]
    while ready:
        value = ready.pop()
        send(value)
        for parent in value.parents:
            counts[parent] -= 1
            if {ready}:
                ready.append(parent)

Value.backward = backward
""",
    )
    whole = keep.endswith("value.grad + part") and seed_value == "1.0"
    whole = whole and plus == "came, came" and times == "came * b.data, came * a.data"
    return scope["Value"], whole and ready == "counts[parent] == 0"


@pytest.mark.parametrize("name", ["05-4", "05-5", "05-6", "05-7b"])
@pytest.mark.parametrize("start", range(0, 90, 30))
def test_what_is_said_about_a_wrong_engine_is_true_of_it(name, start):
    """The unforeseen get a counterexample that can be computed again; nobody gets an exception."""
    counted = 0
    for seed in range(start, start + 30):
        engine, right = mutant(seed)
        verdict = lessons.check(name, engine)
        if right:
            assert verdict.is_yes, seed
        if verdict.is_yes:
            continue
        if verdict.heading == "Not yet":  # an earlier step of it is wrong
            step = re.search(r"on step (\w+)", verdict.words[0])[1]
            assert step in ("3", "4", "5"), seed
            assert step < name[3], seed
            counted += 1
            continue
        said = verdict.words[0]
        if COUNTEREXAMPLE.fullmatch(said):
            counted += 1
            assert true_of(engine, said), (seed, said)
        elif verdict.misconception:
            mistake = next(m for m in EXERCISES[name].mistakes.values() if m.hint == said)
            behavior = EXERCISES[name].judge.__self__.behavior
            assert behavior(mistake.wrong(mg)) == behavior(engine), (seed, said)
        else:
            assert re.match(r"For .+ (yours did not come|yours stops|your calls)", said), said
    assert counted > 5


@pytest.mark.parametrize("start", range(200, 240, 20))
def test_a_wrong_engine_never_passes_the_last_two_judges(start):
    for seed in range(start, start + 20):
        engine, right = mutant(seed)
        if not right and any(
            engine_trial.outcomes(engine, [p]) != engine_trial.outcomes(reference_engine.Value, [p])
            for p in given.SMALL[given.ANY]
        ):
            assert not lessons.check("05-7b", engine).is_yes, seed
            assert not lessons.check("05-8", engine).is_yes, seed


def test_an_unforeseen_engine_gets_the_smallest_formula_it_fails_at():
    engine = changed("05-5", "value.grad + part", "value.grad + 2 * part")
    said = lessons.check("05-5", engine).words[0]
    assert said == "For y = a + a at a = 3 yours gives a.grad 3; a nudge says 2."
    half = changed("05-3", "came * b.data, came * a.data", "came * b.data, came * a.data / 2")
    said = lessons.check("05-3", half).words[0]
    assert said == "3 comes in at 2 × 5. Yours sends 15 and 3, and a nudge says 15 and 6."


@pytest.mark.parametrize(
    ("name", "old", "new", "mistake"),
    [
        ("05-5", "value.grad = value.grad + part", "value.grad += value.grad", None),
        ("05-6", "return order[::-1]", "return order", "the leaves first"),
        ("05-6", "seen.add(value)", "seen.add(value.data)", None),
        ("05-6", "            seen.add(value)\n", "", None),
        ("05-7a", "counts[parent] += 1", "counts[parent] += 0", None),
        ("05-7a", "counts[parent] = 0", "counts[parent] = 1", None),
        ("05-7b", "== 0", "== 1", "one part too early"),
        ("05-7b", "== 0", ">= 0", None),
        ("05-8", "value.grad = None\n        parts", "parts", "the middle keeps"),
        ("05-8", "came = value.grad\n        value.grad = None", "value.grad = came = None", None),
        ("05-9", "100 * b", "b", "one branch"),
        ("05-9", "abs(b.data)", "b.data", "never ends"),
    ],
)
def test_a_slip_in_one_line_is_met(name, old, new, mistake):
    verdict = lessons.check(name, changed(name, old, new))
    assert verdict.heading == "Look again"
    if mistake:
        assert verdict.words[0] == EXERCISES[name].mistakes[mistake].hint


def test_a_blank_of_an_earlier_step_is_named():
    scope = built("05-5")
    run_in(scope, "def send(value):\n    parts = ...")
    run_in(scope, solutions()["05-5"])
    verdict = lessons.check("05-5", scope["Value"])
    assert verdict.heading == "Not yet"
    said = "`send` of step 4 still has a blank, and this step stands on it."
    assert verdict.words[0].startswith(said)
    assert '`check("05-4", Value).solution()`' in verdict.words[0]


@pytest.mark.parametrize(
    ("step", "old", "new", "later"),
    [
        ("05-3", "came * b.data, came * a.data", "came, came", ["05-4", "05-6", "05-7b", "05-8"]),
        ("05-4", "walk(parent)", "pass", ["05-5"]),
        ("05-4", "value.rule(value.grad)", "value.rule(1.0)", ["05-5", "05-6", "05-7b"]),
        ("05-5", "value.grad + part", "part", ["05-6", "05-7b", "05-8"]),
        ("05-7a", "counts[parent] += 1", "counts[parent] += 2", ["05-7b", "05-8"]),
        ("05-7b", "== 0", "== 1", ["05-8"]),
    ],
)
def test_a_wrong_earlier_step_is_named_and_gets_no_hint_about_this_one(step, old, new, later):
    names = list(solutions())
    for name in later:
        scope = built(step)
        for each in names[names.index(step) : names.index(name) + 1]:
            code = solutions()[each]
            if each == step:
                assert old in code
                code = code.replace(old, new)
            run_in(scope, code)
        verdict = lessons.check(name, scope["Value"])
        handed = "count_parts" if step == "05-7a" else "Value"
        assert (verdict.heading, verdict.edge) == ("Not yet", "#6E6E6E")
        assert f"stands on step {step[3:]}, which is not right yet." in verdict.words[0]
        assert f'`check("{step}", {handed}).solution()`' in verdict.words[0]
        if name == "05-8":
            assert f"Step {step[3:]} has to be done first." in repr(engine.save(scope["Value"]))


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_that_is_not_there_yet_is_said(name):
    class Value(built("05-4")["Value"]):
        zero = None

    said = lessons.check(name, Value).words[0]
    expected = {"05-5": "This step stands on step 4", "05-8": "This step stands on step 7b"}
    assert said.startswith(expected.get(name, "There is no `backward`"))


# --- loops without an end, calls without an end --------------------------------------------------

ENDLESS = {
    "one line": "def backward(result):\n    while True: pass",
    "a list that grows": "def backward(result):\n    for v in (line := [result]): line += [v]",
    "swallows exceptions": (
        "def backward(result):\n    while True:\n        try:\n            result.grad = 1.0\n"
        "        except Exception:\n            pass"
    ),
    "itself": "def backward(result):\n    backward(result)",
}


@pytest.mark.parametrize("how", ENDLESS)
def test_a_loop_without_an_end_is_stopped_and_said(how):
    scope = built()
    run_in(scope, ENDLESS[how] + "\nValue.backward = backward")
    start = time.perf_counter()
    said = lessons.check("05-7b", scope["Value"]).words[0]
    assert time.perf_counter() - start < 20
    stopped = "did not come to an end" in said
    assert ("RecursionError" in said) if how == "itself" else stopped
    assert sys.gettrace() is None


@pytest.mark.parametrize(("name", "code"), [
    ("05-1", "class Value:\n    def __init__(self, data):\n        while True: pass\nValue"),
    ("05-2", "def add(a, b):\n    while True: pass\nValue.__add__ = Value.__mul__ = add\nValue"),
    ("05-3", ("def rule(came):\n    while True: pass\n"
             "Value.__add__ = lambda a, b: Value(a.data + b.data, '+', (a, b), rule)\nValue")),
    ("05-7a", "def count_parts(result):\n    while True: pass\ncount_parts"),
    ("05-8", "def zero(value):\n    while True: pass\nValue.zero = zero\nValue"),
])  # fmt: skip
def test_no_step_waits_for_ever(name, code):
    answer = run_in(built(name), code)
    said = " ".join(lessons.check(name, answer).words)
    assert "did not come to an end" in said, said


def test_a_guard_gives_back_the_tracer_that_was_there():
    seen = []

    def tracer(*event):
        seen.append(event)

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        with pytest.raises(TooLong):
            guarded(lambda: [None for _ in iter(int, 1)], steps=1000)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_what_the_code_raises_comes_out_of_the_guard():
    with pytest.raises(ZeroDivisionError):
        guarded(lambda: 1 / 0)


def test_steps_that_help_takes_under_an_error_are_not_counted():
    """When it is first asked it is loaded, which takes more steps than there may be."""
    program = """
import sys
import minigrad as mg
from minigrad.lessons.guard import guarded
assert "minigrad.help.errors.under_errors" not in sys.modules
try:
    guarded(lambda: mg.ones(6).reshape(4), steps=20_000)
except RuntimeError as error:
    print(error, error.__notes__)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert "shape '[4]' is invalid for input of size 6 ['Why:" in ran.stdout, ran.stderr


def test_a_deep_recursion_is_deeper_than_notebooks_allow():
    """Jupyter sets the limit of calls inside calls to 3,000 in some versions."""
    assert len(lesson_05.CHAIN.steps) == 4000
    said = lessons.check("05-7b", built("05-7b")["Value"])
    assert said.misconception == "05-topological"


def test_engines_of_another_make_are_right():
    for make in (lambda mg: engines.Whole, engines.newest_first):
        assert lessons.check("05-8", make(mg)).is_yes


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("05-1", 'return f"Value({self.data})" -> return "Value"', "the number is missing"),
        ("05-1", "self.parents = parents -> self.parents = []", "has [] as its `parents`"),
        ("05-2", 'a.data + b.data, "+" -> a + b, "+"', "calls the function again"),
        ("05-2", '"+", (a, b) -> "+", a, b', "both operands, as in `(a, b)`"),
        ("05-2", '"+", (a, b) -> "+", (b, a)', "in this order"),
        (
            "05-3",
            "came * b.data, came * a.data -> came * b, came * a",
            "sends a Value",
        ),
        ("05-3", "return came, came -> return came", "it returns two parts"),
        (
            "05-4",
            "value.rule(value.grad) -> value.rule(value)",
            "yours puts Value(5.0) into a.grad",
        ),
        ("05-4", "    value.grad = part -> value.grad += part", "yours stops: TypeError"),
        ("05-5", "value.grad = value.grad + part -> part + value.grad", "the first part stays"),
        ("05-6", "visit(parent) -> visit(value)", "your list is y. Each value is to stand in it"),
        ("05-6", "order[::-1] -> order.reverse()", "returns None. `list.reverse()`"),
        ("05-6", "order[::-1] -> seen", "which sends to it"),
        ("05-6", "order[::-1] -> result", "It is to return a list of values"),
        ("05-6", "order.append(value) -> order.append(value.data)", "`send` needs values"),
        ("05-6", "in in_order(result) -> in in_order", "that is right. Look at `backward`"),
        (
            "05-7a",
            "found.append(parent) -> found.append(value)",
            "the parts that come to a: 1; yours counts 0.",
        ),
        ("05-7b", "counts[parent] -= 1 -> counts[parent] -= 2", "one part is still to come"),
        ("05-7b", "ready.append(parent) -> ready.append(value)", "a nudge says"),
        ("05-8", "parts = value.rule(came) -> parts = value.rule(value.grad)", "asked with None"),
        ("05-8", "came = value.grad -> came = value.rule", "'function' and 'function'"),
        ("05-8", "came = value.grad -> came = value.parents", "A rule was asked with a tuple"),
        ("05-8", "value.rule(came) -> value.rule", "'function' object is not iterable"),
        (
            "05-8",
            "def zero(value): -> def zero(value):\n    for p in value.parents: p.grad = None",
            "It is to clear the one value",
        ),
        (
            "05-8",
            "def zero(value): -> def zero(value):\n    value.data = 0.0",
            "the number in a is 0",
        ),
        ("05-1", "self.rule = rule -> self.rule = parents", "a tuple as its `rule`"),
        ("05-1", "self.grad = None -> self.grad = rule", "begins with a function in `.grad`"),
        ("05-3", "came, came -> 1.0, 1.0", "Your rule of + returns 1 and 1"),
        ("05-3", "came, came -> a.data, b.data", "Yours sends 2 and 5, and a nudge says 3 and 3"),
        ("05-4", "walk(parent) -> walk(value)", "did not come to an end"),
        ("05-9", "b = b * 2 -> b = a * 2", "At a = 0.5 your loop did not come to an end"),
        ("05-9", "b = b * 2 -> b = b.data * 2", "b becomes a plain number"),
        ("05-9", "100 * b -> 100 * b.data", "For a negative one a plain number comes back"),
    ],
)
def test_what_learners_write_first_gets_a_sentence_that_fits(name, code, said):
    old, _arrow, new = code.partition(" -> ")
    verdict = lessons.check(name, changed(name, old.strip(), new))
    assert said.lower() in verdict.words[0].lower(), verdict.words[0]


def test_the_line_that_stopped_is_told_with_what_a_rule_was_asked():
    scope = built("05-8")
    file = "<cell of a learner>"
    code = solutions()["05-8"].replace("value.rule(came)", "value.rule(str(came))")
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    run_in(scope, code, file)
    said = lessons.check("05-8", scope["Value"]).words[0]
    assert said.endswith(
        "A rule was asked with '1.01.0'. The line is `parts = value.rule(str(came))`, in `send`."
    )


def test_a_function_that_calls_itself_for_ever_is_named():
    with pytest.raises(TooLong) as stopped:
        guarded(lambda: [None for _ in iter(int, 1)], steps=1000)
    assert stopped.value.function == ""
    engine = changed("05-4", "        walk(parent)", "        walk(value)")
    with pytest.raises(TooLong) as stopped:
        guarded(engine.backward, engine(2.0) + 1, steps=50_000)
    assert stopped.value.function == "walk"


@pytest.mark.parametrize(
    ("name", "old", "new", "shown", "said"),
    [
        ("05-5", "", "", 7.0, "Your `receive` adds to what is there"),
        ("05-4", "value.parents:", "value.parents[::-1]:", 4.0, "by way of x + 1 has stayed"),
        ("05-8", "", "", 14.0, "so each pass brings 7"),
    ],
)
def test_a_run_of_an_engine_that_is_a_step_ahead_is_explained(name, old, new, shown, said):
    engine = changed(name, old, new) if old else built()["Value"]
    if name == "05-5":
        engine = changed(name, "        value.grad = part", "        value.grad = part")
    x = engine(2.0)
    y = (x + 1) * (x + 2)
    y.backward()
    if name == "05-8":
        y.backward()
    assert x.grad == shown
    prediction = lessons.predict("05-3" if name == "05-8" else "05-1")
    prediction.choose(prediction.question.right.says)
    outcome = prediction.outcome(x.grad)
    assert outcome.heading == f"It is {shown:g}."
    assert said in outcome.words[1]
    assert outcome.words[0].startswith("You said ")
    prediction.forget()


def test_a_class_without_a_hash_is_refused_in_the_first_step():
    code = """
from dataclasses import dataclass
@dataclass
class Value:
    data: float
    op: str = ""
    parents: tuple = ()
    rule: object = None
    grad: object = None
"""
    plain = run_in({"__name__": "plain"}, code + "Value")
    assert "@dataclass(eq=False)" in lessons.check("05-1", plain).words[0]
    without = run_in(
        {"__name__": "plain"}, code.replace("@dataclass", "@dataclass(eq=False)") + "Value"
    )
    assert lessons.check("05-1", without).is_yes
