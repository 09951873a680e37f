"""The handle that registering a hook returns."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable


class RemovableHandle:
    """What registering a hook returns: ``remove()`` or leaving ``with`` takes it away."""

    next_id = 0

    def __init__(self, hooks: OrderedDict):
        self.hooks = hooks
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    @classmethod
    def add(cls, hooks: OrderedDict, hook: Callable) -> RemovableHandle:
        handle = cls(hooks)
        hooks[handle.id] = hook
        return handle

    def remove(self) -> None:
        self.hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()
