"""Document 004: the scanned notes."""

# ruff: noqa: RUF059 - a snippet names the whole example, whatever it then looks at

from tests.documents.registry import item, nothing_to_run


def mean_example(torch):
    """out = mean(3 (x + 2)²) for x = ones(2, 2)."""
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    return x, y, z, z.mean()


def squares_with_weights(torch):
    """x * x + 2, viewed as 2x2, and the weights of the document."""
    x = torch.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    y = x * x + 2
    w = torch.tensor([[1.0, 0.1], [1.0, 0.01]])
    return x, y, y.view(2, 2), w


@item("004-4.1")
def an_n_dimensional_array_that_builds_a_graph(torch, see):
    t = torch.ones(2, 3, 4, requires_grad=True)
    see("dimensions and shape", [t.ndim, t.shape])
    see("a result is in a graph", (t * 2).grad_fn)
    with see.error("spelled as in the document"):
        torch.ones(2, reuqires_grad=True)


@item("004-4.2")
def requires_grad_is_a_flag(torch, see):
    see("by default", torch.ones(2).requires_grad)
    see("asked for", torch.ones(2, requires_grad=True).requires_grad)


@item("004-4.3")
def grad_fn_is_an_object_or_none(torch, see):
    x = torch.ones(2, requires_grad=True)
    see("of a result", (x + 1).grad_fn)
    see("of what was made", x.grad_fn)
    see("of an untracked result", (torch.ones(2) + 1).grad_fn)


@item("004-4.4")
def is_leaf_is_a_flag(torch, see):
    x = torch.ones(2, requires_grad=True)
    see("made", x.is_leaf)
    see("computed", (x + 1).is_leaf)


@item("004-4.5")
def stored_for_leaves_computed_for_more(torch, see):
    x, y, z, out = mean_example(torch)
    y.retain_grad()
    computed = []
    z.register_hook(computed.append)
    out.backward()
    see("stored for the leaf", x.grad)
    see("stored on request", y.grad)
    see("computed for z", computed)
    x, y, z, out = mean_example(torch)
    out.backward(inputs=[z])
    see("stored by inputs=", z.grad)
    see("and then not for x", x.grad)


@item("004-4.6")
def three_tensors_and_their_nodes(torch, see):
    x = torch.ones(3, 3, requires_grad=True)
    y = x * x
    z = x + 1
    for name, value in {"x": x, "y": y, "z": z}.items():
        see(name, value)
        see(f"{name}.grad_fn", value.grad_fn)


@item("004-4.7")
def nothing_was_recorded_because_nobody_asked(torch, see):
    x = torch.ones(3, 3)
    x = x * x + 2
    see("before", [x.requires_grad, x.grad_fn])
    x.requires_grad_(True)
    see("after", [x.requires_grad, x.grad_fn, x.is_leaf])
    x = torch.ones(3, 3, requires_grad=True)
    x = x * x + 2
    see("asked for first, also computed from itself", [x.requires_grad, x.grad_fn])


@item("004-4.8")
def the_mean_example_again(torch, see):
    x, y, z, out = mean_example(torch)
    see("out", out)
    out.backward()
    see("x.grad", x.grad)


@item("004-4.9")
def the_derivation_finished(torch, see):
    x, y, z, out = mean_example(torch)
    out.backward()
    see("3 (x + 2) / 2", (3 * (x.detach() + 2) / 2))
    see("x.grad", x.grad)


@item("004-4.10")
def a_vector_function_has_a_jacobian(torch, see):
    M = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    x = torch.tensor([1.0, 1.0], requires_grad=True)
    rows = [torch.autograd.grad(output, x, retain_graph=True)[0] for output in M @ x]
    see("one gradient for each output", torch.stack(rows))


@item("004-4.10", part="jacobian")
def the_jacobian_in_one_call(torch, see):
    M = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    x = torch.tensor([1.0, 1.0])
    J = torch.autograd.functional.jacobian(lambda x: M @ x, x)
    see("J", J)
    see("its shape: outputs, inputs", J.shape)


@item("004-4.11")
def backward_computes_v_times_j(torch, see):
    M = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    x = torch.tensor([1.0, 1.0], requires_grad=True)
    v = torch.tensor([1.0, 0.0, -1.0])
    y = M @ x
    y.backward(v)
    see("x.grad", x.grad)
    see("v @ M", v @ M)


@item("004-4.12")
def gradients_accumulate(torch, see):
    x = torch.ones(2, requires_grad=True)
    for _ in range(2):
        (x * 3).sum().backward()
    see("two passes", x.grad)
    x.grad.zero_()
    (x * 3).sum().backward()
    see("cleared first", x.grad)


@item("004-4.13")
def the_sum_on_top_of_the_mean(torch, see):
    x, y, z, out = mean_example(torch)
    out.backward()
    out2 = x.sum()
    out2.backward()
    see("x.grad", x.grad)
    see("out2", out2)


@item("004-4.14")
def two_ways_to_clear(torch, see):
    x, y, z, out = mean_example(torch)
    out.backward()
    see("zeroed", x.grad.data.zero_())
    see("x.grad", x.grad)
    x.grad = None
    see("forgotten", x.grad)


@item("004-4.15")
def the_argument_has_the_shape_of_y(torch, see):
    x, y, z, w = squares_with_weights(torch)
    with see.error("four in a row for two by two"):
        z.backward(torch.ones(4))
    with see.error("one for all"):
        z.backward(torch.ones(1))
    with see.error("none"):
        z.backward()


@item("004-4.16")
def a_tensor_by_a_tensor_is_allowed(torch, see):
    x, y, z, w = squares_with_weights(torch)
    z.backward(w)
    see("v J", x.grad)


@item("004-4.16", part="jacobian")
def all_of_the_jacobian(torch, see):
    x = torch.tensor([1.0, 2.0])
    see("all of J", torch.autograd.functional.jacobian(lambda x: x * x, x))


@item("004-4.17")
def weights_then_the_gradient_of_a_scalar(torch, see):
    x, y, z, w = squares_with_weights(torch)
    z.backward(w)
    see("weights given", x.grad)
    x, y, z, w = squares_with_weights(torch)
    (z * w).sum().backward()
    see("weighted, added, then backward", x.grad)
    x, y, z, w = squares_with_weights(torch)
    with see.error("there is no default"):
        z.backward()


@item("004-4.18")
def squares_viewed_and_weighted(torch, see):
    x = torch.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    y = x * x + 2
    z = y.view(2, 2)
    w = torch.tensor([[1.0, 0.1], [1.0, 0.01]])
    z.backward(w)
    see("x.grad", x.grad)


@item("004-4.18", part="jacobian")
def its_jacobian_is_diagonal(torch, see):
    x = torch.tensor([1.0, 2.0, 3.0, 4.5])
    see("J", torch.autograd.functional.jacobian(lambda x: x * x + 2, x))


@item("004-4.19")
def a_no_grad_block(torch, see):
    w = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        y = w * 2
        see("recording", torch.is_grad_enabled())
    see("afterwards", torch.is_grad_enabled())
    see("y", [y.requires_grad, y.grad_fn])


@item("004-4.20")
def the_cube_under_no_grad(torch, see):
    x = torch.tensor(1.0, requires_grad=True)
    y1 = x**2
    with torch.no_grad():
        y2 = x**3
    y3 = y1 + y2
    y3.backward()
    see("printed", f"x.grad = {x.grad}")
    see("printed too", f"y2.requires_grad = {y2.requires_grad}")
    x = torch.tensor(1.0, requires_grad=True)
    (x**2 + x**3).backward()
    see("without the block", x.grad)


@item("004-4.21")
def a_change_through_data_gives_a_wrong_gradient(torch, see):
    x = torch.ones(1, requires_grad=True)
    y = x * x
    x.data *= 100
    y.backward()
    see("x.grad, where 2 is right", x.grad)
    see("x._version", x._version)
    x = torch.ones(1, requires_grad=True)
    y = x * x
    with torch.no_grad():
        x *= 100
    with see.error("under no_grad it raises"):
        y.backward()


@item("004-4.22")
def a_change_through_data_that_does_no_harm(torch, see):
    x = torch.ones(1, requires_grad=True)
    see("x.data", x.data)
    see("x.data.requires_grad", x.data.requires_grad)
    y = 2 * x
    x.data *= 100
    y.backward()
    see("x", x)
    see("x.grad", x.grad)


nothing_to_run("004-4.23", "a link that cannot be used")
