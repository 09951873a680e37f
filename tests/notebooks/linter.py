"""The rules of a lesson that a machine can keep, one small function each.

A rule is given a notebook and yields complaints, each with the id of the cell. `complaints` runs
them all. What needs taste, such as one idea per cell or pictures before formulas, is not here.
"""

import re
from collections.abc import Iterator
from statistics import median

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
MOST_CELLS = 45
MOST_LINES, MOST_LINES_IN_LESSON_11 = 12, 20
USUAL_LINES = 4
MOST_COLUMNS = 79
MOST_WORDS, MOST_WORDS_IN_A_SENTENCE = 120, 20
MOST_CODE_CELLS_IN_A_ROW = 3
SHORTEST_ALT_TEXT = 20
BANNED = (
    "magic", "magical", "magically", "simply", "just", "obviously", "unlock", "powerful", "journey",
)  # fmt: skip
TORCH_TAG = "nbval-ignore-output"

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
    most = MOST_LINES_IN_LESSON_11 if number(notebook) == "11" else MOST_LINES
    lengths = [len(cell.source.splitlines()) for cell in code_cells(notebook)]
    if lengths and median(lengths) > USUAL_LINES:
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
    """Imports come first, in one cell. The optional torch cell at the end has its own."""
    first, *others = code_cells(notebook)
    if "import minigrad as mg" not in first.source:
        yield f"{first.id} does not import minigrad as mg"
    for cell in others:
        if re.search(r"^\s*(import|from) ", cell.source, re.MULTILINE):
            if TORCH_TAG not in tags(cell):
                yield f"{cell.id} imports"


def something_to_do(notebook: Notebook) -> Complaints:
    """After three code cells at the latest the learner predicts, steps, tries or changes."""
    in_a_row = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            in_a_row = 0 if "*Change it.*" in cell.source else in_a_row
        elif re.search(r"\b(warm_up|stepper|check|predict)\(", cell.source):
            in_a_row = 0
        else:
            in_a_row += 1
            if in_a_row > MOST_CODE_CELLS_IN_A_ROW:
                yield f"{cell.id} is code cell {in_a_row} in a row with nothing to do"


def planned_numbers(notebook: Notebook) -> Complaints:
    source = "\n".join(cell.source for cell in code_cells(notebook))
    here = number(notebook)
    predictions = set(re.findall(r'predict\("([\w-]+)"\)', source))
    outcomes = set(re.findall(r'predict\("([\w-]+)"\)\.outcome', source))
    exercises = {name[:4] for name in re.findall(r'check\("([\w-]+)"', source)}
    most = 5 if here == "10" else 4
    fewest = 1 if here == "12" else 2
    if not fewest <= len(predictions) <= 4:
        yield f"{len(predictions)} predictions"
    if predictions != outcomes:
        yield f"no outcome is shown for {sorted(predictions - outcomes)}"
    if here != "11" and not 2 <= len(exercises) <= most:
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
    """A quoted claim: `> "translation" (原文) — 0.15`, at most 12 words, then a run."""
    after = [*notebook.cells[1:], None]
    for cell, following in zip(notebook.cells, after, strict=True):
        for quote in re.findall(r"^> (.+)$", cell.source, re.MULTILINE):
            if cell.cell_type != "markdown":
                continue
            found = re.fullmatch(r"“(.+?)” \((.+)\) · \d\.\d+", quote)
            if not found or not re.search(r"[\u4e00-\u9fff]|`.+`", found[2]):
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
    something_to_do,
    planned_numbers,
    errors_are_explained,
    executed_and_quiet,
    pictures_have_alt_text,
    quotes_are_short_and_refuted,
    new_terms_once,
    torch_is_optional,
]
