// Elements of the page, made in one expression.

const ICONS = {
  first: "M11 1V11L4 6ZM1 1H3V11H1Z",
  back: "M10 1V11L2 6Z",
  next: "M2 1V11L10 6Z",
  last: "M1 1V11L8 6ZM9 1H11V11H9Z",
  more: "M0 5h2.4v2.4H0zM4.8 5h2.4v2.4H4.8zM9.6 5H12v2.4H9.6z",
};

/** Make an element: `make("p", { class: "big" }, "text", otherElement)`. */
export function make(tag, attributes = {}, ...children) {
  return fitted(document.createElement(tag), attributes, children);
}

/** The same for what stands in an SVG. */
export function draw(tag, attributes = {}, ...children) {
  return fitted(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fitted(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A control. JupyterLab takes keys away from a control unless this attribute is on it. */
export function control(tag, attributes, ...children) {
  return make(tag, { "data-lm-suppress-shortcuts": "true", ...attributes }, ...children);
}

export function button(attributes, act, ...children) {
  const made = control("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

export function choice(name, options, chosen) {
  return control("select", { "aria-label": name }, ...options.map(([value, text]) =>
    make("option", { value, selected: value === chosen }, text)));
}

export function icon(name) {
  return draw("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" },
    draw("path", { d: ICONS[name] }));
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A text whose long names may be broken where their parts meet: `net.|0.|in_|proj`, `Add→|b`. */
export function breakable(text) {
  return text.split(/(?<=[\w)][._→(])(?=[a-z_])|(?<=[a-z_][._])(?=\d)/i)
    .flatMap((piece, at) => (at ? [make("wbr"), piece] : [piece]));
}

/** What stands between backquotes is set as code. */
export function coded(text) {
  return text.split("`").map((piece, at) => at % 2 ? make("code", {}, piece) : piece)
    .filter((piece) => piece !== "");
}

/** `fill("step {step}", { step: 2 })` is "step 2". */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/**
 * Give `element` the height of its tallest rendering, `render(copy, item)` for each item, but
 * no more than `limit`.
 */
export function reserve(element, items, render, limit = Infinity) {
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
  element.style.minHeight = `${Math.min(limit, Math.ceil(Math.max(0, ...heights)))}px`;
}

/** The few items that are likely the tallest, so that not all of them have to be measured. */
export function tallest(items, size, count = 4) {
  return items.map((item) => [size(item), item]).sort(([one], [other]) => other - one)
    .slice(0, count).map(([, item]) => item);
}
