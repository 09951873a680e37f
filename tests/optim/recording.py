"""What the snippets about `torch.optim` show."""

from tests.optim.snippets import SNIPPETS
from tests.oracle.recorded import of_snippets

RECORDING = of_snippets("optim", SNIPPETS)
