"""Random programs against PyTorch: ``python3 run.py fuzz --programs 20000``."""

import argparse
import os
import random
import sys
import time

from tests.fuzz.campaign import campaign, report


def main():
    """Run the programs that the command line asks for; the exit code says whether all is well."""
    parser = argparse.ArgumentParser(prog="run.py fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=2000, help="how many (2000)")
    parser.add_argument("--seed", type=int, help="the first seed (a new one each time)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    seed = random.randrange(10**9) if options.seed is None else options.seed
    print(f"{options.programs} programs, from seed {seed} on", flush=True)
    start, told = time.monotonic(), 0

    def tell(tally):
        nonlocal told
        if tally.programs >= told + 500:
            told = tally.programs
            found = sum(tally.kinds.values()) + len(tally.crashed)
            print(f"{told:>7} programs, {found} differ", flush=True)

    tally = campaign(seed, options.programs, options.processes, tell)
    print(report(tally))
    print(f"\n{'Passed' if tally.passed else 'FAILED'} in {time.monotonic() - start:.0f} s.")
    return 0 if tally.passed else 1


if __name__ == "__main__":
    sys.exit(main())
