"""What the snippets about `torch.autograd` show."""

from tests.autograd.snippets import SNIPPETS
from tests.oracle.recorded import of_snippets

RECORDING = of_snippets("autograd", SNIPPETS)
