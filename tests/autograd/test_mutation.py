"""Where PyTorch loses track of a saved tensor, minigrad must not: writes through views."""

import minigrad as mg


def test_a_saved_result_changed_through_a_view():
    # PyTorch 2.13 compares the addresses of first elements, and answers 10 times too much here.
    with mg.autograd.graph.allow_mutation_on_saved_tensors():
        x = mg.tensor([1.0, 2.0], dtype=mg.float64, requires_grad=True)
        y = x.exp()
        y[1:].mul_(10)
        y.sum().backward()
    assert x.grad.tolist() == [x[0].exp().item(), 10 * x[1].exp().item()]


def test_a_saved_view_changed_through_its_base():
    with mg.autograd.graph.allow_mutation_on_saved_tensors():
        x = mg.tensor([1.0, 2.0], dtype=mg.float64, requires_grad=True)
        base = x * 1
        out = (base[1:] * base[1:]).sum()
        base.zero_()
        out.backward()
    assert x.grad.tolist() == [0.0, 4.0]


def test_a_result_of_relu_that_was_written_below_0_stops_its_gradient():
    x = mg.tensor([2.0, 3.0], requires_grad=True)
    y = mg.relu(x)
    y.data.sub_(2.5)  # no version is counted
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]  # PyTorch 2.13 as well
