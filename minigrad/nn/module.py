"""Module: what holds parameters, and other modules, and can be called.

Assigning a parameter or a module to an attribute enters it in a table of the module
(``_parameters``, ``_modules``), and reading the attribute looks there. Everything else walks these
tables: a module is a tree of modules, with parameters and buffers as the leaves.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from .. import dtypes
from ..autograd.around import notes
from ..autograd.graph import RemovableHandle
from ..tensor import Tensor
from . import states
from .parameter import Parameter, clear_gradients


class Module:
    """The base of all layers, losses and networks.

    A subclass calls ``super().__init__()``, assigns its parts to attributes, and defines
    ``forward``; calling the module runs it.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html

    >>> import minigrad as mg
    >>> class Scale(mg.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = mg.nn.Parameter(mg.tensor(3.0))
    ...
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> Scale()(mg.tensor([1.0, 2.0]))
    tensor([3., 6.], grad_fn=<MulBackward0>)
    """

    def __init__(self) -> None:
        self.training = True
        self._parameters: dict[str, Parameter | None] = {}
        self._buffers: dict[str, Tensor | None] = {}
        self._non_persistent_buffers_set: set[str] = set()
        self._modules: dict[str, Module | None] = {}
        self._forward_pre_hooks: OrderedDict = OrderedDict()
        self._forward_hooks: OrderedDict = OrderedDict()

    # -- being called ------------------------------------------------------------------------------

    def forward(self, *inputs: Any) -> Any:
        """What the module computes; every subclass says it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not OBSERVERS:
            return self._run(args, kwargs)
        with ExitStack() as observed:
            told = [observed.enter_context(observer(self, args)) for observer in OBSERVERS]
            output = self._run(args, kwargs)
            for tell in told:
                tell(output)
        return output

    def _run(self, args: tuple, kwargs: dict) -> Any:
        for hook in list(self._forward_pre_hooks.values()):
            replaced = hook(self, args)
            if replaced is not None:
                args = replaced if isinstance(replaced, tuple) else (replaced,)
        output = self.forward(*args, **kwargs)
        for hook in list(self._forward_hooks.values()):
            replaced = hook(self, args, output)
            if replaced is not None:
                output = replaced
        return output

    def register_forward_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, args)`` before ``forward``; it may return other arguments."""
        return RemovableHandle.add(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after ``forward``; it may return another output."""
        return RemovableHandle.add(self._forward_hooks, hook)

    # -- attributes --------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        # Only asked for what is no ordinary attribute.
        for table in TABLES:
            entries = self.__dict__.get(table, {})
            if name in entries:
                return entries[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        for table, kind, plural, called in REGISTERED:
            entries = self.__dict__.get(table)
            if isinstance(value, kind):
                if entries is None:
                    told = f"cannot assign {plural} before Module.__init__() call"
                    raise notes.known(AttributeError(told))
                if name not in entries:
                    self._forget(name)
                self.__dict__.pop(name, None)
                if kind is Parameter:
                    self.register_parameter(name, value)
                else:
                    entries[name] = value
                return
            if entries and name in entries:
                if value is not None:
                    error = TypeError(
                        f"cannot assign '{type_name(value)}' as {called} '{name}' "
                        f"(torch.nn.{kind.__name__} or None expected)"
                    )
                    if kind is Parameter and isinstance(value, Tensor):
                        raise notes.not_replaced(error, value, entries[name], name)
                    raise error
                entries[name] = None
                return
        buffers = self.__dict__.get("_buffers", {})
        if name not in buffers:
            object.__setattr__(self, name, value)
        elif value is None or isinstance(value, Tensor):
            buffers[name] = value
        else:
            raise TypeError(
                f"cannot assign '{type_name(value)}' as buffer '{name}' "
                "(torch.nn.Buffer, torch.Tensor or None expected)"
            )

    def __delattr__(self, name: str) -> None:
        if not self._forget(name):
            object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*super().__dir__(), *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[0].isdigit())

    def _forget(self, name: str) -> bool:
        """Remove a part from whichever table holds it."""
        holding = [self.__dict__[table] for table in TABLES if name in self.__dict__.get(table, ())]
        for entries in holding:
            del entries[name]
        self.__dict__.get("_non_persistent_buffers_set", set()).discard(name)
        return bool(holding)

    def _table_for(self, name: str, called: str) -> dict:
        """The table of the parts that are called so, if it can take the name."""
        entries = self.__dict__.get(f"_{called}s")
        if entries is None:
            told = f"cannot assign {called} before Module.__init__() call"
            raise notes.known(AttributeError(told))
        if not isinstance(name, str):
            raise TypeError(f"{called} name should be a string. Got {type_name(name)}")
        if hasattr(self, name) and name not in entries:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            got = f", got: {name}" if called == "module" else ""
            raise KeyError(f'{called} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{called} name can\'t be empty string ""')
        return entries

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Enter a parameter under a name; None keeps the place free.

        Raises:
            KeyError: the name is taken, empty, or has a dot in it.
            TypeError: ``param`` is no parameter.
            ValueError: something tracked was written into ``param``.
        """
        entries = self._table_for(name, "parameter")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type_name(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                f"created explicitly. To express '{name}' as a function of another Tensor, compute "
                "the value in the forward() method."
            )
        entries[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Enter a tensor that belongs to the module but is not trained.

        Args:
            name, tensor: the buffer; None keeps the place free.
            persistent: whether it is part of :meth:`state_dict`.

        Raises:
            KeyError: the name is taken, empty, or has a dot in it.
            TypeError: ``tensor`` is no tensor.
        """
        entries = self._table_for(name, "buffer")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        entries[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Enter a child under a name.

        Raises:
            KeyError: the name is taken, empty, or has a dot in it.
            TypeError: ``module`` is no module.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._table_for(name, "module")[name] = module

    register_module = add_module

    # -- walking the tree --------------------------------------------------------------------------

    def named_modules(
        self, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """The module and all below it, each with the path to it, and each once.

        >>> import minigrad as mg
        >>> [name for name, _ in mg.nn.Sequential(mg.nn.ReLU(), mg.nn.Tanh()).named_modules()]
        ['', '0', '1']
        """
        seen = set()
        waiting = [(prefix, self)]
        while waiting:
            path, module = waiting.pop()
            if remove_duplicate and module in seen:
                continue
            seen.add(module)
            yield path, module
            named = [(name, part) for name, part in module._modules.items() if part is not None]
            children = [(f"{path}.{name}" if path else name, part) for name, part in named]
            waiting += reversed(children)

    def modules(self) -> Iterator[Module]:
        """The module and all below it, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules right below this one, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules right below this one, without their names."""
        return (module for _, module in self.named_children())

    def get_submodule(self, target: str) -> Module:
        """The module at the end of a path such as ``"0.layer"``.

        Raises:
            AttributeError: the path leads to no module.
        """
        module = self
        for name in target.split(".") if target else ():
            module = module._part(name, Module)
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at the end of a path such as ``"0.weight"``.

        Raises:
            AttributeError: the path leads to no parameter.
        """
        path, _, name = target.rpartition(".")
        return self.get_submodule(path)._part(name, Parameter)

    def _part(self, name: str, kind: type) -> Any:
        """The attribute of this name, which has to be of this kind."""
        if not hasattr(self, name):
            raise AttributeError(f"{type(self).__name__} has no attribute `{name}`")
        part = getattr(self, name)
        if not isinstance(part, kind):
            raise AttributeError(f"`{name}` is not an nn.{kind.__name__}")
        return part

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with the paths to them, each once.

        Args:
            prefix: what all paths start with.
            recurse: whether to go below this module.
            remove_duplicate: whether a parameter that stands in two places counts once.

        >>> import minigrad as mg
        >>> [name for name, _ in mg.nn.Sequential(mg.nn.Linear(2, 3)).named_parameters()]
        ['0.weight', '0.bias']
        """
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once: what an optimizer is given."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with the paths to them, each once."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _named_members(self, table: str, prefix: str, recurse: bool, remove_duplicate: bool):
        paths = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
        seen = set()
        for path, module in paths:
            for name, member in getattr(module, table).items():
                if member is None or remove_duplicate and member in seen:
                    continue
                seen.add(member)
                yield f"{path}.{name}" if path else name, member

    def apply(self, fn: Callable[[Module], None]) -> Module:
        """Call ``fn`` with every module below this one, then with this one; returns the module."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # -- training ----------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Module:
        """Put the module and all below it into training mode; recording goes on in either mode.

        Raises:
            ValueError: ``mode`` is not a bool.
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Module:
        """Put the module and all below it into evaluation mode: the flag ``training`` is False.

        >>> import minigrad as mg
        >>> mg.nn.Linear(1, 1).eval()(mg.ones(1)).requires_grad  # not the same as no_grad
        True
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Ask for gradients of all parameters, or freeze them; returns the module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take the gradients of all parameters away, or fill them with zeros."""
        clear_gradients(self.parameters(), set_to_none)

    # -- dtypes ------------------------------------------------------------------------------------

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Convert all floating point parameters in place, as ``Tensor.to``, and replace buffers.

        Raises:
            TypeError: the dtype is not a floating point one.
        """
        for wanted in (*args, *kwargs.values()):
            dtype = wanted.dtype if isinstance(wanted, Tensor) else wanted
            if isinstance(dtype, dtypes.dtype) and not dtype.is_floating_point:
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, "
                    f"but got desired dtype={dtype}"
                )
        return self._convert(lambda tensor: tensor.to(*args, **kwargs))

    def float(self) -> Module:
        """Convert all floating point parameters and buffers to float32; returns the module."""
        return self.to(dtypes.float32)

    def double(self) -> Module:
        """Convert all floating point parameters and buffers to float64; returns the module."""
        return self.to(dtypes.float64)

    def half(self) -> Module:
        """Convert all floating point parameters and buffers to float16; returns the module."""
        return self.to(dtypes.float16)

    def cpu(self) -> Module:
        """The module itself: there is no other device."""
        return self

    def _convert(self, convert: Callable[[Tensor], Tensor]) -> Module:
        for parameter in self.parameters():
            if parameter.dtype.is_floating_point:
                parameter.data = convert(parameter.data)
                if parameter.grad is not None:
                    parameter.grad.data = convert(parameter.grad.data)
        for module in self.modules():
            for name, buffer in module._buffers.items():
                if buffer is not None and buffer.dtype.is_floating_point:
                    module._buffers[name] = convert(buffer)
        return self

    # -- saving and loading ------------------------------------------------------------------------

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Tensor]:
        """All parameters and buffers by path. They share memory with the module.

        Args:
            prefix: what all paths start with.
            keep_vars: give the parameters themselves instead of detached tensors.

        >>> import minigrad as mg
        >>> list(mg.nn.Sequential(mg.nn.Linear(2, 1)).state_dict())
        ['0.weight', '0.bias']
        """
        members = states.named_state(self)
        return OrderedDict(
            (prefix + path, tensor if keep_vars else tensor.detach()) for path, tensor in members
        )

    def load_state_dict(
        self, state_dict: dict[str, Tensor], strict: bool = True
    ) -> states.LoadedKeys:
        """Copy the values of a state into the parameters and buffers.

        Args:
            state_dict: values by path, as from :meth:`state_dict`.
            strict: whether the paths must be exactly those of the module.

        Returns:
            The paths that were missing, and those that were not expected.

        Raises:
            TypeError: ``state_dict`` is no dict.
            RuntimeError: paths or shapes do not match; the message lists them all.
        """
        return states.load(self, state_dict, strict)

    # -- printing ----------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands between the brackets of the repr."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [
            f"({name}): {module!r}".replace("\n", "\n  ") for name, module in self._modules.items()
        ]
        if not children and len(lines) <= 1:
            return f"{type(self).__name__}({extra})"
        body = "\n  ".join(lines + children)
        return f"{type(self).__name__}(\n  {body}\n)"


#: What wants to know of every call of a module, in any thread: a function of the module and its
#: arguments, giving a context manager whose value is called with the output.
OBSERVERS: list[Callable[[Module, tuple], AbstractContextManager]] = []

TABLES = ("_parameters", "_buffers", "_modules")
# What assigning an attribute enters: the table, the kind of value, and the words of the messages.
REGISTERED = (
    ("_parameters", Parameter, "parameters", "parameter"),
    ("_modules", Module, "module", "child module"),
)


def type_name(value: object) -> str:
    """The type of a value, or a class itself, as messages call it."""
    if isinstance(value, Tensor):
        return value.type()
    named = value if hasattr(value, "__qualname__") else type(value)  # a generator has its own name
    module = getattr(named, "__module__", None)
    is_builtin = module in ("builtins", None)
    return named.__qualname__ if is_builtin else f"{module}.{named.__qualname__}"
