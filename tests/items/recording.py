"""What the items of the documents and the behaviors beyond them show, and the golden tables."""

from tests.items import snippets
from tests.items.behavior import BEHAVIORS
from tests.oracle import golden
from tests.oracle.recorded import Recording, of_snippets

ITEMS = of_snippets("items", {name: item.run for name, item in snippets().items()})
BEHAVIOR = of_snippets("behavior", BEHAVIORS)


def order(graph, library):
    """A random graph, so that a seed which gives another one is noticed, and its order."""
    return {**graph, "order": golden.order_of_nodes(graph, library)}


STEPS = Recording("golden_steps", golden.PROGRAMS, golden.step_table)
ORDERS = Recording("golden_orders", [golden.random_graph(seed) for seed in range(20)], order)
OTHERS = Recording("golden_others", golden.OTHERS, lambda run, library: run(library))
