"""python -m verification.adversary [campaign …] [--trials N] [--seed S]

Tries hostile things on the whole product and prints what went wrong: odd input files, damaged run folders, random
arguments, kills. Without names all campaigns run at full size, for an hour or so; a finding makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from importlib import import_module

from verification.adversary.trial import Trial

SIZES = {"inputs": 1000, "corruption": 1500, "calls": 5000, "kills": 100}
SECONDS_BETWEEN_LINES = 5.0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m verification.adversary", description=__doc__)
    parser.add_argument("campaigns", nargs="*", metavar="campaign", help=", ".join(SIZES))
    parser.add_argument("--trials", type=int, help="of each campaign, in place of its full size")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if unknown := set(given.campaigns) - set(SIZES):
        parser.error(f"there is no campaign {min(unknown)!r}; there are {', '.join(SIZES)}")
    trials = {name: _carry_out(name, given.trials or SIZES[name], given.seed) for name in given.campaigns or SIZES}
    _print_table(trials)
    return int(any(trial.finding for tried in trials.values() for trial in tried))


def _carry_out(name: str, num_trials: int, seed: int) -> list[Trial]:
    """All trials of a campaign; findings are printed as they come, and now and then how far it is."""
    run = import_module(f"verification.adversary.{name}").run
    tried: list[Trial] = []
    said = 0.0
    for trial in run(num_trials, seed):
        tried.append(trial)
        if trial.finding:
            print(f"{name}: {trial.finding}: {trial.name}\n    {trial.detail}", flush=True)
        if time.monotonic() - said > SECONDS_BETWEEN_LINES or len(tried) == num_trials:
            said = time.monotonic()
            found = sum(1 for earlier in tried if earlier.finding)
            print(f"{name}: {len(tried)} of {num_trials} tried, findings: {found}", flush=True)
    return tried


def _print_table(trials: dict[str, list[Trial]]) -> None:
    kinds = ("traceback", "hang", "silent fallback", "lost data", "unclear message")
    print("\n" + " | ".join(["campaign", "trials", *kinds]))
    for name, tried in trials.items():
        found = Counter(trial.finding for trial in tried)
        print(" | ".join([name, str(len(tried)), *(str(found[kind]) for kind in kinds)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
