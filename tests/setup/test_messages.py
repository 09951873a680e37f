"""PyTorch's sentences are found by their names, and none is left over."""

import re

from minigrad.messages import messages
from tests.setup.test_layers import ENGINE, FILES


def test_each_message_has_a_name_in_the_engine_and_each_name_a_message():
    source = "".join(FILES[name].read_text(encoding="utf-8") for name in ENGINE)
    asked = set(re.findall(r'message\(\s*"([a-z-]+)"', source))
    assert asked <= messages().keys()
    unused = [name for name in messages() if f'"{name.removeprefix("why-")}"' not in source]
    assert unused == []
