"""What stands out in a net, its optimizer and its loss: ``mg.checkup``.

* ``findings``: what stands out in a net, its optimizer and its loss: one finding after the other
* ``checkup``: ``minigrad.checkup``: why a net does not learn, as one table of its parameters
* ``parameter_table``: what ``checkup`` returns: sentences on what stands out, and a row for each
  parameter
* ``another_net``: functions that are given a net, and go through another one
* ``made_of_another``: parameters that were made of the values of others
* ``of_optimizers``: what an optimizer does not know, or holds in vain: `checkup` tells
* ``unreached``: what a loss does not lead back to, or brings nan or nothing but 0, and why:
  `checkup` tells, and `explain`
"""
