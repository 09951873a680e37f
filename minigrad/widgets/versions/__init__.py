"""The version debugger: which line changed what, which node complains, and would it matter.

`lines` reads a few lines of a program, `running` runs and records them, `message` takes the famous
message apart, `words` says what happens, `timeline` and `panels` draw it, `scripts` are the
programs that are there, `asking` asks what the decisive line will do, and `debugger` puts them on a
board.
"""

from .debugger import version_debugger

__all__ = ["version_debugger"]
