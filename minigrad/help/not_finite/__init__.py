"""Where do nan and inf begin, and what is wrong with a gradient that came?

* ``wrong_numbers``: what is wrong with numbers: nan or inf in a result, and gradients that are nan,
  inf or 0
* ``suspects``: what can have made nan or inf of numbers, where a pass has freed the values that
  would tell
* ``growth``: leaves that have grown from step to step until numbers overflowed: by steps that
  are too long
* ``bad_data``: data that holds nan or inf before anything was recorded with it: which line made it
  so
* ``known_values``: what is known of values that are gone: what leaves began with, and the signs
  of results
"""
