"""In which words is something said, and how is an answer shown?

The tables here hold the sentences of answers (``answers.toml``) and those of ``checkup``
(``sentences.toml``); the words that one room alone says stand in that room.

* ``sentences``: the tables of words (``*.toml``, in their rooms), and the sentences of two of them
* ``noted``: how a note is added to an error, and in which spelling sentences name this package
* ``answer``: what ``explain`` returns: sentences, and in a notebook a small picture of what they
  say
"""
