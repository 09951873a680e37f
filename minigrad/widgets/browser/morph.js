// Makes what stands on the page equal to what was made anew, and keeps every element that can stay:
// so the focus, a half-typed text, a slider that is being moved and the scrolling survive.

/** Make `old` equal to `fresh`, whose children it takes over where it has none of that kind. */
export function morph(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !readersOwn(old, name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && !beingMoved(old)) old.value = value;
    if (name === "checked" || name === "selected") old[name] = true;
  }
  if (old.checked && !fresh.checked && fresh.matches("input")) old.checked = false;
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = counterpart(at, child);
    if (!same) {
      old.insertBefore(child, at);
      continue;
    }
    while (at !== same) at = without(at);
    if (child.nodeType === Node.ELEMENT_NODE) morph(same, child);
    else if (same.data !== child.data) same.data = child.data;
    at = same.nextSibling;
  }
  while (at) at = without(at);
}

function without(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** The sibling from `at` on that `child` can become: of the same key, or else simply the next one. */
function counterpart(at, child) {
  const key = child.dataset?.key;
  const fits = (node) => node.nodeName === child.nodeName && node.dataset?.key === key;
  if (key === undefined) return at && fits(at) ? at : null;
  let found = at;
  while (found && !fits(found)) found = found.nextSibling;
  return found;
}

/** What the reader unfolded stays so. */
function readersOwn(element, name) {
  return name === "open" && element.matches("details");
}

function beingMoved(element) {
  return element.type === "range" && element.matches(":active");
}
