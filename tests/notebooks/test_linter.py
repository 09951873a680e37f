"""Every lesson keeps the rules, and every rule notices when it is broken."""

import copy
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from minigrad import lessons
from tests.notebooks import linter
from tests.notebooks.reading import COURSE_PAGE, LESSONS, fresh, read


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_rules(path):
    assert linter.complaints(read(path)) == []


@pytest.mark.parametrize(
    "rule",
    [
        linter.ids_are_readable,
        linter.short_code,
        linter.short_texts,
        linter.plain_words,
        linter.one_import_cell,
        linter.no_prose_in_code,
        linter.no_plumbing,
        linter.one_vocabulary,
        linter.changes_have_an_answer,
        linter.small_enough,
        linter.errors_are_explained,
        linter.executed_and_quiet,
        linter.pictures_have_alt_text,
    ],
)
def test_the_course_page_keeps_the_rules_that_are_not_about_lessons(rule):
    assert list(rule(read(COURSE_PAGE))) == []


# --- Each rule, with notebooks that break it --------------------------------------------------


@pytest.fixture
def lesson():
    return fresh(LESSONS[1])


def cell(notebook, cell_id):
    return next(c for c in notebook.cells if c.id == cell_id)


def first_code(notebook):
    return linter.code_cells(notebook)[1]


def text(notebook):
    return linter.text_cells(notebook)[2]


def swap_parts(lesson):
    """Run before Predict."""
    ids = [c.id for c in lesson.cells]
    predict, run, step = (ids.index(f"part-{name}") for name in ("predict", "run", "step"))
    lesson.cells[predict:step] = lesson.cells[run:step] + lesson.cells[predict:run]


def rename_part(lesson):
    cell(lesson, "part-recap").source = "## Recap\n\nNothing."


def machine_made_id(lesson):
    first_code(lesson).id = "a1b2c3d4-5e6f-7a8b"
    text(lesson).id = "3F"


def same_id_twice(lesson):
    first_code(lesson).id = text(lesson).id


def many_cells(lesson):
    lesson.cells += [new_markdown_cell("More.", id=f"more-{i}") for i in range(20)]


def long_code(lesson):
    first_code(lesson).source = "\n".join(["x"] * 13)


def wide_code(lesson):
    first_code(lesson).source = "x = " + "1 + " * 25 + "1"


def long_codes(lesson):
    for code in linter.code_cells(lesson):
        code.source += "\n" * 4 + "x"


def long_text(lesson):
    text(lesson).source = "Five words in a row. " * 30


def long_sentence(lesson):
    text(lesson).source = "It goes on and on " * 7 + "."


def banned_word(lesson):
    text(lesson).source = "Simply run it."


def exclamation(lesson):
    text(lesson).source = "It works!"


def emoji(lesson):
    text(lesson).source = "It works \U0001f389."


def second_import(lesson):
    first_code(lesson).source = "import numpy"


def no_engine(lesson):
    linter.code_cells(lesson)[0].source = "import numpy"


def six_names(lesson):
    linter.code_cells(lesson)[0].source += "\nfrom minigrad.lessons import growing, picture"


def inner_door(lesson):
    linter.code_cells(lesson)[0].source += "\nfrom minigrad.viz import draw"


def foreign_import(lesson):
    linter.code_cells(lesson)[0].source += "\nimport numpy"


def sentence_in_code(lesson):
    first_code(lesson).source = 'print("this is no language")'


def long_comment(lesson):
    first_code(lesson).source = "x = 1  # this one goes on and on and on"


def two_comments(lesson):
    first_code(lesson).source = "x = 1  # one\ny = 2  # two"


def tape(lesson):
    first_code(lesson).source = "with record() as tape:\n    x"


def second_word(lesson):
    text(lesson).source = "Each share is added."


def item_number(lesson):
    text(lesson).source = "It is a graph (0.2)."


def no_answer(lesson):
    text(lesson).source = "*Change it.* What comes out?"


def large_output(lesson):
    first_code(lesson).outputs = [new_output("stream", name="stdout", text="x" * 250_000)]


def nothing_to_do(lesson):
    lesson.cells[6:6] = [new_code_cell("x", id=f"look-{i}") for i in range(4)]


def no_outcome(lesson):
    cell(lesson, "run-note").source = "x.grad"


def eight_exercises(lesson):
    first_code(lesson).source = "\n".join(f'check("02-{n}", ...)' for n in range(6, 9))


def one_exercise(lesson):
    for code in linter.code_cells(lesson):
        if 'check("02-1"' not in code.source:
            code.source = code.source.replace("check(", "print(")


def other_lesson(lesson):
    first_code(lesson).source = 'check("01-1", ...)'


def no_warm_up(lesson):
    cell(lesson, "warm-up").source = "x"


def raise_without_tag(lesson):
    first_code(lesson).outputs = [new_output("error", ename="E", evalue="e", traceback=[])]


def tag_without_raise(lesson):
    first_code(lesson).metadata.tags = ["raises-exception"]


def raise_without_words(lesson):
    raise_without_tag(lesson)
    tag_without_raise(lesson)


def never_run(lesson):
    first_code(lesson).execution_count = None


def stderr(lesson):
    first_code(lesson).outputs = [new_output("stream", name="stderr", text="warning")]


def widget_view(lesson):
    view = {"application/vnd.jupyter.widget-view+json": {}}
    first_code(lesson).outputs = [new_output("display_data", data=view)]


def widget_state(lesson):
    lesson.metadata.widgets = {}


def bare_picture(lesson):
    text(lesson).source = "![graph](graph.svg)"


def bare_svg(lesson):
    html = "<svg role='img'><title>graph</title></svg>"
    first_code(lesson).outputs = [new_output("display_data", data={"text/html": html})]


def long_quote(lesson):
    cell(lesson, "part-torch").source = f"> “{'word ' * 13}” (原文) · 2.2"


def quote_without_original(lesson):
    cell(lesson, "part-torch").source = "> “a claim” · 2.2"


def quote_without_run(lesson):
    lesson.cells[-1].source += "\n\n> “a claim” (原文) · 2.2"


def two_terms(lesson):
    text(lesson).source = "A **node** and an **edge**."


def term_twice(lesson):
    linter.text_cells(lesson)[1].source = "A **seed**."
    text(lesson).source = "The **seed** again."


def uncompared(lesson):
    first_code(lesson).metadata.tags = ["nbval-ignore-output"]


def compared_torch(lesson):
    cell(lesson, "torch-same").metadata.tags = []


def no_torch(lesson):
    cell(lesson, "torch-same").source = "x"


def two_in_a_text(lesson):
    cell(lesson, "part-try").source += "\n\n*Exercise 02-9.* And this."


def two_below_a_text(lesson):
    lesson.cells.remove(cell(lesson, "try-rules-text"))


BREAKS = {
    linter.parts_in_order: [swap_parts, rename_part],
    linter.ids_are_readable: [machine_made_id, same_id_twice],
    linter.not_too_many_cells: [many_cells],
    linter.short_code: [long_code, wide_code, long_codes],
    linter.short_texts: [long_text, long_sentence],
    linter.plain_words: [banned_word, exclamation, emoji],
    linter.one_import_cell: [second_import, no_engine, six_names, inner_door, foreign_import],
    linter.no_prose_in_code: [sentence_in_code, long_comment, two_comments],
    linter.no_plumbing: [tape],
    linter.one_vocabulary: [second_word],
    linter.item_numbers_in_the_notes_alone: [item_number],
    linter.changes_have_an_answer: [no_answer],
    linter.small_enough: [large_output],
    linter.something_to_do: [nothing_to_do],
    linter.exercises_stand_below_their_text: [two_in_a_text, two_below_a_text],
    linter.planned_numbers: [no_outcome, eight_exercises, one_exercise, other_lesson, no_warm_up],
    linter.errors_are_explained: [raise_without_tag, tag_without_raise, raise_without_words],
    linter.executed_and_quiet: [never_run, stderr, widget_view, widget_state],
    linter.pictures_have_alt_text: [bare_picture, bare_svg],
    linter.quotes_are_short_and_refuted: [long_quote, quote_without_original, quote_without_run],
    linter.new_terms_once: [two_terms, term_twice],
    linter.torch_is_optional: [uncompared, compared_torch, no_torch],
}
PAIRS = [(rule, damage) for rule, damages in BREAKS.items() for damage in damages]


@pytest.mark.parametrize(("rule", "damage"), PAIRS, ids=lambda part: part.__name__)
def test_a_rule_notices_when_it_is_broken(lesson, rule, damage):
    before = list(rule(copy.deepcopy(lesson)))
    damage(lesson)
    assert len(list(rule(lesson))) > len(before)


def test_every_rule_has_a_notebook_that_breaks_it():
    assert list(BREAKS) == linter.RULES


# --- What exercises say, from the data files --------------------------------------------------


@pytest.mark.parametrize("number", lessons.LESSONS)
def test_no_hint_says_where_on_the_page_something_is(number):
    assert list(linter.hints_name_no_place(lessons.LESSONS[number])) == []


@pytest.mark.parametrize("said", ["Go to the left.", "Look at the Lower ×.", "See the text above."])
def test_a_hint_that_names_a_place_is_noticed(said):
    exercise = replace(lessons.LESSONS["02"].exercises[0], steps=("First.", "Second.", said))
    spoiled = replace(lessons.LESSONS["02"], exercises=(exercise,))
    assert len(list(linter.hints_name_no_place(spoiled))) == 1


def words_of(table):
    """Every sentence of a data file that a learner reads."""
    for key, value in table.items():
        if key in ("asks", "says", "reply", "hint", "idea", "because") and isinstance(value, str):
            yield value
        elif key == "steps":
            yield from value
        else:
            for inner in value if isinstance(value, list) else [value]:
                yield from words_of(inner) if isinstance(inner, dict) else ()


@pytest.mark.parametrize("number", lessons.LESSONS)
def test_what_exercises_say_keeps_to_the_vocabulary(number):
    path = Path(lessons.__file__).with_name(f"{number}.toml")
    for said in words_of(tomllib.loads(path.read_text("utf-8"))):
        assert not re.search(rf"\b({'|'.join(linter.OTHER_WORDS)})\b", said), said
        assert not any(re.search(rf"\b{word}\b", said, re.IGNORECASE) for word in linter.BANNED)
