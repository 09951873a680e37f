"""What the snippets of the second ring show."""

import warnings
from functools import cache

from tests.oracle.observer import observe, unlike
from tests.oracle.recorded import Recording
from tests.second_ring.snippets import SNIPPETS


def asked(snippet, library):
    """What a snippet shows; of PyTorch, once it is warm."""
    if library.__name__ == "torch":
        warm_up(library)
    return observe(snippet, library)


@cache
def warm_up(torch):
    """Make a first dual tensor: that loads more of PyTorch and warns of its insides."""
    with torch.autograd.forward_ad.dual_level(), warnings.catch_warnings(action="ignore"):
        torch.autograd.forward_ad.make_dual(torch.ones(1), torch.ones(1))


RECORDING = Recording("second_ring", SNIPPETS, asked, unlike)
