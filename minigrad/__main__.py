"""`python -m minigrad lab`, which is `minigrad lab` where scripts are not on the PATH."""

import sys

from .cli.installed import main

if __name__ == "__main__":
    sys.exit(main())
