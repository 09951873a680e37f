"""The control-flow tape: which graph did this run make, and what does a tape of it forget?

    w = tape_viewer()
    w.press("record here, replay with another input").press("200")
    w.text()

`recording` keeps the operations of a run and repeats them, `running` runs and replays `programs`,
`drawn` makes the parts of `screens`, and `widget` puts them on a board.
"""

from .recording import Tape, tape_of
from .widget import TapeViewer, tape_viewer

__all__ = ["Tape", "TapeViewer", "tape_of", "tape_viewer"]
