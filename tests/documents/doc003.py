"""Document 003: Autograd, in-place changes, static and dynamic graphs."""

# ruff: noqa: RUF059 - a snippet names the whole example, whatever it then looks at

from tests.documents.registry import item, nothing_to_run


def the_model(torch):
    """The document's model: two products, a sum, a product, a mean."""
    input = torch.ones([2, 2], requires_grad=False)
    w1 = torch.tensor(2.0, requires_grad=True)
    w2 = torch.tensor(3.0, requires_grad=True)
    w3 = torch.tensor(4.0, requires_grad=True)
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    return input, (w1, w2, w3), (l1, l2, l3, l4), l4.mean()


def four_leaves(torch):
    """The leaf that the document tries to change."""
    return torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)


@item("003-3.1")
def values_are_kept_for_the_way_back(torch, see):
    a = torch.tensor(2.0, requires_grad=True)
    b = a.exp()
    see("what flowed through is still there", a)
    see("and kept for the way back", b.grad_fn._saved_result)


nothing_to_run("003-3.2", "an aside on the name of another library")


@item("003-3.3")
def a_built_in_node_knows_the_way_back_only(torch, see):
    b = torch.tensor(2.0, requires_grad=True).exp()
    see("grad_fn", b.grad_fn)
    see("it has a forward", hasattr(b.grad_fn, "forward"))

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * 2

    see("a Function has both", [hasattr(Double, "forward"), hasattr(Double, "backward")])
    see("its node", Double.apply(b).grad_fn.name())


@item("003-3.4")
def exp_of_two(torch, see):
    a = torch.tensor(2.0, requires_grad=True)
    b = a.exp()
    see("b", b)


@item("003-3.5")
def the_model_and_its_graph(torch, see):
    input, weights, (l1, l2, l3, l4), loss = the_model(torch)
    for name, value in {"l1": l1, "l2": l2, "l3": l3, "l4": l4, "loss": loss}.items():
        see(name, value)
        edges = [node and node.name() for node, _ in value.grad_fn.next_functions]
        see(f"edges of {name}", edges)


@item("003-3.6")
def what_the_model_prints(torch, see):
    input, (w1, w2, w3), (l1, l2, l3, l4), loss = the_model(torch)
    see("w1", [w1.data, w1.grad, w1.grad_fn])
    see("l1", [l1.data, l1.grad, l1.grad_fn])
    see("loss", [loss.data, loss.grad, loss.grad_fn])


@item("003-3.7")
def the_gradients_of_the_model(torch, see):
    input, (w1, w2, w3), (l1, l2, l3, l4), loss = the_model(torch)
    loss.backward()
    see("weights", [w1.grad, w2.grad, w3.grad])
    see("in between", [l1.grad, l2.grad, l3.grad, l4.grad, loss.grad])


@item("003-3.8")
def bigger_operations_make_a_network(torch, see):
    x = torch.tensor([[1.0, 2.0]])
    w1 = torch.tensor([[0.5, -1.0], [0.25, 1.0]], requires_grad=True)
    w2 = torch.tensor([[2.0], [3.0]], requires_grad=True)
    loss = ((x @ w1).relu() @ w2).mean()
    loss.backward()
    see("loss", loss)
    see("w1.grad", w1.grad)
    see("w2.grad", w2.grad)


@item("003-3.9")
def only_leaves_keep_their_gradient(torch, see):
    a = torch.ones(2, requires_grad=True)
    b = a * 3
    b.sum().backward()
    see("a, a leaf", [a.is_leaf, a.grad])
    see("b, no leaf", [b.is_leaf, b.grad])


@item("003-3.10")
def what_needs_no_gradient_is_a_leaf(torch, see):
    plain = torch.ones(2)
    see("made by the user", plain.is_leaf)
    see("computed", (plain * 2 + 1).is_leaf)
    with torch.no_grad():
        see("computed under no_grad", (torch.ones(2, requires_grad=True) * 2).is_leaf)


@item("003-3.11")
def a_leaf_is_what_has_no_grad_fn(torch, see):
    cast = torch.tensor(1.0, requires_grad=True).double()
    see("made in one line, but no leaf", [cast.is_leaf, cast.grad_fn])
    computed = (torch.ones(2) * 2).requires_grad_()
    see("computed, but a leaf", [computed.is_leaf, computed.grad_fn])


@item("003-3.12")
def a_leaf_and_a_result(torch, see):
    a = torch.ones([2, 2], requires_grad=True)
    see("a.is_leaf", a.is_leaf)
    b = a + 2
    see("b.is_leaf", b.is_leaf)


@item("003-3.13")
def the_famous_message(torch, see):
    a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = a.exp()
    b.add_(1)
    with see.error("b.sum().backward()"):
        b.sum().backward()


@item("003-3.14")
def rebinding_and_changing(torch, see):
    a = torch.ones([2, 2], requires_grad=True)
    leaf = a
    a = a.exp()
    see("a is another tensor now", a is not leaf)
    a[0] = 10
    see("a", a)
    with see.error("but exp had saved its result"):
        a.sum().backward()
    with see.error("without the rebinding"):
        leaf[0] = 10


@item("003-3.15")
def telling_them_apart_by_id(torch, see):
    a = torch.tensor([3.0, 1.0])
    before, memory = id(a), a.data_ptr()
    kept = a
    a = a.exp()
    see("a = a.exp(): same object, same memory", [id(a) == before, a.data_ptr() == memory])
    a = torch.tensor([3.0, 1.0])
    before, memory = id(a), a.data_ptr()
    a[0] = 10
    see("a[0] = 10: same object, same memory", [id(a) == before, a.data_ptr() == memory])
    see("a", a)
    see("kept", kept)


@item("003-3.16")
def plus_equals_rebinds_a_number_but_changes_a_tensor(torch, see):
    i = other = 1000
    i += 1
    see("an int: i, other", [i, other])
    t = other = torch.tensor([1.0])
    t += 1
    see("a tensor: t, other", [t, other])
    t = t + 1
    see("t = t + 1: t, other", [t, other])


@item("003-3.17")
def the_version_counts_changes(torch, see):
    a = torch.zeros(3)
    versions = [a._version]
    a.add_(1)
    versions.append(a._version)
    a[0] = 5
    versions.append(a._version)
    see("versions", versions)
    see("a view, a detached", [a[1:]._version, a.detach()._version])
    a.data.mul_(2)
    see("after a change through .data", a._version)


@item("003-3.18")
def a_saved_value_was_changed(torch, see):
    a = torch.tensor([1.0, 3.0], requires_grad=True)
    b = a + 2
    see("b._version", b._version)
    loss = (b * b).mean()
    b[0] = 1000.0
    see("b._version after b[0] = 1000", b._version)
    with see.error("loss.backward()"):
        loss.backward()


@item("003-3.19")
def only_saved_values_count(torch, see):
    uses = {
        "b + b": lambda b: b + b,
        "b + 1": lambda b: b + 1,
        "b * 2": lambda b: b * 2,
        "b.exp()": lambda b: b.exp(),
        "b.sin()": lambda b: b.sin(),
    }
    for name, use in uses.items():
        a = torch.tensor([1.0, 3.0], requires_grad=True)
        b = a + 2
        out = use(b).sum()
        b[0] = 1000.0
        with see.error(f"{name}, then b[0] = 1000"):
            out.backward()
        see(f"{name}: a.grad", a.grad)
    b = (torch.tensor([1.0, 3.0], requires_grad=True) + 2).exp()
    kept = b.sum()
    b[0] = 1000.0
    with see.error("the result of exp changed"):
        kept.backward()
    input, w = torch.ones(2), torch.tensor(3.0, requires_grad=True)
    node = (input * w).grad_fn
    see("input * w saves", [node._saved_self, node._saved_other])


@item("003-3.20")
def a_leaf_refuses_before_any_use(torch, see):
    a = four_leaves(torch)
    with see.error("a *= 2"):
        a *= 2
    see("a is unchanged", [a, a._version])


@item("003-3.21")
def assignment_to_a_leaf_raises_at_once(torch, see):
    a = four_leaves(torch)
    see("a", [a, a.is_leaf])
    with see.error("a[:] = 0"):
        a[:] = 0
    see("a is unchanged", [a, a.is_leaf])
    with see.error("through a view"):
        a[0].mul_(2)
    loss = (a * a).mean()
    with see.error("loss.backward()"):
        loss.backward()
    see("a.grad", a.grad)


@item("003-3.22")
def the_leaf_would_have_become_an_inner_node(torch, see):
    plain = torch.tensor([10.0, 5.0, 2.0, 3.0])
    w = torch.tensor(0.0, requires_grad=True)
    plain[:] = w
    see("a plain tensor may become one", [plain, plain.is_leaf])
    plain.sum().backward()
    see("and its gradient is not kept", plain.grad)
    see("w.grad", w.grad)


@item("003-3.23")
def adding_to_a_leaf_raises_at_once(torch, see):
    a = four_leaves(torch)
    with see.error("a.add_(10.)"):
        a.add_(10.0)
    with see.error("a += 10."):
        a += 10.0


@item("003-3.24")
def a_leaf_may_be_changed_under_no_grad(torch, see):
    a = four_leaves(torch)
    see("a", [a, a.is_leaf])
    with torch.no_grad():
        a[:] = 10.0
    see("a, changed", [a, a.is_leaf])
    loss = (a * a).mean()
    loss.backward()
    see("a.grad", a.grad)
    see("a._version", a._version)
    loss = (a * a).mean()
    with torch.no_grad():
        a -= 0.1 * a.grad
    with see.error("changed between forward and backward"):
        loss.backward()


@item("003-3.25")
def nodes_stay_and_saved_values_go(torch, see):
    a = torch.tensor([3.0, 1.0], requires_grad=True)
    b = a * a
    loss = b.mean()
    loss.backward()
    see("loss.grad_fn", loss.grad_fn)
    see("its edges", [node.name() for node, _ in loss.grad_fn.next_functions])
    with see.error("a saved value"):
        b.grad_fn._saved_self  # noqa: B018 - the look itself raises


@item("003-3.26")
def a_second_pass_raises(torch, see):
    a = torch.tensor([3.0, 1.0], requires_grad=True)
    b = a * a
    loss = b.mean()
    loss.backward()
    see("the first pass", a.grad)
    with see.error("the second pass"):
        loss.backward()
    a = torch.tensor([3.0, 1.0], requires_grad=True)
    b = a * a
    loss = b.mean()
    loss.backward()
    see("built again", a.grad)


nothing_to_run("003-3.27", "the author's doubt about another library's sessions")
