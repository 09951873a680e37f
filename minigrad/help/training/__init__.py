"""What in the lines around a step, or in the net, keeps weights from getting better?

* ``added_numbers``: terms of a loss that have no history, so that adding them changes no gradient
* ``redundant_parts``: parts of a net that count as one: units that learn the same, and linear
  layers in a row
* ``computed_once``: results that are computed from leaves once, above a loop that steps these
  leaves
* ``log_likelihood_sign``: log-probabilities and log-likelihoods that are minimised: a minus is
  missing before them
* ``made_in_each_round``: what a round of training makes anew, though it should last: weights,
  and optimizers
* ``zero_grad_before_step``: gradients that a round empties between its pass and its step by hand,
  which then finds 0
* ``exploded``: steps that were too long: weights that have grown with each, until nothing gets
  through
* ``unrecorded_samples``: samples that no gradient goes back through: of ``normal(mu, std)``, or
  drawn in ``no_grad()``
* ``emptied_too_often``: gradients that each round empties, though a step is taken in some rounds
  only
* ``lost_derivatives``: derivatives in a loss that train nothing: without a history, or second ones
  of a relu
* ``unscaled_data``: data so large that they make steps too long, and how they are scaled where they
  are made
* ``idle_rates``: learning rates that are set where no optimizer reads them
* ``gone_through``: generators that gave what they have once, so that later loops over them do
  nothing
* ``steps_without_effect``: passes and steps in vain: a loss that was made a leaf, and a leaf that
  no optimizer holds
* ``grown_histories``: averages and totals that each round computes from their earlier value, along
  with its history
* ``kept_states``: states and values that were kept without a copy, so that each step changes them,
  too
* ``late_clips``: gradients that are cut where no step uses them any more, or where there are none
  yet
* ``leaves_of_results``: leaves that a list of results was made into, so that nothing goes back to
  what gave them
* ``batch_loops``: what a loop over batches leaves behind: losses that no pass sees
* ``unreachable_targets``: targets that no output can come near, because of what the last operation
  gives at most
* ``outputs``: outputs that come to a loss in another form than it takes: in another shape, or as
  probabilities
* ``step_lengths``: steps of a length that leads nowhere: weights hardly move by them, or jump past
  all values
* ``unchanged``: parameters that no step has changed, though gradients come to them in each round
* ``gradient_ascent``: steps by hand that add the gradient of a loss, where a loss is to become
  small
* ``named_gradients``: names that a program gives to gradients: ``g = w.grad``,
  ``gw, gb = grad(loss, (w, b))``
* ``unregistered``: tensors and layers that a module holds, and does not know as its own: what
  `checkup` tells
* ``layers_made_in_forward``: layers that ``forward`` makes anew: the loss leads back to parameters
  that nobody holds
"""
