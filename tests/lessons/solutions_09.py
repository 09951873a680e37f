"""Reference solutions of lesson 09, answers with a blank in them, and what no hint may say."""


def _second_at_once(mg):
    def second(z, x, y):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        return mg.autograd.grad(slope, (x, y))

    return second


def _second_one_by_one(mg):
    def second(z, x, y):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        return mg.autograd.grad(slope, x, retain_graph=True), mg.autograd.grad(slope, y)

    return second


def _second_by_trays(mg):
    def second(z, x, y):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        slope.backward()
        return x.grad.item(), y.grad.item()

    return second


def _newton(mg):
    def lowest(f, x):
        for _ in range(6):
            (one,) = mg.autograd.grad(f(x), x, create_graph=True)
            (two,) = mg.autograd.grad(one, x)
            x = (x - one / two).detach().requires_grad_()
        return x

    return lowest


def _newton_in_place(mg):
    def lowest(f, x):
        for _ in range(5):
            (one,) = mg.autograd.grad(f(x), x, create_graph=True)
            (two,) = mg.autograd.grad(one, x)
            with mg.no_grad():
                x -= one / two
        return x.item()

    return lowest


def _newton_by_trays(mg):
    def lowest(f, x):
        for _ in range(6):
            f(x).backward(create_graph=True)
            one, x.grad = x.grad, None
            one.backward()
            with mg.no_grad():
                x -= one / x.grad
            x.grad = None
        return x

    return lowest


def _product(mg):
    def hv(f, x, v):
        (g,) = mg.autograd.grad(f(x), x, create_graph=True)
        return mg.autograd.grad((g * v).sum(), x)

    return hv


def _product_with_v_handed_over(mg):
    """v·H is H·v, because H is the same when it is turned over."""

    def hv(f, x, v):
        (g,) = mg.autograd.grad(f(x), x, create_graph=True)
        g.backward(v)
        return x.grad

    return hv


def _product_as_list(mg):
    def hv(f, x, v):
        (g,) = mg.autograd.grad(f(x), x, create_graph=True)
        return mg.autograd.grad(g @ v, x)[0].tolist()

    return hv


def _by_backward(mg):
    def by_backward(z, x):
        z.backward(create_graph=True)
        slope = x.grad
        x.grad = None
        slope.backward()
        return x.grad

    return by_backward


def _through_data(mg):
    def by_backward(z, x):
        z.backward(create_graph=True)
        x.grad.data.zero_()
        x.grad.backward()
        return x.grad

    return by_backward


def _through_detach(mg):
    def by_backward(z, x):
        z.backward(create_graph=True)
        x.grad.detach().zero_()
        x.grad.backward()
        return x.grad.item()

    return by_backward


def _by_grad(mg):
    def by_grad(z, x):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        return mg.autograd.grad(slope, x)

    return by_grad


SOLUTIONS = {
    "09-1a": [
        lambda mg: {"by x": 150, "by x, then x": 50, "by x, then y": 60},
        lambda mg: {"by x": mg.tensor(150.0), "by x, then x": 50.0, "by x, then y": [60]},
    ],
    "09-1b": [_second_at_once, _second_one_by_one, _second_by_trays],
    "09-2": [_newton, _newton_in_place, _newton_by_trays],
    "09-3": [_product, _product_with_v_handed_over, _product_as_list],
    "09-4": [
        lambda mg: {"backward": _by_backward(mg), "grad": _by_grad(mg)},
        lambda mg: {"backward": _through_data(mg), "grad": _by_grad(mg)},
        lambda mg: {"backward": _through_detach(mg), "grad": _by_grad(mg)},
    ],
    "09-5": [lambda mg: "BCE", lambda mg: ["e", "c", "b"], lambda mg: "B, C and E"],
}


def _nothing(*_arguments):
    pass


BLANKS = {
    "09-1a": [{"by x": 150, "by x, then x": ..., "by x, then y": 60}],
    "09-1b": [_nothing, lambda z, x, y: ..., lambda z, x, y: (..., ...)],
    "09-2": [_nothing, lambda f, x: ...],
    "09-3": [_nothing, lambda f, x, v: ..., lambda f, x, v: [..., ..., ...]],
    "09-4": [
        {"backward": ..., "grad": ...},
        {"backward": _nothing, "grad": _nothing},
        {"backward": lambda z, x: ..., "grad": lambda z, x: ...},
    ],
    "09-5": ["", []],
}

ANSWERS = {
    "09-1a": ["150", "= 50", "is 50", "60"],
    "09-1b": ["grad(slope"],
    "09-2": ["one / two", "x - "],
    "09-3": ["(g * v)", ".sum()", "g @ v"],
    "09-4": ["slope = x.grad", ".data"],
    "09-5": ["BCE", "B holds", "C holds", "E holds"],
}
