"""Writing in place: versions, views, histories that are rewritten."""

from tests.autograd.behavior.registry import behavior


@behavior
def versions_are_shared_by_views_and_detached(torch, see):
    a = torch.zeros(4)
    view, cut, data = a[1:3], a.detach(), a.data
    see("at first", [t._version for t in (a, view, cut, data)])
    a.add_(1)
    view.mul_(2)
    cut.zero_()
    see("after three writes", [t._version for t in (a, view, cut, data)])
    data.add_(1)
    see("a write through .data", [t._version for t in (a, view, cut, data)])
    see("which is seen everywhere", a)
    a[0] = 5
    a[0] += 1
    see("b[i] = v counts one, b[i] += v two", a._version)
    with torch.no_grad():
        a.add_(1)
    see("no_grad counts too", a._version)
    a.data = torch.ones(4)
    see("assigning .data keeps it", a._version)


@behavior
def writing_into_a_view_records_on_the_base(torch, see):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1
    view = base[:2]
    view.mul_(10)
    see("base", base)
    see("view", view)
    see("edges of the base", [t and t.name() for t, _ in base.grad_fn.next_functions])
    see("edges of the view", [t and t.name() for t, _ in view.grad_fn.next_functions])
    base.sum().backward()
    see("x.grad", x.grad)


@behavior
def writing_into_the_base_is_seen_by_views(torch, see):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1
    view = base[1:]
    see("before", view)
    base.mul_(5)
    see("after", view)
    view.sum().backward()
    see("x.grad", x.grad)


@behavior
def a_slice_of_a_transpose_of_a_view(torch, see):
    x = torch.arange(6.0).requires_grad_()
    base = x * 1
    inner = base.view(2, 3).t()[1:]
    inner.mul_(torch.tensor([10.0, 100.0]))
    see("base", base)
    (base * base).sum().backward()
    see("x.grad", x.grad)


@behavior
def assignments_by_index(torch, see):
    v = torch.tensor([10.0, 20.0], requires_grad=True)
    writes = {
        "b[0] = number": (lambda b: b.__setitem__(0, 7.0)),
        "b[0] = tensor": (lambda b: b.__setitem__(0, v[0])),
        "b[:] = number": (lambda b: b.__setitem__(slice(None), 7.0)),
        "b[:] = tensor": (lambda b: b.__setitem__(slice(None), v)),
        "b[...] = 0-d": (lambda b: b.__setitem__(..., v[1])),
        "b[[1, 0]] = tensor": (lambda b: b.__setitem__([1, 0], v)),
        "b[mask] = number": (lambda b: b.__setitem__(torch.tensor([True, False]), 7.0)),
    }
    for name, write in writes.items():
        v.grad = None
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = x * 1
        write(b)
        see(name, b)
        see(f"{name}: version", b._version)
        see(f"{name}: edges", [t and t.name() for t, _ in b.grad_fn.next_functions])
        b.sum().backward()
        see(f"{name}: gradients", [x.grad, v.grad])


@behavior
def leaves_that_require_grad_refuse(torch, see):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, write in {
        "add_": lambda: w.add_(1),
        "w[0] = 1": lambda: w.__setitem__(0, 1.0),
        "w[:] = 1": lambda: w.__setitem__(slice(None), 1.0),
        "zero_": lambda: w.zero_(),
        "a view": lambda: w[:1].add_(1),
        "copy_": lambda: w.copy_(torch.zeros(2)),
    }.items():
        with see.error(name):
            write()
    with torch.no_grad():
        w.add_(1)
        w[0] = 7.0
    see("lifted by no_grad", [w, w._version])


@behavior
def views_of_several_refuse(torch, see):
    for name, split in {
        "unbind": lambda t: t.unbind(),
        "split": lambda t: t.split(1),
        "chunk": lambda t: t.chunk(2),
    }.items():
        base = torch.ones(2, 2, requires_grad=True) * 1
        first = split(base)[0]
        with see.error(f"{name}: writing into a part"):
            first.add_(1)
        base = torch.ones(2, 2, requires_grad=True) * 1
        first = split(base)[0]
        base.add_(1)
        with see.error(f"{name}: using a part after the base was changed"):
            first * 2


@behavior
def a_view_made_under_no_grad_refuses_outside(torch, see):
    base = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        view = base[:1]
    with see.error("writing into it"):
        view.add_(1)


@behavior
def a_plain_buffer_becomes_tracked(torch, see):
    w = torch.tensor(3.0, requires_grad=True)
    buffer = torch.zeros(3)
    view = buffer[1:]
    buffer[0] = w
    see("the buffer", buffer)
    see("its view", view.requires_grad)
    buffer.sum().backward()
    see("w.grad", w.grad)
    buffer = torch.zeros(3)
    view = buffer[1:]
    view.mul_(w)
    see("through a view", [buffer, view])


@behavior
def in_place_results_keep_the_dtype(torch, see):
    ints = torch.tensor([1, 2])
    with see.error("int += 1.5"):
        ints += 1.5
    with see.error("int /= 2"):
        ints /= 2
    ints += 1
    see("int += 1", ints)
    floats = torch.tensor([1.0, 2.0])
    floats += torch.tensor([1.0, 2.0], dtype=torch.float64)
    see("float32 += float64", floats)
    floats *= 2
    see("float32 *= 2", floats)
    with see.error("a result that grew"):
        floats += torch.ones(2, 2)


@behavior
def the_stale_message_names_the_current_node(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    writes = {
        "exp, then add_": (lambda y: y.add_(1)),
        "exp, then zero_": (lambda y: y.zero_()),
        "exp, then y[0] = 1": (lambda y: y.__setitem__(0, 1.0)),
        "exp, then mul_ under no_grad": (lambda y: no_grad_mul(torch, y)),
    }
    for name, write in writes.items():
        y = x.exp()
        write(y)
        with see.error(name):
            y.sum().backward()
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * x).sum()
    with torch.no_grad():
        w.sub_(0.1)
    with see.error("a leaf changed between forward and backward"):
        loss.backward()


def no_grad_mul(torch, y):
    with torch.no_grad():
        y.mul_(2)


@behavior
def detach_in_place(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    see("detach_ returns itself", y.detach_() is y)
    see("afterwards", [y.requires_grad, y.grad_fn, y.is_leaf])
    with see.error("of a view"):
        (x * 2)[:1].detach_()


@behavior
def what_is_a_view(torch, see):
    a = torch.arange(6.0).view(2, 3)
    for name, result in {
        "a": a,
        "a[0]": a[0],
        "a.t()": a.t(),
        "a.view(-1)": a.view(-1),
        "a.reshape(3, 2)": a.reshape(3, 2),
        "a.t().reshape(-1)": a.t().reshape(-1),
        "a.detach()": a.detach(),
        "a.data": a.data,
        "a.clone()": a.clone(),
        "a[[0]]": a[[0]],
        "a.expand(2, 2, 3)": a.expand(2, 2, 3),
        "a[...]": a[...],
    }.items():
        see(name, [result._is_view(), result.stride(), result.data_ptr() == a.data_ptr()])
    see("unchanged, the same object", [a.contiguous() is a, a.float() is a, a.to("cpu") is a])
    see("a new view all the same", [a.view(2, 3) is a, a.reshape(2, 3) is a, a[:] is a])
