"""The table that the benchmarks print: what was done, how long we took, how long a peer took, the ratio."""

from __future__ import annotations

from typing import NamedTuple

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class Row(NamedTuple):
    """One comparison: seconds of ours and of a peer's, and the ratio peer/ours that is asked for."""

    what: str
    ours: float
    peer: str
    theirs: float
    at_least: float

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes."""
        return self.theirs / self.ours

    @property
    def holds(self) -> bool:
        """Whether the ratio is what is asked for."""
        return self.ratio >= self.at_least


def print_table(rows: list[Row]) -> None:
    """Print the rows, aligned."""
    head = ("what", "ours", "peer", "theirs", "ratio", "asked for", "")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cells(row: Row) -> tuple[str, ...]:
    verdict = "holds" if row.holds else "FALLS SHORT"
    return (
        row.what,
        format_time(row.ours),
        row.peer,
        format_time(row.theirs),
        f"{row.ratio:.3g}",
        f"{row.at_least:g}",
        verdict,
    )


def format_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    unit, name = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    return f"{seconds / unit:.3g} {name}"
