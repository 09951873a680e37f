"""What one case of the table shows on a library: results, graph, first and second gradients."""

import warnings

from tests.oracle.observer import every_warning, normalized, plain, said_by, warning_text


def observed(case, torch):
    """Run a case and write down all that a user could see of it, as plain data."""
    inputs = [array.build(torch) for array in case.inputs]
    before = [repr(tensor) for tensor in inputs]
    with warnings.catch_warnings(record=True) as given, every_warning(torch):
        try:
            returned = case.call(torch, *inputs)
        except Exception as error:
            return {"raises": type(error).__name__, "text": said_by(error)}
    seen = {"returns": described(returned)}
    if given:
        seen["warns"] = [warning_text(entry.message) for entry in given]
    outputs = [tensor for tensor in tensors_in(returned) if tensor.requires_grad]
    tracked = [tensor for tensor in inputs if tensor.requires_grad]
    if outputs and tracked:
        seen["node"] = node_of(outputs[0])
        try:
            seen.update(gradients(torch, outputs, tracked))
        except Exception as error:
            seen["backward"] = {"raises": type(error).__name__, "text": said_by(error)}
    if [repr(tensor) for tensor in inputs] != before:
        seen["changed its inputs"] = True
    return seen


def described(value):
    """What an operation returned: a tensor, several, or something else."""
    if isinstance(value, (list, tuple)) and tensors_in(value):
        several = {"type": type(value).__name__, "parts": [described(part) for part in value]}
        if hasattr(value, "values"):  # (values, indices) print under the operation's name
            several["prints"] = normalized(repr(value))
        return several
    if not is_tensor(value):
        return plain(value)
    details = {
        **plain(value),
        "shape": list(value.shape),
        "contiguous": value.is_contiguous(),
        "version": value._version,
    }
    if value._is_view():  # the step of a dim of size 1 is never taken
        steps = zip(value.stride(), value.shape, strict=True)
        details["view"] = [step for step, size in steps if size > 1]
    return details


def is_tensor(value):
    return hasattr(value, "requires_grad") and hasattr(value, "tolist")


def tensors_in(value):
    """The tensors in what an operation returned."""
    if isinstance(value, (list, tuple)):
        return [part for part in value if is_tensor(part)]
    return [value] if is_tensor(value) else []


def node_of(tensor):
    """The node that made a tensor: its name, its edges, what it saved."""
    node = tensor.grad_fn
    if node is None:
        return None
    edges = [[target and target.name(), number] for target, number in node.next_functions]
    return {"name": node.name(), "edges": edges, "saved": saved_by(node)}


def saved_by(node):
    """What a node keeps: tensors by shape and dtype, everything else by value."""
    if hasattr(node, "saved_names"):
        names = [*node.saved_names(), *getattr(node.rule, "arguments", ())]
    else:
        names = [name.removeprefix("_saved_") for name in dir(node) if name.startswith("_saved_")]
    saved = {}
    for name in sorted(names):
        value = getattr(node, f"_saved_{name}")
        if is_tensor(value):
            saved[name] = {"tensor": list(value.shape), "dtype": str(value.dtype)}
        elif value is not None:
            saved[name] = plain(signed(value))
    return saved


def signed(value):
    """A number that a node shows; PyTorch's show negative ones as unsigned 64-bit numbers."""
    if isinstance(value, tuple):
        return tuple(map(signed, value))
    return value - 2**64 if isinstance(value, int) and value >= 2**63 else value


def weights(torch, like, start):
    """Numbers to weigh the elements of a result with: the v of vᵀJ, different for each element."""
    values = [((index * 7 + start) % 5 - 2) * 0.5 + 0.25 for index in range(like.numel())]
    return torch.tensor(values, dtype=like.dtype).reshape(like.shape)


def gradients(torch, outputs, tracked):
    """First and second gradients of the weighted results for every tracked input."""
    seeds = [weights(torch, output, 0) for output in outputs]
    first = torch.autograd.grad(
        outputs, tracked, seeds, retain_graph=True, create_graph=False, allow_unused=True
    )
    found = {"gradients": [plain_gradient(gradient) for gradient in first]}
    again = torch.autograd.grad(outputs, tracked, seeds, create_graph=True, allow_unused=True)
    differentiable = [g for g in again if g is not None and g.requires_grad]
    found["has a path on"] = [bool(g is not None and g.requires_grad) for g in again]
    if differentiable:
        seeds = [weights(torch, gradient, 1) for gradient in differentiable]
        second = torch.autograd.grad(differentiable, tracked, seeds, allow_unused=True)
        found["second gradients"] = [plain_gradient(gradient) for gradient in second]
    return found


def plain_gradient(gradient):
    """A gradient by dtype, shape and numbers; None where there is none."""
    if gradient is None:
        return None
    entry = plain(gradient.clone())  # PyTorch may hand out a zero without memory; a clone has some
    return {"dtype": entry["dtype"], "shape": list(gradient.shape), "numbers": entry["numbers"]}
