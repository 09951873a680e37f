"""The v·J viewer: what does the v that is handed to backward pick out?

    w = vjp_viewer()
    w.press("softmax(x)").press("build J").press("all rows")
    w.text()

`cases` runs the passes, `back`, `forward` and `build` make the screens of the three modes out of
`parts`, and `viewer` puts them on a board.
"""

from .viewer import VjpViewer, vjp_viewer

__all__ = ["VjpViewer", "vjp_viewer"]
