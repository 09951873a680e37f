"""A file of its own for what is shown in a notebook: any browser opens it, with no network."""

from __future__ import annotations

from html import escape
from os import PathLike
from pathlib import Path

# A dark card on a white page hurts the eyes: the page follows the system as the card does.
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>body {{ margin: 1rem; font-family: system-ui, sans-serif; }}</style>
</head>
<body>
{part}
</body>
</html>
"""


class Saved:
    """What can be saved: its method `html` gives the part of a page, `heading` says what it is."""

    @property
    def heading(self) -> str:
        """The title of the page."""
        raise NotImplementedError

    def html(self) -> str:
        """A page's part."""
        raise NotImplementedError

    def save(self, path: str | PathLike) -> Path:
        """Write a page with this alone, and return its path. A file that is there is replaced.

        The page carries all it needs: it can be opened from the disk, mailed, or put on a site.

        >>> import minigrad as mg, pathlib, tempfile
        >>> x = mg.tensor(2.0, requires_grad=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = mg.draw(x * 3).save(pathlib.Path(folder) / "graph.html")
        ...     page.name, page.read_text(encoding="utf-8").splitlines()[0]
        ('graph.html', '<!doctype html>')
        """
        page = PAGE.format(title=escape(self.heading), part=self.html())
        # Half a letter can be a name, and no file holds one.
        Path(path).write_bytes(page.encode("utf-8", "replace"))
        return Path(path)
