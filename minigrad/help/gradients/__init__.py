"""Why is a ``.grad`` None, 0, or a sum of several passes; why is this no leaf, or not tracked?

* ``untracked``: why a tensor has no history: what the reader's lines, its memory and the grad mode
  still tell
* ``frozen``: results without a history because all parameters of a module are frozen
* ``misspelt``: flags and calls that are misspelt: ``x.require_grad = True``, ``loss.backward``
  without ``()``
* ``constant_derivatives``: a derivative that was taken with ``create_graph=True``, and is constant
  all the same
* ``computed_leaf``: tensors that were meant for leaves, and were computed:
  ``randn(3, requires_grad=True) * 0.1``
* ``zero_gradient``: why a gradient is 0 everywhere: what lies on every way back and lets nothing
  through
* ``zero_starts``: zeros that keep gradients at 0: weights that start there, and layers that are
  given 0 everywhere
* ``sigmoids``: sigmoids and tanhs that are flat because weights or data are too large, or that
  shrink gradients one after the other
* ``loss_with_itself``: what compares a tensor with itself, so that it is 0: a loss, or parameters
  before and after steps
* ``passes``: how many backward passes are added up in a ``.grad``, and which lines empty it
* ``weighted_passes``: passes that were given unlike weights to begin with
* ``two_losses``: passes of two results that fill one leaf, where two optimizers step by one each
* ``no_gradient``: why a ``.grad`` is None where a tensor was meant, as in ``w -= lr * w.grad``
* ``leaves_of_results``: leaves that were made of results: passes begin at them, as of
  ``loss = torch.tensor(total, requires_grad=True)``
* ``custom_backwards``: custom functions whose ``backward`` gives None in the place of a gradient,
  or never reads the one that comes in
* ``wrong_derivatives``: custom functions whose ``backward`` is not the derivative of their
  ``forward``
* ``hidden_leaves``: leaves that a custom function uses without being given them
* ``second_derivatives``: custom functions whose second derivative is wrong, because ``backward``
  uses what ``forward`` computed
* ``finite_differences``: the ``backward`` of a custom function beside central finite differences
* ``applied_arguments``: what a custom function of the graph was applied to
* ``idle_hooks``: hooks that give a gradient back, which goes on; and those that compute one for
  nobody
* ``results_of_leaf``: the results of a leaf: those that lead back to it, and those whose way back
  is cut
* ``caches``: results that are computed once and kept, as by a cache, and that each pass needs anew
* ``same_memory``: leaves that share their numbers with another leaf, which a program computes with
* ``asked_too_late``: leaves of objects that were asked for gradients below what computed with them
* ``late_binding``: functions made in a loop that read its names when they are called
* ``beside_the_pass``: results that are to keep their gradient, beside the way that a pass takes
* ``stale_caches``: values that were kept from what a leaf was before it became this one
* ``rebinding_steps``: lines that take its name from a leaf, below its pass: how the leaf keeps it
"""
