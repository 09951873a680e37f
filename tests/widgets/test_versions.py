"""The version debugger without a browser: the small language, what is told, what is stored."""

import json
import re
from html import unescape

import numpy as np
import pytest

from minigrad.widgets.versions import scripts, version_debugger
from minigrad.widgets.versions.debugger import last_line, own, show, trial_of
from minigrad.widgets.versions.lines import Refused, read
from minigrad.widgets.versions.message import phrases
from minigrad.widgets.versions.running import VERSIONS, run
from minigrad.widgets.versions.scripts import SCRIPTS, WAYS, program
from minigrad.widgets.versions.words import sentence, tried
from tests.widgets.random_lines import program as random_program
from tests.widgets.test_board import data_in
from tests.widgets.test_stored import Balance

pytestmark = pytest.mark.filterwarnings("ignore:The .grad attribute")


def message_of(call, *arguments):
    """The message of what a call raises, if it raises."""
    try:
        call(*arguments)
    except Exception as error:
        return str(error)
    return None


class TestLines:
    @pytest.mark.parametrize(
        "text",
        [
            "a = ().__class__",
            "a = __import__('os')",
            "a = tensor('x')",
            "a = tensor([True])",
            "import os",
            "a = open('x')",
            "a = lambda: 1",
            "a = [1, 2]",
            "a = 'text'",
            "def f(): pass",
            "for i in a: pass",
            "while True: pass",
            "del a",
            "a = tensor(9 ** 9 ** 9)",
            "a = 2 ** 10000",
            "a = ones(100000)",
            "a = ones(2).__class__",
            "a = ones(2).item()",
            "a = ones(2).backward()",
            "a = ones(2)\na.__class__ = 3",
            "a = ones(2)\na[a] = 1",
            "a = ones(2)\na[0:2:1] = 1",
            "a = ones(2)\nwith a: a[0] = 1",
            "with open('x'): a = ones(2)",
            "a = ones(2, dtype=None)",
            "a = ones(2)\na.sum(**a)",
            "a = ones(2)\na.sum(*a)",
            "exp = ones(2)",
            "a = b = ones(2)",
            "a, b = ones(2)",
            "a = (" * 40,
            "a = " + "-" * 80 + "ones(2)",
            "a = " + "1 + " * 30 + "1",
            "\n".join(["a = ones(2)"] * 11),
            "x" * 5000,
            "a = (b := ones(2))",
            "a = f'{1}'",
            "a = ones(2) if 1 else 2",
            "a = b",
            "",
            "   \n  ",
            "a = \x00",
            "a = ones(2)\nb = a.data",
            "a = ones(2)\nb = a * a.data",
            "a = ones(2)\nb = a.data.mul_(2)",
            "a = ones(2)\na.data = ones(2)",
        ],
    )
    def test_what_has_no_place_is_refused_with_a_sentence(self, text):
        with pytest.raises(Refused) as refused:
            read(text)
        assert re.search(r"\.$", str(refused.value))
        assert len(str(refused.value)) < 200

    def test_a_tensor_stays_small(self):
        grow = "a = ones(16)\nb = a.view(16, 1) * a.view(1, 16)"
        with pytest.raises(Refused, match="Line 2: 16 numbers are the most"):
            run(read(grow))

    def test_a_name_is_never_a_plain_number(self):
        """Powers of Python's integers would grow without end."""
        with pytest.raises(Refused, match=r"Line 1: write `tensor\(...\)`"):
            run(read("a = 3"))

    def test_errors_are_counted_with_their_line(self):
        with pytest.raises(Refused, match="Line 3: `c` has no value yet"):
            read("a = ones(2)\n\nb = a + 1\na = c")

    @pytest.mark.parametrize("seed", range(0, 60, 3))
    def test_lines_do_what_python_does(self, seed):
        """The same text, run by Python itself."""
        import minigrad as mg

        text = random_program(seed)
        mine = {}
        pythons = {name: getattr(mg, name) for name in ("tensor", "no_grad", "sin", "relu")}
        for line in read(text):
            said = message_of(line.run, mine)
            assert said == message_of(exec, line.text, pythons), line.text
            if said:
                break
        for name, value in mine.items():
            assert value.tolist() == pythons[name].tolist(), name


class TestTruth:
    """What the notes' example and its relatives give."""

    @pytest.mark.parametrize(
        ("script", "verdicts"),
        [
            ("square", ["stale", "true", "true", "true", "stale", "wrong"]),
            ("sum", ["true"] * 6),
            ("exp", ["stale", "true", "true", "true", "stale", "wrong"]),
            ("sin", ["stale", "true", "true", "true", "stale", "wrong"]),
            ("view", ["stale", "true", "true", "true", "stale", "wrong"]),
            ("leaf", ["stopped", "true", "true", "true", "stale", "wrong"]),
        ],
    )
    def test_verdicts(self, script, verdicts):
        assert [tried(program(script, way)).verdict for way in WAYS] == verdicts

    def test_gradients_of_the_notes_example(self):
        error, hidden = tried(program("square", "plain")), tried(program("square", "data"))
        assert error.true == {"a": [3.0, 5.0]}
        assert error.silent == {"a": [1000.0, 5.0]}
        assert error.record.raw_grads == {"a": None}
        assert hidden.record.raw_grads == {"a": [1000.0, 5.0]}

    def test_a_write_before_the_use_is_legal_and_another_function(self):
        lines = [*program("square", "plain")]
        lines[2], lines[3] = lines[3], lines[2]
        trial = tried(tuple(lines))
        assert trial.verdict == "true"
        assert trial.record.raw_grads == {"a": [0.0, 5.0]}
        assert trial.record.storages[-1].cells[4].value == "5.00012·10⁵"

    def test_writing_the_input_of_exp_is_fine(self):
        lines = ("a = tensor([0., 1.], requires_grad=True)", "b = a + 2", "loss = b.exp().mean()",
                 "b[0] = 1000.0", "loss.backward()")  # fmt: skip
        assert tried(lines).verdict == "true"


class TestWords:
    @pytest.mark.parametrize(
        ("script", "way", "line", "said"),
        [
            ("square", "plain", 2, "Line 2 makes `b`, at version 0. AddBackward0 keeps no tensor."),
            ("square", "plain", 4, "Line 4 writes `b`: version 0 becomes 1."),
            ("square", "plain", 5, ("MulBackward0 kept `b` at version 0. Line 4 made it version 1, "
             "so backward stops here.")),
            ("square", "clone", 5, "MulBackward0 finds `b` at version 0, as kept."),
            ("square", "data", 4, ("Line 4 changes `b`, but the write is not counted: the version "
             "stays 0.")),
            ("sum", "plain", 5, "Nobody kept `b`, so the write does no harm."),
            ("view", "plain", 3, ("`v` shares the memory of `b`, and its version. SliceBackward0 "
             "keeps no tensor.")),
            ("leaf", "plain", 3, ("Line 3 stops: the tensor is a leaf that asks for a gradient, so "
             "the write itself is refused.")),
        ],
    )  # fmt: skip
    def test_sentences(self, script, way, line, said):
        assert version_debugger(script, way, line).screen.sentence == said

    def test_the_message_is_taken_apart_without_loss(self):
        for script in SCRIPTS:
            for way in WAYS:
                stopped = tried(program(script, way)).record.stopped
                if stopped:
                    pieces = phrases(stopped.message)
                    assert "".join(one.text for one in pieces) == stopped.message
                    assert len(pieces) in (1, 11, 13)

    @pytest.mark.parametrize(("script", "way", "maker"), [
        ("square", "plain", 4), ("square", "no_grad", 2), ("exp", "plain", 2),
        ("leaf", "no_grad", None),
    ])  # fmt: skip
    def test_who_made_the_tensor_is_the_line_that_the_message_names(self, script, way, maker):
        trial = tried(program(script, way))
        letters = [one.letter for one in phrases(trial.record.stopped.message)]
        assert ("D" in letters) == (maker is not None)
        if maker:
            assert trial.complaint.maker == maker

    def test_names_that_move_are_told_apart(self):
        record = tried(program("square", "away")).record
        titles = [record.title(number) for number in range(len(record.storages))]
        assert titles == ["a", "b before line 4", "loss", "b since line 4"]


class TestOwnLines:
    """Sentences that have to hold for any program."""

    START = "a = tensor([1., 3.], requires_grad=True)\nb = a + 2\n"

    def screens(self, text):
        state = own(self.START + text)
        last = last_line(trial_of(state))
        return {line: show({**state, "line": line}) for line in range(1, last + 1)}

    def test_a_node_of_another_root_has_kept_it(self):
        shown = self.screens("c = b * b\nloss = b.sum()\nb[0] = 9.0\nloss.backward()")
        said = "No node that leads to `loss` kept `b`, so the write does no harm here."
        assert shown[6].sentence == said

    def test_gradients_are_those_after_the_line(self):
        shown = self.screens("loss = b.sum()\nloss.backward()\na.grad = None")
        panels = {line: screen.parts[-1].text for line, screen in shown.items()}
        assert panels[3] == "None yet: backward has not run."
        assert panels[4] == "so far: a.grad = [1, 1]"
        assert "a.grad = None" in panels[5]
        assert ".grad <b" in shown[4].parts[0].html

    def test_a_hidden_write_that_changes_no_gradient(self):
        shown = self.screens("loss = b.relu().sum()\nb.data[0] = 9.0\nloss.backward()")
        assert "wrong" not in shown[5].sentence
        lines = "loss = (b * b)[1:].sum()\nb.data[0] = 9.0\nloss.backward()"
        assert self.screens(lines)[5].sentence == (
            "MulBackward0 finds `b` at version 0, as kept. The value of `b` is another one all the "
            "same."
        )

    def test_a_value_that_its_own_line_changes_is_not_shown_as_the_old_one(self):
        shown = self.screens("loss = (b * b).mean(); b[0] = 1000.0\nloss.backward()")
        assert "with b as line 3 used it: a.grad = [3, 5]  (true)" in shown[4].parts[-1].text

    def test_a_plain_number_that_is_kept_is_told_as_one(self):
        shown = self.screens("c = b * 2\nd = 0.5 * c.exp().mean()\nd.backward()")
        assert "MulBackward0 keeps the number 2." in shown[3].sentence
        assert "MulBackward0 keeps the number 0.5." in shown[4].sentence
        product = self.screens("d = b.mean() * b.mean()")[3].sentence
        assert "MulBackward0 keeps a tensor without a name at version 0, twice." in product

    def test_a_thread_goes_only_where_nothing_hangs_between(self):
        def threads(text):
            screen = list(self.screens(text).values())[-1]
            wide = screen.parts[0].html.partition('<table class="narrow')[0]
            return wide.count('class="thread"'), wide.count("still v0?")

        assert threads("loss = (b * b).mean()\nb[0] = 9.0\nloss.backward()") == (1, 1)
        assert threads("loss = (b * b).mean()\nb[0] = 9.0\nb[1] = 8.0\nloss.backward()") == (2, 1)
        between = "c = b * b\nloss = c.mean()\nb[0] = 9.0\nd = c.exp()\nloss.backward()"
        assert threads(between) == (0, 0)

    def test_no_leaf_no_gradient(self):
        state = own("x = ones(2)\ny = x * 2")
        assert show(state).parts[-1].text == "None yet: backward has not run."


@pytest.mark.parametrize("seed", range(80))
def test_every_program_has_screens_that_agree_with_its_message(seed):
    text = random_program(seed)
    state = own(text)
    trial = trial_of(state)
    for line in range(1, last_line(trial) + 1):
        screen = show({**state, "line": line})
        assert screen.sentence
        for part in screen.parts:
            Balance(part.html)
    if trial.record.stale:
        now, kept = map(int, VERSIONS.search(trial.record.stopped.message).groups())
        found = trial.complaint
        assert (found.check.now, found.check.ticket.version) == (now, kept)
        assert found.storage.cells[found.line].version == now
        shape = re.search(r"\[torch\.FloatTensor \[(.*?)\]\]", trial.record.stopped.message)[1]
        size = np.prod([int(one) for one in shape.split(", ")]) if shape else 1
        assert size <= found.storage.size


class TestBoard:
    @pytest.fixture
    def debugger(self):
        return version_debugger(line=5)

    def test_presets_ways_and_lines_are_stored(self, debugger):
        keys = [json.loads(key) for key in data_in(debugger._html())["screens"]]
        assert {(key["script"], key["way"]) for key in keys} == {
            (script, way) for script in SCRIPTS for way in WAYS
        }
        assert {key["letter"] for key in keys} == {"", *"ABCDEF"}
        assert len(keys) == len({json.dumps(key) for key in keys})

    def test_every_button_of_a_stored_screen_leads_to_a_stored_one(self, debugger):
        """But own lines, which need Python."""
        data = data_in(debugger._html())
        reached = set()
        for piece in data["pieces"]:
            told = json.dumps(piece)
            reached |= set(re.findall(r'"to": "((?:[^"\\]|\\.)*)"', told))
        states = [json.loads(json.loads(f'"{key}"')) for key in reached]
        inside = re.findall(r'data-to="(.*?)"', "".join(map(str, data["pieces"])))
        assert inside
        states += [json.loads(unescape(key)) for key in set(inside)]
        stored = {json.dumps(json.loads(key), sort_keys=True) for key in data["screens"]}
        missing = [s for s in states if json.dumps(s, sort_keys=True) not in stored]
        assert {state["script"] for state in missing} == {"own"}

    def test_the_question_comes_before_the_decisive_line_and_knows_the_answer(self):
        heard = set()
        for script in SCRIPTS:
            for way in WAYS:
                debugger = version_debugger(script, way, line=9)
                end = debugger.state["line"] - (way == "after")
                debugger.press("ask me")
                assert debugger.state["line"] == end - 1
                assert debugger.screen.sentence.startswith(f"Next comes line {end}, `")
                verdict = tried(program(script, way)).verdict
                true = {"true": "it runs, right gradient", "wrong": "it runs, wrong gradient"}
                true = true.get(verdict, "it stops")
                before = debugger.state
                for said in ("it stops", "it runs, right gradient", "it runs, wrong gradient"):
                    rows = show(before).actions
                    to = next(one.to for _, row in rows for one in row if one.says == said)
                    shown = show(to).sentence
                    judged = "Right." if said == true else "Not quite."
                    assert shown.startswith(f"You said {said}. {judged} ")
                    assert shown.endswith(sentence(tried(program(script, way)), end))
                    assert to["line"] == end
                heard.add(true)
        assert len(heard) == 3

    def test_asking_goes_on_from_script_to_script_until_it_is_ended(self):
        debugger = version_debugger()
        debugger.press("ask me")
        debugger.press("a view")
        assert debugger.screen.sentence == "Next comes line 6, `loss.backward()`. What will it do?"
        debugger.press("it stops")
        debugger.press("through .data")
        assert debugger.screen.sentence.startswith("Next comes line 6")
        debugger.press("ask me")
        assert debugger.screen.sentence.startswith("No error, and a wrong gradient")
        assert "ask" not in debugger.state

    def test_lines_of_ones_own_are_asked_about_where_something_is_decided(self):
        debugger = version_debugger("a = ones(2)\nb = a * 2")
        with pytest.raises(ValueError, match="No line before the end decides anything here"):
            debugger.press("ask me")
        text = "a = tensor(2., requires_grad=True)\ny = a * a\na += 1\ny.backward()"
        debugger.enter(lines=text)
        debugger.press("ask me")
        assert debugger.screen.sentence == "Next comes line 3, `a += 1`. What will it do?"
        assert "Right." in debugger.press("it stops").screen.sentence

    def test_what_unfolds_without_scripts_has_a_summary_of_its_own(self, debugger):
        summaries = re.findall(r"<summary>(.*?)</summary>", debugger._html())
        assert len(summaries) == len(set(summaries)) == 11
        assert "after backward" in summaries[8]

    def test_it_is_small_enough_for_a_lesson(self, debugger):
        assert len(debugger._html()) < 110_000

    def test_pressing_goes_through_lines_ways_and_phrases(self):
        debugger = version_debugger()
        for _ in range(4):
            debugger.press("▶")
        assert debugger.screen.place == "line 5 of 5: `loss.backward()` stops"
        assert "no error, wrong" in debugger.press("compare all").text()
        debugger.press("through .data")
        assert repr(debugger).startswith("VersionDebugger: No error, and a wrong gradient")
        with pytest.raises(ValueError, match="This is the last line that runs"):
            debugger.press("▶")

    def test_a_phrase_says_what_it_points_at_and_lights_it(self, debugger):
        said = {}
        for letter in "ABCDEF":
            screen = show({**debugger.state, "letter": letter})
            said[letter] = screen.sentence
            assert screen.parts[0].html.count(" lit") + screen.parts[0].html.count('"lit"') >= 1
            assert 'aria-pressed="true"' in screen.parts[1].html
        assert said["D"] == "Line 4 made `b` as it is now. It is not the one that complains."
        assert len(set(said.values())) == 6

    def test_own_lines_are_typed(self):
        debugger = version_debugger()
        debugger.press("your own lines")
        assert debugger.state["lines"] == list(program("square", "plain"))
        debugger.enter(lines="a = ones(2)\nb = a * 2")
        assert debugger.state["line"] == 2
        with pytest.raises(Refused, match="Line 1: Python cannot read this"):
            debugger.enter(lines="a = (")
        assert debugger.state["line"] == 2

    @pytest.mark.parametrize(("given", "said"), [
        (("cube",), "there is no script 'cube'; there are: square, sum"),
        (("square", "sideways"), "there is no way 'sideways'; there are: plain, clone"),
        (("a = (",), "Python cannot read this"),
    ])  # fmt: skip
    def test_what_is_not_there_is_said(self, given, said):
        with pytest.raises(ValueError, match=said):
            version_debugger(*given)

    def test_a_program_of_ones_own_can_be_given(self):
        lines = "a = tensor(2., requires_grad=True)\ny = a * a\ny.backward()"
        debugger = version_debugger(lines, line=3)
        assert debugger.screen.sentence == "MulBackward0 finds `a` at version 0, as kept."


def test_the_line_that_writes_is_the_one_that_is_named():
    for script in SCRIPTS:
        for way in WAYS:
            lines = program(script, way)
            write = lines[scripts.write_line(script, way) - 1]
            assert "1000" in write or SCRIPTS[script].away == write
