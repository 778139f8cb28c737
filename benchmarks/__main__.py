"""`python -m benchmarks [names]`: run the benchmarks, print the table of ratios, fail if one falls short."""

from __future__ import annotations

import sys

from benchmarks import draws, inference, moves, smoothing, spectral, topics, whole_sweeps
from benchmarks.table import print_table

BENCHMARKS = {
    "draws": draws.rows,
    "smoothing": smoothing.rows,
    "spectral": spectral.rows,
    "inference": inference.rows,
    "topics": topics.rows,
    "whole_sweeps": whole_sweeps.rows,
    "moves": moves.rows,
}


def main(names: list[str]) -> int:
    """Run the named benchmarks, all of them if none is named."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark named {unknown[0]}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    rows = [row for name in names or BENCHMARKS for row in BENCHMARKS[name]()]
    print_table(rows)
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
