"""What in the lines around a step, or in the net, keeps weights from getting better?

* ``added_numbers``: terms of a loss that have no history, so that adding them changes no gradient
* ``redundant_parts``: parts of a net that count as one: units that learn the same, and linear
  layers in a row
* ``made_in_each_round``: what a round of training makes anew, though it should last, or once only,
  though each round needs it
* ``log_likelihood_sign``: log-probabilities and log-likelihoods that are minimised: a minus is
  missing before them
* ``order_of_calls``: passes, steps, zeros and cuts of gradients that are in vain where they stand
* ``exploded``: steps that were too long, until nothing gets through, also because of large data,
  and how these are scaled where they are made
* ``large_starts``: weights that the program lets begin with numbers that are far too large
* ``accumulated``: steps that go by the sum of several passes, where their mean was meant
* ``collapsed``: nets that give the same for all that they are given
* ``unrecorded_samples``: samples that no gradient goes back through: of ``normal(mu, std)``, or
  drawn in ``no_grad()``
* ``lost_derivatives``: derivatives in a loss that train nothing: without a history, or second ones
  of a relu
* ``learning_rates``: steps of a length that leads nowhere, and learning rates that are set where
  nobody reads them
* ``steps_without_effect``: passes and steps in vain: a loss that was made a leaf, and a leaf that
  no optimizer holds
* ``grown_histories``: averages and totals that each round computes from their earlier value, along
  with its history
* ``kept_states``: states and values that were kept without a copy, so that each step changes them,
  too
* ``unreachable_targets``: targets that no output can come near, because of what the last operation
  gives at most
* ``outputs``: outputs that come to a loss in another form than it takes: in another shape, or as
  probabilities
* ``unchanged``: parameters that no step has changed, though gradients come to them in each round
* ``gradient_ascent``: steps by hand that add the gradient of a loss, where a loss is to become
  small
* ``unregistered``: tensors and layers that no module knows as its own, also those that ``forward``
  makes anew: what `checkup` tells
"""
