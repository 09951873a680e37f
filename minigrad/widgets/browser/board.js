// Shows screens that Python made: rows of buttons, parts, a sentence. What each button leads to
// comes with the data, so nothing here knows what a widget is about. It has no words of its own.

import { coded, control, make, reserve, tallest } from "./dom.js";
import { morph } from "./morph.js";

const TYPED = "input, textarea, select";
const FOCUSABLE = `${TYPED}, button, summary, a[href], [data-to], [data-enter]`;
const AT_ONCE = "input[type=range], input[type=checkbox], input[type=radio], select";
const ON_LEAVING = "[data-leave]";
const NEIGHBORS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const PATIENCE_FOR_SCREENS = 4000; // milliseconds until a missing reply is mentioned
const MOST_ROOM = 88; // pixels: three lines of a sentence
const PACE = 800; // milliseconds between two screens while it plays

export class Board {
  /**
   * Build the board inside `root`. `onchange(key)` is called when the reader goes to a state;
   * `request(what)` promises what is not stored, or null when nobody is left; without it the board
   * has what is stored and no more.
   */
  constructor(root, data, onchange = () => {}, request = null) {
    this.root = root;
    this.words = data.words;
    this.onchange = onchange;
    this.request = request;
    this.screens = new Map();
    this.take(data);
    this.key = data.first;
    this.asText = false;
    this.asked = 0;
    this.whole = false;
    this.changed = new Set();
    this.timer = null;
    root.replaceChildren();
    root.removeAttribute("style");
    for (const [name, value] of Object.entries({ role: "group", "aria-label": data.name,
      tabindex: "0", "data-lm-suppress-shortcuts": "true" })) root.setAttribute(name, value);
    this.card = make("div", { class: "card" });
    root.append(make("style", {}, data.style ?? ""), this.card);
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("keydown", (event) => this.keydown(event));
    root.addEventListener("input", ({ target }) => {
      if (target.matches(AT_ONCE) && target.matches("[data-input]")) this.enter(target);
    });
    root.addEventListener("change", ({ target }) => {
      if (target.matches(ON_LEAVING) && this.card.contains(target)) this.enter(target);
    });
    this.show();
    new ResizeObserver(() => requestAnimationFrame(() => this.keepRoom())).observe(root);
  }

  /** Keep screens; each is a list of numbers of pieces. */
  take({ pieces, screens }) {
    for (const [key, numbers] of Object.entries(screens)) {
      const whole = Object.entries(numbers).map(([name, at]) =>
        [name, Array.isArray(at) ? at.map((one) => pieces[one]) : pieces[at]]);
      this.screens.set(key, Object.fromEntries(whole));
    }
  }

  get screen() {
    return this.screens.get(this.key);
  }

  // ---- what there is on the screen

  show() {
    const within = this.root.contains(document.activeElement);
    morph(this.card, make("div", { class: "card" }, ...this.drawn(this.screen)));
    this.keepTabStop(document.activeElement);
    if (within && !this.root.contains(document.activeElement)) {
      this.root.focus({ preventScroll: true });
    }
    this.card.querySelectorAll(".scroll").forEach(scrollToCurrent);
    this.keepRoom();
  }

  /** Give the sentence the room of the longest one that is known, so that nothing below it moves. */
  keepRoom() {
    const box = this.card.querySelector(".sentence");
    const measured = `${box.clientWidth} ${this.screens.size}`;
    if (measured !== this.measured && box.clientWidth) {
      const said = [...this.screens.values()].map(({ sentence }) => sentence);
      reserve(box, tallest(said, ({ length }) => length), (copy, one) => copy.append(...coded(one)),
        MOST_ROOM);
      [this.measured, this.room] = [measured, box.style.minHeight];
    }
    box.style.minHeight = this.room;
  }

  /** While a cell of a table has the focus, it is the one place where the Tab key arrives. */
  keepTabStop(cell) {
    const grid = cell.matches("[data-to]") && this.root.contains(cell) && cell.closest("[data-grid]");
    if (!grid) return;
    for (const one of grid.querySelectorAll("[data-to]")) {
      one.setAttribute("tabindex", one === cell ? "0" : "-1");
    }
  }

  drawn(screen) {
    const text = control("button", { type: "button", class: "text-switch",
      "data-key": "as text", "aria-pressed": String(this.asText) }, this.words.text);
    return [
      make("div", { class: "head" }, make("b", {}, ...coded(screen.title)),
        make("span", { class: "place" }, ...coded(screen.place))),
      make("div", { class: "groups presets", "data-key": "rows" }, ...this.groups(screen.rows)),
      make("div", { class: "groups actions", "data-key": "actions" },
        ...this.groups(screen.actions), text),
      make("p", { class: "sentence", "data-key": "sentence", "aria-live": "polite",
        "aria-atomic": "true" }, ...coded(screen.sentence)),
      ...(this.asText ? [listing(screen.parts), this.answers(screen.parts)]
        : [this.body(screen.parts)]),
      make("p", { class: "lost", "data-key": "lost", hidden: !this.over }, this.words.lost),
    ];
  }

  groups(groups) {
    return groups.map(([label, buttons], at) => {
      const made = make("div", { class: "group", role: "group", "aria-label": label || false,
        "data-key": `group ${at}` });
      if (label) made.append(make("span", { class: "label" }, ...coded(label)));
      made.append(...buttons.flatMap((one) =>
        one.plays ? [this.button(one), this.playSwitch()] : [this.button(one)]));
      return made;
    });
  }

  /** A button that presses its neighbor again and again. */
  playSwitch() {
    return control("button", { type: "button", class: "play-switch", "data-key": "play",
      "data-press": " ", "aria-keyshortcuts": "Space" },
    this.timer === null ? this.words.play : this.words.pause);
  }

  button({ says, to, pressed, off, key, name, plays }) {
    const reason = off ?? this.outOfReach(to);
    return control("button", { type: "button", "data-key": says, "data-to": to,
      "data-press": key ?? false, "aria-keyshortcuts": key ?? false, "data-plays": plays ?? false,
      title: reason || name || false, "aria-label": name ?? false,
      "aria-disabled": reason ? "true" : false, "aria-pressed": pressed?.toString() ?? false },
    ...coded(says));
  }

  /** Why a state cannot be shown here; empty when it can. */
  outOfReach(to) {
    return this.request || this.screens.has(to) ? "" : this.words.needs_kernel;
  }

  body(parts) {
    const rows = [];
    for (const part of parts) {
      if (!part.beside && !part.stays || !rows.length) rows.push([]);
      rows.at(-1).push(part);
    }
    return make("div", { class: "parts", "data-key": "parts" }, ...rows.map((row) =>
      make("div", { class: "side-by-side", "data-key": row[0].key },
        ...row.map((part) => this.part(part)))));
  }

  /** What a question is answered with: it stands below the text, too. */
  answers(parts) {
    const found = this.body(parts).querySelectorAll("[data-answer]");
    for (const one of found) if (one.dataset.to) one.tabIndex = 0;
    return make("div", { class: "own answers" }, ...found);
  }

  part({ key, html, title, beside, stays, share }) {
    const made = make("div", { class: "part", "data-key": key, style: `--share: ${share}` });
    if (beside || stays) made.classList.add(stays ? "stays" : "beside");
    if (title) made.append(make("h4", {}, ...coded(title)));
    const parsed = new DOMParser().parseFromString(html, "text/html");
    made.append(...parsed.body.childNodes);
    for (const element of made.querySelectorAll(FOCUSABLE)) this.arm(element);
    for (const grid of made.querySelectorAll("[data-grid]")) {
      const cells = [...grid.querySelectorAll("[data-to]")];
      const entry = cells.find((cell) => cell.matches("[aria-current]")) ?? cells[0];
      for (const cell of cells) cell.setAttribute("tabindex", cell === entry ? "0" : "-1");
    }
    return made;
  }

  /** Make an element of a part a control: with keys, and off where nobody would answer. */
  arm(element) {
    element.setAttribute("data-lm-suppress-shortcuts", "true");
    const { to, enter, input } = element.dataset;
    if ((to ?? enter) !== undefined && !element.matches("button")) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "0");
    }
    const reason = to !== undefined ? this.outOfReach(to)
      : (enter ?? input) !== undefined && !this.request ? this.words.needs_kernel : "";
    if (!reason) return;
    element.setAttribute("aria-disabled", "true");
    element.setAttribute("title", reason);
    if (element.matches(TYPED)) element.setAttribute("disabled", "");
  }

  // ---- what the reader does

  click({ target }) {
    const control = target.closest("[data-to], [data-enter], .text-switch, .play-switch");
    if (control && this.root.contains(control)) this.press(control);
  }

  press(control) {
    if (control.matches(".play-switch")) this.play(this.timer === null);
    else if (control.matches(".text-switch")) this.changeText();
    else if (control.getAttribute("aria-disabled") === "true") this.say(control.title);
    else if (control.dataset.to !== undefined) {
      this.play(false);
      this.go(control.dataset.to).then(() => this.settle());
    } else this.enter();
  }

  /** Go on by itself, or stop. It never begins by itself. */
  play(on) {
    if (on === (this.timer !== null)) return;
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.onward(), PACE) : null;
    this.show();
    if (on) this.onward();
  }

  /** One screen further, as long as there is one and anybody can see it. */
  onward() {
    const next = this.root.isConnected && this.card.querySelector("[data-plays]");
    if (!next || next.getAttribute("aria-disabled") === "true") this.play(false);
    else this.go(next.dataset.to);
  }

  keydown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = this.action(event);
    // A notebook takes Enter away from what is typed in its outputs, if it hears of it.
    if (event.target.matches(TYPED)) event.stopPropagation();
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** What a key means here; undefined for one that is left to the control or to the page. */
  action({ key, target }) {
    if (key === "Escape") return () => this.leave();
    if (target.matches(TYPED)) {
      if (key !== "Enter" || !target.matches("input[data-input]")) return undefined;
      return () => this.enter(target.matches(ON_LEAVING) ? target : null);
    }
    if ([" ", "Enter"].includes(key) && target.matches("[role=button]")) {
      return () => this.press(target);
    }
    const grid = NEIGHBORS[key] && target.closest("[data-grid]");
    if (grid) return () => this.beside(grid, target.closest("[data-to]"), NEIGHBORS[key]);
    if (key === " " && target !== this.root) return undefined; // the control's own
    if (key.toLowerCase() === "t") return () => this.changeText();
    const shortcut = this.card.querySelector(`[data-press="${CSS.escape(key)}"]`);
    return shortcut ? () => this.press(shortcut) : undefined;
  }

  /** Press the cell of a table that stands beside `cell`, and give it the focus. */
  beside(grid, cell, [down, right]) {
    const rows = [...grid.querySelectorAll("tr")]
      .map((row) => [...row.querySelectorAll("[data-to]")]).filter((row) => row.length);
    const at = rows.findIndex((row) => row.includes(cell));
    const next = rows[at + down]?.[rows[at].indexOf(cell) + right];
    next?.focus({ preventScroll: true });
    if (next) this.press(next);
  }

  changeText() {
    this.asText = !this.asText;
    this.show();
  }

  /** Hand the focus to what the board stands in, so that the page has its keys again. */
  leave() {
    this.play(false);
    document.activeElement.blur();
    this.root.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
  }

  // ---- from state to state

  async go(key, tell = true) {
    this.asked += 1;
    if (key !== this.key && !this.screens.has(key)) key = await this.ask({ state: key });
    if (key === null) return;
    const other = key !== this.key;
    this.key = key;
    this.show();
    if (other && tell) this.onchange(key);
  }

  /**
   * Hand what was typed to Python: what `changed` holds, or all boxes without it. While an answer
   * is awaited only the newest text is kept.
   */
  async enter(changed = null) {
    if (changed) this.changed.add(changed);
    else this.whole = true;
    this.again = Boolean(this.entering);
    if (this.entering || !this.request) return;
    await this.handOver();
    while (this.again) {
      this.again = false;
      await this.handOver();
    }
    this.whole = false;
    this.changed.clear();
  }

  async handOver() {
    const typed = [...this.card.querySelectorAll("[data-input]")].map((element) =>
      [element.dataset.input, this.typedIn(element)]);
    this.entering = true;
    const key = await this.ask({ state: this.key, enter: Object.fromEntries(typed) });
    this.entering = false;
    if (key && !this.again) {
      await this.go(key);
      this.settle();
    }
  }

  /** What a box hands over; a half-typed text that nobody entered stays out of it. */
  typedIn(element) {
    if (element.matches("[type=checkbox]")) return String(element.checked);
    const entered = this.whole || this.changed.has(element) || !element.matches("input[type=text]");
    return entered ? element.value : element.defaultValue;
  }

  /** Let each box show its state again, but for one that is typed in, unless it has `once`. */
  settle() {
    for (const box of this.card.querySelectorAll("input[type=text][data-input][value]")) {
      if (box !== document.activeElement || "once" in box.dataset) box.value = box.defaultValue;
    }
  }

  /** Ask for a screen; its key, or null for a late answer, an error or nobody who answers. */
  async ask(what) {
    const number = this.asked;
    const timer = setTimeout(() => this.say(this.words.waiting), PATIENCE_FOR_SCREENS);
    const answer = this.request && await this.request(what);
    clearTimeout(timer);
    if (answer?.screen) this.take(answer.screen);
    if (number !== this.asked) return null;
    if (!answer) this.lost();
    if (answer?.wrong) this.say(answer.wrong);
    return answer?.state ?? null;
  }

  /** Say something in the place of the sentence, until another screen comes. */
  say(text) {
    morph(this.card.querySelector(".sentence"), make("p", { class: "sentence said",
      "data-key": "sentence", "aria-live": "polite", "aria-atomic": "true" }, text));
  }

  /** Nobody listens any more: what is stored still works, the rest is off. */
  lost() {
    this.request = null;
    this.over = true;
    this.show();
  }
}

/** Bring what is current in a box that scrolls sideways into sight; the page stays where it is. */
function scrollToCurrent(box) {
  const here = box.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!here?.width) return;
  const { left, right } = box.getBoundingClientRect();
  box.scrollLeft += Math.max(0, here.right + 8 - right) + Math.min(0, here.left - 8 - left);
}

function listing(parts) {
  const told = parts.map(({ title, text }) => [title, text].filter(Boolean).join("\n"));
  return make("pre", { class: "as-text", "data-key": "as text" },
    told.filter(Boolean).join("\n\n"));
}
