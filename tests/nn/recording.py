"""What the snippets about `torch.nn` show."""

from tests.nn.snippets import SNIPPETS
from tests.oracle.recorded import of_snippets

RECORDING = of_snippets("nn", SNIPPETS)
