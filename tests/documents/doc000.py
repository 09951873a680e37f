"""Document 000: graph basics, the three cases, detach.

Each snippet runs one item on the library it is given and shows what is true today.
"""

# ruff: noqa: RUF059 - a snippet names the whole example, whatever it then looks at

from contextlib import nullcontext

from tests.documents.registry import item, nothing_to_run


def case_1(torch):
    """y = (x + 1)(x + 2) at x = 2, spelled as the document spells it."""
    x = torch.tensor(2.0, requires_grad=True)
    a = torch.add(x, 1)
    b = torch.add(x, 2)
    y = torch.mul(a, b)
    return x, a, b, y


def case_2(torch):
    """z = x * x * y at x = 2, y = 3."""
    x = torch.tensor(2.0).requires_grad_()
    y = torch.tensor(3.0).requires_grad_()
    return x, y, x * x * y


def case_3(torch):
    """y = x * x at x = [1, 2]."""
    x = torch.tensor([1.0, 2.0]).requires_grad_()
    return x, x * x


@item("000-0.1")
def building_the_graph_is_running_it(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    a = x + 1
    see("a, before the program has gone any further", a)
    see("its node", a.grad_fn)


@item("000-0.2")
def forward_has_tensors_and_operations_backward_has_nodes(torch, see):
    x, a, b, y = case_1(torch)
    see("the node of y", y.grad_fn.name())
    see("its edges", [node.name() for node, _ in y.grad_fn.next_functions])
    see("what hangs off it", [y.grad_fn._saved_self, y.grad_fn._saved_other])
    leaf_node = a.grad_fn.next_functions[0][0]
    see("the end of the road", leaf_node.name())
    see("its variable is x", leaf_node.variable is x)


@item("000-0.3")
def which_operations_can_be_differentiated(torch, see):
    a = torch.tensor([1.0, 4.0], requires_grad=True)
    smooth = {
        "+": a + 1,
        "-": a - 1,
        "*": a * 2,
        "/": 1 / a,
        "sqrt": a.sqrt(),
        "**": a**3,
        "exp": a.exp(),
        "log": a.log(),
        "sin": a.sin(),
    }
    for name, result in smooth.items():
        see(name, result)
        see(f"gradient of {name}", torch.autograd.grad(result.sum(), a)[0])
    see("(a > 2).float()", (a > 2).float())
    see("a.argmax()", a.argmax())


@item("000-0.4")
def a_non_leaf_gradient_passes_through_but_is_not_stored(torch, see):
    x, a, b, y = case_1(torch)
    passing = []
    a.register_hook(passing.append)
    b.retain_grad()
    y.backward()
    see("a hook on a saw", passing)
    see("a.grad", a.grad)
    see("b.grad, retained", b.grad)
    x, a, b, y = case_1(torch)
    y.backward()
    a.retain_grad()
    see("a.grad, retained too late", a.grad)


@item("000-0.5")
def four_attributes(torch, see):
    x, a, b, y = case_1(torch)
    see("x", [x.requires_grad, x.grad_fn, x.is_leaf, x.grad])
    see("y", [y.requires_grad, y.grad_fn, y.is_leaf, y.grad])


@item("000-0.6")
def a_result_requires_grad_only_when_an_operand_does(torch, see):
    plain, tracked = torch.tensor(1.0), torch.tensor(1.0, requires_grad=True)
    for name, result in {"plain * 2": plain * 2, "tracked * plain": tracked * plain}.items():
        see(name, [result.requires_grad, result.is_leaf])
    with torch.no_grad():
        see("tracked * 2 under no_grad", (tracked * 2).requires_grad)


@item("000-0.6", part="weights")
def weights_require_grad(torch, see):
    see("a weight", torch.nn.Linear(1, 1).weight.requires_grad)


@item("000-0.7")
def one_differentiable_path_is_what_counts(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = x.detach() * 3 + x
    y.backward()
    see("one path is left", x.grad)
    y = x.detach() * 3
    with see.error("no path is left"):
        y.backward()


@item("000-0.8")
def two_ways_to_ask_for_gradients(torch, see):
    see("first way", torch.tensor(1.0).requires_grad_())
    see("second way", torch.tensor(1.0, requires_grad=True))
    with see.error("an integer"):
        torch.tensor(1, requires_grad=True)


@item("000-0.9")
def backward_fills_and_grad_returns(torch, see):
    x, a, b, y = case_1(torch)
    see("grad returns", torch.autograd.grad(y, x))
    see("and fills nothing", x.grad)
    x, a, b, y = case_1(torch)
    see("backward returns", torch.autograd.backward(y))
    see("and fills", x.grad)
    x, a, b, y = case_1(torch)
    y.backward(inputs=[a])
    see("x.grad, with inputs=[a]", x.grad)
    see("a.grad, with inputs=[a]", a.grad)


@item("000-0.10")
def case_1_by_hand(torch, see):
    x, a, b, y = case_1(torch)
    see("y", y)
    see("(x + 2) * 1 + (x + 1) * 1", b * 1 + a * 1)
    see("the same by autograd", torch.autograd.grad(y, x)[0])


@item("000-0.11")
def case_1_by_backward(torch, see):
    x, a, b, y = case_1(torch)
    y.backward()
    see("x.grad", x.grad)


@item("000-0.12")
def case_1_attributes_after_backward(torch, see):
    x, a, b, y = case_1(torch)
    y.backward()
    see("requires_grad", [x.requires_grad, a.requires_grad, b.requires_grad, y.requires_grad])
    see("is_leaf", [x.is_leaf, a.is_leaf, b.is_leaf, y.is_leaf])
    see("grad", [x.grad, a.grad, b.grad, y.grad])


@item("000-0.13")
def not_every_dependent_must_require_grad(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    a = (x + 1).detach()
    y = a * (x + 2)
    y.backward()
    see("a.requires_grad", a.requires_grad)
    see("x.grad all the same", x.grad)
    x, a, b, y = case_1(torch)
    computed = []
    a.register_hook(computed.append)
    y.backward()
    see("computed for a, which is no leaf", computed)


@item("000-0.14")
def case_1_by_autograd_grad(torch, see):
    x, a, b, y = case_1(torch)
    grad = torch.autograd.grad(outputs=y, inputs=x)
    see("grad", grad)
    see("grad[0]", grad[0])
    see("x.grad", x.grad)


@item("000-0.15")
def the_tuple_is_as_long_as_the_inputs(torch, see):
    x, a, b, y = case_1(torch)
    see("for x", torch.autograd.grad(y, x, retain_graph=True))
    see("for x, a, b, y", torch.autograd.grad(y, (x, a, b, y)))


@item("000-0.16")
def case_2_by_hand(torch, see):
    x, y, z = case_2(torch)
    see("z", z)
    gx, gy = torch.autograd.grad(z, (x, y), create_graph=True)
    see("2xy and x²", [gx.item(), gy.item()])
    see("2y", torch.autograd.grad(gx, x)[0])


@item("000-0.17")
def case_2_by_backward(torch, see):
    x, y, z = case_2(torch)
    z.backward()
    see("x.grad", x.grad)
    see("y.grad", y.grad)


@item("000-0.18")
def case_2_by_autograd_grad(torch, see):
    x, y, z = case_2(torch)
    grad_x = torch.autograd.grad(outputs=z, inputs=x)
    see("grad_x[0]", grad_x[0])


@item("000-0.19")
def one_pass_gives_both_and_only_saved_values_are_freed(torch, see):
    x, y, z = case_2(torch)
    see("both in one pass", torch.autograd.grad(z, (x, y)))
    with see.error("a second pass"):
        torch.autograd.grad(z, y)
    for name, root in {"x + y": x + y, "x.sum()": x.sum(), "x.mean()": x.mean()}.items():
        root.backward()
        with see.error(f"{name}, which saved nothing, a second time"):
            root.backward()


@item("000-0.20")
def retain_graph_allows_a_second_call(torch, see):
    x, y, z = case_2(torch)
    grad_x = torch.autograd.grad(outputs=z, inputs=x, retain_graph=True)
    grad_y = torch.autograd.grad(outputs=z, inputs=y)
    see("grad_x[0]", grad_x[0])
    see("grad_y[0]", grad_y[0])


@item("000-0.21")
def grad_of_grad_needs_create_graph(torch, see):
    x, y, z = case_2(torch)
    grad_x = torch.autograd.grad(outputs=z, inputs=x, retain_graph=True)
    see("grad_x[0].requires_grad", grad_x[0].requires_grad)
    with see.error("grad of grad"):
        torch.autograd.grad(outputs=grad_x, inputs=x)


@item("000-0.22")
def retain_graph_keeps_saved_values_not_gradients(torch, see):
    x, a, b, y = case_1(torch)
    y.backward(retain_graph=True)
    see("the saved values", [y.grad_fn._saved_self, y.grad_fn._saved_other])
    see("the gradient in between", a.grad)
    x, y, z = case_2(torch)
    torch.autograd.grad(z, x, create_graph=True)
    see("create_graph retains too", torch.autograd.grad(z, x)[0])


@item("000-0.23")
def second_derivative_by_grad_and_grad(torch, see):
    x, y, z = case_2(torch)
    grad_x = torch.autograd.grad(outputs=z, inputs=x, create_graph=True)
    grad_xx = torch.autograd.grad(outputs=grad_x, inputs=x)
    see("grad_x", grad_x)
    see("grad_xx[0]", grad_xx[0])


@item("000-0.24")
def second_derivative_by_grad_and_backward(torch, see):
    x, y, z = case_2(torch)
    grad = torch.autograd.grad(outputs=z, inputs=x, create_graph=True)
    grad[0].backward()
    see("x.grad", x.grad)
    see("y.grad, which nobody mentioned", y.grad)


@item("000-0.25")
def second_derivative_by_backward_and_grad(torch, see):
    x, y, z = case_2(torch)
    z.backward(create_graph=True)
    grad_xx = torch.autograd.grad(outputs=x.grad, inputs=x)
    see("grad_xx[0]", grad_xx[0])


@item("000-0.26")
def backward_twice_adds_up(torch, see):
    x, y, z = case_2(torch)
    z.backward(create_graph=True)
    see("x.grad after the first", x.grad)
    x.grad.backward()
    see("x.grad after the second", x.grad)
    see("y.grad", y.grad)


@item("000-0.27")
def backward_adds_into_grad(torch, see):
    x, y, z = case_2(torch)
    z.backward(retain_graph=True)
    first = x.grad
    z.backward()
    see("12 + 12", x.grad)
    see("in the same object", x.grad is first)


@item("000-0.28")
def clearing_between_the_two_passes(torch, see):
    x, y, z = case_2(torch)
    z.backward(create_graph=True)
    x.grad.data.zero_()
    x.grad.backward()
    see("cleared through .data", x.grad)
    see("y.grad was not cleared", y.grad)

    x, y, z = case_2(torch)
    z.backward(create_graph=True)
    x.grad.zero_()
    see("zero_ rewrites the history", x.grad)
    x.grad.backward()
    see("and so the second derivative is lost", x.grad)

    x, y, z = case_2(torch)
    z.backward(create_graph=True)
    g = x.grad
    x.grad = None
    g.backward()
    see("cleared by None", x.grad)


@item("000-0.29")
def backward_of_a_vector_raises(torch, see):
    x = torch.tensor([1.0, 2.0]).requires_grad_()
    y = x + 1
    with see.error("y.backward()"):
        y.backward()


@item("000-0.30")
def any_shape_has_a_backward(torch, see):
    x, y = case_3(torch)
    y.backward(gradient=torch.tensor([1.0, 1.0]))
    see("a vector with gradient=", x.grad)
    for shape in [(), (1,), (1, 1)]:
        x = torch.ones(shape, requires_grad=True)
        (x * 3).backward()
        see(f"shape {shape} without", x.grad)


@item("000-0.31")
def case_3_by_the_sum(torch, see):
    x, y = case_3(torch)
    y.sum().backward()
    see("x.grad", x.grad)


@item("000-0.32")
def ones_times_the_jacobian_are_column_sums(torch, see):
    x, y = case_3(torch)
    rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(2)]
    see("J of x * x", torch.stack(rows))
    M = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    x = torch.tensor([5.0, 6.0], requires_grad=True)
    (M @ x).backward(torch.ones(2))
    see("column sums of M", x.grad)
    x = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    x.softmax(0).sum().backward()
    see("column sums of softmax", x.grad)


@item("000-0.33")
def case_3_by_ones(torch, see):
    x, y = case_3(torch)
    y.backward(torch.ones_like(y))
    see("x.grad", x.grad)


@item("000-0.34")
def the_argument_multiplies_from_the_left(torch, see):
    M = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    v = torch.tensor([1.0, 10.0])
    x = torch.tensor([5.0, 6.0], requires_grad=True)
    (M @ x).backward(v)
    see("x.grad", x.grad)
    see("v @ M", v @ M)
    see("M @ v", M @ v)


@item("000-0.35")
def case_3_by_grad_outputs(torch, see):
    x, y = case_3(torch)
    grad_x = torch.autograd.grad(outputs=y, inputs=x, grad_outputs=torch.ones_like(y))
    see("grad_x[0]", grad_x[0])


@item("000-0.36")
def case_3_by_grad_of_the_sum(torch, see):
    x, y = case_3(torch)
    grad_x = torch.autograd.grad(outputs=y.sum(), inputs=x)
    see("grad_x[0]", grad_x[0])


@item("000-0.37")
def zero_without_brackets_does_nothing(torch, see):
    x, y = case_3(torch)
    y.sum().backward()
    x.grad.zero_  # noqa: B018 - the missing brackets are the point
    see("x.grad.zero_", x.grad)
    x.grad.zero_()
    see("x.grad.zero_()", x.grad)


@item("000-0.38")
def zero_grad_sets_none(torch, see):
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 1)
    other = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    layer(other).sum().backward()
    optimizer.zero_grad()
    see("a parameter it holds", layer.weight.grad)
    see("a tensor it does not hold has a gradient", other.grad is not None)
    layer(other).sum().backward()
    optimizer.zero_grad(set_to_none=False)
    see("the old way", layer.weight.grad)


@item("000-0.39")
def detach_trains_b_and_leaves_a(torch, see):
    weight_a = torch.tensor([2.0], requires_grad=True)
    weight_b = torch.tensor([3.0], requires_grad=True)
    output_a = weight_a * 5
    input_b = output_a.detach()
    (weight_b * input_b).sum().backward()
    see("gradient of A", weight_a.grad)
    see("gradient of B", weight_b.grad)
    see("same memory", input_b.data_ptr() == output_a.data_ptr())


@item("000-0.40")
def case_1_with_a_detached(torch, see):
    x = torch.tensor([2.0], requires_grad=True)
    a = torch.add(x, 1).detach()
    b = torch.add(x, 2)
    y = torch.mul(a, b)
    y.backward()
    see("requires_grad", [x.requires_grad, a.requires_grad, b.requires_grad, y.requires_grad])
    see("is_leaf", [x.is_leaf, a.is_leaf, b.is_leaf, y.is_leaf])
    see("grad", [x.grad, a.grad, b.grad, y.grad])


@item("000-0.41")
def in_place_means_same_memory_and_next_version(torch, see):
    a = torch.tensor([1.0, 2.0])
    memory, view = a.data_ptr(), a[:]
    a.add_(1)
    see("same memory", a.data_ptr() == memory)
    see("version", a._version)
    see("a view is another object", view is not a)
    see("on the same memory", view.data_ptr() == memory)
    see("and the same version", view._version)
    same = a
    a.data = torch.tensor([7.0, 8.0])
    see("after a.data = ..., same object", same is a)
    see("same memory still", a.data_ptr() == memory)


@item("000-0.42")
def which_leaves_refuse_an_in_place_change(torch, see):
    plain = torch.tensor([1.0])
    with see.error("a leaf that needs no gradient"):
        plain.add_(1)
    w = torch.tensor([1.0], requires_grad=True)
    with see.error("a leaf that requires grad"):
        w.add_(1)
    for name, mode in {"under no_grad": torch.no_grad(), "elsewhere": nullcontext()}.items():
        with see.error(name), mode:
            w.sub_(0.5)
    see("w", w)


nothing_to_run("000-0.43", "a closing remark; the whole list is its proof")
