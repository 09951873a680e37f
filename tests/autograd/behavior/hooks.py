"""Hooks: their order, what they see, what they may replace."""

from tests.autograd.behavior.registry import behavior


@behavior
def the_order_of_hooks_on_a_result(torch, see):
    log = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda gi, go: log.append(["node", len(gi), go[0].item()]))
    y.retain_grad()
    y.register_hook(lambda g: log.append(["first tensor hook", g.item()]) or g * 10)
    y.grad_fn.register_prehook(lambda go: log.append(["pre-hook", go[0].item()]))
    y.register_hook(lambda g: log.append(["second tensor hook", g.item()]))
    y.backward()
    see("log", log)
    see("retained", y.grad)
    see("x.grad", x.grad)


@behavior
def the_order_of_hooks_on_a_leaf(torch, see):
    log = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    leaf_node = y.grad_fn.next_functions[0][0]
    leaf_node.register_hook(lambda gi, go: log.append(["node", gi, x.grad.item()]))
    leaf_node.register_prehook(lambda go: log.append(["pre-hook", go[0].item(), x.grad]))
    x.register_post_accumulate_grad_hook(lambda t: log.append(["post", t is x, t.grad.item()]))
    x.register_hook(lambda g: log.append(["tensor hook", g.item()]))
    y.backward()
    see("log", log)


@behavior
def hooks_can_be_removed_and_replace(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    handle = x.register_hook(lambda g: g * 100)
    (x * 1).sum().backward()
    see("replaced", x.grad)
    handle.remove()
    x.grad = None
    (x * 1).sum().backward()
    see("removed", x.grad)
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: (gi[0] * 7, None))
    x.grad = None
    y.sum().backward()
    see("by a node's hook", x.grad)
    y = x * 2
    y.grad_fn.register_prehook(lambda go: (go[0] * 5,))
    x.grad = None
    y.sum().backward()
    see("by a pre-hook", x.grad)


@behavior
def hooks_that_are_refused(torch, see):
    with see.error("on an untracked tensor"):
        torch.ones(2).register_hook(print)
    x = torch.ones(2, requires_grad=True)
    with see.error("after accumulation, on a non-leaf"):
        (x * 2).register_post_accumulate_grad_hook(print)
    x.register_hook(lambda g: torch.ones(3))
    with see.error("another shape"):
        (x * 2).sum().backward()
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: 3)
    with see.error("no tensor"):
        (x * 2).sum().backward()


@behavior
def an_exception_in_a_hook_leaves_what_was_accumulated(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)

    def stop(gradient):
        raise ValueError("stop")

    a = x * 2
    a.register_hook(stop)
    z = a + y
    with see.error("backward"):
        z.backward()
    see("x.grad, y.grad", [x.grad, y.grad])
    see("grad mode is as before", torch.is_grad_enabled())


@behavior
def hooks_during_autograd_grad(torch, see):
    log = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: log.append("y's hook") or g * 10)
    y.grad_fn.register_hook(lambda gi, go: log.append("y's node"))
    x.register_post_accumulate_grad_hook(lambda t: log.append("post"))
    z = y * 1
    see("for y alone", torch.autograd.grad(z, (y,), retain_graph=True))
    see("log", list(log))
    log.clear()
    see("for x and y", torch.autograd.grad(z, (x, y), retain_graph=True))
    see("log again", log)
    see("retained in passing", y.grad)


@behavior
def hooks_across_an_in_place_rewrite(torch, see):
    log = []
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.register_hook(lambda g: log.append(["before", g.tolist()]))
    y.retain_grad()
    y.mul_(10)
    y.register_hook(lambda g: log.append(["after", g.tolist()]))
    y.sum().backward()
    see("log", log)
    see("retained", y.grad)
    see("x.grad", x.grad)


@behavior
def backward_hooks_attribute(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    see("at first", x._backward_hooks)
    handle = x.register_hook(lambda g: None)
    see("after the first hook", len(x._backward_hooks))
    handle.remove()
    see("after its removal", len(x._backward_hooks))
