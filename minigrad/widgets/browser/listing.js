// The pass as text: the graph as a tree, and a table that grows by a row a step.

import { breakable, control, make } from "./dom.js";

const ROWS = 200; // of a longer pass, the last rows so far

export class Listing {
  constructor(words, tree) {
    this.words = words;
    this.tree = make("pre", {}, tree);
    this.body = make("tbody");
    const head = words.columns.map((name) => make("th", { scope: "col" }, name));
    this.earlier = make("p", { class: "earlier", hidden: true }, words.earlier);
    this.element = control("div", { class: "listing", tabindex: "0", role: "group",
      "aria-label": words.listing, hidden: true },
    this.tree, this.earlier,
    make("table", {}, make("thead", {}, make("tr", {}, ...head)), this.body));
  }

  show(frames, step) {
    const first = Math.max(0, step + 1 - ROWS);
    const rows = frames.slice(first, step + 1).map((frame, at) => make("tr",
      { "aria-current": first + at === step ? "step" : undefined },
      make("th", { scope: "row" }, String(first + at + 1)),
      ...(frame.row ?? [frame.title]).map((text) => make("td", {}, ...breakable(text)))));
    this.body.replaceChildren(...rows);
    this.earlier.hidden = first === 0;
    if (frames[step].tree) this.tree.textContent = frames[step].tree;
    this.element.scrollTop = this.element.scrollHeight;
  }
}
