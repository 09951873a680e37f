// One picture, whose groups take marks and whose slots take texts. Nothing in it ever moves.

const RUN = 150; // milliseconds in which the dashes run along the arrows of a step
const MARGIN = 16; // pixels that a shade may cover

let pictures = 0;

export class Drawing {
  /** `svg` is text; its root's id begins the id of everything inside. */
  constructor(svg) {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    // The page has a style sheet of its own, and nothing in a picture is to run.
    for (const other of parsed.querySelectorAll("style, script, foreignObject")) other.remove();
    this.svg = document.adoptNode(parsed);
    this.rename();
    this.groups = [];
    this.slots = [];
    for (const element of this.svg.querySelectorAll(`[id^="${this.svg.id}-"]`)) {
      const key = element.id.slice(this.svg.id.length + 1);
      if (element.tagName === "g") {
        const base = element.dataset.class ?? element.getAttribute("class") ?? "";
        this.groups.push({ key, element, base, now: null });
      } else if (element.tagName === "text" || element.tagName === "tspan") {
        const cut = key.lastIndexOf("-");
        const [owner, slot] = [key.slice(0, cut), key.slice(cut + 1)];
        this.slots.push({ owner, slot, element, line: lineOf(element), now: null });
      }
    }
    this.description = this.svg.querySelector("desc");
    const { width, height } = this.svg.viewBox.baseVal;
    this.size = { width, height };
    this.svg.removeAttribute("style");
    this.zoom(1);
  }

  /** The same picture may stand on a page twice, and an id may not. */
  rename() {
    const [before, after] = [this.svg.id, `${this.svg.id}-${(pictures += 1)}`];
    for (const element of [this.svg, ...this.svg.querySelectorAll("*")]) {
      for (const { name, value } of [...element.attributes]) {
        if (value.includes(before)) element.setAttribute(name, value.replaceAll(before, after));
      }
    }
  }

  show({ marks, labels }, sentence) {
    for (const group of this.groups) {
      const classes = [group.base, ...(marks.get(group.key) ?? [])].join(" ").trim();
      if (group.now === classes) continue;
      group.now = classes;
      group.element.setAttribute("class", classes);
    }
    for (const place of this.slots) {
      const text = labels.get(place.owner)?.get(place.slot) ?? "";
      if (place.now === text) continue;
      place.now = text;
      place.element.textContent = place.line(text);
      if (place.slot === "grad") place.element.classList.toggle("full", text !== "None");
    }
    if (this.description) this.description.textContent = sentence;
  }

  /** Let the dashes of this step run along their arrows once; the new numbers come after. */
  run() {
    clearTimeout(this.running);
    this.svg.classList.add("running");
    this.running = setTimeout(() => this.svg.classList.remove("running"), RUN);
  }

  zoom(factor) {
    this.factor = factor;
    this.svg.setAttribute("width", this.size.width * factor);
    this.svg.setAttribute("height", this.size.height * factor);
  }

  /**
   * Where the picture is larger than its box, scroll to what happens now: the node at work, its
   * arrows, and the blocks of `receivers`, as many as there is room for, the nearest first.
   */
  follow(box, receivers = []) {
    if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) return;
    const seen = inside(box);
    const places = (wanted) => this.groups.filter(wanted).map(({ element }) =>
      element.getBoundingClientRect()).filter(({ width }) => width);
    const has = ({ element }, mark) => element.classList.contains(mark);
    const working = places((group) => has(group, "now") && !has(group, "edge"));
    const others = places((group) => has(group, "now") && has(group, "edge")
      || receivers.includes(group.key) && (has(group, "ready") || has(group, "waiting")));
    let [around, ...rest] = [...working, ...nearest(others, working[0])];
    if (!around) return;
    for (const place of rest) {
      const both = together(around, place);
      const fits = both.right - both.left <= seen.width && both.bottom - both.top <= seen.height;
      if (fits) around = both;
    }
    const down = this.size.height > this.size.width;
    box.scrollLeft += shift(around.left, around.right, seen.left, seen.right, !down);
    box.scrollTop += shift(around.top, around.bottom, seen.top, seen.bottom, down);
  }
}

/**
 * How a text is written in its line: the second of a label may begin with the arrow of the first,
 * and of a sum there may be no room for more than its total.
 */
function lineOf(element) {
  if (element.hasAttribute("data-brief")) return inBrief;
  if (element.hasAttribute("data-arrow")) return (text) => text && `→ ${text}`;
  if (element.nextElementSibling?.hasAttribute("data-arrow")) return (text) => text.replace(/ ?→ $/, "");
  return (text) => text;
}

/** What a sum comes to, without its terms, as `in_brief` of minigrad/viz/blocks.py has it. */
function inBrief(came) {
  return came.replace(/^.* (?:= |(≈) )/, "$1").replace(/^.* \+ .* \+ \?$/, "");
}

/** What is seen of a box that scrolls: its rectangle without the bars. */
function inside(box) {
  const outer = box.getBoundingClientRect();
  const [left, top] = [outer.left + box.clientLeft, outer.top + box.clientTop];
  const [width, height] = [box.clientWidth, box.clientHeight];
  return { left, top, width, height, right: left + width, bottom: top + height };
}

const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];

/** The places in the order in which they lie around one of them. */
function nearest(places, place) {
  if (!place) return places;
  const [x, y] = middle(place);
  const away = (other) => Math.hypot(middle(other)[0] - x, middle(other)[1] - y);
  return places.sort((one, other) => away(one) - away(other));
}

function together(one, other) {
  return {
    left: Math.min(one.left, other.left), right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top), bottom: Math.max(one.bottom, other.bottom),
  };
}

/**
 * How far to scroll so that what reaches from `low` to `high` is seen between `from` and `to`.
 * A pass goes to the low end, so there is most to come where the high end lies at the margin.
 */
function shift(low, high, from, to, along) {
  if (low >= from && high <= to) return 0;
  if (high - low > to - from) return low - from;
  return along ? high - to + Math.min(MARGIN, to - from - high + low) : (low + high - from - to) / 2;
}

const STILL = 4; // pixels that a hand may move in a click

/** Let a picture that is larger than its box be dragged in it; a drag is no click on what is there. */
export function draggable(box) {
  let start = null;
  let dragged = false;
  box.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType === "mouse" && event.button === 0) {
      start = [event.clientX + box.scrollLeft, event.clientY + box.scrollTop];
      start.push(event.clientX, event.clientY);
    }
  });
  box.addEventListener("pointermove", (event) => {
    if (!start || !(event.buttons & 1)) return;
    const [x, y, fromX, fromY] = start;
    dragged ||= Math.hypot(event.clientX - fromX, event.clientY - fromY) > STILL;
    box.scrollLeft = x - event.clientX;
    box.scrollTop = y - event.clientY;
  });
  box.addEventListener("pointerup", () => { start = null; });
  box.addEventListener("click", (event) => dragged && event.stopPropagation(), true);
}
