"""What real PyTorch says of the settings of trays, and of what may be done to a tray.

64 settings are those of y = (x + 1)(x + 2), and 96 those of two models in a row.

The truth table does not know how trays writes or runs its code: it is written out here.
"""

import contextlib
import random
import warnings
from functools import partial

from tests.oracle.observer import differences
from tests.oracle.recorded import Recording

SWITCHES = ("asks", "a no_grad", "a detach", "a retain", "b detach", "y retain")
MODEL_SWITCHES = ("freeze u", "A no_grad", "detach", "item", "ask", "freeze w", "B no_grad")
EVENTS = ("out", "out2", "zero_", "None")


def setting(torch, on):
    """Run one setting of y = (x + 1)(x + 2) at x = 2; the tensors made so far, and the error."""
    made = {}
    try:
        made["x"] = x = torch.tensor(2.0, requires_grad="asks" in on)
        with torch.no_grad() if "a no_grad" in on else contextlib.nullcontext():
            a = x + 1
            made["a"] = a = a.detach() if "a detach" in on else a
        if "a retain" in on:
            a.retain_grad()
        made["b"] = b = (x + 2).detach() if "b detach" in on else x + 2
        made["y"] = y = a * b
        if "y retain" in on:
            y.retain_grad()
    except RuntimeError as error:
        return made, "building", f"{type(error).__name__}: {error}"
    try:
        y.backward()
    except RuntimeError as error:
        return made, "backward", f"{type(error).__name__}: {error}"
    return made, "", ""


def told(tensor):
    """The four attributes of a tensor."""
    node, grad = tensor.grad_fn, tensor.grad
    return [
        tensor.requires_grad,
        tensor.is_leaf,
        node and node.name(),
        None if grad is None else grad.item(),
    ]


def settings():
    """All 64 settings."""
    for number in range(1 << len(SWITCHES)):
        yield [switch for place, switch in enumerate(SWITCHES) if number >> place & 1]


def row(on, torch):
    """One setting: what was said of each tensor, where it stopped, and how."""
    with warnings.catch_warnings(action="ignore"):
        made, where, message = setting(torch, on)
        facts = {name: told(tensor) for name, tensor in made.items()}
    return {"on": on, "facts": facts, "where": where, "message": message}


def two_models(torch, on):
    """Run one setting of a = 2u, y = bw, (y − 29)², then a step; the tensors, and the error."""
    u = torch.tensor(3.0, requires_grad="freeze u" not in on)
    w = torch.tensor(5.0, requires_grad="freeze w" not in on)
    with torch.set_grad_enabled("A no_grad" not in on):
        a = u * 2
    b = a
    if "detach" in on:
        b = a.detach()
    if "item" in on:
        b = torch.tensor(float(a))
    if "ask" in on:
        b.requires_grad_()
    with torch.set_grad_enabled("B no_grad" not in on):
        y = w * b
    message = ""
    try:
        torch.square(y - 29).backward()
    except RuntimeError as error:
        message = f"{type(error).__name__}: {error}"
    made = {"u": u, "w": w, "a": a, "b": b, "y": y}
    facts = {name: told(tensor) for name, tensor in made.items()}
    with torch.no_grad():
        moved = [t.item() - 0.01 * (0.0 if t.grad is None else t.grad.item()) for t in (u, w)]
    return facts, moved, message


def settings_of_two_models():
    """Every combination in which the way from a to b is cut in one way at most."""
    for number in range(1 << len(MODEL_SWITCHES)):
        on = [switch for place, switch in enumerate(MODEL_SWITCHES) if number >> place & 1]
        if not {"detach", "item"} <= set(on):
            yield on


def row_of_two_models(on, torch):
    """One of 96 settings: what was said of each tensor, where u and w go, and what was raised."""
    with warnings.catch_warnings(action="ignore"):
        facts, moved, message = two_models(torch, on)
    return {"on": on, "facts": facts, "moved": moved, "message": message}


def happened(events, torch):
    """What is in the tray of x after each event, and what a second name for it holds."""
    x = torch.ones(2, 2, requires_grad=True)
    found = []
    for event in events:
        g, error = x.grad, ""
        try:
            if event == "out":
                y = x + 2
                (y * y * 3).mean().backward()
            elif event == "out2":
                x.sum().backward()
            elif event == "zero_":
                x.grad.zero_()
            elif event == "None":
                x.grad = None
        except AttributeError as raised:
            error = f"{type(raised).__name__}: {raised}"
        held = [None if t is None else t.flatten().tolist()[0] for t in (x.grad, g)]
        found.append([event, *held, error])
    return found


def event_lists(count=500, seed=3):
    """Random lists of what may be done in `mean, then sum`."""
    draw = random.Random(seed)
    return [draw.choices(EVENTS, k=draw.randint(1, 8)) for _ in range(count)]


def orbit(rounds, torch):
    """Where w is after each of some rounds on (w − 3)² that never clear."""
    w = torch.tensor(0.0, requires_grad=True)
    places = []
    for _round in range(rounds):
        ((w - 3) ** 2).backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        places.append(w.item())
    return places


exactly = partial(differences, tolerance=0.0)
SETTINGS = Recording("trays_settings", list(settings()), row, exactly)
MODELS = Recording("trays_models", list(settings_of_two_models()), row_of_two_models, exactly)
EVENT_LISTS = Recording("trays_events", event_lists(), happened, exactly)
ORBIT = Recording("trays_orbit", [12], orbit, exactly)
