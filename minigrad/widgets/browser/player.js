// Plays frames on one drawing: a step sets marks and texts in it, fills the rows beside it and
// speaks one sentence. Nothing moves. The player has no words of its own: they come with the data.

import { Controls } from "./controls.js";
import { Details } from "./details.js";
import { coded, fill, make, reserve, setText, tallest } from "./dom.js";
import { Listing } from "./listing.js";
import { openIn, Questions, untotaled, withoutTotals } from "./questions.js";
import { MINIATURE, Scenes } from "./scenes.js";
import { States } from "./states.js";

const SECONDS_A_STEP = 1.6;
const INTERESTING = ["send", "leaf", "error"];
const NARROW = 640;
const HIGHEST = 600; // of the card, as far as the rows decide; with 720 px the output is in sight
const HIGHEST_BELOW = 656; // of a card with a tall picture, whatever the window
const AROUND = 64; // pixels of a higher window that the card leaves free
const LINE = 26; // of the sentence, as in the style sheet
const LINES = 2; // that are reserved at most; a longer sentence is rare, and grows
const LINES_NARROW = 6; // in a narrow card long sentences are no exception
const FEWEST_FOR_HEIGHT = 4; // rows that stay where a wide picture needs the height
const BAR = 16; // pixels that a card may be too high by for a miniature, as much as a bar takes
const BESIDE = 24 + 220; // the gap, and what the rows need at least
const EDGES = 30; // of the card, left and right of a picture

export class Player {
  /**
   * Build the player inside `root`. `onchange(player)` is called when the reader steps;
   * `request(what)` promises what is not stored, or null where nobody can be asked.
   */
  constructor(root, data, onchange = () => {}, request = async () => null) {
    this.root = root;
    this.data = data;
    this.words = data.words;
    this.onchange = onchange;
    this.request = request;
    this.states = {};
    this.detail = data.detail;
    this.step = 0;
    this.timer = null;
    this.asText = !data.scenes[""];
    this.build();
    root.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(root);
    this.show();
    this.fit();
    if (data.opened) this.scenes?.open(data.opened);
    if (data.ask && !this.controls.askButton.hidden) this.controls.ask(true);
  }

  get frames() {
    return this.data.frames[this.detail];
  }

  get frame() {
    return this.frames[this.step];
  }

  get state() {
    this.states[this.detail] ??= new States(this.frames);
    return this.states[this.detail].at(this.step);
  }

  // ---- what there is on the screen

  build() {
    const { words, data, root } = this;
    root.replaceChildren();
    root.removeAttribute("style");
    for (const [name, value] of Object.entries({ role: "group", "aria-label": data.name,
      tabindex: "0", "data-lm-suppress-shortcuts": "true" })) root.setAttribute(name, value);
    this.place = make("span", { class: "place" });
    this.sentence = make("p", { class: "sentence", "aria-live": "polite", "aria-atomic": "true" });
    this.controls = new Controls(this);
    this.questions = new Questions(words, (text) => setText(this.sentence, text),
      () => root.focus({ preventScroll: true }), () => this.veil());
    this.details = new Details(data.code && this.buildCode(data.code));
    this.listing = new Listing(words, data.tree, data.tree_keys);
    this.view = make("div", { class: "view" }, this.listing.element);
    if (!this.asText) {
      this.scenes = new Scenes(words, data, async (scene) => this.request({ scene }),
        () => {
          this.fit();
          this.show();
        });
      this.view.prepend(this.scenes.element);
    }
    this.body = make("div", { class: "body" }, this.view, this.details.element);
    this.lostLine = make("p", { class: "lost", role: "status", hidden: true });
    root.append(make("div", { class: "card" },
      make("div", { class: "head" }, make("b", {}, data.title), this.place),
      this.sentence, this.controls.bar, this.controls.menu, this.questions.element, this.body,
      ...data.notes.map((note) => make("p", { class: "note" }, ...coded(note))), this.lostLine));
    this.details.rules = data.rules;
    this.details.build(this.titles(), false);
  }

  /**
   * Hide what would answer a question: what comes after the step, and where a number is asked for
   * the sums of parts, both from the start; before other questions the sums are told.
   */
  veil() {
    this.root.classList.toggle("asked", Boolean(this.unanswered));
    const hides = Boolean(this.unanswered) && (this.asksNumber || this.questions.pending);
    this.veilSums(hides);
    if (this.asText) {
      this.listing.show(this.frames, this.step, hides ? withoutTotals(this.state) : this.state);
    }
    if (!this.questions.pending) setText(this.sentence, this.told);
  }

  /** The question of the next step, as long as it is to come or open. */
  get unanswered() {
    const coming = this.frames[this.step + 1]?.question;
    return this.controls.asking && !this.questions.answered ? coming : null;
  }

  get asksNumber() {
    return this.unanswered?.kind === "number";
  }

  /** The sentence of the step; a question is not answered by what is told right before it. */
  get told() {
    const { sentence } = this.frame;
    return this.asksNumber ? openIn(sentence, this.state.labels) : sentence;
  }

  veilSums(on) {
    for (const came of this.view.querySelectorAll("svg .came")) {
      const { whole } = came.dataset;
      if (on) came.dataset.whole ??= came.textContent;
      else delete came.dataset.whole;
      if (on) came.textContent = untotaled(came.textContent);
      else if (whole !== undefined) came.textContent = whole;
    }
  }

  titles() {
    return this.frames[0].details.map(({ title }) => title);
  }

  /** The lines of the program, and a pointer at the one that is told now. */
  buildCode(lines) {
    this.lines = lines.map((line) => make("li", {}, line || "\u200b"));
    return make("ol", { class: "code", "aria-label": this.words.program }, ...this.lines);
  }

  // ---- what a step shows

  show(running = false) {
    const { frame, frames, step } = this;
    const spoken = fill(this.words.place, { step: step + 1, steps: frames.length });
    if (this.scenes) this.scenes.element.hidden = this.asText;
    this.listing.element.hidden = !this.asText;
    this.veilSums(false); // the texts of the step before
    if (!this.asText) this.scenes.show(this.state, this.told, running, Object.keys(frame.labels));
    this.lines?.forEach((line, at) => {
      if (at + 1 === frame.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    setText(this.place, spoken);
    this.details.show(frame);
    this.questions.announce(this.atEnd ? null : Boolean(frames[step + 1].question));
    this.veil();
    this.controls.show(step, frames.length, spoken);
  }

  /** Lay the card out for its width, and reserve what its steps will need. */
  fit() {
    const whole = (this.scenes?.overview.drawing.size.width ?? 0) + EDGES;
    this.root.style.setProperty("--whole", `${whole}px`);
    const width = this.body.clientWidth;
    const { rules, kept } = this.details;
    const laidOut = [width, this.detail, rules, kept, this.controls.asking, this.asText,
      this.scenes?.width, this.scenes?.opened, window.innerHeight].join();
    if (!width || this.laidOut === laidOut) return;
    this.laidOut = laidOut;
    const narrow = this.root.clientWidth < NARROW;
    if (narrow !== this.details.folds) this.details.build(this.titles(), narrow);
    const picture = this.scenes?.width ?? 320;
    const beside = !narrow && picture <= 568 && picture + BESIDE <= width;
    this.body.classList.toggle("beside", beside);
    this.body.style.setProperty("--picture", `${picture}px`);
    this.details.show(this.frame);
    this.reserveText();
    this.details.reserve(this.frames, beside);
    if (this.scenes) this.scenes.narrow = narrow;
    this.scenes?.grow();
    this.scenes?.fit();
    if (beside) this.details.grow(this.frames, this.pictureEnds);
    if (beside) this.details.shrink(this.excess());
    else if (!narrow) this.limit();
    this.scenes?.follow(); // the boxes have their heights only now
  }

  /**
   * Keep a card in sight whose rows stand below its picture. First the picture gives way, but not
   * for less than the miniature would take that comes with it.
   */
  limit() {
    const card = this.body.parentElement;
    const menu = this.controls.menu.offsetHeight; // it comes and goes, and the picture stays
    const most = Math.max(HIGHEST_BELOW, window.innerHeight - AROUND) + menu;
    if (card.offsetHeight > most && this.showsWholeHeight(card, most)) return;
    const little = card.offsetHeight - most <= MINIATURE && !this.scenes?.cut;
    if (card.offsetHeight > most && !this.asText && !little) {
      this.scenes?.shrink(card.offsetHeight - most);
    }
    if (card.offsetHeight > most) this.details.shrinkAll(card.offsetHeight - most);
    if (!this.scenes || this.asText) return;
    // The miniature may have come with the shrinking.
    if (card.offsetHeight > most) this.scenes.shrink(card.offsetHeight - most);
  }

  /**
   * Whether a picture that scrolls sideways need not scroll up and down too: rows, the blank line
   * of their headings, more rows and the miniature give way for it in this order, if that is enough.
   * The text takes the place of the picture, so they give way for it, too.
   */
  showsWholeHeight(card, most) {
    if (!this.asText) this.wide = this.scenes?.sideways;
    if (!this.wide) return false;
    const over = () => card.offsetHeight - most;
    this.details.shrinkAll(over());
    if (over() > 0) this.details.closeUp();
    if (over() > 0) this.details.shrinkAll(over(), FEWEST_FOR_HEIGHT);
    if (over() > BAR) this.scenes.leaveOutMiniatures();
    if (over() <= BAR) return true;
    this.details.reserve(this.frames, false);
    this.scenes.fitMiniatures();
    return false;
  }

  /** By how much the card is too high because of the rows beside the picture. */
  excess() {
    const card = this.body.parentElement.getBoundingClientRect();
    return Math.min(card.height - this.controls.menu.offsetHeight - HIGHEST,
      this.details.bottom - this.pictureEnds);
  }

  get pictureEnds() {
    const shown = this.asText ? this.listing.element : this.view.firstChild;
    return shown.getBoundingClientRect().bottom;
  }

  reserveText() {
    const { frames, questions, controls } = this;
    const spoken = frames.map(({ sentence }) => sentence);
    if (controls.asking) {
      for (const { question } of frames.filter((frame) => frame.question)) {
        spoken.push(questions.asked(question), questions.replied(question, false));
      }
    }
    const lines = this.details.folds ? LINES_NARROW : LINES;
    const most = controls.asking ? Infinity : LINE * lines;
    reserve(this.sentence, tallest(spoken, (text) => text.length), setText, most);
  }

  // ---- moving

  /** Show a step, because Python or the reader asked for it. */
  go(step) {
    const target = Math.max(0, Math.min(step, this.frames.length - 1));
    if (this.questions.pending) this.questions.forget();
    const forward = target === this.step + 1;
    this.step = target;
    this.show(forward);
  }

  turn(step) {
    const before = this.step;
    this.go(step);
    if (this.step !== before) this.onchange(this);
    if (this.step === this.frames.length - 1) this.play(false);
  }

  /** One step on; with "ask me" the question of the next frame comes first. */
  forward() {
    const coming = this.frames[this.step + 1];
    const asks = this.controls.asking && coming?.question && !this.questions.pending;
    if (asks) this.questions.ask(coming.question);
    else this.turn(this.step + 1);
  }

  get atEnd() {
    return this.step === this.frames.length - 1;
  }

  /** What the main button does: on, and from the end to the start again. */
  press() {
    if (this.atEnd) this.turn(0);
    else this.forward();
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
      if (this.atEnd) this.turn(0);
      const pause = 1000 * SECONDS_A_STEP / this.controls.speed;
      this.timer = setInterval(() => {
        if (!this.root.isConnected) this.stop();
        else if (!this.questions.pending) this.forward();
      }, pause);
    }
    this.controls.showPlaying(this.timer !== null);
  }

  /** Steps of another size, at the same place. They are asked for where they are not stored. */
  async changeDetail(detail, tell = true) {
    if (detail === this.detail) return;
    if (!this.data.frames[detail]) {
      const frames = await this.request({ frames: detail });
      if (!frames) {
        this.lost(this.words.no_parts);
        this.controls.showDetail();
        return;
      }
      this.data.frames[detail] = frames;
    }
    const { coarse } = this.frame;
    this.play(false);
    this.questions.forget();
    this.detail = detail;
    const found = this.frames.findIndex((frame) => frame.coarse === coarse);
    this.step = Math.max(0, found);
    this.controls.showDetail();
    this.fit();
    this.show();
    if (tell) this.onchange(this);
  }

  changeText(asText) {
    if (!this.scenes) return;
    // The text takes the place of the picture, with what is free below it beside the rows.
    if (asText) this.listing.element.style.height = `${this.view.clientHeight}px`;
    this.asText = asText;
    this.controls.showText(asText);
    this.show();
    this.fit();
  }

  reset() {
    this.play(false);
    this.questions.forget();
    this.controls.reset();
    if (this.asText) this.changeText(false);
    this.details.rules = this.data.rules;
    this.details.kept = true;
    this.details.keepShown();
    this.scenes?.open(this.data.opened ?? null);
    this.scenes?.zoom(1);
    this.changeDetail(this.data.detail);
    this.fit();
    this.turn(0);
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
    if (key === "Escape") return () => this.controls.fold() || this.leave();
    if (target.matches("input[type=text], select")) return undefined;
    if (/^[0-9.−-]$/.test(key) && this.questions.pending) return this.questions.key(key);
    if (key === " " && target.matches("button, summary, input[type=checkbox]")) return undefined;
    const actions = {
      ArrowLeft: () => this.turn(this.step - 1),
      ArrowRight: () => this.forward(),
      Home: () => this.turn(0),
      End: () => this.turn(this.frames.length - 1),
      " ": () => this.play(this.timer === null),
      n: () => this.jump(INTERESTING),
      t: () => this.changeText(!this.asText),
    };
    return actions[key.length === 1 ? key.toLowerCase() : key];
  }

  /** Hand the focus to what the player stands in, so that the page has its keys again. */
  leave() {
    this.play(false);
    document.activeElement.blur();
    this.root.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
  }

  /** Say that no kernel listens any more; stepping goes on, because the frames are here. */
  lost(text = this.words.lost) {
    setText(this.lostLine, text);
    this.lostLine.hidden = false;
  }

  stop() {
    this.play(false);
    this.observer.disconnect();
  }
}
