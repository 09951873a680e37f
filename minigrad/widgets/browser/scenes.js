// The pictures of a pass: the overview, and below it the inside of the group that is open.

import { button, control, draw, fill, make } from "./dom.js";
import { Drawing, draggable } from "./drawing.js";
import { Miniature } from "./miniature.js";

export const MINIATURE = 58; // pixels that a picture costs once more when it is not seen whole
const SLIVER = 24; // pixels for which nobody should have to scroll
const SMALLEST = 0.8; // in a narrow card, of a picture that is seen whole then
const SMALLER = 0.9; // of another one there, to show a node with what it sends to
const LOWEST = 240; // pixels that are left to the pictures of a card that would be too high

export class Scenes {
  /** `request(key)` promises the SVG of a scene that is not stored, or null; `onopen()` follows. */
  constructor(words, data, request, onopen) {
    this.words = words;
    this.request = request;
    this.onopen = onopen;
    this.groups = data.groups ?? {};
    this.stored = new Map(Object.entries(data.scenes));
    this.factor = 1;
    this.narrow = false;
    this.following = Object.values(this.groups).some(({ kind }) => kind === "part");
    this.opened = null;
    this.overview = this.figure(words.picture);
    this.inside = make("div", { class: "inside", hidden: true });
    this.wedge = draw("svg", { class: "wedge", "aria-hidden": "true" }, draw("path"));
    this.said = make("p", { class: "said", role: "status", hidden: true });
    this.element = make("div", { class: "scenes" }, this.overview.box,
      this.overview.small.svg, this.said, this.inside);
    this.put(this.overview, this.stored.get(""));
  }

  figure(name) {
    const box = control("div", { class: "figure", tabindex: "0", role: "group",
      "aria-label": name });
    draggable(box);
    return { box, drawing: null, small: new Miniature(box) };
  }

  /** Draw a scene in a figure, and make its groups what can be opened. */
  put(figure, svg) {
    figure.drawing = new Drawing(svg);
    figure.box.replaceChildren(figure.drawing.svg);
    const groups = figure.drawing.svg.querySelectorAll("[data-open]");
    if (groups.length) figure.drawing.svg.setAttribute("role", "group");
    for (const group of groups) this.openable(group);
  }

  openable(group) {
    const key = group.dataset.open;
    const toggle = () => this.open(this.opened === key ? null : key);
    const about = { role: "button", tabindex: "0", "data-lm-suppress-shortcuts": "true",
      "aria-expanded": "false", "aria-label": fill(this.words.open, this.named(key)) };
    for (const [name, value] of Object.entries(about)) group.setAttribute(name, value);
    group.addEventListener("click", toggle);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      toggle();
    });
  }

  named(key) {
    return { name: this.groups[key]?.name ?? key };
  }

  /** How wide the widest picture is that is shown. */
  get width() {
    return Math.max(...Array.from(this.figures(), ({ drawing }) => drawing.size.width));
  }

  /** Whether some picture is not seen whole. */
  get cut() {
    return Array.from(this.figures()).some(({ small }) => small.svg.style.display === "block");
  }

  /** Whether a picture is wider than its box, and seen in its whole height. */
  get sideways() {
    return Array.from(this.figures()).some(({ box }) => box.scrollWidth > box.clientWidth + 1
      && box.scrollHeight <= box.clientHeight + 1);
  }

  *figures() {
    yield this.overview;
    if (this.opened !== null) yield this.inner;
  }

  /** Open a group, in the place of what was open; null closes. */
  async open(key) {
    this.wanted = key;
    if (key !== null && !this.stored.has(key)) {
      const svg = await this.request(key);
      if (this.wanted !== key) return;
      const part = this.groups[key]?.kind === "part";
      const said = part ? this.words.part_not_stored : this.words.not_stored;
      this.said.textContent = fill(said, this.named(key));
      this.said.hidden = svg !== null;
      if (svg === null) return;
      this.stored.set(key, svg);
    }
    this.said.hidden = true;
    this.opened = key;
    this.inside.hidden = key === null;
    this.inside.replaceChildren();
    if (key !== null) this.showInside(key);
    for (const group of this.element.querySelectorAll("[data-open]")) {
      group.setAttribute("aria-expanded", String(group.dataset.open === key));
    }
    this.onopen();
  }

  showInside(key) {
    const { words } = this;
    const above = [];
    for (let up = key; up; up = this.groups[up]?.parent) above.unshift(up);
    const head = make("div", { class: "inside-head" },
      button({ class: "plain", "aria-label": fill(words.close, this.named(key)) },
        () => this.shut(key), "⊟"),
      ...above.flatMap((one) => one === key
        ? [make("b", {}, this.named(one).name)]
        : [button({ class: "plain" }, () => this.open(one), this.named(one).name), " › "]),
      make("span", {}, this.groups[key]?.about ?? ""));
    this.inner = this.figure(fill(words.inside, this.named(key)));
    this.put(this.inner, this.stored.get(key));
    this.inside.append(this.wedge, make("div", { class: "inside-box" }, head, this.inner.box,
      this.inner.small.svg));
    this.fit();
  }

  /** Close a group and leave the focus on its box, where it was opened. */
  shut(key) {
    this.open(null);
    this.overview.box.querySelector(`[data-open="${key}"]`)?.focus({ preventScroll: true });
  }

  /** Draw the wedge from the box of the open group to the whole width. */
  joinUp() {
    if (this.opened === null) return;
    const outside = this.wedge.getBoundingClientRect();
    if (!outside.width) return;
    let shown = null;
    for (let up = this.opened; up && !shown; up = this.groups[up]?.parent) {
      shown = this.overview.box.querySelector(`[data-open="${up}"]`);
    }
    const box = shown?.getBoundingClientRect() ?? outside;
    const clip = (x) => Math.max(0, Math.min(outside.width, x - outside.left));
    this.wedge.setAttribute("viewBox", `0 0 ${outside.width} ${outside.height}`);
    this.wedge.firstChild.setAttribute("d", `M${clip(box.left)} 0H${clip(box.right)}`
      + `L${outside.width} ${outside.height}H0Z`);
  }

  /** Show a step; `receivers` are the keys of what a gradient has come to. */
  show(state, sentence, running, receivers) {
    this.receivers = receivers;
    if (this.following && this.opened !== null) this.openWhatRuns(state);
    for (const { box, drawing, small } of this.figures()) {
      drawing.show(state, sentence);
      small.show();
      if (running) drawing.run();
    }
    this.follow();
  }

  /** Scroll every picture to what happens now. */
  follow() {
    for (const { box, drawing } of this.figures()) drawing.follow(box, this.receivers);
  }

  /** While a group is open, the one in which something happens now takes its place. */
  openWhatRuns({ marks }) {
    const now = Object.keys(this.groups).filter((key) => marks.get(key)?.includes("now"));
    const inmost = now.find((key) => !now.some((other) => this.groups[other].parent === key));
    if (inmost && inmost !== this.opened && inmost !== this.wanted) this.open(inmost);
  }

  zoom(factor) {
    this.factor = Math.max(0.25, Math.min(4, factor));
    this.fit();
  }

  fit() {
    for (const { box, drawing } of this.figures()) {
      const fits = box.clientWidth / drawing.size.width;
      const shrunk = fits >= SMALLEST ? Math.min(fits, 1) : SMALLER;
      drawing.zoom(this.factor * (this.narrow ? shrunk : 1));
    }
    this.fitMiniatures();
  }

  fitMiniatures() {
    for (const { drawing, small } of this.figures()) small.fit(drawing);
    this.joinUp();
  }

  leaveOutMiniatures() {
    for (const { small } of this.figures()) small.svg.style.display = "none";
    this.joinUp();
  }

  /** Let a card that is too high by `excess` have lower boxes; the pictures in them scroll. */
  shrink(excess) {
    const boxes = Array.from(this.figures(), ({ box }) => box);
    let over = excess;
    for (const box of boxes) {
      let lower = Math.min(over, Math.max(0, box.offsetHeight - LOWEST / boxes.length));
      const spare = box.clientHeight - box.scrollHeight;
      if (lower - spare <= SLIVER) lower = Math.min(lower, spare);
      if (lower > 0) box.style.maxHeight = `${box.offsetHeight - lower}px`;
      over -= Math.max(0, lower);
    }
    this.fitMiniatures();
  }

  /** As high as the style sheet lets the boxes be, or as the picture, where that saves a miniature. */
  grow() {
    for (const { box } of this.figures()) {
      box.style.maxHeight = "";
      if (box.scrollHeight - box.clientHeight <= MINIATURE) box.style.maxHeight = "none";
    }
  }
}
