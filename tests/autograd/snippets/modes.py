"""Grad modes and anomaly mode: their objects, and what they decorate."""

from tests.oracle.snippets import snippet


@snippet
def what_a_mode_remembers(torch, see):
    for mode in (torch.no_grad, torch.enable_grad):
        outer = mode()
        with outer:
            see("before", outer.prev)
    switched = torch.set_grad_enabled(False)
    see("switched", [switched.prev, switched.mode])
    with switched.clone() as nothing:
        see("again", [nothing, torch.is_grad_enabled()])
    with switched:
        see("inside", torch.is_grad_enabled())
    see("after", torch.is_grad_enabled())


@snippet
def a_class_is_decorated_with_a_warning(torch, see):
    class Reads:
        def __init__(self):
            self.recorded = torch.is_grad_enabled()

    see("called", torch.no_grad()(Reads)().recorded)
    see("bare", torch.no_grad(Reads)().recorded)
    see("set", torch.set_grad_enabled(False)(Reads)().recorded)
    see("inference", torch.inference_mode(Reads)().recorded)


@snippet
def whatever_is_no_bool_is_decorated_by_inference_mode(torch, see):
    for function in (1, None, "a"):
        see("callable", callable(torch.inference_mode(function)))
        with see.error("called"):
            torch.inference_mode(function)()
    see("by name", torch.inference_mode(mode=torch.is_inference_mode_enabled)())


@snippet
def anomaly_mode_is_put_back_as_it_was_when_the_object_was_made(torch, see):
    def now():
        return [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]

    detect = torch.autograd.anomaly_mode.detect_anomaly(check_nan=False)
    see("made", [detect.prev, detect.prev_check_nan, detect.check_nan])
    torch.set_anomaly_enabled(True)
    see("by hand", now())
    with detect:
        see("inside", now())
    see("after", now())
    with torch.autograd.set_detect_anomaly(True) as nothing:
        see("inside", [nothing, *now()])
    see("after", now())
    for number in (1, None):
        with see.error("no bool"):
            torch.autograd.set_detect_anomaly(number)
        with see.error("no bool"):
            torch.set_anomaly_enabled(True, number)
    see("after", now())
