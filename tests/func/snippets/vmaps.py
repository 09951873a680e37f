"""``func.vmap``."""

from tests.oracle.snippets import snippet


def matrix(torch):
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@snippet
def dims(torch, see):
    vmap, m, v = torch.func.vmap, matrix(torch), torch.tensor([1.0, 10.0, 100.0])
    see("rows", vmap(lambda row: row.sum())(m))
    see("columns", vmap(lambda column: column.sum(), in_dims=1)(m))
    see("from the end", vmap(lambda column: column.sum(), in_dims=-1)(m))
    see("one of two", vmap(torch.dot, in_dims=(0, None))(m, v))
    see("both", vmap(torch.dot)(m, m))
    see("out", vmap(lambda row: row * 2, out_dims=1)(m))
    see("out from the end", vmap(lambda row: row * 2, out_dims=-1)(m))
    see("two results", vmap(lambda row: (row * 2, row.sum()), out_dims=(1, 0))(m))
    see("a tree", vmap(lambda row: {"a": row * 2, "b": [row.sum()]})(m))
    see("a tree in", vmap(lambda p: p["w"] * p["b"], in_dims=({"w": 0, "b": None},))(
        {"w": m, "b": v}
    ))  # fmt: skip
    see("one dim for a tree", vmap(lambda p: p["w"] + p["b"])({"w": m, "b": m}))
    see("the same for all", vmap(lambda row: (row, torch.tensor(3.0)))(m))
    see("out None", vmap(lambda row: (row, 7), out_dims=(0, None))(m))
    see("keywords", vmap(lambda row, scale: row * scale)(m, scale=2.0))
    see("nested", vmap(vmap(lambda x, y: x * y, (None, 0)), (0, None))(v, v))
    see("chunks", vmap(lambda row: row * 2, chunk_size=1)(m))
    see("numbers", vmap(lambda x: x * x)(v))
    see("one sample", vmap(lambda row: row * 2)(m[:1]))


@snippet
def with_derivatives(torch, see):
    F, m = torch.func, matrix(torch)
    w = torch.tensor([1.0, -1.0, 2.0])
    loss = lambda w, row: (w * row).sum() ** 2  # noqa: E731
    see("per-sample gradients", F.vmap(F.grad(loss), in_dims=(None, 0))(w, m))
    see("per-sample hessians", F.vmap(F.hessian(loss), in_dims=(None, 0))(w, m))
    see("gradient of a batch", F.grad(lambda w: F.vmap(loss, (None, 0))(w, m).sum())(w))
    _, pull = F.vjp(lambda w: w * w, w)
    see("all vectors at once", F.vmap(pull)(torch.eye(3)))
    push = lambda t: F.jvp(lambda w: w.exp(), (w,), (t,))[1]  # noqa: E731
    see("all tangents at once", F.vmap(push)(torch.eye(3)))
    tracked = m.clone().requires_grad_()
    out = F.vmap(lambda row: (row * row).sum())(tracked)
    see("tracked", out.requires_grad)
    see("its gradient", torch.autograd.grad(out.sum(), tracked))


@snippet
def randomness(torch, see):
    vmap, m = torch.func.vmap, matrix(torch)
    noisy = lambda row: row + torch.rand(3)  # noqa: E731
    with see.error("error"):
        vmap(noisy)(m)
    torch.manual_seed(0)
    with see.error("rand_like"):
        vmap(lambda row: torch.rand_like(row))(m)
    see("none was drawn", torch.rand(1))
    see("under its short name", torch.vmap(torch.sum)(m))
    torch.manual_seed(0)
    same = vmap(noisy, randomness="same")(m) - m
    see("same", bool(torch.allclose(same[0], same[1])))
    different = vmap(noisy, randomness="different")(m) - m
    see("different", bool(torch.allclose(different[0], different[1])))
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    see("the first draw", bool(torch.allclose(vmap(noisy, randomness="same")(m) - m, expected)))
    with see.error("unknown"):
        vmap(noisy, randomness="some")(m)


@snippet
def refusals(torch, see):
    vmap, m, v = torch.func.vmap, matrix(torch), torch.tensor([1.0, 10.0])

    def same(x, y=None):
        return x

    calls = {
        "no inputs": lambda: vmap(same)(),
        "nothing to go along": lambda: vmap(same, in_dims=None)(m),
        "all None": lambda: vmap(same, in_dims=(None, None))(m, m),
        "sizes": lambda: vmap(same)(m, torch.ones(3)),
        "no such dim": lambda: vmap(same, in_dims=2)(m),
        "a number": lambda: vmap(same)(m, 3),
        "a word": lambda: vmap(same, in_dims="a")(m),
        "a word in a tuple": lambda: vmap(same, in_dims=("a",))(m),
        "another form": lambda: vmap(same, in_dims=(0, 0))(m),
        "a result that is a number": lambda: vmap(lambda x: 3.0)(v),
        "no such out dim": lambda: vmap(same, out_dims=3)(v),
        "out None of a batch": lambda: vmap(same, out_dims=None)(v),
        "another form out": lambda: vmap(lambda x: (x, x), out_dims=(0,))(v),
        "a word out": lambda: vmap(same, out_dims="a")(v),
        "chunks": lambda: vmap(same, chunk_size=0)(v),
    }
    for label, call in calls.items():
        with see.error(label):
            call()
