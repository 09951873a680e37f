"""What every case of the table of operations shows."""

from tests.ops.compare import tolerance_for
from tests.ops.observe import observed
from tests.ops.table import CASES
from tests.oracle.observer import differences
from tests.oracle.recorded import Recording


def compared(expected, answer):
    """Where two answers differ, beyond the last digits that their dtype has."""
    return differences(expected, answer, "", tolerance_for(answer))


RECORDING = Recording("ops", CASES, observed, compared)
