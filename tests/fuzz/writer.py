"""Write random programs: each step is chosen with an eye on the tensors that PyTorch has by then.

Every step is run on PyTorch as soon as it is written, so the next one can pick operands that fit:
most steps are legal, and those that are not are so on purpose or by bad luck, as a user's are.
"""

import random

from tests.fuzz.play import Player
from tests.fuzz.program import Program, Step

ATTEMPTS = 30  # to find a step for which the program has the right tensors
MAX_ERRORS = 4
BUG = "please report a bug to PyTorch"
LARGEST = 48  # elements in a tensor
MODES = ("no_grad()", "no_grad()", "enable_grad()", "set_grad_enabled(False)")
MODELESS = ("passes", "hooks", "in-place shape")  # groups and kinds that take no mode
LOOKS = ("each", "each", "made", "end")
# Sure to be in every program, so that there is something to do.
FIRST = "leaf"
LAST = ("backward", "sum().backward()", "sum().backward()", "grad", "second derivative", None)


class NothingFits(Exception):
    """The program has no tensor that a step could use."""


class Writer:
    """A program in the making.

    `names` maps variables to live tensors, `sources` each to those it was computed from.
    """

    def __init__(self, seed, player):
        self.rng = random.Random(seed)
        self.torch = player.torch
        self.player = player
        self.count = 0
        self.handles = 0
        self.sources = {}
        self.features = []

    # --- choosing ---

    def chance(self, probability):
        return self.rng.random() < probability

    def one(self, *choices):
        return self.rng.choice(choices)

    @property
    def tensors(self):
        """The program's tensors by name, oldest first."""
        names = self.player.names
        return {
            name: names[name]
            for name in self.player.variables()
            if isinstance(names[name], self.torch.Tensor)
        }

    def value(self, name):
        return self.player.names[name]

    def pick(self, *conditions):
        """The name of a tensor that meets all conditions, the newest first among equals."""
        fitting = [name for name, t in self.tensors.items() if meets(t, conditions)]
        if not fitting:
            raise NothingFits
        weights = [1 + 3 * place / len(fitting) for place in range(len(fitting))]
        return self.rng.choices(fitting, weights)[0]

    def computed(self, tensor):
        """The condition that a tensor is no gradient: those may lie otherwise in memory."""
        names = self.player.names
        return not any(names.get(name) is tensor for name in self.player.gradients)

    def prefer(self, wish, *conditions, probability=0.8):
        """As `pick`, with one more condition that usually holds."""
        if self.chance(probability):
            try:
                return self.pick(wish, *conditions)
            except NothingFits:
                pass
        return self.pick(*conditions)

    def operand(self, *conditions):
        """A tensor to compute with: mostly floating, and of numbers that stay in bounds."""
        return self.prefer(tame, floating, *conditions, probability=0.95)

    def new(self):
        """A name that is not taken."""
        self.count += 1
        return f"t{self.count - 1}"

    def new_handle(self):
        self.handles += 1
        return f"h{self.handles - 1}"

    # --- numbers and literals ---

    def number(self, low=-3, high=3):
        """A number with few digits, so that most of what is computed from it is exact."""
        return self.rng.randint(low * 4, high * 4) / 4

    def literal(self):
        """A number as it stands in code: an int or a float, now and then from NumPy."""
        number = self.number()
        if self.chance(0.4):
            return str(int(number))
        if self.chance(0.06):
            self.note("NumPy scalar")
            return f"np.float64({number})"
        return str(number)

    def numbers(self, shape, positive=False):
        """Nested lists of numbers as code."""
        if not shape:
            number = abs(self.number()) + 0.25 if positive else self.number()
            return str(number)
        return "[" + ", ".join(self.numbers(shape[1:], positive) for _ in range(shape[0])) + "]"

    def shape(self):
        """The shape of a small tensor."""
        common = [(), (1,), (2,), (3,), (3,), (2, 3), (2, 3), (3, 2), (2, 2), (1, 3), (2, 1)]
        rare = [(4,), (3, 3), (2, 2, 3), (2, 1, 2), (0,), (2, 0)]
        return self.rng.choice(common * 3 + rare)

    def weights(self, shape):
        """A gradient to start from: a tensor of that shape, as code."""
        shape = tuple(shape)
        if 0 in shape or self.chance(0.3):
            return f"torch.ones({list(shape)})"
        return f"torch.tensor({self.numbers(shape)})"

    # --- what happens ---

    def note(self, feature):
        """Count something that the step being written makes use of."""
        self.features.append(feature)

    def ancestors(self, name):
        """All the names from which a tensor was computed, as far as the program shows."""
        found, waiting = set(), [name]
        while waiting:
            for source in self.sources.get(waiting.pop(), ()):
                if source not in found:
                    found.add(source)
                    waiting.append(source)
        return found

    def remember(self, step):
        """Keep track of what was computed from what."""
        for name in step.makes | {n for n in step.uses if n in self.sources}:
            self.sources.setdefault(name, set()).update(step.uses - {name})


def meets(tensor, conditions):
    """Whether a tensor meets all conditions; a view that refuses to be used meets none."""
    try:
        return all(fits(tensor) for fits in conditions)
    except RuntimeError:
        return False


def tame(tensor):
    """Whether the numbers are finite and not large."""
    if tensor.numel() == 0:
        return True
    values = tensor.detach().double()
    return bool(values.isfinite().all()) and float(values.abs().max()) <= 30


def floating(tensor):
    return tensor.is_floating_point()


def tracked(tensor):
    return tensor.requires_grad


def untracked(tensor):
    return not tensor.requires_grad


def is_view(tensor):
    return tensor._is_view()


def inner(tensor):
    return tensor.requires_grad and not tensor.is_leaf


def leaf(tensor):
    return tensor.requires_grad and tensor.is_leaf


def small(tensor):
    return tensor.numel() <= LARGEST


def dims(low, high=9):
    """The condition that a tensor has so many dims."""
    return lambda tensor: low <= tensor.dim() <= high


def within(low, high):
    """The condition that all numbers lie between two bounds."""

    def fits(tensor):
        if tensor.numel() == 0:
            return True
        values = tensor.detach().double()
        return bool(((values >= low) & (values <= high)).all())

    return fits


def decided(value, elsewhere=False):
    """The condition that it is decided what a write into ``value`` gives, in whatever order.

    Either no element is in both, or each is in the same place. ``elsewhere`` says that elements
    are not written to the place that they are read from, as by an index.
    """

    def fits(other):
        if not places(value) & places(other):
            return True
        same = value.data_ptr() == other.data_ptr() and value.stride() == other.stride()
        return same and value.shape == other.shape and not elsewhere

    return fits


def places(tensor):
    """Where in memory the elements of a tensor are."""
    found = {tensor.data_ptr()} if tensor.numel() else set()
    for step, size in zip(tensor.stride(), tensor.shape, strict=True):
        found = {at + step * tensor.element_size() * i for at in found for i in range(size)}
    return found


def once(tensor):
    """Whether no two elements of a tensor are in one place, as after ``expand``.

    PyTorch lets masks and lists of places write where they are, and copies a tensor onto itself;
    minigrad refuses every such write, and docs/differences.md says so. Programs leave them out.
    """
    return len(places(tensor)) == tensor.numel()


def writable(tensor):
    """A tensor that may be written into: no leaf that requires grad, nor a view of one."""
    base = tensor._base if tensor._is_view() else tensor
    return not (base.is_leaf and base.requires_grad)


def write(seed, torch):
    """A random program, written while it runs on the library (PyTorch).

    What its steps showed on the way is not what a reader sees: choosing operands is looking, too.
    """
    from tests.fuzz.catalogue import STEPS, THEMES

    rng = random.Random(seed)
    look, theme = rng.choice(LOOKS), rng.choice(THEMES)
    length = rng.randint(6, 20)
    names = list(STEPS)
    weights = [STEPS[n].weight * (6 if STEPS[n].group in theme else 1) for n in names]
    steps, errors = [], 0
    with Player(torch, look) as player:
        writer = Writer(seed, player)
        while len(steps) < length and errors < MAX_ERRORS:
            if len(steps) < 1 + seed % 2:
                name = FIRST
            elif len(steps) == length - 1 and (last := rng.choice(LAST)):
                name = last
            else:
                name = rng.choices(names, weights)[0]
            step = propose(writer, STEPS[name])
            if step is None:
                continue
            shown = player.play(step)
            if BUG in str(shown.get("raises")):
                break  # nothing to learn from
            errors += "raises" in shown
            steps.append(noticing(writer, step, shown))
            writer.remember(step)
    return Program(tuple(steps), look)


def propose(writer, kind):
    """A step of this kind for the program as it stands; None if there is no tensor for it."""
    for _ in range(ATTEMPTS):
        writer.features = [kind.name]
        count, handles = writer.count, writer.handles
        try:
            code = kind.build(writer)
            mode = None
            if kind.group not in MODELESS and kind.name not in MODELESS and writer.chance(0.05):
                mode = writer.rng.choice(MODES)
                writer.note(mode)
            return Step(code, mode, tuple(writer.features))
        except NothingFits:
            writer.count, writer.handles = count, handles
    return None


def noticing(writer, step, shown):
    """The step with what it turned out to do among its features."""
    found = []
    if "raises" in shown:
        text = shown["raises"][1]
        found.append("exception")
        found += [feature for feature, part in TELLING.items() if part in text]
    for category, text, _ in shown.get("warned", ()):
        found.append("warning: " + ("non-leaf .grad" if "non-leaf" in text else category))
    if any(label.startswith("hook") for label, _ in shown.get("seen", ())):
        found.append("hook called")
    for name in step.makes:
        tensor = writer.player.names.get(name)
        if isinstance(tensor, writer.torch.Tensor):
            found += [feature for feature, holds in NOTICED.items() if meets(tensor, [holds])]
    return Step(step.code, step.mode, (*step.features, *dict.fromkeys(found)))


TELLING = {
    "stale value refused": "has been modified by an inplace operation",
    "freed graph refused": "a second time",
    "write to a leaf refused": "leaf Variable that requires grad is being used",
    "stale view of several refused": "is a view and its base",
    "write to one of several views refused": "is a view and is being modified",
    "view made in no_grad refused": "A view was created in no_grad mode",
    "unused input refused": "appears to not have been used",
    "non-scalar refused": "only for scalar outputs",
}
NOTICED = {
    "0-d": lambda t: t.dim() == 0,
    "empty": lambda t: t.numel() == 0,
    "not contiguous": lambda t: not t.is_contiguous(),
    "view": is_view,
    "view of a view": lambda t: t._is_view() and t._base.dim() != t.dim(),
    "float64": lambda t: t.dtype.is_floating_point and t.element_size() == 8,
    "float16": lambda t: t.dtype.is_floating_point and t.element_size() == 2,
    "integer": lambda t: not t.dtype.is_floating_point and t.element_size() > 1,
    "CopySlices": lambda t: type(t.grad_fn).__name__ == "CopySlices",
}
