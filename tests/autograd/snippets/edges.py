"""Gradient edges, and one hook for several tensors."""

# ruff: noqa: RUF059 - a snippet names the whole example

from tests.oracle.snippets import snippet


def parts(torch):
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    y = x * w
    return x, w, y, y * y


@snippet
def what_an_edge_says(torch, see):
    x, w, y, z = parts(torch)
    edge_of = torch.autograd.graph.get_gradient_edge
    see("of a result", (edge_of(y).node is y.grad_fn, edge_of(y).output_nr))
    see("of a leaf", edge_of(x).node.name())
    see("the leaf behind it", edge_of(x).node.variable is x)
    first, second = torch.tensor([1.0, 2.0], requires_grad=True).unbind()
    see("of the second of two", edge_of(second).output_nr)
    with see.error("nothing to differentiate"):
        edge_of(torch.ones(2))


@snippet
def an_edge_in_place_of_an_input(torch, see):
    x, w, y, z = parts(torch)
    edge_of = torch.autograd.graph.get_gradient_edge
    see("a result", torch.autograd.grad(z, edge_of(y), retain_graph=True))
    see("leaves", torch.autograd.grad(z, (edge_of(x), w), retain_graph=True))
    see("in a dict", torch.autograd.grad(z, {"x": edge_of(x), "y": y}))


@snippet
def an_edge_in_place_of_an_output(torch, see):
    x, w, y, z = parts(torch)
    edge = torch.autograd.graph.get_gradient_edge(z)
    del z
    see("grad", torch.autograd.grad(edge, x, torch.tensor(2.0), retain_graph=True))
    torch.autograd.backward(edge, torch.tensor(1.0), inputs=[w])
    see("backward", (x.grad, w.grad))


@snippet
def an_edge_of_a_leaf_as_input_of_backward(torch, see):
    x, w, y, z = parts(torch)
    edge = torch.autograd.graph.get_gradient_edge(x)
    z.backward(inputs=[edge])
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def all_gradients_together(torch, see):
    x, w, y, z = parts(torch)
    calls = []
    handle = torch.autograd.graph.register_multi_grad_hook((x, w, y), calls.append)
    z.backward(retain_graph=True)
    see("called", calls)
    calls.clear()
    z.backward(inputs=y, retain_graph=True)
    see("where only one is asked for", calls)
    calls.clear()
    (w * 5).backward()
    see("in another graph", calls)
    handle.remove()
    calls.clear()
    z.backward()
    see("removed", calls)


@snippet
def any_gradient(torch, see):
    x, w, y, z = parts(torch)
    calls = []
    register = torch.autograd.graph.register_multi_grad_hook
    handle = register((x, w, y, torch.ones(2)), calls.append, mode="any")
    z.backward(retain_graph=True)
    see("called", calls)
    z.backward()
    see("once in each pass", len(calls))
    handle.remove()
    with see.error("another mode"):
        register((x,), calls.append, mode="some")


@snippet
def the_hook_sees_but_does_not_change(torch, see):
    x, w, y, z = parts(torch)
    with torch.autograd.graph.register_multi_grad_hook((y,), lambda grads: grads[0] * 100):
        z.backward(retain_graph=True)
    see("x.grad", x.grad)
    z.backward()
    see("the handle is a context manager", x.grad)


@snippet
def many_inputs_of_grad(torch, see):
    x, w, y, z = parts(torch)
    see("twice the same", torch.autograd.grad(z, (x, x, y), retain_graph=True))
    see("the root itself", torch.autograd.grad(z, (z, x), retain_graph=True))
    see("two roots", torch.autograd.grad((z, y), (x,), retain_graph=True))
    see("the same root twice", torch.autograd.grad((z, z), (x,), retain_graph=True))
    see("a root inside", torch.autograd.grad((z, y), (y,), retain_graph=True))
    see("a dict", torch.autograd.grad(z, {"a": x, "b": w}, retain_graph=True))
    v = torch.tensor(5.0, requires_grad=True)
    see("unused", torch.autograd.grad(z, (x, v), retain_graph=True, allow_unused=True))
    see("zeros", torch.autograd.grad(z, (x, v), retain_graph=True, materialize_grads=True))
    see("by place", torch.autograd.grad(z, (x, v), None, True, False, True, True))
    with see.error("both ways"):
        torch.autograd.grad(z, (x, v), allow_unused=False, materialize_grads=True)
    with see.error("nothing asked for"):
        torch.autograd.grad(z, ())
    with see.error("not a tensor"):
        torch.autograd.grad(z, (3.0,))
    with see.error("a root that is a number"):
        torch.autograd.grad(3.0, x)
    see("too many vectors", torch.autograd.grad(z, x, (torch.tensor(1.0), None)))
    with see.error("too few vectors"):
        torch.autograd.grad((x * 2, x * 3), x, (torch.tensor(1.0),))


@snippet
def many_inputs_of_backward(torch, see):
    x, w, y, z = parts(torch)
    y.retain_grad()
    z.backward(inputs=(x,), retain_graph=True)
    see("x alone", (x.grad, w.grad, y.grad))
    z.backward(inputs=y, retain_graph=True)
    see("a result", (x.grad, w.grad, y.grad))
    torch.autograd.backward((z, y), (torch.tensor(1.0), None), inputs=[w])
    see("two roots", (x.grad, w.grad))
    with see.error("none"):
        w.sin().backward(inputs=[])
    with see.error("unknown"):
        w.sin().backward(inputs=[torch.ones(2)])
    see("y retains its gradient now", y.retains_grad)
    see("unreached", (w.sin().backward(inputs=[x]), x.grad))


@snippet
def a_multi_grad_hook_while_other_inputs_are_asked_for(torch, see):
    x, w = torch.tensor(1.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    a = x * 2
    b = a * a
    c = b * w
    torch.autograd.graph.register_multi_grad_hook((x, a, w), lambda grads: see("hook", grads))
    for name, tensor in {"a": a, "b": b, "w": w, "x": x}.items():
        with see.error(name):
            see(name, torch.autograd.grad(c, tensor, retain_graph=True))


@snippet
def a_hook_of_several_tensors_does_not_wait_for_a_root_that_is_alone(torch, see):
    register, seen = torch.autograd.graph.register_multi_grad_hook, []
    x, w, y, loss = parts(torch)
    handle = register((loss, x), lambda grads: seen.append(list(grads)))
    see("handles", isinstance(handle.handles, tuple))
    loss.backward(retain_graph=True)
    see("root and leaf", seen.copy())
    seen.clear()
    torch.autograd.backward([loss, y], retain_graph=True)
    see("two roots", seen.copy())
    seen.clear()
    loss.backward(inputs=[w], retain_graph=True)
    see("no way to the leaf", seen.copy())
    seen.clear()
    register((loss,), seen.append)
    torch.autograd.grad(loss, w, retain_graph=True)
    see("the root by itself", seen.copy())
    register((x,), seen.append)
    seen.clear()
    see("a leaf that is root and input", torch.autograd.grad(x, x))
    see("seen", seen)


@snippet
def a_hook_of_several_tensors_needs_tensors_that_require_grad(torch, see):
    register = torch.autograd.graph.register_multi_grad_hook
    x = torch.ones(2, requires_grad=True)
    with see.error("all"):
        register((x, torch.ones(2)), print)
    see("any", len(register((x, torch.ones(2)), print, mode="any").handles))


@snippet
def no_zeros_are_made_for_an_edge(torch, see):
    x, w, y, z = parts(torch)
    edges = [torch.autograd.graph.get_gradient_edge(t) for t in (x, torch.ones(2) * w)]
    see("used", torch.autograd.grad(y, edges[:1], retain_graph=True, materialize_grads=True))
    with see.error("unused"):
        torch.autograd.grad(y, edges, materialize_grads=True)


@snippet
def versions_are_counted_of_tensors_alone(torch, see):
    count, x = torch.autograd.graph.increment_version, torch.ones(2)
    for given in (3, [x, 3], [[x]], "ab"):
        with see.error("given"):
            count(given)
    see("version", x._version)
