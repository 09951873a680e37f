"""What do the graph and the engine's record hold: which operations, run by which lines?

Also what an operation does to numbers and to gradients, whatever the program; the words for it
stand in ``operations.toml``, by the names of their nodes.

* ``nodes``: the nodes of a graph by their public doors, so that one of PyTorch is walked in the
  same way
* ``history``: the graph behind a tensor, looked at without touching it
* ``expression_of_node``: where an operation of a graph stands in the program: which written
  expression has run it
* ``layer_of_node``: which layer of a ``Sequential`` has run an operation, and the line that called
  the whole
* ``expression_matches_node``: whether an expression is written like an operation of a graph, by
  what it is given and gives
* ``recorded``: what the engine has kept of lines that took a history away: they ran, and did this
* ``cuts_in_words``: what a line took away whose cut was recorded, and what to write instead: from a
  record to words
* ``grad_mode_off``: what had turned grad mode off where nothing was recorded: a block, a decorator,
  or a line before
* ``put_into_leaves``: a value with a history that a line puts into a leaf, which has none: how to
  compute with it
* ``saved_views``: views that a node has kept, and that a write to what they are a view of has
  changed
* ``bounds``: between what a graph shows its results to lie, whatever numbers went in
* ``chosen_before``: how a ``where`` picks the input of an operation that it picks the result of
* ``slopes``: where the slope of an operation is infinite, or has no value at all: the conditions
* ``nan_makers``: how operations make nan or inf of numbers: the conditions. Words stand in
  ``operations.toml``
* ``added_alone``: leaves that are only added on their way into a result: with which signs
* ``zero_slopes``: operations that let no gradient through: the conditions. Words stand in
  ``operations.toml``
* ``softmax_dims``: the dimension that a softmax runs over, and the one that it is meant to run over
* ``overflow``: what to use where an exp overflows: that depends on what its result goes into
* ``masked``: -inf that a mask has put among scores, of which softmax makes 0: nothing is wrong with
  those
* ``masked_rows``: rows of a softmax that a mask has set to -inf as a whole: which, and the line of
  the mask
* ``nan_and_inf``: where nan and inf begin: values that hold them, and operations whose slope is
  infinite
* ``computed_again``: values that a pass has let go of, computed again from tensors nobody has
  written to since
* ``out_of_place``: lines that wrote in place, as the reader would write them out of place
"""
