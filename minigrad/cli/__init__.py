"""The commands: `python3 run.py ...` in a clone, `minigrad lab` where the package is installed.

Everything here uses the standard library alone, and imports nothing of the engine: `run.py` loads
this folder before NumPy is there.
"""
