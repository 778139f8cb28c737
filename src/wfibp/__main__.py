"""`python -m wfibp` is the command `wfibp`."""

import sys

from wfibp.cli import main

if __name__ == "__main__":
    sys.exit(main())
