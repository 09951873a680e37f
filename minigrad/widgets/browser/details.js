// What a step does, in rows: beside the picture, below it in columns, or folded.

import { breakable, control, make, reserve, tallest } from "./dom.js";

const CODE = /^\.grad$/;
// How high the sections may be, in rows: below the picture, and beside it, one under the other.
const ROWS_BELOW = [8, 8, 5];
const ROWS_BESIDE = [8, 5, 5];
const ROWS_FOLDED = 14; // that are reserved in the open one of folded sections; it may grow
const SUMMARY = 2 * 20 + 24; // two lines of its heading
const LOW = 720; // the height of a window in which no section below the picture has more rows
const FEWEST_BELOW = 6; // rows that stay of each where they stand side by side
const FEWEST_ROWS = 2; // rows that stay of the last one where the card would be too high
const HEAD = 18; // a line of a heading, of which there are two at most
const ROW = 19; // as in the style sheet
const LONG = 16; // letters of a row's name that stand in one line

export class Details {
  /** `program` is an element that stands before the rows, if there is one. */
  constructor(program) {
    this.program = program;
    this.element = make("div", { class: "details" });
    this.rules = "symbols";
    this.kept = true;
    this.folds = false;
  }

  /** Lay out as many sections as a frame has; `folds` where there is room for one column. */
  build(titles, folds) {
    this.folds = folds;
    this.sections = titles.map((title, at) => {
      const body = make("tbody");
      const head = heading({ title, of: "" });
      const rows = make("div", {}, make("table", {}, body));
      const section = folds
        ? make("details", { class: "section", open: at === 0 },
          control("summary", {}, ...head), rows)
        : make("div", { class: "section" }, make("h4", {}, ...head), rows);
      section.dataset.section = at;
      return { section, of: head.at(-1), body };
    });
    const program = this.program ? [this.program] : [];
    this.element.replaceChildren(...program, ...this.sections.map(({ section }) => section));
    this.keepShown();
  }

  keepShown() {
    this.sections.forEach(({ section }, at) => { section.hidden = at > 1 && !this.kept; });
    const others = this.element.querySelectorAll(":scope > :not([hidden])").length - 1;
    const columns = `minmax(0, 1.32fr)${" minmax(0, 1fr)".repeat(others)}`;
    this.element.style.setProperty("--columns", columns);
  }

  show(frame) {
    frame.details.forEach((told, at) => this.fillSection(this.sections[at], told, frame, at));
  }

  fillSection({ of, body }, told, frame, at) {
    of.textContent = this.folds && at > 0 ? gist(told.rows) : told.of;
    this.fillRows(body, told.rows, frame);
  }

  fillRows(body, rows, frame) {
    body.replaceChildren(...rows.map(([label, text, kind]) => {
      const pieces = (kind === "rule" && spelled(frame.rules?.[this.rules])) || text;
      return make("tr", {},
        make("th", { scope: "row", class: kindOf(label) }, ...breakable(label)),
        make("td", {}, ...pieces.flatMap(shown)));
    }));
  }

  /** Give each section the height of its tallest frame, so that no step moves the page. */
  reserve(frames, beside) {
    const more = Math.max(0, Math.floor((window.innerHeight - LOW) / ROW));
    this.sections.forEach(({ section, body }, at) => {
      if (section.hidden || (this.folds && at > 0)) return; // those that are folded say one line
      reserve(section.firstChild, tallest(frames, (frame) => frame.details[at].of.length),
        (copy, frame) => copy.append(...heading(frame.details[at])),
        this.folds ? SUMMARY : 2 * HEAD);
      const rows = this.folds ? ROWS_FOLDED
        : beside ? ROWS_BESIDE[Math.min(at, 2)] : ROWS_BELOW[Math.min(at, 2)] + more;
      this.reserveRows(frames, at, body.parentElement.parentElement, ROW * rows);
    });
    if (!beside && !this.folds) this.level();
  }

  reserveRows(frames, at, box, highest) {
    box.style.maxHeight = this.folds ? "" : `${highest}px`;
    const wide = box.clientWidth / 7;
    const lines = (frame) => frame.details[at].rows.reduce((sum, [, text]) =>
      sum + Math.max(1, Math.ceil(plain(text).length / wide)), 0);
    reserve(box, tallest(frames, lines), (copy, frame) => {
      const filled = make("tbody");
      this.fillRows(filled, frame.details[at].rows, frame);
      copy.append(make("table", {}, filled));
    }, highest);
  }

  /** Beside a picture no row hides above empty space: the first that needs it gets it first. */
  grow(frames, bottom) {
    this.sections.forEach(({ section, body }, at) => {
      const room = wholeRows(bottom - this.bottom);
      if (section.hidden || room <= 0) return;
      const box = body.parentElement.parentElement;
      this.reserveRows(frames, at, box, box.clientHeight + room);
    });
  }

  /** What stands side by side may be as high as the highest: no row hides beside empty space. */
  level() {
    const boxes = this.sections.filter(({ section }) => !section.hidden)
      .map(({ body }) => body.parentElement.parentElement);
    const highest = Math.max(0, ...boxes.map((box) => box.offsetHeight));
    for (const box of boxes) box.style.maxHeight = `${highest}px`;
  }

  /** Let the last section be lower by `excess`; what it then has no room for scrolls in it. */
  shrink(excess) {
    const last = this.sections.filter(({ section }) => !section.hidden).at(-1);
    const box = last.body.parentElement.parentElement;
    const height = Math.max(FEWEST_ROWS * ROW, wholeRows(box.clientHeight - Math.max(0, excess)));
    box.style.minHeight = box.style.maxHeight = `${Math.min(height, box.clientHeight)}px`;
  }

  /** Keep no line free in a heading of which some step needs two. */
  closeUp() {
    for (const { section } of this.sections) section.firstChild.style.minHeight = "";
  }

  /** Let all sections that stand side by side be lower by `excess`, to `fewest` rows. */
  shrinkAll(excess, fewest = FEWEST_BELOW) {
    const boxes = this.sections.filter(({ section }) => !section.hidden)
      .map(({ body }) => body.parentElement.parentElement);
    const highest = Math.max(...boxes.map((box) => box.clientHeight));
    const height = Math.max(fewest * ROW, wholeRows(highest - excess));
    for (const box of boxes) {
      if (box.clientHeight > height) box.style.minHeight = `${height}px`;
      box.style.maxHeight = `${height}px`; // a lower one may not grow above it in a later step
    }
  }

  /** Where the rows end, however high the box is in which they stand. */
  get bottom() {
    return Math.max(...this.sections.map(({ section }) => section.getBoundingClientRect().bottom));
  }
}

/** A height in which no row is cut. */
function wholeRows(height) {
  return ROW * Math.floor(height / ROW);
}

/** What stands above the rows of a section. */
function heading({ title, of }) {
  return [make("b", {}, title), " ", make("span", { class: "of" }, of)];
}

function kindOf(label) {
  if (CODE.test(label)) return "mono";
  return label.length > LONG && "long";
}

/** A spelling of a rule may come as text, or in pieces as any row. */
function spelled(rule) {
  return typeof rule === "string" ? rule && [rule] : rule;
}

/** A piece of text: a gradient's number stands out, and None is no number. */
function shown(piece) {
  if (Array.isArray(piece)) return [make("b", { class: "gradient" }, piece[0])];
  return piece.split(/\b(None)\b/).filter(Boolean).flatMap((part) =>
    part === "None" ? [make("span", { class: "none" }, part)] : breakable(part));
}

export function plain(text) {
  return text.map((piece) => (Array.isArray(piece) ? piece[0] : piece)).join("");
}

/** The rows of a folded section in one line: who is next, who waits. */
function gist(rows) {
  return rows.map(([label, text]) =>
    `${label} ${CODE.test(label) ? plain(text) : beginning(plain(text))}`).join(" · ");
}

/** A text up to the first sign that parts it, outside of brackets: `a[1:3]` is one name. */
function beginning(text) {
  let depth = 0;
  const end = text.split("").findIndex((sign) => {
    depth += "[(".includes(sign) - "])".includes(sign);
    return depth === 0 && ",:;".includes(sign);
  });
  return end < 0 ? text : text.slice(0, end);
}
