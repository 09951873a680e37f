"""A consumer whose creation number is smaller than its producer's must still wait for its parts."""

import threading

from tests.oracle.snippets import snippet


def in_a_thread(work):
    """What a new thread answers, whose nodes are numbered from 0."""
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
    consumer = z.grad_fn.next_functions[0][0]
    see("the consumer is older", consumer._sequence_nr() < y.grad_fn._sequence_nr())
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
