"""What does this error mean: the notes under errors, and ``mg.why``?

``notes.toml`` holds the words of notes, and ``messages.toml`` what known messages mean.

* ``last_error``: ``minigrad.why``: the last error again, in words; also errors of Python's own
* ``error_notes``: notes on errors: PyTorch's sentence stays as it is, and what would have helped
  comes after it
* ``saved_notes``: notes on values that a node had saved: changed in place since, or let go of by a
  pass
* ``hook_notes``: notes on hooks that return what cannot take the gradient's place
* ``own_checks``: checks of the reader's that fail, as ``assert (boxes >= 0).all()``, because of nan
  or inf
* ``nan_notes``: notes on a derivative that gave nan in anomaly mode: where it began, by what the
  nodes saved
* ``under_errors``: what the core asks for under an error: its note, or the error as it is where
  help itself fails
* ``for_notes``: what the notes on errors say about a program, in sentences
* ``graph_across_rounds``: what takes the graph of one round of a loop into the next: a state that
  is kept between calls
* ``lists_across_rounds``: lists that grow from round to round, and hold results of an earlier one
* ``earlier_pass``: a result that a pass of an earlier line has gone through: all of what is asked,
  or a part
* ``read_by_numpy``: what a line asked NumPy to compute with a tensor that requires grad, and how
  tensors do that
* ``sum_across_rounds``: a result that each round of a loop adds to, and that a pass of each round
  goes through again
* ``both_passes``: a result that two passes of different lines go through, as of a generator and a
  discriminator
* ``before_the_loop``: results of before a loop that each round goes back through: made anew, or
  without a history
"""
