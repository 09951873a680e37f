"""Copying and pickling tensors."""

import copy
import importlib
import pickle

from tests.oracle.snippets import snippet


def tell(see, name, x):
    see(name, (x, x.requires_grad, x.is_leaf, x.grad, x.stride(), x._is_view()))


@snippet
def a_pickled_tensor_is_a_leaf(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.sum().backward()
    x.note = "mine"
    turned = torch.ones(2, 3).t()
    for name, tensor in {"leaf": x, "result": y, "view": y[1:], "turned": turned}.items():
        tell(see, name, pickle.loads(pickle.dumps(tensor)))
    again = pickle.loads(pickle.dumps(x))
    see("note", again.note)
    (again * 3).sum().backward()
    see("gradients", (again.grad, x.grad))
    layer = torch.nn.Linear(2, 1)
    layer(torch.ones(1, 2)).sum().backward()
    same = pickle.loads(pickle.dumps(layer))
    see("layer", (torch.equal(same.weight, layer.weight), same.weight.grad))


@snippet
def a_shallow_copy_shares_the_memory(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    for name, tensor in {"leaf": x, "result": x * 2}.items():
        other = copy.copy(tensor)
        tell(see, name, other)
        see("memory", other.data_ptr() == tensor.data_ptr())


@snippet
def a_deep_copy_lies_in_memory_as_the_original(torch, see):
    x = torch.arange(6.0).view(2, 3)
    for name, tensor in {"turned": x.t(), "part": x[:, 1:], "one": x[0, 0]}.items():
        tell(see, name, copy.deepcopy(tensor))
    tell(see, "expanded", copy.deepcopy(torch.ones(1).expand(3)))
    tell(see, "empty", copy.deepcopy(x[:0]))
    x.note = ["mine"]
    other = copy.deepcopy(x)
    see("note", (other.note, other.note is x.note))


@snippet
def deep_copies_share_memory_as_the_originals(torch, see):
    x = torch.zeros(3, requires_grad=True)
    x.grad = torch.ones(3)
    copies = copy.deepcopy([x, x.detach()[1:], x.grad, x.detach().view(3, 1), x])
    copies[1][0] = 5
    see("copies", copies)
    see("the same", (copies[0] is copies[4], copies[2] is copies[0].grad))
    see("original", x)


@snippet
def pickling_warns_of_hooks_that_stay_behind(torch, see):
    utils = importlib.import_module(f"{torch.__name__}.utils.hooks")
    x = torch.ones(2, requires_grad=True)
    x.register_hook(utils.unserializable_hook(lambda grad: None))
    see("marked", pickle.loads(pickle.dumps(x)))
    handle = x.register_hook(print)
    see("not marked", pickle.loads(pickle.dumps(x)))
    see("deep", copy.deepcopy(x))
    see("a handle", isinstance(handle, utils.RemovableHandle))
