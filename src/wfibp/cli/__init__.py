"""The command `wfibp`: parse, call one function, print."""

from wfibp.cli.app import main

__all__ = ["main"]
