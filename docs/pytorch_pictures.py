"""Makes the pictures of pytorch.md: ``python3 docs/pytorch_pictures.py``, where PyTorch is."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

import torch
from torch import nn

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

import minigrad as mg  # noqa: E402
from minigrad import viz  # noqa: E402
from minigrad.trace import find_group  # noqa: E402


def case_1() -> viz.Figure:
    """Three lines to start: a pass stopped while one node waits for its second part."""
    x = torch.tensor(2.0, requires_grad=True)
    with mg.watch():
        a = x + 1
        b = x + 2
        y = a * b
    return step(mg.stepper(y), 2)


def network() -> viz.Figure:
    """A network of three layers in the middle of its backward pass."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 1))
    inputs, target = torch.randn(8, 4), torch.randn(8, 1)
    with mg.watch(net):
        loss = nn.functional.mse_loss(net(inputs), target)
    return step(mg.stepper(loss), 3)


class Model(nn.Module):
    """An embedding, twelve Transformer layers, and a head."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.embed = nn.Embedding(65, 16)
        self.encoder = nn.TransformerEncoder(layer, 12)
        self.head = nn.Linear(16, 65)

    def forward(self, tokens):
        return self.head(self.encoder(self.embed(tokens))).flatten(0, 1)


def transformer() -> tuple[viz.Figure, viz.Figure]:
    """Twelve layers as one box, and the inside of one of them."""
    torch.manual_seed(0)
    model, tokens, following = Model(), torch.arange(12).reshape(2, 6), torch.arange(1, 13)
    with mg.watch(model):
        loss = nn.functional.cross_entropy(model(tokens), following)
    stepper = mg.stepper(loss)
    layer = find_group(stepper.trace.graph, "encoder.layers.4")
    frames = stepper.trace.frames("coarse")
    now = next(k for k in range(len(frames)) if "now" in frames[k]["marks"].get(layer.key, ()))
    return step(stepper, now), mg.draw(loss, module="encoder.layers.4")


def frozen() -> viz.Figure:
    """A critic that is frozen lets the gradient through to the generator, and gets none."""
    torch.manual_seed(0)
    generator = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3))
    critic = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    for parameter in critic.parameters():
        parameter.requires_grad_(False)
    noise = torch.randn(8, 2)
    with mg.watch(generator, critic):
        loss = -critic(generator(noise)).mean()
    return step(mg.stepper(loss), 5)


def stopped() -> viz.Figure:
    """A forward pass that raised, up to the layer that does not fit."""
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(4, 1))
    inputs = torch.ones(5, 2)
    try:
        with mg.watch(net) as tape:
            net(inputs)
    except RuntimeError:
        return mg.draw(tape)
    raise AssertionError("the layers fit")


def step(stepper: mg.widgets.Stepper, number: int) -> viz.Figure:
    """One step of a pass as a picture."""
    frames = stepper.trace.frames("coarse")
    return viz.draw(stepper.trace.graph, "both", frame=frames[number], room=frames.room)


def save(name: str, figure: viz.Figure) -> None:
    """Write a picture as SVG on a white card, which shows in light and dark pages."""
    encoded = re.search(r"data:image/svg\+xml;base64,([^\"]+)", figure.image())[1]
    (DOCS / name).write_bytes(base64.b64decode(encoded))


def main() -> None:
    """Write all pictures."""
    save("pytorch-start.svg", case_1())
    save("pytorch-network.svg", network())
    overview, layer = transformer()
    save("pytorch-transformer.svg", overview)
    save("pytorch-layer.svg", layer)
    save("pytorch-frozen.svg", frozen())
    save("pytorch-error.svg", stopped())


if __name__ == "__main__":
    main()
