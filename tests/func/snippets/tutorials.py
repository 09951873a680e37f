"""What the official tutorials do with the transforms, on small sizes."""

from tests.oracle.snippets import snippet


@snippet
def per_sample_gradients(torch, see):
    F = torch.func
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    data, targets = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
    params = {name: p.detach() for name, p in net.named_parameters()}
    buffers = {name: b.detach() for name, b in net.named_buffers()}

    def loss_of(params, buffers, sample, target):
        predictions = F.functional_call(net, (params, buffers), (sample.unsqueeze(0),))
        return torch.nn.functional.cross_entropy(predictions, target.unsqueeze(0))

    per_sample = F.vmap(F.grad(loss_of), in_dims=(None, None, 0, 0))
    grads = per_sample(params, buffers, data, targets)
    see("shapes", {name: list(g.shape) for name, g in grads.items()})
    see("gradients", grads)
    torch.nn.functional.cross_entropy(net(data), targets).backward()
    close = [
        bool(torch.allclose(grads[name].mean(0), p.grad, atol=1e-6))
        for name, p in net.named_parameters()
    ]
    see("their mean is the gradient", close)


@snippet
def jacobians_and_hessians(torch, see):
    F = torch.func
    torch.manual_seed(0)
    weight, bias, x = torch.randn(3, 3), torch.randn(3), torch.randn(3)

    def predict(weight, bias, x):
        return (weight @ x + bias).tanh()

    xp = x.clone().requires_grad_()
    rows = [torch.autograd.grad(predict(weight, bias, xp), xp, v)[0] for v in torch.eye(3)]
    see("by hand", torch.stack(rows))
    _, pull = F.vjp(lambda x: predict(weight, bias, x), x)
    see("vmap of vjp", F.vmap(pull)(torch.eye(3))[0])
    see("jacrev", F.jacrev(predict, argnums=2)(weight, bias, x))
    see("jacfwd", F.jacfwd(predict, argnums=2)(weight, bias, x))
    see("of the bias", F.jacrev(predict, argnums=1)(weight, bias, x))
    see("both", [list(j.shape) for j in F.jacrev(predict, argnums=(0, 1))(weight, bias, x)])
    see("hessian", F.hessian(predict, argnums=2)(weight, bias, x))
    batch = torch.randn(4, 3)
    see("of a batch", F.vmap(F.jacrev(predict, argnums=2), in_dims=(None, None, 0))(
        weight, bias, batch
    ).shape)  # fmt: skip


@snippet
def tangent_kernel(torch, see):
    F = torch.func
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 2))
    params = {name: p.detach() for name, p in net.named_parameters()}
    x1, x2 = torch.randn(3, 2), torch.randn(2, 2)

    def single(params, x):
        return F.functional_call(net, params, (x.unsqueeze(0),)).squeeze(0)

    jac1 = F.vmap(F.jacrev(single), (None, 0))(params, x1)
    jac2 = F.vmap(F.jacrev(single), (None, 0))(params, x2)
    parts = [
        torch.einsum("Naf,Mbf->NMab", jac1[name].flatten(2), jac2[name].flatten(2))
        for name in params
    ]
    kernel = sum(parts[1:], parts[0])
    see("contracted", (kernel * 1000).round())

    def one(x, y):
        def of_x(params):
            return single(params, x)

        def of_y(params):
            return single(params, y)

        output, pull = F.vjp(of_x, params)

        def through(v):
            return F.jvp(of_y, (params,), pull(v))[1]

        return F.vmap(through)(torch.eye(output.numel()))

    products = F.vmap(F.vmap(one, (None, 0)), (0, None))(x1, x2)
    see("by products", bool(torch.allclose(products.transpose(2, 3), kernel, atol=1e-5)))


@snippet
def forward_mode_of_a_module(torch, see):
    fw = torch.autograd.forward_ad
    torch.manual_seed(0)
    model, x = torch.nn.Linear(3, 2), torch.randn(4, 3)
    tangents = {name: torch.rand_like(p) for name, p in model.named_parameters()}
    with fw.dual_level():
        for name, p in list(model.named_parameters()):
            delattr(model, name)
            setattr(model, name, fw.make_dual(p, tangents[name]))
        product = fw.unpack_dual(model(x)).tangent
        see("product", product.detach())
    fresh = {"weight": torch.ones(2, 3), "bias": torch.zeros(2)}
    other = torch.nn.Linear(3, 2)
    call = lambda p: torch.func.functional_call(other, p, (x,))  # noqa: E731
    see("by jvp", torch.func.jvp(call, (fresh,), (tangents,))[1])
