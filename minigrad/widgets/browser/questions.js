// "Ask me": the question of the next step comes first; an answer is told right or not.

import { button, control, make } from "./dom.js";

const TOTAL = / ([=≈]) .*$/s; // of a sum, as a label ends

/** A sum without its total; any other text as it is. */
export function untotaled(text) {
  return text.replace(TOTAL, " $1 ?");
}

/** What stands at a step, with every sum of parts that has come left open. */
export function withoutTotals({ marks, labels }) {
  const opened = ([slot, text]) => [slot, slot === "came" ? untotaled(text) : text];
  return { marks, labels: new Map([...labels].map(([key, slots]) =>
    [key, new Map([...slots].map(opened))])) };
}

/** A sentence in which the sums that stand in `labels` are left open. */
export function openIn(sentence, labels) {
  const sums = [...labels.values()].map((slots) => slots.get("came") ?? "");
  return sums.filter((came) => TOTAL.test(came))
    .reduce((text, came) => text.replaceAll(came, untotaled(came)), sentence);
}

export class Questions {
  /**
   * `say(text)` speaks in the place of the sentence, `back()` takes the focus from the box, and
   * `veil()` hides what would tell the answer until there is one.
   */
  constructor(words, say, back, veil) {
    this.words = words;
    this.say = say;
    this.back = back;
    this.veil = veil;
    this.element = make("div", { class: "answers", role: "group", "aria-label": words.answers });
    this.pending = false;
    this.answered = false;
  }

  ask(question) {
    this.pending = true;
    const answers = question.kind === "choice"
      ? question.options.map((option, at) => this.option(question, option, at))
      : this.number(question);
    this.element.replaceChildren(...answers);
    this.veil();
    this.say(this.asked(question));
  }

  answer(question, right) {
    this.answered = true;
    this.veil();
    this.say(this.replied(question, right));
  }

  /** Say, in the place of the answers, whether the next step is asked about; null where none comes. */
  announce(asks) {
    const { words } = this;
    this.element.dataset.before = asks === null ? "" : asks ? words.asks : words.asks_not;
  }

  asked(question) {
    return `${question.text} ${this.words.go_on}`;
  }

  replied(question, right) {
    return `${right ? this.words.yes : this.words.no} ${question.reply}`;
  }

  option(question, option, at) {
    const made = button({}, () => {
      for (const other of this.element.children) {
        other.setAttribute("aria-pressed", String(other === made));
      }
      this.answer(question, at === question.answer);
    }, make("span", { class: "digit" }, `${at + 1}`), option);
    return made;
  }

  number(question) {
    const box = control("input", { type: "text", inputmode: "decimal",
      "aria-label": question.text });
    const judge = () => {
      const said = Number(box.value.replace(",", ".").replace("−", "-"));
      const near = 1e-4 * Math.max(1, Math.abs(question.answer));
      if (!box.value.trim()) return;
      this.answer(question, Math.abs(said - question.answer) <= near);
      this.back(); // so that the next arrow key steps on
    };
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      judge();
    });
    return [box, button({}, judge, this.words.check)];
  }

  /** What a digit, a point or a minus does while a question is open; undefined if nothing. */
  key(key) {
    const box = this.element.querySelector("input");
    const option = this.element.querySelectorAll("button")[Number(key) - 1];
    if (!box) return option && (() => option.click());
    return () => {
      box.value = key;
      box.focus();
    };
  }

  forget() {
    const hadFocus = this.element.contains(document.activeElement);
    this.pending = this.answered = false;
    this.veil();
    this.element.replaceChildren();
    if (hadFocus) this.back();
  }
}
