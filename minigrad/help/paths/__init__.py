"""What is there to say of one tensor, and where does the path from one to another break?

* ``about``: what there is to say about one tensor
* ``path``: where a gradient of ``y`` would go on its way to ``x``, and where it cannot
* ``sibling_inputs``: inputs that a result was not computed from, though both were made from the
  same tensor
* ``made_twice``: inputs that a result was not computed from, because its own call made them a
  second time
"""
