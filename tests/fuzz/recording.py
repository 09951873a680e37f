"""A few hundred random programs, and what they show."""

from tests.fuzz.play import played
from tests.fuzz.writer import write
from tests.oracle.recorded import Recording


def shown(seed, torch):
    """The program of a seed, which PyTorch helps to write, and what it shows."""
    program = write(seed, torch)
    return {"program": program.as_list(), "shows": played(program, torch)}


PROGRAMS = Recording("programs", {str(n): n for n in range(250)}, shown, again=False)
