"""What real PyTorch says of the settings of trays, and of what may be done to a tray.

64 settings are those of y = (x + 1)(x + 2), and 96 those of two models in a row.

The truth table does not know how trays writes or runs its code: it is written out here, and this
script does not import minigrad.

    python tests/widgets/record_trays.py
"""

import contextlib
import json
import random
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "trays.json"
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


def truth_table(torch):
    """All 64 settings: what was said of each tensor, where it stopped, and how."""
    table = []
    for number in range(64):
        on = [switch for place, switch in enumerate(SWITCHES) if number >> place & 1]
        made, where, message = setting(torch, on)
        facts = {name: told(tensor) for name, tensor in made.items()}
        table.append({"on": on, "facts": facts, "where": where, "message": message})
    return table


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


def table_of_two_models(torch):
    """All 96 settings: what was said of each tensor, where u and w go, and what was raised."""
    table = []
    for on in settings_of_two_models():
        facts, moved, message = two_models(torch, on)
        table.append({"on": on, "facts": facts, "moved": moved, "message": message})
    return table


def happened(torch, events):
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


def recorded(torch):
    """Everything that is written down."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "torch": torch.__version__,
            "settings": truth_table(torch),
            "events": [happened(torch, events) for events in event_lists()],
            "models": table_of_two_models(torch),
            "orbit": orbit(torch),
        }


def orbit(torch):
    """Where w is after each of twelve rounds on (w − 3)² that never clear."""
    w = torch.tensor(0.0, requires_grad=True)
    places = []
    for _round in range(12):
        ((w - 3) ** 2).backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        places.append(w.item())
    return places


def main():
    import torch

    data = recorded(torch)
    lists = ("settings", "models", "events")
    lines = [f'"torch": {json.dumps(data["torch"])}', f'"orbit": {json.dumps(data["orbit"])}']
    for name in lists:
        rows = ",\n".join(json.dumps(row) for row in data[name])
        lines.append(f'"{name}": [\n{rows}\n]')
    DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    counts = ", ".join(f"{len(data[name])} {name}" for name in lists)
    print(f"{DATA.name}: {counts}, with PyTorch {data['torch']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
