// A picture that is larger than its box, whole and small: what runs now, and which part is seen.

import { draw } from "./dom.js";

const TALLEST = 44;

export class Miniature {
  constructor(box) {
    this.box = box;
    this.svg = draw("svg", { class: "miniature", "aria-hidden": "true" });
    this.svg.addEventListener("click", (event) => this.scrollTo(event));
    box.addEventListener("scroll", () => this.frameWhatIsSeen());
  }

  /** Draw a picture small, if not all of it is seen. */
  fit(drawing) {
    const { box, svg } = this;
    const larger = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    svg.style.display = larger ? "block" : "none";
    if (!larger) return;
    this.drawing = drawing;
    const { width, height } = drawing.size;
    const scale = Math.min(box.clientWidth / width, TALLEST / height);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
    this.lines = Array.from(drawing.svg.querySelectorAll(".f"), (line) =>
      ({ element: line.parentElement, path: draw("path", { d: line.getAttribute("d") }) }));
    this.blocks = drawing.groups.filter(({ base, element }) =>
      base !== "cell" && element.hasAttribute("transform")).map((group) => this.block(group));
    this.seen = draw("rect", { class: "seen" });
    svg.replaceChildren(...this.lines.map(({ path }) => path), ...this.blocks.map(({ rect }) => rect), this.seen);
    this.show();
    this.frameWhatIsSeen();
  }

  block({ element }) {
    const shapes = Array.from(element.querySelectorAll(".o, .b, .m"), (shape) => shape.getBBox());
    const [x, y] = ["x", "y"].map((side) => Math.min(...shapes.map((shape) => shape[side])));
    const width = Math.max(...shapes.map((shape) => shape.x + shape.width)) - x;
    const height = Math.max(...shapes.map((shape) => shape.y + shape.height)) - y;
    const transform = element.getAttribute("transform");
    return { element, rect: draw("rect", { x, y, width, height, transform }) };
  }

  /** Fill what runs now, and what is done; what is not there yet is not shown. */
  show() {
    for (const { element, rect } of this.blocks ?? []) {
      const state = ["now", "error", "done", "absent"].find((mark) =>
        element.classList.contains(mark));
      rect.setAttribute("class", state ?? "");
    }
    for (const { element, path } of this.lines ?? []) {
      path.setAttribute("class", element.classList.contains("absent") ? "absent" : "");
    }
  }

  frameWhatIsSeen() {
    if (!this.seen) return;
    const { box, drawing } = this;
    const places = { x: box.scrollLeft, y: box.scrollTop, width: box.clientWidth,
      height: box.clientHeight };
    for (const [name, pixels] of Object.entries(places)) {
      this.seen.setAttribute(name, pixels / drawing.factor);
    }
  }

  scrollTo(event) {
    const { box, svg, drawing } = this;
    const small = svg.getBoundingClientRect();
    const { width, height } = drawing.size;
    const [x, y] = [(event.clientX - small.left) / small.width * width * drawing.factor,
      (event.clientY - small.top) / small.height * height * drawing.factor];
    box.scrollLeft = x - box.clientWidth / 2;
    box.scrollTop = y - box.clientHeight / 2;
  }
}
