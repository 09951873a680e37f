"""The rules of a lesson that a machine can keep, one small function each.

A rule is given a notebook and yields complaints, each with the id of the cell. `complaints` runs
them all. What needs taste, such as one idea per cell or pictures before formulas, is not here.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from statistics import median
from typing import Any

import nbformat

PARTS = [
    "Warm-up",
    "Picture",
    "Predict",
    "Run",
    "Step through",
    "Try",
    "In real PyTorch / What the notes said",
    "Three sentences",
]
MOST_CELLS = 50  #: an exercise has a text of its own, so texts are many and short
MOST_LINES, MOST_LINES_WHERE_MUCH_IS_BUILT = 12, 20
MUCH_IS_BUILT = ("05", "12")
USUAL_LINES, USUAL_LINES_WHERE_MUCH_IS_BUILT = 4, 7
MOST_COLUMNS = 79
MOST_WORDS, MOST_WORDS_IN_A_SENTENCE = 120, 25
MOST_CODE_CELLS_IN_A_ROW = 3
SHORTEST_ALT_TEXT = 20
BANNED = (
    "magic", "magical", "magically", "simply", "just", "obviously", "unlock", "powerful", "journey",
)  # fmt: skip
TORCH_TAG = "nbval-ignore-output"
NOTES = PARTS[6]
MOST_NAMES = 5
MOST_BYTES = 250_000
MOST_WORDS_IN_CODE = 3
#: One word for one thing; the course page lists them.
OTHER_WORDS = {"share": "part", "shares": "part", "contribution": "part", "contributions": "part"}
#: A picture is drawn sideways or downwards, as it fits.
PLACES = re.compile(r"\b(?:left|right-hand|to the right|lower|upper|above|below)\b", re.IGNORECASE)

Notebook = nbformat.NotebookNode
Complaints = Iterator[str]


def complaints(notebook: Notebook) -> list[str]:
    """Everything that is wrong with a lesson, rule by rule."""
    return [f"{rule.__name__}: {said}" for rule in RULES for said in rule(notebook)]


# --- Reading a notebook -----------------------------------------------------------------------


def number(notebook: Notebook) -> str:
    """The lesson number, from the first heading: `# 02 · One node at a time`."""
    found = re.match(r"# (\d\d) · ", notebook.cells[0].source)
    return found[1] if found else "??"


def code_cells(notebook: Notebook) -> list[Notebook]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text_cells(notebook: Notebook) -> list[Notebook]:
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def tags(cell: Notebook) -> list[str]:
    return cell.metadata.get("tags", [])


def parts(notebook: Notebook) -> dict[str, list[Notebook]]:
    """The cells of each part, the heading cell included; what comes before is under ''."""
    found: dict[str, list[Notebook]] = {"": []}
    name = ""
    for cell in notebook.cells:
        heading = re.match(r"## (.+)", cell.source) if cell.cell_type == "markdown" else None
        if heading:
            name = heading[1].strip()
        found.setdefault(name, []).append(cell)
    return found


def prose(text: str) -> str:
    """Markdown without code, pictures, tables, link targets and HTML: what is read aloud."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"^#+ .*$", "", text, flags=re.MULTILINE)


def sentences(text: str) -> list[str]:
    """Sentences of prose; code between backquotes counts as one word.

    >>> sentences("One. Two is `a.b`? Three")
    ['One', 'Two is code', 'Three']
    """
    text = re.sub(r"`[^`]*`", "code", prose(text))
    blocks = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", "\n" + text)
    pieces = [re.split(r"(?<=[.?!:;])\s+", " ".join(block.split())) for block in blocks]
    return [said for piece in pieces for s in piece if (said := s.strip(" .?!:;*-"))]


def words(text: str) -> int:
    return len(re.findall(r"\w[\w'’.-]*", text))


# --- The rules --------------------------------------------------------------------------------


def parts_in_order(notebook: Notebook) -> Complaints:
    found = [name for name in parts(notebook) if name]
    if found != PARTS:
        yield f"the parts are {found}"


def ids_are_readable(notebook: Notebook) -> Complaints:
    """Ids are written by hand, so that they stay the same for good."""
    ids = [cell.get("id", "") for cell in notebook.cells]
    for cell_id in ids:
        if not re.fullmatch(r"[a-z][a-z0-9-]{2,40}", cell_id) or ids.count(cell_id) > 1:
            yield f"{cell_id!r} is no readable id of its own"


def not_too_many_cells(notebook: Notebook) -> Complaints:
    if len(notebook.cells) > MOST_CELLS:
        yield f"{len(notebook.cells)} cells"


def short_code(notebook: Notebook) -> Complaints:
    built = number(notebook) in MUCH_IS_BUILT
    most = MOST_LINES_WHERE_MUCH_IS_BUILT if built else MOST_LINES
    usual = USUAL_LINES_WHERE_MUCH_IS_BUILT if built else USUAL_LINES
    lengths = [len(cell.source.splitlines()) for cell in code_cells(notebook)]
    if lengths and median(lengths) > usual:
        yield f"a code cell has {median(lengths)} lines on average (median)"
    for cell, lines in zip(code_cells(notebook), lengths, strict=True):
        if lines > most:
            yield f"{cell.id} has {lines} lines"
        if any(len(line) > MOST_COLUMNS for line in cell.source.splitlines()):
            yield f"{cell.id} is wider than {MOST_COLUMNS} columns"


def short_texts(notebook: Notebook) -> Complaints:
    for cell in text_cells(notebook):
        if (count := words(prose(cell.source))) > MOST_WORDS:
            yield f"{cell.id} has {count} words"
        for sentence in sentences(cell.source):
            if (count := words(sentence)) > MOST_WORDS_IN_A_SENTENCE:
                yield f"{cell.id} has a sentence of {count} words: {sentence[:40]}…"


def plain_words(notebook: Notebook) -> Complaints:
    for cell in text_cells(notebook):
        text = prose(re.sub(r"`[^`]*`", "", cell.source))
        for word in BANNED:
            if re.search(rf"\b{word}\b", text, re.IGNORECASE):
                yield f"{cell.id} says {word!r}"
        if "!" in text or "！" in text:
            yield f"{cell.id} shouts"
        if re.search("[\U0001f300-\U0001faff\u2600-\u27bf]", text):
            yield f"{cell.id} has an emoji"


def one_import_cell(notebook: Notebook) -> Complaints:
    """Imports come first, in one cell. A cell that uses torch, if it is there, has its own."""
    first, *others = code_cells(notebook)
    yield from _imports(first)
    for cell in others:
        if re.search(r"^\s*(import|from) ", cell.source, re.MULTILINE):
            if TORCH_TAG not in tags(cell):
                yield f"{cell.id} imports"


def _imports(cell: Notebook) -> Complaints:
    """The engine, at most five names of the lessons, and what comes with Python."""
    names = []
    if "import minigrad as mg" not in cell.source:
        yield f"{cell.id} does not import minigrad as mg"
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.ImportFrom) and node.module == "minigrad.lessons":
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            yield f"{cell.id} imports from {node.module}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name != "minigrad" and alias.name not in sys.stdlib_module_names:
                    yield f"{cell.id} imports {alias.name}"
    if len(names) > MOST_NAMES:
        yield f"{cell.id} imports {len(names)} names from minigrad.lessons"


def no_prose_in_code(notebook: Notebook) -> Complaints:
    """Sentences are translated, code is not: a code cell has one short comment at most."""
    for cell in code_cells(notebook):
        tokens = list(tokenize.generate_tokens(io.StringIO(cell.source).readline))
        comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        if len(comments) > 1 or any(words(comment) > 6 for comment in comments):
            yield f"{cell.id} has more than one short comment"
        for text in (token.string for token in tokens if token.type == tokenize.STRING):
            if len(re.findall(r"[a-z]{2,}", text, re.IGNORECASE)) > MOST_WORDS_IN_CODE:
                yield f"{cell.id} holds a sentence: {text[:40]}"


def no_plumbing(notebook: Notebook) -> Complaints:
    """A lesson is looked at through `mg` and `minigrad.lessons` alone."""
    plumbing = r"\b(graph_of|record_backward|record\(|as tape|Film\(|lambda gradient|alt=)"
    for cell in code_cells(notebook):
        for found in re.findall(plumbing, cell.source):
            yield f"{cell.id} uses {found}"


def one_vocabulary(notebook: Notebook) -> Complaints:
    for cell in text_cells(notebook):
        text = prose(re.sub(r"`[^`]*`", "", cell.source))
        for word, better in OTHER_WORDS.items():
            if re.search(rf"\b{word}\b", text, re.IGNORECASE):
                yield f"{cell.id} says {word!r}; the word is {better!r}"


def item_numbers_in_the_notes_alone(notebook: Notebook) -> Complaints:
    """Elsewhere a number such as (0.25) is read as a value."""
    for part, cells in parts(notebook).items():
        for cell in cells if part != NOTES else ():
            text = re.sub(r"`[^`]*`", "", cell.source) if cell.cell_type == "markdown" else ""
            for item in re.findall(r"\(([0-4]\.\d{1,2}(?:, [0-4]\.\d{1,2})*)\)", text):
                yield f"{cell.id} names the item {item}"


def changes_have_an_answer(notebook: Notebook) -> Complaints:
    """Below each *Change it* what one will see is folded away."""
    for cell in text_cells(notebook):
        if cell.source.count("*Change it.*") != cell.source.count("<details><summary>Answer"):
            yield f"{cell.id} says *Change it* and folds no answer away, or the other way round"


def small_enough(notebook: Notebook) -> Complaints:
    size = len(nbformat.writes(notebook).encode())
    if size > MOST_BYTES:
        yield f"{size:,} bytes"


def hints_name_no_place(lesson: Any) -> Complaints:
    """No rule of a notebook: what the exercises of a lesson say, from its data file."""
    for exercise in lesson.exercises:
        for said in (*exercise.steps, *(m.hint for m in exercise.mistakes.values())):
            if found := PLACES.search(said):
                yield f"{exercise.name} says {found[0]!r}: {said}"


def something_to_do(notebook: Notebook) -> Complaints:
    """After three code cells at the latest the learner predicts, steps, tries or changes."""
    in_a_row = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            in_a_row = 0 if "*Change it.*" in cell.source else in_a_row
        elif re.search(r"\b(warm_up|stepper|growing|check|predict)\(", cell.source):
            in_a_row = 0
        else:
            in_a_row += 1
            if in_a_row > MOST_CODE_CELLS_IN_A_ROW:
                yield f"{cell.id} is code cell {in_a_row} in a row with nothing to do"


def exercises_stand_below_their_text(notebook: Notebook) -> Complaints:
    """Text, cell, text, cell: between two cells that answer stands what the second one asks."""
    told = True
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            told = True
            if len(re.findall(r"^\*(?:Exercise|Step) [\d-]+\.\*", cell.source, re.MULTILINE)) > 1:
                yield f"{cell.id} holds more than one exercise"
        elif re.search(r"\bcheck\(", cell.source):
            if not told:
                yield f"{cell.id} has no text of its own"
            told = False


def planned_numbers(notebook: Notebook) -> Complaints:
    source = "\n".join(cell.source for cell in code_cells(notebook))
    here = number(notebook)
    predictions = set(re.findall(r'predict\("([\w-]+)"\)', source))
    outcomes = set(re.findall(r'predict\("([\w-]+)"\)\.outcome', source))
    exercises = {name[:4] for name in re.findall(r'check\("([\w-]+)"', source)}
    fewest = 1 if here == "12" else 2
    if not fewest <= len(predictions) <= 4:
        yield f"{len(predictions)} predictions"
    if predictions != outcomes:
        yield f"no outcome is shown for {sorted(predictions - outcomes)}"
    if here != "05" and not 2 <= len(exercises) <= 5:
        yield f"{len(exercises)} exercises"
    if source.count(f'warm_up("{here}")') != 1:
        yield "there is not one warm-up"
    if any(not name.startswith(here) for name in predictions | exercises):
        yield "a prediction or exercise of another lesson is used"


def errors_are_explained(notebook: Notebook) -> Complaints:
    """A cell that raises is tagged, and the text below says what to make of it."""
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], None], strict=True):
        raises = any(o.output_type == "error" for o in cell.get("outputs", []))
        if raises != ("raises-exception" in tags(cell)):
            yield f"{cell.id} raises and is not tagged, or is tagged and does not raise"
        if raises:
            text = after.source.lower() if after and after.cell_type == "markdown" else ""
            if not all(said in text for said in ("what it says", "what it means", "what to do")):
                yield f"{cell.id} is not followed by what it says, what it means, what to do"


def executed_and_quiet(notebook: Notebook) -> Complaints:
    for count, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != count:
            yield f"{cell.id} was not executed in order"
        if any(o.get("name") == "stderr" for o in cell.outputs):
            yield f"{cell.id} writes to stderr"
        if any("widget-view" in kind for o in cell.outputs for kind in o.get("data", {})):
            yield f"{cell.id} stores the view of a widget"
    if "widgets" in notebook.metadata:
        yield "the state of widgets is stored"


def pictures_have_alt_text(notebook: Notebook) -> Complaints:
    for cell in text_cells(notebook):
        for alt in re.findall(r"!\[([^\]]*)\]\(", cell.source):
            if len(alt) < SHORTEST_ALT_TEXT:
                yield f"{cell.id} has a picture with the alt text {alt!r}"
    for cell in code_cells(notebook):
        for html in (o.get("data", {}).get("text/html", "") for o in cell.outputs):
            for svg in re.findall(r"<svg\b.*?</svg>", html, re.DOTALL):
                if len(alt_of(svg)) < SHORTEST_ALT_TEXT:
                    yield f"{cell.id} shows a picture with the alt text {alt_of(svg)!r}"


def alt_of(svg: str) -> str:
    """What a screen reader says about a drawing: its description, label or title."""
    said = [
        *re.findall(r"<desc[^>]*>(.*?)</desc>", svg, re.DOTALL),
        *re.findall(r'^<svg[^>]*aria-label="([^"]*)"', svg),
        *re.findall(r"^<svg[^>]*>\s*<title[^>]*>(.*?)</title>", svg, re.DOTALL),
    ]
    return max((" ".join(text.split()) for text in said), key=len, default="")


def quotes_are_short_and_refuted(notebook: Notebook) -> Complaints:
    """A quoted claim: `> “translation” (原文) · 0.15`, at most 12 words, then a run.

    Code is its own original, and stands there once.
    """
    after = [*notebook.cells[1:], None]
    for cell, following in zip(notebook.cells, after, strict=True):
        for quote in re.findall(r"^> (.+)$", cell.source, re.MULTILINE):
            if cell.cell_type != "markdown":
                continue
            found = re.fullmatch(r"“(.+?)”(?: \((.+)\))? · \d\.\d+", quote)
            if not found or not re.search(r"[\u4e00-\u9fff]|`.+`", found[2] or found[1]):
                yield f"{cell.id} has a quote without its original or item: {quote[:50]}"
            elif words(found[1]) > 12:
                yield f"{cell.id} quotes {words(found[1])} words"
            if following is None or following.cell_type != "code":
                yield f"{cell.id} quotes a claim and does not run anything against it"


def new_terms_once(notebook: Notebook) -> Complaints:
    """Bold is for new terms: one to a cell, and each only where it is new."""
    seen: set[str] = set()
    for cell in text_cells(notebook):
        terms = re.findall(r"\*\*(.+?)\*\*", re.sub(r"`[^`]*`", "", cell.source))
        if len(terms) > 1:
            yield f"{cell.id} has {len(terms)} new terms: {terms}"
        for term in terms:
            if term in seen:
                yield f"{cell.id} sets {term!r} in bold a second time"
            seen.add(term)


def torch_is_optional(notebook: Notebook) -> Complaints:
    """One cell uses torch, if it is installed; it is the only one whose output is not compared."""
    using = [c for c in code_cells(notebook) if re.search(r"import torch", c.source)]
    if len(using) != 1:
        yield f"{len(using)} cells import torch"
    for cell in code_cells(notebook):
        if (TORCH_TAG in tags(cell)) != (cell in using):
            yield f"{cell.id} carries {TORCH_TAG} and does not use torch, or the other way round"


RULES = [
    parts_in_order,
    ids_are_readable,
    not_too_many_cells,
    short_code,
    short_texts,
    plain_words,
    one_import_cell,
    no_prose_in_code,
    no_plumbing,
    one_vocabulary,
    item_numbers_in_the_notes_alone,
    changes_have_an_answer,
    small_enough,
    something_to_do,
    exercises_stand_below_their_text,
    planned_numbers,
    errors_are_explained,
    executed_and_quiet,
    pictures_have_alt_text,
    quotes_are_short_and_refuted,
    new_terms_once,
    torch_is_optional,
]
