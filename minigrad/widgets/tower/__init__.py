"""The tower: each recorded gradient is a floor on the graphs that it was made from."""

from .widget import Tower, tower

__all__ = ["Tower", "tower"]
