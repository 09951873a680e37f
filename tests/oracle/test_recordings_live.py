"""Where PyTorch is installed it is asked again: the stored answers must be what it says today."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from tests.oracle.recorded import recordings, the_oracle

CASES = [
    pytest.param(recording, key, id=f"{name}: {key}")
    for name, recording in recordings().items()
    if recording.again
    for key in recording.keys
]


@pytest.mark.filterwarnings("ignore")  # snippets compare theirs
@pytest.mark.parametrize(("recording", "key"), CASES)
def test_pytorch_still_says_what_was_recorded(recording, key):
    recording.check(key, the_oracle())
