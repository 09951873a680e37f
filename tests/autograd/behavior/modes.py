"""Grad modes: nesting, exceptions, decorators, and what they do to flags."""

from tests.autograd.behavior.registry import behavior


@behavior
def modes_nest_and_restore(torch, see):
    enabled = torch.is_grad_enabled
    seen = [enabled()]
    with torch.no_grad():
        seen.append(enabled())
        with torch.enable_grad():
            seen.append(enabled())
        seen.append(enabled())
        with torch.set_grad_enabled(True):
            seen.append(enabled())
        seen.append(enabled())
    seen.append(enabled())
    see("enabled", seen)
    with see.error("an exception inside"), torch.no_grad():
        raise ValueError("inside")
    see("afterwards", enabled())


@behavior
def modes_decorate(torch, see):
    enabled = torch.is_grad_enabled

    @torch.no_grad()
    def with_brackets():
        """Say what the mode is."""
        return enabled()

    @torch.no_grad
    def without_brackets():
        return enabled()

    @torch.set_grad_enabled(False)
    def by_setting():
        return enabled()

    @torch.no_grad()
    def generator():
        yield enabled()
        yield enabled()

    see("called", [with_brackets(), without_brackets(), by_setting()])
    see("name and docstring", [with_brackets.__name__, with_brackets.__doc__])
    see("a generator inside, and outside between", [[inside, enabled()] for inside in generator()])
    see("afterwards", enabled())


@behavior
def set_grad_enabled_acts_when_made(torch, see):
    mode = torch.set_grad_enabled(False)
    see("made", torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    see("set back", torch.is_grad_enabled())
    with mode:
        see("entered", torch.is_grad_enabled())
    see("left", torch.is_grad_enabled())
    torch.set_grad_enabled(True)


@behavior
def rebinding_under_no_grad_loses_the_leaf(torch, see):
    w = torch.tensor([1.0], requires_grad=True)
    (w * 2).sum().backward()
    with torch.no_grad():
        rebound = w - 0.1 * w.grad
    see("rebound under no_grad", [rebound.requires_grad, rebound.is_leaf])
    outside = w - 0.1 * w.grad
    see("rebound outside", [outside.requires_grad, outside.is_leaf])
    with torch.no_grad():
        w -= 0.1 * w.grad
    see("changed in place under no_grad", [w.requires_grad, w.is_leaf, w])


@behavior
def a_new_thread_starts_enabled(torch, see):
    import threading

    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    see("in the thread", seen)


@behavior
def anomaly_mode_names_the_node(torch, see):
    x = torch.tensor([0.0], requires_grad=True)
    with torch.autograd.detect_anomaly(check_nan=True):
        y = torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x))
        with see.error("backward"):
            y.sum().backward()
    see("off again", torch.is_anomaly_enabled())
