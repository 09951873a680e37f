"""What the items of the documents show."""

from tests.documents import snippets
from tests.oracle.observer import observe, unlike
from tests.oracle.recorded import Recording

ITEMS = Recording("items", {name: item.run for name, item in snippets().items()}, observe, unlike)
