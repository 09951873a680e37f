"""``autograd.grad(..., is_grads_batched=True)``."""

from tests.oracle.snippets import snippet


@snippet
def rows(torch, see):
    grad = torch.autograd.grad
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    y = x * x * w
    unit = torch.eye(3)
    see("jacobian", grad(y, x, unit, is_grads_batched=True, retain_graph=True))
    see("two inputs", grad(y, (x, w), unit, is_grads_batched=True, retain_graph=True))
    see("of a dict", grad(y, {"x": x}, unit, is_grads_batched=True, retain_graph=True))
    see("grads", (x.grad, w.grad))
    (row,) = grad(y, x, unit[:2], is_grads_batched=True, create_graph=True)
    see("recorded", row.requires_grad)
    see("second", grad(row.sum(), (x, w)))
    z = (x * 3).sum()
    see("two outputs", grad((x * 2, z), x, (unit, torch.ones(3)), is_grads_batched=True))
    with see.error("freed"):
        grad((x * x, z), x, (unit, torch.ones(3)), is_grads_batched=True)


@snippet
def unused_and_wrong(torch, see):
    grad = torch.autograd.grad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    unit = torch.eye(2)
    see("unused", grad(x * 2, (x, w), unit, is_grads_batched=True, allow_unused=True))
    with see.error("unused, not allowed"):
        grad(x * 2, (x, w), unit, is_grads_batched=True)
    with see.error("another shape"):
        grad(x * 2, x, torch.ones(2, 3), is_grads_batched=True)
    with see.error("no vectors"):
        grad(x * 2, x, is_grads_batched=True)
    with see.error("of a number"):
        grad(x.sum(), x, torch.ones(2, 3), is_grads_batched=True)
    with see.error("sizes"):
        grad((x * x, x * 3), x, (unit, torch.ones(3, 2)), is_grads_batched=True)
    with see.error("empty"):
        grad(x * x, x, torch.ones(0, 2), is_grads_batched=True)


@snippet
def recorded_while_nothing_else_is(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    with torch.no_grad():
        (rows,) = torch.autograd.grad(y, x, torch.eye(2), create_graph=True, is_grads_batched=True)
    see("recorded", rows.requires_grad)
    see("second", torch.autograd.grad(rows.sum(), x))
