"""What do the lines of a program do to its tensors: what is computed from what, and what is cut?

``cuts.toml`` holds the ways to lose a history: what is said of each, and what to write instead.

* ``cuts``: what takes the history away from a value, as it stands in a program, and what to do
  instead
* ``breaks``: where a history was cut, by line, and what to write instead
* ``above_loops``: names that are bound once, above a loop that reads them and runs passes
* ``arrays``: what a line that gives up NumPy needs besides: tensors for arrays, and a tensor's
  methods
* ``next_leaf``: values that a round hands to the next one as its leaf: ``x = (x + step).detach()``
* ``detached_for_a_pass``: what is detached where it is made, and used by several backward passes:
  which are to do without
* ``straight_through``: sums in which a term is there with its history, and taken off without:
  ``x + (q - x).detach()``
* ``numpy_to_tensors``: calls of NumPy and of `math` as they are written with tensors, with nothing
  left that cuts
* ``updates``: lines that take a step from leaves, as in ``w = w - lr * w.grad``, and how to take it
  in place
* ``unread_values``: values that a line computes and nothing reads: ``g = g * 0.5`` of a gradient
* ``counted``: functions of the reader's that count by an ``if``, which no gradient passes
* ``soft``: smooth stand-ins for what moves in jumps: a sigmoid for a comparison, products for ``&``
* ``dropped_values``: results that get no name, so that what they were computed of stays as it was
* ``derivatives``: lines that name derivatives, and those that differentiate what another one gave
* ``recorded_steps``: steps that are to keep their history, as those of an inner loop whose rate is
  learned
* ``picked``: what stands in for entries that are picked by a position or a draw
* ``program``: the reader's own lines: how one name was computed from another, and what was lost on
  the way
* ``reading``: the statements of a program, taken down one by one as steps: see :mod:`.steps`
* ``steps``: the statements of a program as steps, and what else can be read of one statement
* ``statements``: what one statement does to names: binds them, writes into their tensors, asks for
  gradients
* ``evaluated``: what a written expression gives, computed again from values under names; no code of
  others runs
* ``argument_names``: what the functions that run now call one tensor, which each was handed by the
  one around it
* ``emptied``: whether a line of the program empties gradients
* ``stepped``: whether steps have changed a leaf, as its version and the text of the program tell
* ``training_loop``: the order of ``zero_grad()``, ``backward()`` and ``step()``, as the reader's
  loops have it
* ``makers``: which line made what stands in a failing line: back through names, arguments, loops,
  and lists
* ``failure``: what an error leaves to look at: the reader's lines that it went through, and where
  values began
"""
