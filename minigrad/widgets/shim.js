// Gives the controls of ipywidgets what they lack in JupyterLab: their own keys, names, a line
// that is spoken, and a word when nobody answers.
//
// JupyterLab takes keys such as "a" or the down arrow away from whatever has the focus, unless
// the focused element itself says that it keeps them; saying so on the box around it does nothing.

const FOCUSABLE = "button, input, select, textarea, [tabindex]";
const PATIENCE = 4000; // milliseconds until a missing reply is mentioned

function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function arm(box, name) {
  const lost = box.classList.contains("jupyter-widgets-disconnected");
  set(box, "role", "group");
  set(box, "aria-label", name);
  const line = box.querySelector(".minigrad-line .widget-html-content");
  if (line) {
    set(line, "role", "status");
    set(line, "aria-live", "polite");
  }
  for (const element of box.querySelectorAll(FOCUSABLE)) {
    set(element, "data-lm-suppress-shortcuts", "true");
    if (element.matches("input[type=text]")) set(element, "aria-label", name);
    if (lost) set(element, "aria-disabled", "true");
    if (!element.matches("button.minigrad-option")) continue;
    set(element, "aria-pressed", String(element.classList.contains("minigrad-chosen")));
  }
}

/** Plain keys are the control's own. What a learner presses to save or to run on is not. */
function isNotebooks({ key, target, ctrlKey, metaKey, altKey, shiftKey }) {
  const chord = ctrlKey || metaKey || altKey;
  if (target.matches("input[type=text], textarea")) return (ctrlKey || metaKey) && key === "s";
  return chord || (shiftKey && key === "Enter");
}

/** Leave the controls, so that the keys are the notebook's again. */
function leave(box) {
  document.activeElement.blur();
  box.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
}

/** Ask after each answer whether anybody is there; say so in `line` when nobody is. */
function listen(model, box, line) {
  let timer;
  const ask = () => {
    if (box.classList.contains("jupyter-widgets-disconnected")) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      line.textContent = model.get("waiting");
    }, PATIENCE);
    model.send({ asks: "is anybody there" });
  };
  const hear = () => {
    clearTimeout(timer);
    line.textContent = "";
  };
  box.addEventListener("click", ({ target }) => target.closest("button") && ask());
  box.addEventListener("change", ({ target }) => target.matches("input[type=text]") && ask());
  model.on("msg:custom", hear);
  return () => {
    clearTimeout(timer);
    model.off("msg:custom", hear);
  };
}

function keys(box) {
  const share = (event) => {
    const { target, key, type } = event;
    if (!box.contains(target)) return;
    if (type === "keydown" && isNotebooks(event)) {
      delete target.dataset.lmSuppressShortcuts;
      return;
    }
    target.dataset.lmSuppressShortcuts = "true";
    if (type !== "keydown") return;
    if (key === "Escape") leave(box);
    // The next number typed replaces this one.
    if (key === "Enter" && target.matches("input[type=text]")) target.select();
  };
  // On the window, to be earlier than JupyterLab, which listens on the document.
  for (const type of ["keydown", "keyup"]) window.addEventListener(type, share, true);
  return () => {
    for (const type of ["keydown", "keyup"]) window.removeEventListener(type, share, true);
  };
}

function render({ model, el }) {
  let frame;
  const endings = [];
  const line = document.createElement("p");
  line.className = "minigrad-waiting";
  line.setAttribute("role", "status");
  el.append(line);
  // The box exists only once this view has been put into it.
  const attach = () => {
    const box = el.closest(".minigrad-controls");
    if (!box) {
      frame = requestAnimationFrame(attach);
      return;
    }
    const keep = () => arm(box, model.get("name"));
    const observer = new MutationObserver(keep);
    observer.observe(box, { childList: true, subtree: true, attributeFilter: ["class"] });
    endings.push(() => observer.disconnect(), keys(box), listen(model, box, line));
    keep();
  };
  attach();
  return () => {
    cancelAnimationFrame(frame);
    for (const end of endings) end();
  };
}

export default { render };
