"""Eight threads at once: modes, hooks and passes do not meet."""

import threading

import minigrad as mg
from minigrad.autograd.graph import observing, save_on_cpu


def in_threads(work, count=8):
    """Run ``work(i)`` in threads at once; give back what each answered."""
    answers, barrier = [None] * count, threading.Barrier(count)

    def run(i):
        barrier.wait()
        try:
            answers[i] = work(i)
        except Exception as error:
            answers[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_grad_modes():
    def work(i):
        seen = [mg.is_grad_enabled()]
        for _ in range(200):
            with mg.set_grad_enabled(i % 2 == 0):
                x = mg.tensor(1.0, requires_grad=True)
                seen.append((x * 2).requires_grad == (i % 2 == 0))
            seen.append(mg.is_grad_enabled())
        return all(seen)

    with mg.no_grad():
        assert in_threads(work) == [True] * 8
        assert not mg.is_grad_enabled()


def test_passes_of_their_own():
    def work(i):
        x = mg.tensor(float(i), dtype=mg.float64, requires_grad=True)
        y = x
        for _ in range(300):
            y = y * 1.0 + x
        y.backward()
        return x.grad.item()

    assert in_threads(work) == [301.0] * 8


def test_passes_through_one_graph():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x * x

    def work(i):
        return mg.autograd.grad(y, x, retain_graph=True)[0].item()

    assert in_threads(work) == [12.0] * 8


def test_graphs_that_two_threads_made():
    x = mg.tensor(2.0, requires_grad=True)
    parts = in_threads(lambda i: x * i)
    total = sum(parts[1:], parts[0]) * x
    total.backward()
    assert x.grad.item() == 2 * 2 * sum(range(8))


def test_observers_and_saved_tensor_hooks():
    def work(i):
        seen = []
        with observing(lambda node, inputs, output: seen.append(node.name())):
            x = mg.tensor(float(i), requires_grad=True)
            for _ in range(50):
                x * 2
        with save_on_cpu():
            y = x * x
        return len(seen), type(y.grad_fn.saved[0]).__name__

    assert in_threads(work) == [(50, "Packed")] * 8


def test_a_pass_inside_another_thread_during_a_hook():
    x = mg.tensor(3.0, requires_grad=True)
    w = mg.tensor(5.0, requires_grad=True)

    def hook(grad):
        with mg.enable_grad():
            thread = threading.Thread(target=(w * w).backward)
        thread.start()
        thread.join()
        return grad * w.grad

    y = x * x
    y.register_hook(hook)
    y.backward()
    assert x.grad.item() == 6 * 10
