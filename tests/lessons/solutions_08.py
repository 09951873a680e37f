"""Reference solutions of lesson 08, and answers in which something is still blank."""


def _summed(mg):
    def together(z, u, x, y):
        (z + u).backward()
        return x.grad, y.grad

    return together


def _both_roots(mg):
    def together(z, u, x, y):
        mg.autograd.backward([z, u])
        return x.grad.item(), y.grad.item()

    return together


def _stacked(mg):
    def together(z, u, x, y):
        mg.stack([z, u]).sum().backward()
        return [x.grad, y.grad]

    return together


def _report(add):
    def make(mg):
        def report(w, batches, loss_of):
            total = 0
            for batch in batches:
                loss = loss_of(w, batch)
                loss.backward()
                total = add(mg, total, loss)
            return total

        return report

    return make


def _without_recording(mg, total, loss):
    with mg.no_grad():
        return total + loss


def _listed(mg):
    def report(w, batches, loss_of):
        losses = []
        for batch in batches:
            loss = loss_of(w, batch)
            loss.backward()
            losses.append(loss.tolist())
        return sum(losses)

    return report


def _in_parts(size, **options):
    def make(mg):
        def part(y, some):
            for layer in some:
                y = layer(y)
            return y

        def in_parts(x, layers):
            for i in range(0, len(layers), size):
                x = mg.utils.checkpoint.checkpoint(part, x, layers[i : i + size], **options)
            return x

        return in_parts

    return make


def _bound(mg):
    """Each part is a function of its own that holds its layers."""

    def in_parts(x, layers):
        for i in range(0, 16, 4):
            some = layers[i : i + 4]

            def part(y, some=some):
                for layer in some:
                    y = layer(y)
                return y

            x = mg.utils.checkpoint.checkpoint(part, x, use_reentrant=False)
        return x

    return in_parts


SOLUTIONS = {
    "08-1a": [
        _summed,
        _both_roots,
        _stacked,
        lambda mg: lambda z, u, x, y: mg.autograd.grad(z + u, (x, y)),
        lambda mg: lambda z, u, x, y: mg.autograd.grad((z, u), (x, y)),
    ],
    "08-1b": [lambda mg: "AC", lambda mg: "C and A", lambda mg: ["a", "c"]],
    "08-2": [
        _report(lambda mg, total, loss: total + loss.item()),
        _report(lambda mg, total, loss: total + loss.detach()),
        _report(lambda mg, total, loss: total + float(loss.detach())),
        _report(_without_recording),
        _listed,
    ],
    "08-3": [
        _in_parts(4, use_reentrant=False),
        _in_parts(4, use_reentrant=True),
        _in_parts(5, use_reentrant=False),
        _in_parts(8, use_reentrant=False),
        _bound,
    ],
    "08-4": [lambda mg: "BDAEC", lambda mg: "b, d, a, e, c", lambda mg: ["B", "D", "A", "E", "C"]],
}


def _nothing(*_arguments):
    pass


BLANKS = {
    "08-1b": ["", []],
    "08-1a": [_nothing, lambda z, u, x, y: ..., lambda z, u, x, y: (..., None)],
    "08-2": [_nothing, lambda w, batches, loss_of: ...],
    "08-3": [_nothing, lambda x, layers: ...],
    "08-4": ["", " "],
}
