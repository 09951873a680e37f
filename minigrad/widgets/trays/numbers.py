"""Numbers as they stand on a card."""

from __future__ import annotations


def said(number: float | None, digits: int = 4) -> str:
    """A number in few digits with a minus as it is printed, or None.

    >>> said(7.0), said(0.6000000238), said(-0.5), said(None)
    ('7', '0.6', '−0.5', 'None')
    """
    return "None" if number is None else f"{number:.{digits}g}".replace("-", "−")


def summed(parts: tuple[float, ...]) -> str:
    """Parts and their sum, as it is done by hand.

    >>> summed((4.5, 1.0)), summed((3.0,)), summed((-6.0, -4.5))
    ('4.5 + 1 = 5.5', '3', '−6 − 4.5 = −10.5')
    """
    total = said(sum(parts))
    if len(parts) < 2:
        return total
    terms = "".join(f" {'−' if part < 0 else '+'} {said(abs(part))}" for part in parts[1:])
    return f"{said(parts[0])}{terms} = {total}"


def read(typed: str) -> float | None:
    """What somebody typed as a guess: a number, or None.

    Raises `ValueError` for anything else.

    >>> read(" 4,5 "), read("none"), read("−1")
    (4.5, None, -1.0)
    """
    plain = typed.strip().lower().replace("−", "-").replace(",", ".")
    return None if plain == "none" else float(plain)
