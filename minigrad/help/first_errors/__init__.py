"""Which first error is this: a class, an array, a size, a name, a None?

``attributes.toml`` holds what other libraries call otherwise.

* ``first_errors``: the first errors of somebody who begins: which rule answers which, by what the
  error says
* ``arguments``: calls that do not fit what is called: too many arguments, too few, or of another
  name
* ``attributes``: attributes that an object does not have: misspelt, never set, or those of
  something else
* ``classes``: a class where an object of it is meant, and a layer where the tensor is meant that it
  gives
* ``forward``: a module without ``forward``, or whose ``__init__`` never ran: what its class has
  instead
* ``layer_sizes``: sizes that do not fit a matrix product: which layer it is, what it got, and which
  size fits
* ``custom_functions``: an ``autograd.Function`` that is called without ``apply``, and what its
  context keeps
* ``layer_inputs``: what a layer or a loss was given in the place of a tensor: an array, a list, a
  number, a text
* ``other_dtypes``: tensors of two dtypes where one is wanted: which is the odd one, and where it
  was made
* ``targets``: outputs and targets that a loss refuses: columns, one-hot rows, classes that are no
  classes
* ``no_tensor``: what stood where a tensor was meant: None, a number, a tuple, a method without its
  brackets
* ``order_of_results``: results that are unpacked in another order than a function returns them
* ``made_none``: what made a None: a function without ``return``, a method that gives nothing, a
  line, or ``autograd.grad(..., allow_unused=True)``, to whose input the way is cut
* ``none_came_from``: where a None came from that a tensor was meant by, also through the calls it
  was handed down
* ``no_parameters``: what an optimizer got for a list of parameters: none, a module, or several
  lists
* ``operands``: what the failing line computes with: the shape of each tensor, and what made it
"""
