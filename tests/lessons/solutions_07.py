"""Reference solutions of lesson 07, answers with something blank, and what no hint may say."""

KEPT = {
    "x.tanh()": "R",
    "x.cos()": "I",
    "x - 3": "N",
    "x ** 2": "I",
    "x.sqrt()": "R",
    "x * c": "N",
}
WORDS = {"R": "its result", "I": "input", "N": "neither"}


def _function(write, before=lambda mg, b: b):
    """The opening program with a write that makes b what it is to be."""

    def with_engine(mg):
        def function(a):
            b = a + 2
            c = before(mg, b)
            loss = (c * c).mean()
            return loss, write(mg, b)

        return function

    return with_engine


def _into_a_clone(mg, b):
    c = b.clone()
    c[0] = 1000.0
    return c


def _into_b(mg, b):
    b[0] = 1000.0
    return b


def _filled(mg, b):
    c = mg.clone(b.detach())
    with mg.no_grad():
        c[:1].fill_(1000)
    return c


def _masked(mg, b):
    return b * mg.tensor([0.0, 1.0]) + mg.tensor([1000.0, 0.0])


def _where(mg, b):
    return mg.where(mg.tensor([True, False]), mg.tensor(1000.0), b)


def _joined(mg, b):
    return mg.cat([mg.tensor([1000.0]), b[1:]])


def _at_least(write):
    def with_engine(mg):
        def at_least(w, low):
            with mg.no_grad():
                write(mg, w, low)
            return w

        return at_least

    return with_engine


def _by_switching_off(mg):
    def at_least(w, low):
        w.requires_grad_(False)
        w.clamp_(low)
        return w.requires_grad_()

    return at_least


def _by_detach(mg):
    def at_least(w, low):
        w.detach().clamp_(low)
        return w

    return at_least


def _loop(mg, w, low):
    for i in range(len(w)):
        if w[i] < low:
            w[i] = low


def _by_mask(mg, w, low):
    w[w < low] = low


OWN = [
    """
    a = tensor([1., 2.], requires_grad=True)
    b = a + 1
    loss = (b.exp() * 2).sum()
    b += 1
    c = a * 1
    d = c.tanh()
    d += 1
    loss = loss + d.sum()
    loss.backward()
    """,
    # a leaf under no_grad does the harm, and comes first
    """
    w = tensor([1., 2.], requires_grad=True)
    h = w.sin()
    b = h + 1
    loss = b.sum()
    with no_grad(): w -= 0.5
    b *= 2
    loss.backward()
    """,
    """
    a = mg.tensor([1., 2.], requires_grad=True)
    b = a * 3
    c = b * b
    loss = (c + b).sum()

    c.zero_()
    b.mul_(2)
    loss.backward()
    """,
]

LEGEND = {"I": "its input x", "R": "its result", "N": "neither of the two"}

SOLUTIONS = {
    "07-1": [
        lambda mg: dict(KEPT),
        lambda mg: {line: WORDS[letter] for line, letter in KEPT.items()},
        lambda mg: {line: f" {letter.lower()}." for line, letter in KEPT.items()},
        lambda mg: {line: LEGEND[letter] for line, letter in KEPT.items()},
    ],
    "07-2a": [
        _function(_into_a_clone),
        _function(_into_b, before=lambda mg, b: b.clone()),
        _function(_filled),
    ],
    "07-2b": [_function(_masked), _function(_where), _function(_joined)],
    "07-3": [
        _at_least(lambda mg, w, low: w.clamp_(min=low)),
        _at_least(lambda mg, w, low: w.copy_(mg.maximum(w, mg.tensor(low)))),
        _at_least(lambda mg, w, low: w.add_(mg.relu(low - w))),
        _at_least(_loop),
        _at_least(_by_mask),
        _by_switching_off,
        _by_detach,
    ],
    "07-4": [lambda mg: {"keeps": 7, "writes": 10}],
    "07-5": [lambda mg, text=text: text for text in OWN],
}


def _nothing(*_arguments):
    pass


BLANKS = {
    "07-1": [dict.fromkeys(KEPT, ...), KEPT | {"x * c": ...}],
    "07-2a": [_nothing, lambda a: (..., ...)],
    "07-2b": [_nothing, lambda a: (a, ...)],
    "07-3": [_nothing, lambda w, low: ...],
    "07-4": [{"keeps": ..., "writes": ...}, {"keeps": 7, "writes": None}],
    "07-5": ["", "\n\n"],
}

ANSWERS = {
    "07-1": ["keeps its", '"R"', '"I"', '"N"'],
    "07-2a": ["b[0] = 1000"],
    "07-2b": ["stack(", "997"],
    "07-3": ["clamp_"],
    "07-4": ["line 7", "line 10"],
    "07-5": ["c[0]", "b[0]"],
}
