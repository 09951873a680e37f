// Gives the controls of ipywidgets what they lack in JupyterLab: their own keys, and names.
//
// JupyterLab takes keys such as "a" or the down arrow away from whatever has the focus, unless
// the focused element itself says that it keeps them; saying so on the box around it does nothing.

const FOCUSABLE = "button, input, select, textarea, [tabindex]";

function arm(box, name) {
  if (box.getAttribute("role") !== "group") box.setAttribute("role", "group");
  if (box.getAttribute("aria-label") !== name) box.setAttribute("aria-label", name);
  for (const element of box.querySelectorAll(FOCUSABLE)) {
    if (!element.dataset.lmSuppressShortcuts) element.dataset.lmSuppressShortcuts = "true";
    if (element.matches("input[type=text]") && !element.hasAttribute("aria-label")) {
      element.setAttribute("aria-label", name);
    }
    if (!element.matches("button.minigrad-option")) continue;
    const pressed = String(element.classList.contains("minigrad-chosen"));
    if (element.getAttribute("aria-pressed") !== pressed) {
      element.setAttribute("aria-pressed", pressed);
    }
  }
}

function render({ model, el }) {
  let observer;
  let frame;
  el.style.display = "none";
  // The box exists only once this view has been put into it.
  const attach = () => {
    const box = el.closest(".minigrad-controls");
    if (!box) {
      frame = requestAnimationFrame(attach);
      return;
    }
    const keep = () => arm(box, model.get("name"));
    observer = new MutationObserver(keep);
    observer.observe(box, { childList: true, subtree: true, attributeFilter: ["class"] });
    keep();
  };
  attach();
  return () => {
    cancelAnimationFrame(frame);
    observer?.disconnect();
  };
}

export default { render };
