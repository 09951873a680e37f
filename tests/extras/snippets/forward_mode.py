"""Dual tensors."""

from tests.oracle.snippets import snippet


def forward_ad(torch):
    return torch.autograd.forward_ad


@snippet
def tangents(torch, see):
    fw = forward_ad(torch)
    x, t = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    with fw.dual_level():
        dual = fw.make_dual(x, t)
        see("dual", fw.unpack_dual(dual))
        see("square", fw.unpack_dual(dual * dual))
        see("chain", fw.unpack_dual((dual.exp() * 2).sum()))
        see("view", fw.unpack_dual(dual[1:]))
        see("flat", fw.unpack_dual(dual.floor()))
        see("constant", fw.unpack_dual(x * 2))
        see("detached", fw.unpack_dual(dual.detach() * 2))
        see("compared", fw.unpack_dual(dual > 1))
        see("of the primal", fw.unpack_dual(fw.unpack_dual(dual * 3).primal * 2))
        see("of the tangent", fw.unpack_dual(fw.unpack_dual(dual * dual).tangent * 2).tangent)
        kept = dual * 3
    see("after the level", fw.unpack_dual(x))
    double = fw.dual_level()(lambda x: fw.unpack_dual(fw.make_dual(x, x) * 2).tangent)
    see("decorated", double(x))
    see("its tangent", fw.unpack_dual(kept).tangent)
    see("primal untouched", x)


@snippet
def several(torch, see):
    fw = forward_ad(torch)
    x, y = torch.tensor([1.0, 2.0]), torch.tensor(3.0)
    with fw.dual_level() as level:
        see("level", level)
        a, b = fw.make_dual(x, torch.ones(2)), fw.make_dual(y, torch.tensor(5.0))
        product = fw.unpack_dual(a * b)
        see("names", product._fields)
        see("both", product)
        see("mixed", fw.unpack_dual(fw.unpack_dual(a * b).primal * b))
        see("stacked", fw.unpack_dual(torch.stack([a, a * b])))
        z = torch.zeros(2)
        z[1] = b
        z *= 2
        see("written in place", fw.unpack_dual(z))
        a.mul_(b)
        see("a dual written to", fw.unpack_dual(a))


@snippet
def with_reverse_mode(torch, see):
    fw = forward_ad(torch)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    with fw.dual_level():
        dual = fw.make_dual(x, torch.ones(2))
        primal, tangent = fw.unpack_dual((dual * dual * w).sum())
        see("values", (primal.detach(), tangent.detach()))
        see("flags", (primal.requires_grad, tangent.requires_grad))
        of_tangent = torch.autograd.grad(tangent, (x, w), retain_graph=True)
        of_primal = torch.autograd.grad(primal, (x, w))
    see("gradients of the tangent", of_tangent)
    see("gradients of the primal", of_primal)
    # forward over reverse: a product with the Hessian
    p = torch.tensor([1.0, 2.0])
    with fw.dual_level():
        dual = fw.make_dual(p.requires_grad_(), torch.tensor([1.0, 0.0]))
        (g,) = torch.autograd.grad((dual**3).sum(), dual, create_graph=True)
        see("hessian-vector product", fw.unpack_dual(g).tangent.detach())


@snippet
def custom_functions(torch, see):
    fw = forward_ad(torch)

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

        @staticmethod
        def jvp(ctx, t):
            (x,) = ctx.saved_tensors
            return t * 3 * x * x

    with fw.dual_level():
        dual = fw.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        see("cube", fw.unpack_dual(Cube.apply(dual)))


@snippet
def refusals(torch, see):
    fw = forward_ad(torch)
    x = torch.tensor([1.0, 2.0])
    with see.error("no level"):
        fw.make_dual(x, x)
    see("unpacked outside", fw.unpack_dual(x))
    with see.error("exit without a level"):
        fw.exit_dual_level()
    with see.error("nested"), fw.dual_level():
        fw.enter_dual_level()
    with see.error("left after an error"):
        fw.make_dual(x, x)
    see("by hand", fw.enter_dual_level())
    with see.error("another level"):
        fw.exit_dual_level(level=3)
    for name, primal, tangent in (
        ("size", x, torch.ones(3)),
        ("integer primal", torch.tensor([1]), x),
        ("integer tangent", x, torch.tensor([1, 2])),
        ("twice", fw.make_dual(x, x), x),
    ):
        with see.error(name):
            fw.make_dual(primal, tangent)
    fw.exit_dual_level(level=0)
    with see.error("left"):
        fw.make_dual(x, x)


@snippet
def whole_jacobians(torch, see):
    F = torch.autograd.functional
    x, fast = torch.tensor([1.0, 2.0]), {"vectorize": True}
    see("jacobian", F.jacobian(lambda x: x.exp(), x, strategy="forward-mode", **fast))
    hessian = F.hessian(lambda x: (x**3).sum(), x, outer_jacobian_strategy="forward-mode", **fast)
    see("hessian", hessian.detach())


@snippet
def a_level_of_forward_mode_is_entered_for_each_call_and_each_item(torch, see):
    fw = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0])

    @fw.dual_level()
    def slopes(x):
        return fw.unpack_dual(fw.make_dual(x, x) ** 2).tangent

    @fw.dual_level()
    def each(x):
        yield fw.unpack_dual(fw.make_dual(x, x) ** 2).tangent
        yield fw.unpack_dual(fw.make_dual(x, x) ** 3).tangent

    see("function", [slopes(x), slopes(x)])
    see("generator", list(each(x)))
