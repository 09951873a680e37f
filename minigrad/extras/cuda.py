"""What programs ask before they choose a device: there is no GPU here."""


def is_available() -> bool:
    """Whether there is a GPU: no."""
    return False
