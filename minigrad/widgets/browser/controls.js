// One row of controls, and under its last button those that are needed less often.

import { button, choice, control, fill, icon, make } from "./dom.js";
import { Track } from "./track.js";

const SPEEDS = [0.5, 1, 2, 4];
const KEYS = { ArrowLeft: "←", ArrowRight: "→" }; // those that are not called as they are printed
const SIGNS = [/≈/, /‖g‖/, /Σ\d/]; // those that `words.signs` explain, in their order

export class Controls {
  constructor(player) {
    this.player = player;
    this.words = player.words;
    this.asking = false;
    this.buildMain();
    this.bar = make("div", { class: "bar" }, this.first, this.back, this.next, this.last,
      this.track.element, this.playButton, this.askButton, this.textButton, this.moreButton);
    this.menu = make("div", { class: "menu", hidden: true }, ...this.buildMenu());
  }

  buildMain() {
    const { words, player } = this;
    const end = () => player.turn(player.frames.length - 1);
    this.first = this.sign("first wide", "first", words.first, "Home", () => player.turn(0));
    this.back = this.sign("", "back", words.back, "ArrowLeft", () => player.turn(player.step - 1));
    this.nextWord = make("span", {}, words.next);
    this.next = button({ class: "main", ...this.keyed(words.next, "ArrowRight") },
      () => player.press(), this.nextWord, icon("next"));
    this.last = this.sign("wide", "last", words.last, "End", end);
    this.track = new Track(words.slider, (step) => player.turn(step));
    this.playButton = button({ class: "plain play", ...this.keyed(words.play, "Space") },
      () => player.play(player.timer === null), words.play);
    this.askButton = this.flip("plain wide", words.ask, () => this.ask(!this.asking));
    this.textButton = this.flip("plain wide", words.text,
      () => player.changeText(!player.asText));
    this.moreButton = button({ class: "more", "aria-expanded": "false", "aria-label": words.more },
      () => this.unfold(this.menu.hidden), make("span", { class: "wide" }, words.more),
      icon("more"));
    const drawn = Boolean(player.data.scenes[""]);
    this.textButton.hidden = !drawn;
    this.askButton.hidden = !player.frames.some((frame) => frame.question);
  }

  sign(kind, face, name, key, act) {
    const about = { "aria-label": name, ...this.keyed(name, key) };
    return button({ class: kind, ...about }, act, icon(face));
  }

  /** What names the key of a button, for the eye and for the ear. */
  keyed(name, key) {
    return { title: this.titled(name, key), "aria-keyshortcuts": key };
  }

  titled(name, key) {
    return fill(this.words.by_key, { name, key: KEYS[key] ?? key });
  }

  flip(kind, name, act) {
    return button({ class: kind, "aria-pressed": "false" }, act, name);
  }

  // ---- the menu

  buildMenu() {
    const { words, player } = this;
    this.speedChoice = choice(words.speed, SPEEDS.map((speed) => [speed, `${speed}×`]), 1);
    this.speedChoice.addEventListener("change", () => player.timer !== null && player.play(true));
    this.rulesChoice = choice(words.rules,
      ["words", "symbols", "code"].map((rule) => [rule, words[rule]]), player.data.rules);
    this.rulesChoice.addEventListener("change", () => this.redo({ rules: this.rulesChoice.value }));
    this.fine = this.tick(words.fine, false, () =>
      player.changeDetail(this.fine.checked ? "fine" : "coarse"));
    this.keptTick = this.tick(words.kept, true, () => this.redo({ kept: this.keptTick.checked }));
    const jump = (tag, name) => button({ "aria-label": fill(words.jump_to, { place: name }) },
      () => player.jump([tag]), name);
    const { data } = player;
    const rules = data.frames[data.detail].some((frame) => frame.rules);
    const tags = new Set(data.frames[data.detail].flatMap((frame) => frame.tags ?? []));
    const third = data.frames[data.detail][0].details.length > 2;
    return [
      this.group("narrow", ...this.narrowOnes()),
      this.group("", this.labeled(words.speed, this.speedChoice),
        ...["send", "leaf"].filter((tag) => tags.has(tag)).map((tag) => jump(tag, words[tag]))),
      rules && this.group("", this.labeled(words.rules, this.rulesChoice)),
      this.group("", data.details.length > 1 && this.fine.parentElement,
        third && this.keptTick.parentElement),
      this.group("", ...this.pictureOnes(),
        button({}, () => player.reset(), words.reset)),
      this.legend = make("div", { class: "legend" }),
    ].filter(Boolean);
  }

  /** In a narrow card, what the row has no room for. */
  narrowOnes() {
    const { words, player } = this;
    return [
      button({}, () => player.turn(0), words.first),
      button({}, () => player.turn(player.frames.length - 1), words.last),
      !this.askButton.hidden && (this.askToo = this.flip("", words.ask,
        () => this.ask(!this.asking))),
      !this.textButton.hidden && (this.textToo = this.flip("", words.text,
        () => player.changeText(!player.asText))),
    ];
  }

  pictureOnes() {
    const { words, player } = this;
    if (!player.data.scenes[""]) return [];
    const zoom = (by) => () => player.scenes.zoom(player.scenes.factor * by);
    return [button({ "aria-label": words.larger }, zoom(1.25), "+"),
      button({ "aria-label": words.smaller }, zoom(0.8), "−")];
  }

  group(kind, ...children) {
    const shown = children.filter(Boolean);
    return shown.length > 0 && make("div", { class: `menu-row ${kind}`.trim() }, ...shown);
  }

  tick(name, checked, act) {
    const box = control("input", { type: "checkbox", checked });
    box.addEventListener("change", act);
    make("label", {}, box, " ", name);
    return box;
  }

  labeled(name, element) {
    return make("label", {}, `${name} `, element);
  }

  redo(changes) {
    const { player } = this;
    Object.assign(player.details, changes);
    player.details.keepShown();
    player.show();
    player.fit();
  }

  /** It stays open until it is closed: a jump, or a larger picture, is often wanted twice. */
  unfold(open) {
    this.menu.hidden = !open;
    const seen = this.player.root.querySelector(".view")?.textContent ?? "";
    const signs = this.words.signs.filter((_, at) => SIGNS[at].test(seen));
    this.legend.replaceChildren(...[this.words.keys, ...signs].map((text) => make("p", {}, text)));
    this.moreButton.setAttribute("aria-expanded", String(open));
  }

  /** Close the menu; false where it was closed. */
  fold() {
    if (this.menu.hidden) return false;
    if (this.menu.contains(document.activeElement)) this.moreButton.focus({ preventScroll: true });
    this.unfold(false);
    return true;
  }

  // ---- what they show

  get speed() {
    return Number(this.speedChoice.value);
  }

  show(step, steps, spoken) {
    this.track.show(step, steps, spoken);
    // A disabled button would lose the focus, so an idle one only says that it is idle.
    for (const one of [this.first, this.back]) one.setAttribute("aria-disabled", step === 0);
    this.last.setAttribute("aria-disabled", step === steps - 1);
    const word = step === steps - 1 ? this.words.again : this.words.next;
    if (this.nextWord.textContent === word) return;
    this.nextWord.textContent = word;
    this.next.title = word === this.words.next ? this.titled(word, "ArrowRight") : "";
  }

  showPlaying(playing) {
    this.playButton.textContent = playing ? this.words.pause : this.words.play;
    this.playButton.title = this.titled(this.playButton.textContent, "Space");
  }

  showText(asText) {
    for (const one of [this.textButton, this.textToo]) {
      one?.setAttribute?.("aria-pressed", String(asText));
    }
  }

  showDetail() {
    this.fine.checked = this.player.detail === "fine";
  }

  ask(asking) {
    this.asking = asking;
    this.player.root.classList.toggle("asking", asking);
    for (const one of [this.askButton, this.askToo]) {
      one?.setAttribute?.("aria-pressed", String(asking));
    }
    this.player.questions.forget();
    this.player.show();
    this.player.fit();
  }

  reset() {
    this.ask(this.player.data.ask && !this.askButton.hidden);
    this.rulesChoice.value = this.player.data.rules;
    this.keptTick.checked = true;
    this.speedChoice.value = "1";
  }
}
