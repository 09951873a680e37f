// The pass as text: the graph, its lines marked as the picture is, and a table of the steps so far.

import { breakable, control, make } from "./dom.js";

const ROWS = 200; // of a longer pass, the last rows so far
const MARKS = ["error", "now", "ready", "waiting", "done"];
const GRAD = /(\.grad ).*$/s;

export class Listing {
  /** `keys` say which element each line of `tree` tells. */
  constructor(words, tree, keys = []) {
    this.words = words;
    this.tree = control("pre", { tabindex: "0", role: "group", "aria-label": words.tree });
    this.draw(tree, keys);
    this.body = make("tbody");
    const head = words.columns.map((name) => make("th", { scope: "col" }, name));
    this.earlier = make("p", { class: "earlier", hidden: true }, words.earlier);
    this.steps = control("div", { class: "steps", tabindex: "0", role: "group",
      "aria-label": words.listing }, this.earlier,
    make("table", {}, make("thead", {}, make("tr", {}, ...head)), this.body));
    this.steps.addEventListener("scroll", () =>
      this.steps.classList.toggle("scrolled", this.steps.scrollTop > 0));
    this.element = make("div", { class: "listing", hidden: true }, this.tree, this.steps);
  }

  draw(tree, keys = []) {
    this.lines = tree.split("\n").map((text, at) =>
      ({ text, key: keys[at], element: make("span", { class: "line" }, text) }));
    this.tree.replaceChildren(...this.lines.flatMap(({ element }, at) =>
      (at ? ["\n", element] : [element])));
  }

  show(frames, step, { marks, labels }) {
    const first = Math.max(0, step + 1 - ROWS);
    const rows = frames.slice(first, step + 1).map((frame, at) => make("tr",
      { "aria-current": first + at === step ? "step" : undefined },
      make("th", { scope: "row" }, String(first + at + 1)),
      ...(frame.row ?? [frame.title]).map((text) => make("td", {}, ...breakable(text)))));
    this.body.replaceChildren(...rows);
    this.earlier.hidden = first === 0;
    if (frames[step].tree) this.draw(frames[step].tree);
    for (const line of this.lines) this.mark(line, marks, labels);
    this.steps.scrollTop = this.steps.scrollHeight;
    this.follow();
  }

  /** A line says what the block of the picture says: its state, what has come, its gradient. */
  mark({ text, key, element }, marks, labels) {
    if (!key) return;
    const mark = MARKS.find((name) => marks.get(key)?.includes(name)) ?? "";
    const slots = labels.get(key);
    const said = [slots?.get("state"), slots?.get("came")].filter(Boolean).join(": ");
    const grad = slots?.get("grad");
    const whole = grad === undefined ? text : text.replace(GRAD, `$1${grad}`);
    element.className = `line ${mark}`;
    element.textContent = said ? `${whole}   [${said}]` : whole;
  }

  /** Scroll to the line of the node at work. */
  follow() {
    const now = this.tree.querySelector(".now, .error");
    if (!now) return;
    const [line, box] = [now.getBoundingClientRect(), this.tree.getBoundingClientRect()];
    if (line.top >= box.top && line.bottom <= box.bottom) return;
    this.tree.scrollTop += (line.top + line.bottom - box.top - box.bottom) / 2;
  }
}
