"""What the snippets of this room show, how leaves and graphs behave, and the golden tables."""

from tests.autograd import golden
from tests.autograd.behavior import BEHAVIORS
from tests.oracle.observer import observe, unlike
from tests.oracle.recorded import Recording, of_snippets

RECORDING = of_snippets("autograd")
BEHAVIOR = Recording("behavior", BEHAVIORS, observe, unlike)


def order(graph, library):
    """A random graph, so that a seed which gives another one is noticed, and its order."""
    return {**graph, "order": golden.order_of_nodes(graph, library)}


STEPS = Recording("golden_steps", golden.PROGRAMS, golden.step_table)
ORDERS = Recording("golden_orders", [golden.random_graph(seed) for seed in range(20)], order)
OTHERS = Recording("golden_others", golden.OTHERS, lambda run, library: run(library))
