"""What has the reader written: which lines are theirs, and what do their variables hold?

* ``reader``: the reader's own program, as help speaks of it: the line that called, and the names
  they chose
* ``prompt``: what was typed at Python's own prompt, which keeps no text: found in the history of
  the lines
* ``line_order``: what the words for a line say of it: where it stands, its text, and what stands
  above it
* ``variables``: what the reader's variables hold: values in attributes, lists and dicts, caches of
  closures
* ``syntax``: the vocabulary in which all rules speak of a tree of Python: calls, names, and what is
  around
* ``parsed``: the text of the reader's program, parsed, and the expression that an instruction
  belongs to
* ``called``: which of the reader's own functions a call runs, with what, and where its lines are
* ``texts``: the texts of the reader's program: the cells so far, this file, and other files of
  theirs
* ``lookup``: what an expression of a failing line stands for, looked up and never run
* ``lists``: whether a name in a line stands for a list of tensors or for one, as its assignments
  tell
* ``homes``: which module of the reader's made what is asked about, where the lines that ask
  only ask
"""
