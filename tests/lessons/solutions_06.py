"""Lesson 06: right answers in several forms, blanks, and what no hint may say."""


def _step(model, mg):
    with mg.no_grad():
        for p in model.parameters():
            p -= 0.01 * p.grad


def _b_by_detach(mg):
    def train_b(A, B, x, goal):
        loss = ((B(A(x).detach()) - goal) ** 2).mean()
        loss.backward()
        _step(B, mg)
        return loss

    return train_b


def _b_under_no_grad(mg):
    def train_b(A, B, x, goal):
        with mg.no_grad():
            a = A(x)
        loss = ((B(a) - goal) ** 2).mean()
        loss.backward()
        mg.optim.SGD(B.parameters(), lr=0.01).step()
        return loss.item()

    return train_b


def _frozen_and_thawed(mg):
    def train_b(A, B, x, goal):
        A.requires_grad_(False)
        loss = ((B(A(x)) - goal) ** 2).mean()
        A.requires_grad_(True)
        loss.backward()
        _step(B, mg)
        return loss

    return train_b


def _b_by_grad(mg):
    def train_b(A, B, x, goal):
        loss = ((B(A(x)) - goal) ** 2).mean()
        (slope,) = mg.autograd.grad(loss, B.weight)
        with mg.no_grad():
            B.weight.sub_(slope, alpha=0.01)
        return loss

    return train_b


def _a_through_a_frozen_b(mg):
    def train_a(A, B, x, goal):
        B.requires_grad_(False)
        loss = ((B(A(x)) - goal) ** 2).mean()
        loss.backward()
        B.requires_grad_(True)
        _step(A, mg)
        return loss

    return train_a


def _a_by_inputs(mg):
    def train_a(A, B, x, goal):
        loss = ((B(A(x)) - goal) ** 2).mean()
        loss.backward(inputs=list(A.parameters()))
        _step(A, mg)

    return train_a


def _a_by_a_detached_weight(mg):
    def train_a(A, B, x, goal):
        loss = ((A(x) @ B.weight.detach().T - goal) ** 2).mean()
        loss.backward()
        _step(A, mg)
        return loss

    return train_a


def _by_one_number(mg):
    def cubes(x):
        n = x.item()
        return n * n * x, n * x**2, x**3

    return cubes


def _under_no_grad(mg):
    def cubes(x):
        with mg.no_grad():
            square = x * x
        return [square * x, x.data * x * x, x * x * x]

    return cubes


def _evaluation(of_error):
    def with_engine(mg):
        def mean_error(model, inputs, goals):
            total = 0.0
            for x, goal in zip(inputs, goals, strict=True):
                total += of_error(((model(x) - goal) ** 2).mean())
            return total / len(inputs)

        return mean_error

    return with_engine


def _all_under_no_grad(mg):
    @mg.no_grad()
    def mean_error(model, inputs, goals):
        errors = [((model(x) - goal) ** 2).mean() for x, goal in zip(inputs, goals, strict=True)]
        return sum(errors) / len(errors)

    return mean_error


def _straight_through(x):
    return x + (x.round() - x).detach()


def _rounded_under_no_grad(mg):
    def rounded(x):
        with mg.no_grad():
            rest = x.round() - x
        return rest + x

    return rounded


def _rounded_by_a_function(mg):
    class Round(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    return Round.apply


SOLUTIONS = {
    "06-1a": [_b_by_detach, _b_under_no_grad, _frozen_and_thawed, _b_by_grad],
    "06-1b": [_a_through_a_frozen_b, _a_by_inputs, _a_by_a_detached_weight],
    "06-2": [
        lambda mg: lambda x: ((x * x).detach() * x, x.detach() * x * x, x**3),
        _by_one_number,
        _under_no_grad,
    ],
    "06-3": [
        _evaluation(lambda error: error.item()),
        _evaluation(lambda error: error.detach()),
        _all_under_no_grad,
    ],
    "06-4": [lambda mg: "BD", lambda mg: ["d", "b"], lambda mg: "B and D"],
    "06-5": [lambda mg: _straight_through, _rounded_under_no_grad, _rounded_by_a_function],
}


def _nothing(*_arguments):
    pass


BLANKS = {
    "06-1a": [_nothing, lambda A, B, x, goal: ...],
    "06-1b": [_nothing, lambda A, B, x, goal: ...],
    "06-2": [_nothing, lambda x: (..., ..., ...), lambda x: (x, ..., x)],
    "06-3": [_nothing, lambda model, inputs, goals: ...],
    "06-4": ["", []],
    "06-5": [_nothing, lambda x: ...],
}

ANSWERS = {
    "06-1a": ["A(x).detach()", "A(x.detach"],
    "06-1b": ["B.requires_grad_", "requires_grad_(False)", "inputs="],
    "06-2": ["x.detach()", "(x * x)"],
    "06-3": ["no_grad", ".item()"],
    "06-4": ["BD", "B and D", "B is true"],
    "06-5": ["x.round() - x", "(x.round()", ".detach()"],
}
