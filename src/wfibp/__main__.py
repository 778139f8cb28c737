"""`python -m wfibp` is the command `wfibp`."""

from wfibp.cli import main

if __name__ == "__main__":
    main()
