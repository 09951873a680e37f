// The track: where the pass stands, and a control to go anywhere in it.

import { control, draw, make } from "./dom.js";

const STOPS = 20; // more steps than this are no stops of their own

export class Track {
  constructor(name, onmove) {
    this.input = control("input", { type: "range", min: 1, step: 1, "aria-label": name });
    this.input.addEventListener("input", () => onmove(Number(this.input.value) - 1));
    this.rail = draw("line", { x1: "0", x2: "100%", y1: 22, y2: 22 });
    this.gone = draw("line", { class: "gone", x1: "0", y1: 22, y2: 22 });
    this.stops = draw("g");
    this.here = draw("circle", { class: "here", cy: 22, r: 7 });
    this.element = make("div", { class: "track" }, draw("svg", { "aria-hidden": "true" },
      this.rail, this.gone, this.stops, this.here), this.input);
  }

  show(step, steps, spoken) {
    const part = (at) => `${(100 * at) / Math.max(1, steps - 1)}%`;
    if (this.steps !== steps) {
      this.steps = steps;
      const count = steps <= STOPS ? steps : 0;
      this.stops.replaceChildren(...Array.from({ length: count }, (_, at) =>
        draw("circle", { cx: part(at), cy: 22, r: 3.5 })));
      this.input.max = steps;
    }
    Array.from(this.stops.children).forEach((stop, at) =>
      stop.setAttribute("class", at < step ? "gone" : ""));
    this.gone.setAttribute("x2", part(step));
    this.here.setAttribute("cx", part(step));
    this.input.value = step + 1;
    this.input.setAttribute("aria-valuetext", spoken);
  }
}
