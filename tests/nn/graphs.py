"""Graphs as nested lists of names."""


def graph_below(node):
    """A node, and everything that it passes its gradient to, as nested lists of names."""
    if node is None:
        return None
    return [node.name(), *(graph_below(target) for target, _ in node.next_functions)]
