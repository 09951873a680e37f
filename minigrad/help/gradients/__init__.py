"""Why is a ``.grad`` None, 0, or a sum of several passes; why is this no leaf, or not tracked?

* ``untracked``: why a tensor has no history: what the reader's lines, its memory and the grad mode
  still tell
* ``frozen``: results without a history because all parameters of a module are frozen
* ``misspelt``: attributes that nobody reads, and that look like a flag: ``x.require_grad = True``
* ``methods_not_called``: methods that a line names and does not call: ``loss.backward`` without its
  brackets
* ``constant_derivatives``: a derivative that was taken with ``create_graph=True``, and is constant
  all the same
* ``computed_leaf``: tensors that were meant for leaves, and were computed:
  ``randn(3, requires_grad=True) * 0.1``
* ``zero_gradient``: why a gradient is 0 everywhere: what lies on every way back and lets nothing
  through
* ``zero_starts``: weights that start at 0 and keep gradients of others at 0: which, who set them,
  what helps
* ``saturated``: sigmoids and tanhs that are flat, or nearly, because weights or data are too large
* ``zero_inputs``: layers that are given 0 everywhere: their bias gets a gradient, and their weight
  none
* ``loss_with_itself``: what compares a tensor with itself, so that it is 0: a loss, or parameters
  before and after steps
* ``vanishing``: gradients that shrink on their way back, because each sigmoid makes them smaller
* ``passes``: how many backward passes are added up in a ``.grad``, as far as its version counter
  tells
* ``zero_grad_outside_loop``: gradients that are emptied outside of the loop in which each round
  takes a step by them
* ``no_gradient``: why a ``.grad`` is None where a tensor was meant, as in ``w -= lr * w.grad``
* ``began_at``: passes that began at a leaf, as of
  ``loss = torch.tensor(total, requires_grad=True)``
* ``given_none``: custom functions that give None in the place of a gradient: their ``backward``
  says so
* ``unread_gradients``: custom functions whose ``backward`` never reads the gradient that comes in:
  the chain ends there
* ``wrong_derivatives``: custom functions whose ``backward`` is not the derivative of their
  ``forward``
* ``finite_differences``: the ``backward`` of a custom function beside central finite differences
* ``applied_arguments``: what a custom function of the graph was applied to
* ``idle_hooks``: hooks that give a gradient back, which goes on; and those that compute one for
  nobody
* ``results_of_leaf``: the results of a leaf: those that lead back to it, and those whose way back
  is cut
* ``rebinding_steps``: lines that take its name from a leaf, below its pass: how the leaf keeps it
"""
