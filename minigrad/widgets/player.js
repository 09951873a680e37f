// Plays the frames of a recorded pass on one drawing.
//
// The drawing is laid out once. A step sets classes and texts in it, fills two tables and speaks
// one sentence; nothing moves. The same module runs live, where a model in Python holds the step
// (`render`), and on a page without a kernel, where it finds its data on the page (`start`).
// It brings no words of its own: all of them come with the data.

const SECONDS_A_STEP = 1.6;
const SPEEDS = [0.5, 1, 2, 4];
const ICONS = {
  first: "M3 3h2v10H3z M13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  next: "M4 3v10l8-5z",
  last: "M3 3v10l7-5z M11 3h2v10h-2z",
  play: "M4 3v10l8-5z M5.4 5.5v5l4-2.5z",
  pause: "M4 3h3v10H4z M9 3h3v10H9z",
};
const INTERESTING = ["send", "leaf", "error"];

/** Each packed frame lists only the marks and labels that differ from the frame before it. */
function unpack(packed) {
  let marks = {};
  let labels = {};
  return packed.map((frame) => {
    marks = changed(marks, frame.marks);
    labels = changed(labels, frame.labels);
    return { ...frame, marks, labels };
  });
}

function changed(before, changes) {
  const kept = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}

/** Make an element: `make("button", { class: "big" }, "text", otherElement)`. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A control. JupyterLab takes keys away from a control unless this attribute is on it. */
function control(tag, attributes, ...children) {
  return make(tag, { "data-lm-suppress-shortcuts": "true", ...attributes }, ...children);
}

function icon(name) {
  const [svg, path] = ["svg", "path"].map((tag) =>
    document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("fill-rule", "evenodd");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** One SVG, whose groups take classes and whose text slots take texts. */
class Drawing {
  constructor(box, svg, prefix) {
    // The same picture may stand on a page twice, and an id may not.
    const unique = `${prefix}-${Math.random().toString(36).slice(2, 8)}`;
    box.innerHTML = svg.replaceAll(prefix, unique);
    this.svg = box.querySelector("svg");
    this.groups = new Map();
    this.slots = new Map();
    for (const element of this.svg.querySelectorAll(`[id^="${unique}-"]`)) {
      const key = element.id.slice(unique.length + 1);
      if (element.tagName === "text") this.slots.set(key.split("-"), element);
      else if (element.tagName === "g") this.groups.set(key, element);
    }
    this.description = this.svg.querySelector("desc");
    this.width = this.svg.viewBox.baseVal.width;
  }

  show(frame) {
    for (const [key, group] of this.groups) {
      const classes = [group.dataset.class ?? "", ...(frame.marks[key] ?? [])].join(" ").trim();
      if (group.getAttribute("class") !== classes) group.setAttribute("class", classes);
    }
    for (const [[key, slot], text] of this.slots) setText(text, frame.labels[key]?.[slot] ?? "");
    if (this.description) setText(this.description, frame.sentence);
  }

  /** Where the picture is larger than its box, scroll the box to what happens now. */
  follow(box) {
    // The arrows first, then the node, which has to be in sight if not everything can be.
    for (const what of ["g.now", "g.now:not(.edge)"]) {
      const places = Array.from(this.svg.querySelectorAll(what), (group) =>
        group.getBoundingClientRect()).filter(({ width }) => width);
      if (!places.length) continue;
      const edge = (side, pick) => pick(...places.map((place) => place[side]));
      const seen = box.getBoundingClientRect();
      box.scrollLeft += shift(edge("left", Math.min), edge("right", Math.max),
        seen.left, seen.right);
      box.scrollTop += shift(edge("top", Math.min), edge("bottom", Math.max),
        seen.top, seen.bottom);
    }
  }
}

/** How far to scroll so that what reaches from `low` to `high` is seen between `from` and `to`. */
function shift(low, high, from, to) {
  if (low < from || high - low > to - from) return low - from;
  return Math.max(0, high - to);
}

export class Player {
  /** Build the player inside `root`; `onchange(player)` is called when the reader steps. */
  constructor(root, data, onchange = () => {}) {
    this.root = root;
    this.words = data.words;
    this.data = data;
    this.onchange = onchange;
    this.details = {};
    for (const [detail, packed] of Object.entries(data.frames)) {
      this.details[detail] = unpack(packed);
    }
    this.detail = data.detail;
    this.step = 0;
    this.pending = false;
    this.timer = null;
    this.build();
    root.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.reserve());
    this.observer.observe(root);
    this.show();
    this.reserve();
  }

  get frames() {
    return this.details[this.detail];
  }

  get frame() {
    return this.frames[this.step];
  }

  // ---- what there is on the screen

  build() {
    const { words, data, root } = this;
    root.replaceChildren();
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", data.name);
    root.setAttribute("tabindex", "0");
    root.setAttribute("data-lm-suppress-shortcuts", "true");

    this.place = make("span", { class: "place" });
    this.title = make("span", { class: "title" });
    this.figure = control("div", { class: "figure", tabindex: "0", role: "group",
      "aria-label": words.picture });
    this.listing = control("div", { class: "listing", tabindex: "0", role: "group",
      "aria-label": words.listing });
    this.panel = make("div", { class: "panel" });
    this.table = make("div", { class: "after" });
    this.sentence = make("p", { class: "sentence", "aria-live": "polite", "aria-atomic": "true" });
    this.answers = make("div", { class: "answers", role: "group", "aria-label": words.answers });
    this.lostLine = make("p", { class: "lost", hidden: true }, words.lost);
    root.append(
      make("div", { class: "head" }, make("strong", {}, data.name),
        make("span", {}, this.place, ": ", this.title)),
      make("div", { class: "body" },
        make("div", { class: "view" }, this.figure, this.listing),
        make("div", { class: "side" }, this.panel, this.table)),
      this.sentence,
      this.answers,
      this.buildBar(),
      this.buildSwitches(),
      ...data.notes.map((note) => make("p", { class: "note" }, note)),
      this.lostLine,
    );
    if (data.svg) {
      this.drawing = new Drawing(this.figure, data.svg, data.prefix);
      root.style.setProperty("--picture", `${this.drawing.width + 8}px`);
    } else {
      this.textSwitch.parentElement.hidden = true;
    }
  }

  button(face, name, act) {
    const button = control("button", { type: "button", title: name, "aria-label": name }, face);
    button.addEventListener("click", act);
    return button;
  }

  buildBar() {
    const { words } = this;
    this.first = this.button(icon("first"), words.first, () => this.turn(0));
    this.back = this.button(icon("back"), words.back, () => this.turn(this.step - 1));
    this.next = this.button(icon("next"), words.next, () => this.forward());
    this.last = this.button(icon("last"), words.last, () => this.turn(this.frames.length - 1));
    this.playButton = this.button("", words.play, () => this.play(this.timer === null));
    this.playButton.className = "play";
    this.showPlaying(false);
    this.speed = this.choice(words.speed, SPEEDS.map((speed) => [speed, `${speed}×`]), 1);
    this.speed.addEventListener("change", () => this.timer !== null && this.play(true));
    this.slider = control("input", { type: "range", min: 1, step: 1, "aria-label": words.slider });
    this.slider.addEventListener("input", () => this.turn(Number(this.slider.value) - 1));
    this.counter = make("span", { class: "counter", "aria-hidden": "true" });
    return make("div", { class: "bar" }, this.first, this.back, this.next, this.last,
      this.playButton, this.labeled(words.speed, this.speed), this.slider, this.counter);
  }

  buildSwitches() {
    const { words, details } = this;
    const jumps = ["send", "leaf", "end"].map((tag) =>
      this.button(words[tag], fill(words.jump_to, { place: words[tag] }), () => this.jump([tag])));
    this.asking = this.tick(words.ask, () => {
      this.root.classList.toggle("asking", this.asking.checked);
      this.forget();
    });
    this.textSwitch = this.tick(words.text, () => this.show());
    this.rules = this.choice(words.rules,
      ["words", "symbols", "code"].map((spelling) => [spelling, words[spelling]]), "symbols");
    this.rules.addEventListener("change", () => {
      this.show();
      this.reserve();
    });
    this.grain = this.choice(words.grain,
      Object.keys(details).map((detail) => [detail, words[detail]]), this.detail);
    this.grain.addEventListener("change", () => this.changeDetail(this.grain.value));
    const grain = this.labeled(words.grain, this.grain);
    grain.title = words.parts;
    grain.hidden = Object.keys(details).length < 2;
    return make("div", { class: "bar switches" },
      make("span", { class: "jumps" }, words.jump, " ", ...jumps),
      this.asking.parentElement, this.textSwitch.parentElement,
      this.labeled(words.rules, this.rules), grain,
      this.button(words.reset, words.reset, () => this.reset()));
  }

  tick(name, act) {
    const box = control("input", { type: "checkbox" });
    box.addEventListener("change", act);
    make("label", {}, box, " ", name);
    return box;
  }

  choice(name, options, chosen) {
    return control("select", { "aria-label": name }, ...options.map(([value, text]) =>
      make("option", { value, selected: value === chosen }, text)));
  }

  labeled(name, element) {
    return make("label", {}, `${name} `, element);
  }

  // ---- what a step shows

  show() {
    const { frame, frames, words, step } = this;
    const asText = this.textSwitch.checked || !this.drawing;
    const counts = { step: step + 1, steps: frames.length };
    this.figure.hidden = asText;
    this.listing.hidden = !asText;
    this.drawing?.show(frame);
    this.drawing?.follow(this.figure);
    if (asText) this.listing.replaceChildren(...this.rowsSoFar());
    setText(this.place, fill(words.place, counts));
    setText(this.title, frame.title);
    setText(this.counter, fill(words.place, counts));
    fillTable(this.panel, words.now, this.panelRows(frame));
    fillTable(this.table, words.after, frame.table);
    if (!this.pending) this.say(frame.sentence);
    this.slider.max = frames.length;
    this.slider.value = step + 1;
    this.slider.setAttribute("aria-valuetext", fill(words.place, counts));
    // A disabled button would lose the focus, so an idle one only says that it is idle.
    for (const button of [this.first, this.back]) button.setAttribute("aria-disabled", step === 0);
    for (const button of [this.next, this.last]) {
      button.setAttribute("aria-disabled", step === frames.length - 1);
    }
  }

  say(text) {
    setText(this.sentence, text);
  }

  panelRows(frame) {
    const spelled = frame.rules?.[this.rules.value];
    return frame.panel.map(([label, text]) => [label, label === "RULE" && spelled || text]);
  }

  /** The pass as a table of text. Rows to come hold their place, unread and unseen. */
  rowsSoFar() {
    const head = make("tr", {}, ...this.words.columns.map((name) =>
      make("th", { scope: "col" }, name)));
    const rows = this.frames.map((frame, step) => make("tr", {
      class: step > this.step ? "to-come" : false,
      "aria-current": step === this.step ? "step" : undefined,
    }, make("th", { scope: "row" }, String(step + 1)),
      ...(frame.row ?? [frame.title]).map((text) => make("td", {}, text))));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
    return [make("pre", {}, this.frame.tree ?? this.data.tree), table];
  }

  /** Give each changing part the height of its tallest frame, so that no step moves the page. */
  reserve() {
    const width = this.root.clientWidth;
    const measured = [width, this.detail, this.rules.value].join();
    if (!width || this.reservedFor === measured) return;
    this.reservedFor = measured;
    const { frames, words } = this;
    const spoken = frames.flatMap(({ sentence, question }) =>
      question ? [sentence, `${question.text} ${words.go_on}`, `${words.no} ${question.reply}`]
        : [sentence]);
    reserve(this.panel, frames, (box, frame) =>
      fillTable(box, words.now, this.panelRows(frame)));
    reserve(this.table, frames, (box, frame) => fillTable(box, words.after, frame.table));
    reserve(this.sentence, spoken, setText);
    reserve(this.title.parentElement, frames, (line, frame) =>
      setText(line, `${this.place.textContent}: ${frame.title}`));
  }

  // ---- moving

  /** Show a step, because Python or the reader asked for it. */
  go(step) {
    const target = Math.max(0, Math.min(step, this.frames.length - 1));
    if (this.pending) this.forget();
    if (target === this.step) return;
    this.step = target;
    this.show();
  }

  turn(step) {
    const before = this.step;
    this.go(step);
    if (this.step !== before) this.onchange(this);
    else this.say(this.frame.sentence);
    if (this.step === this.frames.length - 1) this.play(false);
  }

  /** One step on; with "ask me" the question of the next frame comes first. */
  forward() {
    const coming = this.frames[this.step + 1];
    if (this.asking.checked && coming?.question && !this.pending) this.ask(coming.question);
    else this.turn(this.step + 1);
  }

  jump(tags) {
    const ahead = this.frames.slice(this.step + 1);
    const found = ahead.findIndex((frame) => frame.tags?.some((tag) => tags.includes(tag)));
    this.turn(found < 0 ? this.frames.length - 1 : this.step + 1 + found);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on) {
      if (this.step === this.frames.length - 1) this.turn(0);
      const pause = 1000 * SECONDS_A_STEP / Number(this.speed.value);
      this.timer = setInterval(() => {
        if (!this.root.isConnected) this.stop();
        else if (!this.pending) this.forward();
      }, pause);
    }
    this.showPlaying(this.timer !== null);
  }

  showPlaying(playing) {
    const action = playing ? "pause" : "play";
    this.playButton.replaceChildren(icon(action), ` ${this.words[action]}`);
    this.playButton.setAttribute("aria-label", this.words[action]);
    this.playButton.title = this.words[action];
  }

  changeDetail(detail) {
    if (detail === this.detail || !this.details[detail]) return;
    const coarse = this.frame.coarse;
    this.play(false);
    this.forget();
    this.detail = detail;
    this.grain.value = detail;
    const found = this.frames.findIndex((frame) => frame.coarse === coarse);
    this.step = found < 0 ? this.frames.length - 1 : found;
    this.reserve();
    this.show();
    this.onchange(this);
  }

  reset() {
    this.play(false);
    this.forget();
    this.asking.checked = this.textSwitch.checked = false;
    this.root.classList.remove("asking");
    this.rules.value = "symbols";
    this.changeDetail(this.data.detail);
    this.step = 0;
    this.show();
    this.onchange(this);
  }

  // ---- questions

  ask(question) {
    this.pending = true;
    const hints = question.kind === "choice"
      ? question.options.map((option, at) => this.option(question, option, at))
      : this.numberBox(question);
    this.answers.replaceChildren(...hints);
    this.say(`${question.text} ${this.words.go_on}`);
  }

  option(question, option, at) {
    const button = control("button", { type: "button" }, `${at + 1}  ${option}`);
    button.addEventListener("click", () => this.judge(question, at === question.answer));
    return button;
  }

  numberBox(question) {
    const box = control("input", { type: "text", inputmode: "decimal",
      "aria-label": question.text });
    const judge = () => {
      const said = Number(box.value.replace(",", "."));
      const near = 1e-4 * Math.max(1, Math.abs(question.answer));
      if (box.value.trim()) this.judge(question, Math.abs(said - question.answer) <= near);
    };
    const check = control("button", { type: "button" }, this.words.check);
    check.addEventListener("click", judge);
    box.addEventListener("keydown", (event) => event.key === "Enter" && judge());
    return [box, check];
  }

  judge(question, right) {
    this.say(`${right ? this.words.yes : this.words.no} ${question.reply}`);
  }

  forget() {
    const hadFocus = this.answers.contains(document.activeElement);
    this.pending = false;
    this.answers.replaceChildren();
    this.say(this.frame.sentence);
    if (hadFocus) this.root.focus({ preventScroll: true });
  }

  // ---- keys

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = this.action(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** What a key means here; undefined for a key that is left to the control or to the page. */
  action({ key, target }) {
    if (key === "Escape") return () => this.leave();
    if (target.matches("input[type=text], select")) return undefined;
    if (/^[0-9.-]$/.test(key) && this.pending) return this.answerKey(key);
    if (key === " " && target.matches("button, input[type=checkbox]")) return undefined;
    const actions = {
      ArrowLeft: () => this.turn(this.step - 1),
      ArrowRight: () => this.forward(),
      Home: () => this.turn(0),
      End: () => this.turn(this.frames.length - 1),
      " ": () => this.play(this.timer === null),
      n: () => this.jump(INTERESTING),
      t: () => this.drawing && this.textSwitch.click(),
    };
    return actions[key.length === 1 ? key.toLowerCase() : key];
  }

  answerKey(key) {
    const box = this.answers.querySelector("input");
    const option = this.answers.querySelectorAll("button")[Number(key) - 1];
    if (!box) return option && (() => option.click());
    return () => {
      box.value += key;
      box.focus();
    };
  }

  /** Hand the focus to what the player stands in, so that the page has its keys again. */
  leave() {
    this.play(false);
    document.activeElement.blur();
    this.root.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
  }

  /** Say that no kernel listens any more; stepping goes on, because all frames are here. */
  lost() {
    this.lostLine.hidden = false;
  }

  stop() {
    this.play(false);
    this.observer.disconnect();
  }
}

function fillTable(box, caption, rows) {
  const lines = rows.map(([label, text]) =>
    make("tr", {}, make("th", { scope: "row" }, label), make("td", {}, text)));
  const body = make("tbody", {}, ...lines);
  box.replaceChildren(make("table", {}, make("caption", {}, caption), body));
}

/** Give `element` the height of its tallest rendering: `render(copy, item)` for each item. */
function reserve(element, items, render) {
  const rack = make("div", { class: "rack", "aria-hidden": "true" });
  rack.style.width = `${element.getBoundingClientRect().width}px`;
  for (const item of items) {
    const copy = element.cloneNode(false);
    copy.removeAttribute("aria-live");
    copy.style.minHeight = "";
    render(copy, item);
    rack.append(copy);
  }
  element.after(rack);
  const heights = Array.from(rack.children, (copy) => copy.getBoundingClientRect().height);
  rack.remove();
  element.style.minHeight = `${Math.ceil(Math.max(...heights))}px`;
}

/** Live: the model holds the data and the step, and every view of it shows the same step. */
function render({ model, el }) {
  const root = make("div", { class: "minigrad-player" });
  el.append(root);
  const player = new Player(root, model.get("data"), ({ step, detail }) => {
    model.set("detail", detail);
    model.set("step", step);
    model.save_changes();
  });
  const follow = () => {
    player.changeDetail(model.get("detail"));
    player.go(model.get("step"));
  };
  const lost = () => player.lost();
  follow();
  model.on("change:step", follow);
  model.on("change:detail", follow);
  model.on("comm:close", lost);
  model.on("comm_live_update", lost);
  return () => player.stop();
}

/** Without a kernel: play every copy of the stepper `id` that stands still on this page. */
export function start(id) {
  const still = `.minigrad-player[data-stepper="${id}"]:not([data-playing])`;
  for (const root of document.querySelectorAll(still)) {
    root.setAttribute("data-playing", "");
    const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    data.svg = root.querySelector("svg")?.outerHTML;
    new Player(root, data);
  }
}

export default { render };
