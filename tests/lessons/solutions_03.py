"""Lesson 03: right answers in several forms, blanks, and what no hint may say."""


def _kept(mg):
    def kept(x):
        a = x + 1
        b = x + 2
        a.retain_grad()
        b.retain_grad()
        y = a * b
        y.backward()
        return a, b

    return kept


def _kept_late_and_turned(mg):
    """Between the product and its pass is early enough, and the order is no matter."""

    def kept(x):
        b, a = 2 + x, 1 + x
        y = b * a
        for tensor in (a, b):
            tensor.retain_grad()
        y.backward()
        return [b, a]

    return kept


def _kept_with_inputs(mg):
    def kept(x):
        a, b = x + 1, x + 2
        (a * b).backward(inputs=[x, a, b])
        return a, b

    return kept


def _train(clear):
    def with_engine(mg):
        def train(w, b, rounds):
            for _ in range(rounds):
                loss = (w - 5) ** 2 + (b + 1) ** 2
                loss.backward()
                with mg.no_grad():
                    w -= 0.1 * w.grad
                    b.sub_(0.1 * b.grad)
                clear(w)
                clear(b)
            return w, b

        return train

    return with_engine


def _train_clearing_first(mg):
    def train(w, b, rounds):
        for _ in range(rounds):
            w.grad = b.grad = None
            ((w - 5) ** 2 + (b + 1) ** 2).backward()
            with mg.no_grad():
                for one in (w, b):
                    one -= 0.1 * one.grad
        return [w, b]

    return train


def _train_by_optimizer(mg):
    def train(w, b, rounds):
        optimizer = mg.optim.SGD([w, b], lr=0.1)
        for _ in range(rounds):
            optimizer.zero_grad()
            ((w - 5) ** 2 + (b + 1) ** 2).backward()
            optimizer.step()
        return w, b

    return train


def _zero(tensor):
    tensor.grad.zero_()


def _none(tensor):
    tensor.grad = None


def _thirds(mg):
    def in_thirds(w, batches, loss_of):
        for batch in batches:
            (loss_of(w, batch) / 3).backward()
        return w.grad

    return in_thirds


def _thirds_divided_afterwards(mg):
    def in_thirds(w, batches, loss_of):
        for batch in batches:
            loss_of(w, batch).backward()
        w.grad /= 3
        return w.grad

    return in_thirds


def _thirds_by_a_weight(mg):
    def in_thirds(w, batches, loss_of):
        for batch in batches:
            loss_of(w, batch).backward(mg.tensor(1 / 3, dtype=w.dtype))
        return w.grad

    return in_thirds


def _minimum(step, rounds=60):
    def with_engine(mg):
        def minimum(w):
            for _ in range(rounds):
                loss = (w - 3) ** 2
                loss.backward()
                with mg.no_grad():
                    w -= step * w.grad
                w.grad.zero_()
            return w

        return minimum

    return with_engine


def _minimum_by_grad(mg):
    def minimum(w):
        for _ in range(40):
            (slope,) = mg.autograd.grad((w - 3) ** 2, w)
            with mg.no_grad():
                w -= 0.3 * slope
        return w

    return minimum


def _minimum_until(mg):
    def minimum(w):
        while abs(w.item() - 3) > 1e-7:
            w.grad = None
            ((w - 3) * (w - 3)).backward()
            with mg.no_grad():
                w -= 0.4 * w.grad
        return w

    return minimum


SOLUTIONS = {
    "03-1": [_kept, _kept_late_and_turned, _kept_with_inputs],
    "03-2": [_train(_zero), _train(_none), _train_clearing_first, _train_by_optimizer],
    "03-3": [_thirds, _thirds_divided_afterwards, _thirds_by_a_weight],
    "03-4": [_minimum(0.2), _minimum(0.5, 1), _minimum(0.8), _minimum_by_grad, _minimum_until],
    "03-5": [lambda mg: "AE", lambda mg: ["e", "a"], lambda mg: "A and E"],
}


def unfinished(*_arguments):
    raise NotImplementedError


def empty(*_arguments):
    pass


BLANKS = {
    "03-1": [unfinished, empty, lambda x: (..., ...), lambda x: (x + 1, ...)],
    "03-2": [unfinished, empty, lambda w, b, rounds: (..., b)],
    "03-3": [unfinished, empty, lambda w, batches, loss_of: ...],
    "03-4": [unfinished, empty, lambda w: ...],
    "03-5": ["", []],
}
#: What no hint and no step of help may hold.
ANSWERS = {
    "03-1": ["b.retain_grad()"],
    "03-2": ["w.grad.zero_()", "b.grad = None", "b.grad.zero_()"],
    "03-3": ["/ 3", "divide by 3", "third of"],
    "03-4": ["0.5", "0.3", "w -="],
    "03-5": ["AE", "E holds", "q has one"],
}
