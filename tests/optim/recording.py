"""What the snippets of this room show."""

from tests.oracle.recorded import of_snippets

RECORDING = of_snippets("optim")
