"""Graphs and frames made by hand, in the form in which `minigrad.trace` gives them."""

import random

from minigrad.trace.model import Edge, Graph, Group, Operation, Value

NODES = {"+": "Add", "×": "Mul", "−": "Sub", "÷": "Div", "**": "Pow"}


class Builder:
    """Makes a graph one value at a time; each call returns the key of the value."""

    def __init__(self, *groups):
        self.graph = Graph(groups=list(groups))
        self.nodes = self.lines = 0

    def value(self, name, text="2", shape=(), **more):
        key = f"v{len(self.graph.values)}"
        self.graph.values.append(Value(key, name, text, shape, **more))
        return key

    def leaf(self, name, text="2", shape=(), **more):
        return self.value(name, text, shape, leaf=True, **more)

    def constant(self, name, text="2", shape=()):
        return self.value(name, text, shape, requires_grad=False)

    def edge(self, source, target, argument=None, output=0):
        key = f"e{self.lines}"
        self.graph.edges.append(Edge(key, source, target, argument, output))
        self.lines += 1

    def make(self, symbol, name, operands, text="5", shape=(), outputs=(), **more):
        node = f"n{self.nodes}"
        self.nodes += 1
        for number, operand in enumerate(operands):
            self.edge(operand, node, number)
        made = []
        for number, one in enumerate(outputs or (name,)):
            made.append(self.value(one, text, shape))
            self.edge(node, made[-1], None, number)
        kind = NODES.get(symbol, symbol.capitalize()) + "Backward0"
        operation = Operation(node, kind, symbol, self.nodes, made[0], outputs=tuple(made), **more)
        self.graph.operations.append(operation)
        return made if outputs else made[0]

    def done(self, *roots):
        self.graph.roots = roots
        for value in self.graph.values:
            if value.leaf:
                key = f"n{self.nodes}"
                self.nodes += 1
                node = Operation(key, "AccumulateGrad", "+=", None, value.key, "accumulate")
                self.graph.operations.append(node)
        return self.graph


def case_1(name="x"):
    b = Builder()
    x = b.leaf(name)
    a = b.make("+", "a", [x], "3", constants={1: "1"})
    c = b.make("+", "b", [x], "4", constants={1: "2"})
    return b.done(b.make("×", "y", [a, c], "12"))


def model_003():
    b = Builder()
    wide = (2, 2)
    given = b.constant("input", "all 1", wide)
    w1, w2, w3 = (b.leaf(f"w{n}", str(n + 1)) for n in (1, 2, 3))
    l1 = b.make("×", "l1", [given, w1], "all 2", wide)
    l2 = b.make("+", "l2", [l1, w2], "all 5", wide)
    l3 = b.make("×", "l3", [l1, w3], "all 8", wide)
    l4 = b.make("×", "l4", [l2, l3], "all 40", wide)
    return b.done(b.make("mean", "loss", [l4], "40"))


def square_and_sum():
    b = Builder()
    x = b.leaf("x")
    return b.done(b.make("+", "y", [b.make("×", "x·x", [x, x], "4"), x], "6"))


def mlp_loss():
    b = Builder()
    given, target = b.constant("X", "?", (8, 4)), b.constant("target", "?", (8, 1))
    leaves = [b.leaf(n, "?", (5, 4)) for n in ("w1", "b1", "w2", "b2")]
    h = b.make("linear", "h", [given, *leaves[:2]], "?", (8, 5))
    a = b.make("tanh", "a", [h], "−0.9 … 0.8", (8, 5))
    out = b.make("linear", "out", [a, *leaves[2:]], "?", (8, 1))
    return b.done(b.make("mse", "loss", [out, target], "1.12"))


def used_often(times=40):
    b = Builder()
    w, h = b.leaf("w"), b.leaf("h")
    for number in range(times):
        h = b.make("×", f"h{number}", [w, h], "6")
    return b.done(h)


def third_derivative():
    """x·x·x, differentiated three times, as ``create_graph=True`` leaves it: shared and deep."""
    b = Builder()
    x = b.leaf("x")
    s = b.make("×", "s", [x, x])
    y = b.make("×", "y", [s, x])
    one = b.constant("1", "1")
    gs, gx = b.make("×", "", [one, x], "?"), b.make("×", "", [one, s], "?")
    first = b.make("+", "y′", [b.make("×", "", [gs, x], "?"), gx])
    second = b.make("+", "y″", [b.make("×", "", [first, x], "?"), gs])
    return b.done(b.make("−", "y‴", [b.make("×", "", [second, x], "?"), first]), y)


def chain(length):
    b = Builder()
    y = b.leaf("x")
    for number in range(length):
        y = b.make("×", f"h{number}", [y], "4", constants={1: "2"})
    return b.done(y)


def wide_chain(length):
    """A chain of long values: short, and wide all the same."""
    b = Builder()
    y = b.leaf("x", "[200, 400, 24, 1000, 1000]", (5,))
    for number in range(length):
        y = b.make("×", f"result{number}", [y], "[200, 400, 24, 1000, 1000]", (5,))
    return b.done(y)


def split_in_two():
    b = Builder()
    parts = b.make("unbind", "", [b.leaf("x", "0 … 5", (6,))], "0 … 2", (3,), outputs=("a", "b"))
    return b.done(b.make("sum", "y", [b.make("−", "d", parts, "all 3", (3,))]))


def at_random(seed, size=14):
    """A graph without order or plan, with leaves, constants, repeats and unnamed results."""
    dice = random.Random(seed)
    b = Builder()
    values = [b.leaf("x"), b.leaf("weight", "all 3", (4, 5)), b.constant("c")]
    used = set()
    for number in range(size):
        symbol, count = dice.choice([("+", 2), ("−", 2), ("exp", 1), ("where", 3), ("×", 2)])
        operands = [dice.choice(values[-6:]) for _ in range(count)]
        operands[0] = dice.choice([v for v in values if v not in used] or values)
        used.update(operands)
        name = dice.choice(["", "h", "attention", "x·x"])
        shape = dice.choice([(), (4, 5)])
        values.append(b.make(symbol, name and f"{name}{number}", operands, "−0.443 … 0.391", shape))
    return b.done(values[-1])


def modules():
    """Two modules, a repeat of three, and a loss."""
    groups = [
        Group("m0", "net.0", "module", None, "Linear 4 → 5"),
        Group("m1", "block", "repeat", None, ""),
        *(Group(f"m{n + 2}", f"block.{n}", "module", "m1", "norm") for n in range(3)),
    ]
    b = Builder(*groups)
    weight = b.leaf("net.0.weight", "?", (5, 4), group="m0")
    bias = b.leaf("net.0.bias", "?", (5,), group="m0")
    h = b.constant("X", "?", (8, 4))
    h = b.make("addmm", "h", [bias, h, weight], "?", (8, 5), group="m0")
    for number in range(3):
        h = b.make("exp", f"h{number}", [h], "?", (8, 5), group=f"m{number + 2}")
    return b.done(b.make("mean", "loss", [h], "1.12"))


def room_of(graph, factor="×0.25 → ", sent="all 0.25"):
    """Room for a gradient on every line and a state at every block."""
    room = {}
    for edge in graph.edges:
        if edge.argument is not None:
            room[edge.key] = {"factor": factor, "sent": sent}
    for operation in graph.operations:
        room[operation.makes if operation.kind == "accumulate" else operation.key] = {
            "state": "1 of 2 parts",
            "came": "5 + 2 = 7",
        }
    return room


def room_of_003():
    """The room of the model of 003, as a pass through it needs it."""
    came = ["5 + 2 = 7", "all 2", "all 1.25", "all 0.25", "1", "7", "8", "10"]
    places = ["n0", "n1", "n2", "n3", "n4", "v1", "v2", "v3"]
    room = {key: {"state": "ready", "came": text} for key, text in zip(places, came)}
    room["n0"]["state"] = "1 of 2 parts"
    sent = {
        "e1": ("×1, Σ4 → ", "7"),
        "e3": ("×1 → ", "all 2"),
        "e4": ("×1, Σ4 → ", "8"),
        "e6": ("×4 → ", "all 5"),
        "e7": ("×2, Σ4 → ", "10"),
        "e9": ("×8 → ", "all 2"),
        "e10": ("×5 → ", "all 1.25"),
        "e12": ("×0.25 → ", "all 0.25"),
    }
    return room | {key: {"factor": a, "sent": b} for key, (a, b) in sent.items()}


def step_of_case_1():
    """The second step of case 1, and the room of all its steps."""
    told = {
        "n2": ("done", "1"),
        "n0": ("ready", "4"),
        "n1": ("now", "3"),
        "v0": ("1 of 2 parts", "3 + ?"),
    }
    labels = {key: {"state": state, "came": came} for key, (state, came) in told.items()}
    labels["v0"]["grad"] = "None"
    sent = {"e2": ("×1 → ", "3"), "e4": ("×4 → ", "4"), "e5": ("×3 → ", "3")}
    labels |= {key: {"factor": factor, "sent": sent} for key, (factor, sent) in sent.items()}
    marks = {"n2": ["done"], "n0": ["ready"], "n1": ["now"], "v0": ["waiting"]}
    marks |= {"e2": ["now"], "e4": ["past", "left"], "e5": ["past", "left"]}
    sentence = "b sends 3 to x. x has 1 of its 2 parts, so it waits."
    frame = {"step": 1, "title": "run", "sentence": sentence, "marks": marks, "labels": labels}
    room = {**labels, "e0": {"factor": "×1 → ", "sent": "4"}}
    room["v0"] = {"state": "1 of 2 parts", "came": "3 + 4 = 7", "grad": "None"}
    return frame, room


PLAIN = {
    "case 1": case_1,
    "model of 003": model_003,
    "x·x+x": square_and_sum,
    "MLP loss": mlp_loss,
    "40 uses": used_often,
    "third derivative": third_derivative,
    "chain of 30": lambda: chain(30),
    "two outputs": split_in_two,
}
GRAPHS = PLAIN | {f"random {seed}": lambda seed=seed: at_random(seed) for seed in range(12)}
