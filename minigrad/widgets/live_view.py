"""What a notebook is given of a widget: text, HTML, and the live view where it can be shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .availability import installed

VIEW = "application/vnd.jupyter.widget-view+json"


def with_live_view(
    text: str, html: str, widget: Callable[[], Any], package: str = "ipywidgets"
) -> Any:
    """A display of `text`, `html` and, where `package` is installed, the live `widget()`.

    The result is what `_repr_mimebundle_` returns: data, or data and metadata where a front end
    needs them to load the widget, as Colab does.
    """
    data = {"text/plain": text, "text/html": html}
    if not installed(package):
        return data
    made = widget()
    data[VIEW] = _bundle(made)[0][VIEW]
    metadata = _metadata(made)
    return (data, metadata) if metadata else data


def _bundle(widget: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    shown = widget._repr_mimebundle_()
    return shown if isinstance(shown, tuple) else (shown, {})


def _metadata(widget: Any) -> dict[str, Any]:
    """The metadata that a widget, or one inside of it, needs in order to be loaded."""
    found = dict(_bundle(widget)[1])
    for part in getattr(widget, "children", ()):
        found |= _metadata(part)
    return found
