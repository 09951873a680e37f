"""The memory lab without a browser: bytes by a law of its own, and screens that fit the run."""

import json
import re

import pytest

import minigrad as mg
from minigrad.widgets.memory import graph_memory, lab, memory_lab
from minigrad.widgets.memory.running import AGAIN, BACK, FORWARD, OPERATIONS, Setting, ran

STORED = list(lab.stored_states())


def state(op="tanh", d=8, w=1000, grad=True, keep=False, every=0, done=0, **more):
    names = ("op", "d", "w", "grad", "keep", "every", "done")
    return dict(zip(names, (op, d, w, grad, keep, every, done), strict=True)) | more


def part(screen, key):
    return next(part for part in screen.parts if part.key == key)


# --- Counting ---------------------------------------------------------------------------------


def test_what_two_nodes_keep_counts_once():
    x = mg.ones(1000, requires_grad=True)
    with graph_memory() as kept:
        y = x.exp()
        z = y * y * x
    assert (kept.tensors, kept.bytes) == (3, 12_000)  # y, y * y and x
    del y
    assert kept.tensors == 3
    del z
    assert repr(kept) == "The graph keeps no tensor: 0 bytes."


def test_a_view_counts_with_all_of_its_memory():
    x = mg.ones(10, 100, requires_grad=True)
    with graph_memory() as kept:
        y = x[0] * x[1]
    assert (kept.tensors, kept.bytes) == (1, 4_000)
    assert y.requires_grad


def test_only_what_is_made_inside_is_counted_and_it_stays_counted():
    x = mg.ones(10, dtype=mg.float64, requires_grad=True)
    before = x.tanh()
    with graph_memory() as kept:
        y = before + x.tanh()
    after = y.tanh().tanh()
    assert repr(kept) == "The graph keeps 1 tensor: 80 bytes."
    after.sum().backward(retain_graph=True)
    assert kept.bytes == 80
    after.sum().backward()
    assert kept.bytes == 0


def test_the_gradient_is_what_it_is_without_counting():
    def gradient(x):
        (x.sin() * x.exp() / (x + 2)).sum().backward()
        return x.grad.tolist()

    counted = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with graph_memory():
        found = gradient(counted)
    assert found == gradient(mg.tensor([1.0, 2.0, 3.0], requires_grad=True))


def test_a_block_that_fails_leaves_no_hook_behind():
    with pytest.raises(ValueError, match="stop"), graph_memory():
        raise ValueError("stop")
    y = mg.ones(2, requires_grad=True).tanh()
    assert y.grad_fn._saved_result is not None
    with graph_memory() as inner:
        assert inner.bytes == 0


# --- Running ----------------------------------------------------------------------------------


def law(setting):
    """Tensors kept before backward, and the most at once: by hand, for chains of equal steps."""
    depth, every = setting.depth, setting.every
    if setting.operation == "+" or not setting.recorded:
        return 0, None
    if not every:
        return depth, depth
    parts = -(-depth // every)
    last = depth - every * (parts - 1)
    extra = 0 if setting.operation == "tanh" else 1  # x·y: the first factor is kept already
    # In part k from the front, k beginnings are still kept, and the part's own tensors are back.
    each = [k + (every if k < parts else last) - extra for k in range(1, parts + 1)]
    return parts, max(each)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("every", [0, 1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("depth", [1, 5, 16])
def test_bytes_follow_the_law_of_the_chain(operation, every, depth):
    run = ran(Setting(operation, depth, 10, every=every, passes=1))
    before, most = law(run.setting)
    assert run.before == 40 * before == 40 * run.tensors
    assert run.after == 0
    if most is not None:
        assert max(one.bytes for one in run.stages[1]) in (40 * most, 40 * (most - 1))
        assert run.most == 40 * max(most, before)
    assert run.runs(FORWARD) == run.runs(BACK) == run.nodes == depth
    assert run.runs(AGAIN) == (depth if every and operation != "+" else 0)


def test_bytes_grow_with_depth_and_width_alike():
    for depth, width in ((1, 10_000), (32, 10_000), (10, 1000)):
        assert ran(Setting("tanh", depth, width)).before == 4 * depth * width
        assert ran(Setting("+", depth, width)).before == 0


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("every", [0, 4])
def test_a_second_backward_runs_where_nothing_is_missing(operation, every):
    freed = ran(Setting(operation, 8, 10, every=every, passes=2))
    kept = ran(Setting(operation, 8, 10, retain=True, every=every, passes=2))
    assert kept.error == ""
    assert kept.after == kept.before
    assert kept.runs(BACK) == 16
    assert (freed.error == "") == (operation == "+")
    assert freed.after == 0


def test_without_recording_nothing_is_kept_and_nothing_goes_back():
    run = ran(Setting("tanh", 8, 10, recorded=False, passes=1))
    assert (run.before, run.nodes, run.runs(FORWARD), run.runs(BACK)) == (0, 0, 8, 0)
    assert run.error.startswith("element 0 of tensors does not require grad")


def test_the_columns_go_up_and_down_again():
    run = ran(Setting("tanh", 4, 10, passes=1))
    assert [m.bytes // 40 for m in run.moments] == [1, 2, 3, 4, 3, 2, 1, 0]
    run = ran(Setting("tanh", 4, 10, every=2, passes=1))
    assert [m.kind for m in run.moments] == [FORWARD] * 4 + ([AGAIN] * 2 + [BACK] * 2) * 2
    assert [m.bytes // 40 for m in run.moments] == [1, 1, 2, 2, 3, 4, 3, 1, 2, 3, 2, 0]


def test_running_again_gives_the_same_gradient():
    def grad(every):
        names = {"mg": mg}
        setting = state("tanh", 16, 10, every=every, done=1)
        exec("\n".join(lab.lines(setting)), names)
        return names["x"].grad.tolist()

    assert grad(0) == grad(4) == grad(16)


def test_what_the_lesson_says_of_parts_of_32_is_so():
    most = {every: ran(Setting("tanh", 32, 1000, every=every, passes=1)).most
            for every in lab.PARTS}  # fmt: skip
    assert most == {0: 128_000, 2: 72_000, 4: 48_000, 8: 48_000, 16: 72_000}


# --- Screens ----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", STORED, ids=json.dumps)
def test_every_stored_screen_is_true_of_its_run(where):
    run, screen = ran(lab.setting_of(where)), lab.show(where)
    *rows, nudges = part(screen, "facts").text.splitlines()[1:]
    assert f"{1001 * where['d']:,} operations" in nudges
    assert len(rows) == 1 + where["done"]
    names = {"forward": FORWARD, "back": BACK, "forward again": AGAIN}
    counted = dict.fromkeys(names.values(), 0)
    for number, (row, stage) in enumerate(zip(rows, run.stages, strict=True)):
        _name, ran_, most, after = row.split(" | ")
        for count, kind in re.findall(r"(\d+) (forward again|forward|back)", ran_):
            counted[names[kind]] += int(count)
        if stage:
            before = run.stages[number - 1][-1].bytes if number else 0
            assert most == f"{max(before, *(one.bytes for one in stage)):,}"
            assert after == f"{stage[-1].bytes:,}"
    assert counted == {kind: run.runs(kind) for kind in names.values()}
    drawn = part(screen, "picture").html.partition("</svg>")[0]
    assert len(re.findall(r'class="column', drawn)) == len(run.moments) + sum(
        run.runs(kind) > 0 for kind in names.values()
    )
    if run.error:
        assert run.error.partition(". ")[0][:60] in screen.sentence
    elif where["done"]:
        assert f"{run.after:,} bytes" in screen.sentence or not run.before
    else:
        assert f"{run.before:,} bytes" in screen.sentence or not where["grad"]


@pytest.mark.parametrize("where", STORED, ids=json.dumps)
def test_the_code_that_is_shown_does_what_was_counted(where):
    code = list(lab.lines(where))
    calls = [line for line in code if line.startswith("loss.backward(")]
    assert len(calls) == where["done"]
    names = {"mg": mg}
    with graph_memory() as kept:
        exec("\n".join(code[: len(code) - len(calls)]), names)
        run = ran(lab.setting_of(where))
        assert kept.bytes == run.before
    said = ""
    for line in calls:
        try:
            exec(line, names)
        except RuntimeError as error:
            said = str(error)
    assert (said, kept.bytes) == (run.error, run.after)


def test_heights_of_columns_are_bytes():
    svg = part(lab.show(state(d=4)), "picture").html.partition("</svg>")[0]
    tall = [float(h) for h in re.findall(r'column forward".*?height="([\d.]+)"', svg)][:4]
    assert tall == pytest.approx([tall[0] * n for n in (1, 2, 3, 4)], abs=0.2)


def test_what_a_screen_reader_calls_a_button_has_the_words_that_are_seen():
    screen = memory_lab().screen
    for _label, buttons in screen.rows:
        for button in (one for one in buttons if one.name):
            assert button.says.replace("`", "") in button.name
    names = [button.name for _label, buttons in screen.rows for button in buttons]
    assert {"operation: tanh", "how many: 64", "numbers in each: 1,000"} <= set(names)


def test_buttons_lead_on_and_the_ends_say_why_not():
    w = memory_lab("×", 4).press("loss.backward()").press("loss.backward()")
    assert w.run.error.startswith("Trying to backward through the graph a second time")
    with pytest.raises(ValueError, match="as far as this goes"):
        w.press("loss.backward()")
    assert w.press("retain_graph=True").state["done"] == 0
    assert w.press("no_grad()").run.before == 0
    with pytest.raises(ValueError, match=r"no_grad\(\)"):
        w.press("of 4")
    with pytest.raises(ValueError, match="No backward"):
        w.press("Reset")


@pytest.mark.parametrize(
    ("guess", "said"), [("32,000", "Right."), ("32 000", "Right."), ("8000", "Not quite.")]
)
def test_a_guess_comes_before_the_numbers(guess, said):
    w = memory_lab().press("Ask me")
    assert "32,000" not in w.text()
    with pytest.raises(ValueError, match="guess first"):
        w.press("loss.backward()")
    w.enter(guess=guess)
    assert f". {said} Each tanh keeps its result" in w.screen.sentence
    assert w.press("loss.backward()").run.after == 0
    assert "guess" not in w.press("+").state


@pytest.mark.parametrize("typed", ["", "many", "-4", "4.5"])
def test_what_is_no_number_of_bytes_is_refused_in_words(typed):
    with pytest.raises(ValueError, match="A whole number of bytes is wanted"):
        memory_lab().press("Ask me").enter(guess=typed)


@pytest.mark.parametrize("wrong", [{"operation": "-"}, {"depth": 0}, {"depth": 65}, {"width": 0}])
def test_settings_that_do_not_exist_are_refused(wrong):
    with pytest.raises(ValueError, match="is"):
        memory_lab(**wrong)


def test_a_page_without_scripts_tells_settings_in_a_line():
    html = memory_lab().html()
    assert "tanh</code>: 32,000 bytes before backward, 0 after it" in html
    assert "in parts of 4: 8,000 bytes before backward, 0 after it" in html
    assert len(html) < 160_000
