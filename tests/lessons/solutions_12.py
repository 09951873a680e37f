"""Reference solutions of lesson 12, and answers in which something is still blank."""

from minigrad.lessons.array_steps import GIVEN, built_before
from minigrad.lessons.engine_steps import built
from minigrad.lessons.snippets import run_in
from tests.lessons import engines
from tests.notebooks.reading import FOLDER, read

STEPS = {"12-1a": "step-fit", "12-1b": "step-add", "12-1c": "step-total", "12-1d": "step-cut"}


def blank_step(name):
    """What the cell of a step hands in as long as its blanks are not filled in."""
    notebook = read(next(FOLDER.glob("12_*.ipynb")))
    source = next(cell.source for cell in notebook.cells if cell.id == STEPS[name])
    scope = built_before(name)
    scope["check"] = lambda _name, answer: answer
    return run_in(scope, source)


BLANKS = {
    **{name: [blank_step(name)] for name in STEPS},
    "12-2a": [lambda x, w, b: ...],
    "12-2b": [lambda scores, kinds: ...],
    "12-3": [lambda images, kinds: ..., lambda images, kinds: None],
    "12-4": [dict.fromkeys("PQRST", ...), dict.fromkeys("PQRST", "")],
}


# --- 12-1 -------------------------------------------------------------------------------------


def _fit_at_once(mg):
    def fit(part, shape):
        part = mg.as_tensor(part)
        added = part.ndim - len(shape)
        axes = [*range(added), *(added + axis for axis, n in enumerate(shape) if n == 1)]
        return (part.sum(axes) if axes else part).reshape(shape)

    return fit


def _fit_by_comparing(mg):
    def fit(part, shape):
        part = mg.as_tensor(part)
        while len(part.shape) != len(shape):
            part = sum(part)
        for axis in range(len(shape)):
            if part.shape[axis] != shape[axis]:
                part = part.sum(axis).unsqueeze(axis)
        return part

    return fit


def _steps_on(base):
    """All steps of the reference on another engine."""
    return lambda mg: built_before(None, base or built()["Value"])


def _array(scope_of):
    return lambda mg: scope_of(mg)["Array"]


def _all_three(scope_of):
    def chosen(mg):
        scope = scope_of(mg)
        return scope["Array"], scope["detach"], scope["no_grad"]

    return chosen


OTHER_WAYS = """
def back_to(value, part):
    while part.ndim > value.data.ndim:
        part = part.sum(0)
    for axis in range(part.ndim):
        if value.data.shape[axis] < part.shape[axis]:
            part = part.sum(axis, keepdim=True)
    return part

def plus(a, b):
    a, b = as_array(a), as_array(b)
    return made(a.data + b.data, "+", [a, b],
                lambda came: [back_to(one, mg.ones_like(a.data + b.data) * came) for one in (a, b)])

def times(a, b):
    a, b = as_array(a), as_array(b)
    def rule(came):
        came = mg.as_tensor(came)
        return [back_to(a, came * b.data), back_to(b, a.data * came)]
    return made(b.data * a.data, "×", [a, b], rule)

Array.__add__ = Array.__radd__ = plus
Array.__mul__ = Array.__rmul__ = times
Array.total = lambda a: made(
    a.data.sum(), "Σ", [a], lambda came: [mg.zeros_like(a.data) + came])
Array.tanh = lambda a: made(
    mg.tanh(a.data), "tanh", [a], lambda came: [came / mg.cosh(a.data) ** 2])
Array.__matmul__ = lambda a, b: made(
    a.data @ as_array(b).data, "@", [a, as_array(b)],
    lambda came: [came.matmul(as_array(b).data.t()), a.data.t().matmul(came)])

def detach(value):
    return as_array(value.data + 0)

class no_grad:
    def __enter__(self):
        self.before, Array.recording = Array.recording, False
        return self
    def __exit__(self, kind, error, traceback):
        Array.recording = self.before
"""


def _another_way(mg):
    from types import SimpleNamespace

    scope = {"mg": mg, "engine": SimpleNamespace(load=lambda: built()["Value"]), "__name__": "own"}
    run_in(scope, GIVEN)
    run_in(scope, OTHER_WAYS)
    return scope


def _block_by_contextlib(mg):
    """`no_grad` as a function with a `yield`, and a rule that yields its parts."""
    scope = built_before(None)
    run_in(scope, ONE_BY_ONE)
    return scope


ONE_BY_ONE = """
from contextlib import contextmanager

def add(a, b):
    a, b = as_array(a), as_array(b)
    return made(a.data + b.data, "+", (a, b),
                lambda came: (fit(came, one.data.shape) for one in (a, b)))

Array.__add__ = Array.__radd__ = add

@contextmanager
def no_grad():
    Array.recording = False
    try:
        yield
    finally:
        Array.recording = True
"""


SCOPES = [_steps_on(None), _steps_on(engines.Whole), _another_way, _block_by_contextlib]


# --- 12-2 and 12-3 ----------------------------------------------------------------------------


def _as_the_text_says(mg):
    def cross_entropy(scores, kinds):
        most = scores.max(1).values
        total = (scores.T - most).T.exp().sum(1).log() + most
        return (total - scores[range(len(kinds)), kinds]).mean()

    return cross_entropy


def _row_by_row(mg):
    def cross_entropy(scores, kinds):
        losses = [mg.logsumexp(row, 0) - row[kind] for row, kind in zip(scores, kinds.tolist())]
        return mg.stack(losses).mean()

    return cross_entropy


def _learn_by_hand(mg):
    """No optimizer and no `Sequential`: four tables and a loop."""

    def learn(images, kinds):
        mg.manual_seed(1)
        sizes = [(64, 24), (24,), (24, 10), (10,)]
        w1, b1, w2, b2 = numbers = [(mg.randn(*size) * 0.1).requires_grad_() for size in sizes]
        model = lambda x: mg.tanh(x @ w1 + b1) @ w2 + b2  # noqa: E731
        for _ in range(200):
            loss = mg.nn.functional.cross_entropy(model(images), kinds)
            for number, slope in zip(numbers, mg.autograd.grad(loss, numbers)):
                number.data -= 1.0 * slope
        return model

    return learn


def _learn_in_batches(mg):
    def learn(images, kinds):
        mg.manual_seed(0)
        net = mg.nn.Sequential(mg.nn.Linear(64, 48), mg.nn.ReLU(), mg.nn.Linear(48, 10))
        optimizer = mg.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
        for _turn in range(160):
            some = mg.randint(len(kinds), (128,))
            optimizer.zero_grad()
            mg.nn.functional.cross_entropy(net(images[some]), kinds[some]).backward()
            optimizer.step()
        return net

    return learn


CAUSES = {"P": "D", "Q": "N", "R": "Z", "S": "W", "T": "L"}

SOLUTIONS = {
    "12-1a": [lambda mg: built_before(None)["fit"], _fit_at_once, _fit_by_comparing],
    "12-1b": [_array(scope) for scope in SCOPES],
    "12-1c": [_array(scope) for scope in SCOPES],
    "12-1d": [_all_three(scope) for scope in SCOPES],
    "12-2a": [
        lambda mg: lambda x, w, b: mg.matmul(x, w) + b,
        lambda mg: lambda x, w, b: mg.nn.functional.linear(x, w.T, b),
        lambda mg: lambda x, w, b: mg.stack([row @ w + b for row in x]),
        lambda mg: lambda x, w, b: (x[:, :, None] * w).sum(1) + b,
    ],
    "12-2b": [_as_the_text_says, _row_by_row],
    "12-3": [_learn_by_hand, _learn_in_batches],
    "12-4": [lambda mg: CAUSES, lambda mg: {name: f" {c.lower()}." for name, c in CAUSES.items()}],
}
