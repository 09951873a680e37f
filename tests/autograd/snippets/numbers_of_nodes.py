"""A thread goes on with what another made: each node waits for its parts, whoever sends them."""

import threading

from tests.oracle.snippets import snippet


def in_a_thread(work):
    """What a new thread answers; PyTorch numbers its nodes from 0."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(work()))
    thread.start()
    thread.join()
    return answers[0]


@snippet
def a_thread_goes_on_with_what_another_made(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(20):
        x * 1  # takes numbers
    y = x * x
    z = in_a_thread(lambda: (y * y).sum() + (y * x).sum())
    see("gradients", torch.autograd.grad(z, (x, y), retain_graph=True))
    z.backward()
    see("x.grad", x.grad)


@snippet
def threads_that_take_turns(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = x
    for _ in range(10):
        y = y * x
    y = in_a_thread(lambda: (y * x).sin() + y)
    w = y * x + y.cos()
    total = in_a_thread(lambda: w * y + w)
    see("first", torch.autograd.grad(total, x, create_graph=True))
    total.backward()
    see("x.grad", x.grad)


@snippet
def a_custom_function_of_a_view_whose_base_was_written(torch, see):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y, grad * x

    leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = leaf * 1
    view, other = base[:2], base[1:]
    base.mul_(leaf)  # the views are derived anew when somebody uses them
    out = Double.apply(view, other)
    older = out.grad_fn._sequence_nr() < min(v.grad_fn._sequence_nr() for v in (view, other))
    see("the function's node is older", older)
    (out + Double.apply(out, view)).sum().backward()
    see("gradient", leaf.grad)


@snippet
def leaves_before_an_error(torch, see):
    """What was ready before the node that fails has got its gradient."""
    x, w, v = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 5.0))
    shared = x * x
    shared.backward()
    y = shared * 3 + w * 4 + x * v  # w, v and then a part of x come first
    try:
        y.backward()
    except RuntimeError as error:
        see("refused", "second time" in str(error))
    see("x.grad, w.grad, v.grad", [x.grad, w.grad, v.grad])


@snippet
def a_hook_looks_at_other_leaves(torch, see):
    """A hook sees the gradients of the leaves that were ready before it ran, and no others."""
    a, b, c = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 5.0))
    h = a * b
    h.register_hook(lambda g: see("at h", [a.grad, b.grad, c.grad]))
    k = h * c
    (k * c + c).backward()
    see("after", [a.grad, b.grad, c.grad])


@snippet
def a_leaf_with_a_hook_looks_at_others(torch, see):
    a, b, c = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 5.0))
    b.register_post_accumulate_grad_hook(lambda leaf: see("at b", [a.grad, b.grad, c.grad]))
    y = (a * 7) * (a * b) + c * c + b
    y.backward()
    see("after", [a.grad, b.grad, c.grad])
    y = b * 2
    b.register_hook(lambda g: g * 10)
    b.backward()
    see("of a leaf alone", b.grad)


@snippet
def several_results_and_none_of_them(torch, see):
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    first, second = x.unbind()
    low, _ = first.split(1)
    (low * second.sum() + second[1] * low).sum().backward()
    see("x.grad", x.grad)
    values, _ = torch.sort(x * 2)
    torch.autograd.backward([values[0, 0], values[1].sum(), values.sum()])
    see("x.grad of three roots", x.grad)
