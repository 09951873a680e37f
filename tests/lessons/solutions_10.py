"""Reference solutions of lesson 10, and answers in which something is still blank."""


def _by_product(mg):
    return lambda grad, d, a: mg.allclose(grad * a, d)


def _by_relative_size(mg):
    return lambda grad, d, a: bool(abs(grad - d / a) <= 1e-5 * abs(grad))


def _with_isclose(mg):
    return lambda grad, d, a: mg.isclose(d / a, grad).item()


def _guarded_by_if(mg):
    def doubled(a):
        if a == 0:
            raise ValueError("0 stays 0")
        b = a * 2
        while b.norm() < 1000:
            b = b * 2
        return b

    return doubled


def _guarded_by_count(mg):
    def doubled(a):
        b, rounds = a * 2, 0
        while b.norm() < 1000:
            b, rounds = b * 2, rounds + 1
            if rounds > 1000:
                raise ValueError("this does not end")
        return b

    return doubled


def _guarded_by_standstill(mg):
    def doubled(a):
        b = a * 2
        while b.norm() < 1000:
            before, b = b, b * 2
            if b == before:
                raise ValueError("doubling changes nothing")
        return b

    return doubled


def _careful(mg):
    def careful(tape, x):
        if x.shape != tape.shape:
            raise ValueError("another shape")
        values = {"x": x}
        for step in tape.steps:
            given = [values.get(one, one) for one in step.inputs]
            values[step.result] = step.operation(*given)
            if step.answer is not None and bool(values[step.result]) != step.answer:
                raise ValueError("another answer")
        return values[tape.result]

    return careful


def _careful_afterwards(mg):
    def careful(tape, x):
        if list(x.shape) != list(tape.shape):
            raise ValueError
        values = tape.values(x)
        asked = [step for step in tape.steps if step.answer is not None]
        if any(values[step.result].item() is not step.answer for step in asked):
            raise ValueError
        return values[tape.result]

    return careful


def _careful_by_refused(mg):
    def careful(tape, x):
        if x.shape != tape.shape or tape.refused(x) is not None:
            raise ValueError("it does not fit")
        return tape.replay(x)

    return careful


SOLUTIONS = {
    "10-1": [
        lambda mg: {"3.9": 9, "-1": 11, "500": 1},
        lambda mg: {"3.9": 9.0, "-1": mg.tensor(11), "500": 1},
    ],
    "10-2": [
        lambda mg: lambda grad, d, a: mg.allclose(grad, d / a),
        _by_product,
        _by_relative_size,
        _with_isclose,
    ],
    "10-3": [_guarded_by_if, _guarded_by_count, _guarded_by_standstill],
    "10-4": [_careful, _careful_afterwards, _careful_by_refused],
}


def unfinished(*_arguments):
    raise NotImplementedError


def empty(*_arguments):
    pass


def _no_return_yet(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    return ...


BLANKS = {
    "10-1": [{"3.9": 9, "-1": ..., "500": 1}],
    "10-2": [unfinished, empty, lambda grad, d, a: ...],
    "10-3": [unfinished, empty, _no_return_yet],
    "10-4": [unfinished, empty, lambda tape, x: ...],
}
#: What no hint and no step of help may hold.
ANSWERS = {
    "10-1": ["9 ×", "nine", "11", "eleven"],
    "10-2": ["allclose(", "d == "],
    "10-3": ["return b\n"],
    "10-4": ["x.shape != tape.shape", "!= step.answer"],
}
