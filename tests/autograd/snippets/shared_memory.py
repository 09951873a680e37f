"""What random programs found: memory that several elements or tensors share, and odd corners."""

import gc

from tests.oracle.snippets import snippet


@snippet
def a_part_written_onto_itself(torch, see):
    for name, write in {
        "rows": lambda x: x[0].copy_(x[1]),
        "a row, and itself": lambda x: x[0].add_(x[0]),
        "the same as a view": lambda x: x.mul_(x.view(2, 3)),
    }.items():
        x = torch.arange(6.0).view(2, 3)
        with see.error(name):
            write(x)
        see(name, x)


@snippet
def a_result_saved_in_a_view(torch, see):
    x = torch.tensor([-2.25], requires_grad=True)
    base = x.sum()
    view = base.unsqueeze(0)
    view.tanh_()
    (g,) = torch.autograd.grad(view.sum(), x, create_graph=True)
    see("of g", torch.autograd.grad(g.sum(), [x, base, view], retain_graph=True))
    del view
    see("without the view", torch.autograd.grad(g.sum(), [x, base]))


@snippet
def one_gradient_for_two_inputs(torch, see):
    x = torch.tensor([1.75], requires_grad=True)
    first, second = torch.autograd.grad(x * x, [x, x])
    second.requires_grad_()
    see("same", (first is second, first))


@snippet
def the_saved_result_of_a_function_is_edited(torch, see):
    class Grow(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, g):
            (result,) = ctx.saved_tensors
            return g * result

    x = torch.tensor(0.5, requires_grad=True)
    y = Grow.apply(x)
    y.data.mul_(10)
    y.backward()
    see("x.grad", x.grad)


@snippet
def a_refused_write_leaves_nothing(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, write in {
        "by index": lambda: x[[0]].add_(x.__setitem__([0], x * 2)),
        "in place": lambda: (x * 2, x.mul_(3)),
    }.items():
        with see.error(name):
            write()
        gc.collect()  # from Python 3.12 on, what the error went through is kept in a cycle
        node = (x * 1).grad_fn.next_functions[0][0]
        handle = node.register_prehook(lambda grads, name=name: see(name, "called"))
        del node
        (x * 2).sum().backward()
        handle.remove()


@snippet
def which_index_is_out_of_range(torch, see):
    x = torch.ones(2, 3, 1)
    for key in [(..., 1), (0, 4), (None, 0, ..., 1), (0, None, 4), (..., 0, 4), ([0], 4)]:
        with see.error(str(key)):
            x[key]
        with see.error(f"{key} = 1"):
            x[key] = 1
    with see.error("of an empty tensor"):
        torch.zeros(0)[[9]]


@snippet
def products_with_zeros_and_infinities(torch, see):
    inf, nan = float("inf"), float("nan")
    weights = torch.tensor([1.0, 2.0, 3.0])
    for numbers in (
        [2.0, inf, 3.0], [0.0, inf, 2.0], [inf, 0.0, 2.0], [1.0, 0.0, inf], [0.0, 0.0, inf],
        [1.0, nan, 0.0], [2.0, 0.0, 3.0], [0.0, 2.0, 0.0],
    ):  # fmt: skip
        x = torch.tensor(numbers, requires_grad=True)
        see(f"cumprod of {numbers}", torch.autograd.grad(x.cumprod(0), x, weights))
        see(f"prod of {numbers}", torch.autograd.grad(x.prod(), x))
    x = torch.tensor([[2.0, 0.0, 4.0], [0.0, 3.0, 0.0]], requires_grad=True)
    see("columns", torch.autograd.grad(x.cumprod(0), x, torch.stack([weights, weights * 2])))
    see("rows", torch.autograd.grad(x.cumprod(1), x, torch.stack([weights, weights * 2])))


@snippet
def adding_nan_at_places(torch, see):
    see("nan", torch.zeros(2).index_add(0, torch.tensor([0, 0]), torch.tensor([1.0, 2.0]) / 0))
    infinite = torch.tensor([float("inf"), -float("inf")])
    see("inf - inf", torch.zeros(2).index_add(0, torch.tensor([0, 0]), infinite))
    see("scatter_add", torch.zeros(2).scatter_add(0, torch.tensor([1, 1]), infinite))


@snippet
def a_base_whose_elements_share_their_memory(torch, see):
    for name, base in {
        "expanded": torch.zeros(1).expand(3),
        "data of one expanded": torch.zeros(1).expand(3).data,
        "a row again": torch.zeros(3).expand(2, 3).data,
        "as large as it is": torch.zeros(1, 3).expand(1, 3).data,
    }.items():
        x = torch.tensor(2.0, requires_grad=True)
        base[(0,) * base.ndim] = x * 3
        see(name, base)
        with see.error(f"{name}, backward"):
            base.sum().backward()
        see("x.grad", x.grad)


@snippet
def results_with_memory_of_their_own(torch, see):
    for name, call in {
        "sign of bools": lambda x: (x > 0).sign(),
        "flip": lambda x: x[0].flip(0),
        "flip of no dim": lambda x: x[0].flip(()),
        "index_select": lambda x: x[0].index_select(0, torch.tensor([0])),
        "max": lambda x: x[0].max(0)[0],
        "median": lambda x: x[0].median(0)[0],
        "sort": lambda x: x[0].sort()[0],
        "topk": lambda x: x[0].topk(1)[0],
    }.items():
        x = torch.tensor([2.0, 3.0])
        y = call(x)
        y.zero_()
        see(name, (x, y))
    x = torch.tensor([True, False, True])
    y = x[::2].sign()
    y.zero_()
    see("sign in bool memory", (x, y, y.stride()))


@snippet
def elements_of_an_expanded_tensor_read_by_strides(torch, see):
    for name, read in {
        "one": lambda x: x.expand(5, 2, 3).as_strided((2, 3), (3, 1), 0),
        "all": lambda x: x.expand(5, 2, 3).as_strided((5, 6), (0, 1)),
        "windows": lambda x: x.view(6).as_strided((4, 3), (1, 1)).as_strided((2, 2), (3, 1), 1),
    }.items():
        x = torch.arange(6.0).view(2, 3).requires_grad_()
        (g,) = torch.autograd.grad((read(x) ** 3).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad((g * g).sum(), x)
        see(name, (read(x), g.detach(), h))
