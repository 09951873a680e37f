"""Which optional packages there are, asked without importing them."""

from importlib.util import find_spec


def installed(package: str) -> bool:
    """True when `package` could be imported.

    >>> installed("html"), installed("no_such_package")
    (True, False)
    """
    try:
        return find_spec(package) is not None
    except ValueError:  # a stand-in without a spec, such as tests put in place of a package
        return False
