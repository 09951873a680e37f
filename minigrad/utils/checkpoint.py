"""Checkpointing: keep the arguments of a function instead of what its operations save.

The backward pass runs the function again to get the saved values back. Two ways to do so:

* ``use_reentrant=False``: saved-tensor hooks keep a place for each saved value. The first value
  asked for runs the function once more and fills all places. The graph is an ordinary one.
* ``use_reentrant=True``: the function runs unrecorded, as a single node ``CheckpointFunction``. Its
  backward runs the function recorded and starts a backward pass of its own, inside the other one.

Source: https://docs.pytorch.org/docs/2.13/checkpoint.html
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

from ..autograd import Function, backward
from ..autograd.grad_mode import enable_grad, is_grad_enabled, no_grad
from ..autograd.node import PlainNode
from ..autograd.thread_state import state
from ..extras import random
from ..extras.saved_hooks import pack_saved, saved_tensors_hooks
from ..ops.template import save, unpacked
from ..tensor import Tensor

UNSAID = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
    "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. "
    "use_reentrant=False is recommended, but if you need to preserve the current default "
    "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences "
    "between the two variants."
)
SUPPRESSED = (
    "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception "
    "raised during the checkpointed forward. This is not supported because checkpoint cannot "
    "return a value for a failed forward."
)
DEBUG_TIP = (
    "\nTip: To see a more detailed error message, either pass `debug=True` to\n"
    "`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\n"
    "with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\n"
    "enable checkpoint‑debug mode globally.\n"
)


class CheckpointError(RuntimeError):
    """The function did not do the same when it ran again."""


def noop_context_fn() -> tuple:
    """The contexts of the first run and of the second, where nothing is asked for."""
    return nullcontext(), nullcontext()


def checkpoint(
    function: Callable,
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, whose operations keep nothing; backward runs it again.

    Args:
        function: gives the same results each time it gets the same arguments.
        use_reentrant: which of the two ways (see the top of this module); None warns, and is True.
        context_fn: gives two context managers, for the first run and for the second.
        determinism_check: "default" compares shapes and dtypes of what the two runs save, "none"
            does not.
        debug: not supported.
        early_stop: end the second run as soon as everything that was saved is there.
        preserve_rng_state: the second run draws the random numbers of the first.
        kwargs: for the function, if ``use_reentrant`` is False.

    Raises:
        ValueError: arguments that the chosen way does not take.
        CheckpointError: in backward, when the second run saves something else than the first.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = mg.utils.checkpoint.checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    >>> y.backward()
    >>> x.grad
    tensor(3.3129)
    """
    if use_reentrant is None:
        warnings.warn(UNSAID, UserWarning, stacklevel=2)
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError(
                "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
            )
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if debug:
        raise NotImplementedError("utils.checkpoint.checkpoint: debug=True is not supported")
    if determinism_check not in FACTS:
        raise ValueError(
            f"determinism_check should be one of {list(FACTS)}, but got {determinism_check}"
        )
    first_context, second_context = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    run = Run(function, kwargs, second_context, preserve_rng_state)
    frame = Frame(run, args, FACTS[determinism_check], early_stop)
    with frame.hooks(), first_context:
        return function(*args, **kwargs)
    raise RuntimeError(SUPPRESSED)


class Run:
    """A function as it ran the first time, to be run again."""

    def __init__(self, function, kwargs, context, preserve_rng_state):
        self.function = function
        self.kwargs = kwargs
        self.context = context
        self.rng_state = random.get_rng_state() if preserve_rng_state else None

    def again(self, args: tuple) -> Any:
        """The results once more, recorded."""
        with ExitStack() as stack:
            if self.rng_state is not None:
                stack.enter_context(random.fork_rng())
                random.set_rng_state(self.rng_state)
            stack.enter_context(enable_grad())
            stack.enter_context(self.context)
            return self.function(*args, **self.kwargs)


# -- use_reentrant=False ---------------------------------------------------------------------------


class Place:
    """Stands for one saved value: its number among those of the function."""

    def __init__(self, number: int):
        self.number = number


class _Enough(Exception):
    """Ends the second run: all values are there."""


class Arguments(PlainNode):
    """The arguments of a checkpointed call, kept as a node keeps what it saves."""

    __slots__ = ()

    def __init__(self, args: tuple):
        super().__init__((), tuple(save(a) if isinstance(a, Tensor) else a for a in args))
        pack_saved(self)

    def unchanged(self) -> tuple:
        """The arguments.

        Raises:
            RuntimeError: a tensor among them was written to in place.
        """
        return tuple(unpacked(kept, self, recorded=True) for kept in self.saved)


class Frame:
    """The saved values of one checkpointed call.

    Attributes:
        facts: what the first run said about each value.
        values: pass -> what the second run saved, until that pass ends.
    """

    def __init__(self, run: Run, args: tuple, facts_of: Callable, early_stop: bool):
        self.run = run
        self.args = Arguments(args)
        self.facts_of = facts_of
        self.early_stop = early_stop
        self.facts: list = []
        self.values: WeakKeyDictionary = WeakKeyDictionary()

    def hooks(self) -> saved_tensors_hooks:
        """Let the operations inside keep places."""
        return saved_tensors_hooks(self.keep_place, self.value_at)

    def keep_place(self, tensor: Tensor) -> Place:
        self.facts.append(self.facts_of(tensor))
        return Place(len(self.facts) - 1)

    def value_at(self, place: Place) -> Tensor:
        """The value of a place, which is given away: the memory is free after its last use."""
        this_pass = state.here.running
        values = None if this_pass is None else self.values.get(this_pass)
        if values is None:
            values = self.recomputed()
            if this_pass is not None:
                self.values[this_pass] = values
        if place.number not in values:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                "unpacked once. If you are calling ctx.saved_tensors in backward, make sure to do "
                "so only once. Otherwise please open an issue with details on your use case."
            )
        return values.pop(place.number)

    def recomputed(self) -> dict[int, Tensor]:
        """What the second run saves."""
        values: list[Tensor] = []

        def keep(tensor: Tensor) -> Tensor:
            values.append(tensor.detach() if tensor.requires_grad else tensor)
            if self.early_stop and len(values) == len(self.facts):
                raise _Enough
            if len(values) > len(self.facts):
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation "
                    f"than during the original forward pass.\n{DEBUG_TIP}"
                )
            return values[-1]

        try:
            with saved_tensors_hooks(keep, lambda kept: kept):
                self.run.again(self.args.unchanged())
        except _Enough:
            pass
        self.check(values)
        return dict(enumerate(values))

    def check(self, values: list[Tensor]) -> None:
        """Refuse a second run that was not like the first."""
        if len(values) != len(self.facts):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.facts)}\n"
                f"Number of tensors saved during recomputation: {len(values)}.\n{DEBUG_TIP}"
            )
        pairs = enumerate(zip(self.facts, map(self.facts_of, values)))
        unlike = [
            f"tensor at position {i}:\nsaved metadata: {saved}\nrecomputed metadata: {again}\n"
            for i, (saved, again) in pairs
            if saved != again
        ]
        if unlike:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have "
                f"different metadata than during the forward pass.\n{''.join(unlike)}.\n{DEBUG_TIP}"
            )


def shape_and_dtype(tensor: Tensor) -> dict:
    """What must be the same in both runs."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


FACTS: dict[str, Callable] = {"default": shape_and_dtype, "none": lambda tensor: None}


# -- use_reentrant=True ----------------------------------------------------------------------------


class CheckpointFunction(Function):
    """The function as one node."""

    @staticmethod
    def forward(ctx, function, preserve_rng_state, *args):
        if not any(isinstance(each, Tensor) and each.requires_grad for each in args):
            warnings.warn(
                "None of the inputs have requires_grad=True. Gradients will be None",
                UserWarning, stacklevel=2,
            )  # fmt: skip
        ctx.run = Run(function, {}, nullcontext(), preserve_rng_state)
        ctx.others = [None if isinstance(each, Tensor) else each for each in args]
        ctx.places = [i for i, each in enumerate(args) if isinstance(each, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if state.here.running is not None and state.here.running.restricted:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the `inputs` "
                "argument."
            )
        args = list(ctx.others)
        for i, tensor in zip(ctx.places, ctx.saved_tensors):
            args[i] = tensor.detach().requires_grad_(tensor.requires_grad)
        outputs = ctx.run.again(args)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (y, g) for y, g in zip(outputs, grads) if isinstance(y, Tensor) and y.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward(*zip(*pairs))
        return None, None, *[each.grad if isinstance(each, Tensor) else None for each in args]
