"""Hooks on what the graph saves."""

# ruff: noqa: B018, SIM117 - the line that raises stands apart

from tests.oracle.snippets import snippet


def leaves(torch):
    return (
        torch.tensor([1.0, 2.0], requires_grad=True),
        torch.tensor([3.0, 4.0], requires_grad=True),
    )


class Log:
    """A pair of hooks that writes down what goes through it."""

    def __init__(self, factor=1):
        self.lines = []
        self.factor = factor

    def pack(self, tensor):
        node = None if tensor.grad_fn is None else tensor.grad_fn.name()
        self.lines.append(f"pack {tensor.tolist()} made by {node}")
        return tensor.detach() * self.factor

    def unpack(self, packed):
        self.lines.append(f"unpack {packed.tolist()}")
        return packed


@snippet
def inputs_and_results_are_packed_when_saved(torch, see):
    x, w = leaves(torch)
    log = Log()
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        y = (x * w).exp().sum()
        see("while recording", list(log.lines))
        x * 2, x + w, x**2
        see("numbers are not packed", list(log.lines)[3:])
    log.lines.clear()
    y.backward()
    see("in the pass", log.lines)
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def what_unpack_gives_is_used(torch, see):
    x, w = leaves(torch)
    log = Log(factor=10)
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        y = x * w
    see("read", y.grad_fn._saved_self)
    y.sum().backward()
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def history_comes_back(torch, see):
    x, w = leaves(torch)
    graph = torch.autograd.graph
    with graph.saved_tensors_hooks(lambda t: t.tolist(), lambda v: torch.tensor(v)):
        y = x * w
        e = y.exp()
        k = torch.ones(2) * w
    see("a leaf", y.grad_fn._saved_self)
    see("is a leaf", y.grad_fn._saved_self.is_leaf)
    see("not the same", y.grad_fn._saved_self is x)
    see("a result", e.grad_fn._saved_result)
    see("its node is the one that saved it", e.grad_fn._saved_result.grad_fn is e.grad_fn)
    see("without gradient", k.grad_fn._saved_self)
    (g,) = torch.autograd.grad(e.sum(), x, create_graph=True)
    see("gradient", g)
    see("second gradient", torch.autograd.grad(g.sum(), (x, w)))


@snippet
def only_the_innermost_pair(torch, see):
    x, w = leaves(torch)
    outer, inner = Log(), Log()
    graph = torch.autograd.graph
    with graph.saved_tensors_hooks(outer.pack, outer.unpack):
        with graph.saved_tensors_hooks(inner.pack, inner.unpack):
            x.sin()
        w.sin()
    x.cos()
    see("outer", outer.lines)
    see("inner", inner.lines)


@snippet
def an_exception_leaves_the_hooks(torch, see):
    x, _ = leaves(torch)
    log = Log()
    graph = torch.autograd.graph
    with see.error("inside"):
        with graph.saved_tensors_hooks(log.pack, log.unpack):
            raise ValueError("in the block")
    x.sin()
    see("afterwards", log.lines)
    with see.error("a hook that raises"):
        with graph.saved_tensors_hooks(lambda t: 1 // 0, log.unpack):
            x.sin()
    with see.error("when unpacking"):
        with graph.saved_tensors_hooks(log.pack, lambda t: 1 // 0):
            y = x.sin()
        y.sum().backward()
    with see.error("no tensor"):
        with graph.saved_tensors_hooks(log.pack, lambda t: 3):
            y = x.sin()
        y.sum().backward()
    with see.error("pack writes"):
        with graph.saved_tensors_hooks(lambda t: t.zero_(), log.unpack):
            x.exp()


@snippet
def packed_values_are_not_checked_for_versions(torch, see):
    x, _ = leaves(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x.exp()
    y.detach().zero_()
    y.sum().backward()
    see("x.grad", x.grad)


@snippet
def in_place_forms_pack_the_old_value(torch, see):
    x, w = leaves(torch)
    log = Log()
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        y = x * 1.0
        y.mul_(w)
        y.exp_()
    y.sum().backward()
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def custom_functions_pack_too(torch, see):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x**3
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * 3 * y / x

    x, _ = leaves(torch)
    log = Log()
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        y = Cube.apply(x)
    see("packed", [line.replace("Backward", "") for line in log.lines][:1])
    log.lines.clear()
    y.sum().backward()
    see("unpacked", log.lines)
    see("x.grad", x.grad)


@snippet
def a_pair_on_one_saved_value(torch, see):
    x, w = leaves(torch)
    y = x * w
    raw = y.grad_fn._raw_saved_self
    log = Log()
    raw.register_hooks(log.pack, log.unpack)
    with see.error("twice"):
        raw.register_hooks(log.pack, log.unpack)
    y.sum().backward()
    see("log", log.lines)
    see("w.grad", w.grad)
    with see.error("freed"):
        raw.register_hooks(log.pack, log.unpack)
    with see.error("not kept"):
        (x.detach() * w).grad_fn._raw_saved_other.register_hooks(log.pack, log.unpack)
    with see.error("freed value read through"):
        y.grad_fn._saved_self


@snippet
def hooks_can_be_disabled(torch, see):
    graph = torch.autograd.graph
    with see.error("asked for while disabled"):
        with graph.disable_saved_tensors_hooks("no hooks here"):
            with graph.save_on_cpu():
                pass
    with see.error("disabled while active"):
        with graph.save_on_cpu():
            with graph.disable_saved_tensors_hooks("no hooks here"):
                pass
    with graph.save_on_cpu():
        see("afterwards both work", True)
    with graph.disable_saved_tensors_hooks("outer"):
        with graph.disable_saved_tensors_hooks("inner"):
            pass
        with see.error("the outer message is back"):
            graph.save_on_cpu().__enter__()


@snippet
def save_on_cpu_computes_the_same(torch, see):
    x, w = leaves(torch)
    with torch.autograd.graph.save_on_cpu():
        y = (x * w).sin().exp().sum()
    y.backward()
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def hooks_belong_to_their_thread(torch, see):
    import threading

    log = Log()
    x, _ = leaves(torch)
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        thread = threading.Thread(target=lambda: x.sin())
        thread.start()
        thread.join()
    see("packed in another thread", log.lines)


@snippet
def a_recorded_pass_packs_what_it_saves(torch, see):
    x, _ = leaves(torch)
    log = Log()
    y = x.exp().sum()
    with torch.autograd.graph.saved_tensors_hooks(log.pack, log.unpack):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
    see("packed", len(log.lines) > 0)
    see("second", torch.autograd.grad(g.sum(), x))


@snippet
def what_is_kept_on_the_cpu_is_no_copy(torch, see):
    x, _ = leaves(torch)
    with torch.autograd.graph.save_on_cpu():
        y = x * 1
        z = y * y
    y.zero_()
    z.sum().backward()
    see("x.grad", x.grad)


@snippet
def the_pair_of_hooks_can_be_read_and_replaced(torch, see):
    graph, seen = torch.autograd.graph, []
    pair = graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t)
    pair.pack_hook = lambda t: seen.append(t.tolist()) or t.detach()
    x, w = leaves(torch)
    with pair as nothing:
        x * w
    see("packed", [nothing, seen, pair.unpack_hook(3)])
    see("names", [name for name in dir((x * w).grad_fn) if "_saved" in name])
