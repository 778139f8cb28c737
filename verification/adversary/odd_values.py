"""Which texts, times and names are hostile, and how a whole file is damaged; all from one seeded generator."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ("war", "peace", "love", "hate", "ship", "sea", "sail", "harbour", "engine", "steam", "rail", "train")
TEXTS = (
    "", " ", "\t", "NULL", "nan", "None", "=1+1", "@SUM(A1)", "[red]bold[/red]", "\x1b[31mred\x1b[0m", "naïve café",
    "戦争と平和", "שלום", "😀 war 😀", "\ufeffwar", "a\u200bb", "don't won't", "1994 3rd x y z", "\u2028war\u2029peace",
    "x" * 50_000, "_" * 100_000, "a_" * 30_000, "e" + "\u0301\u0323" * 30_000, "1" * 50_000, "'" * 10_000,
    "\r", "war\x85peace", "\x00", "war\x00peace", '"', '""', '"war', "war, and; peace|love\tsea", "line\nline",
)  # fmt: skip
TIMES = (
    "1994", "1995", "1994-05-02", "1996-01-01", "02/05/1994", "13/12/1994", "12/13/14", "May 2, 1994", "1994 Q2",
    "Q5 1994", "", " ", "nan", "inf", "-inf", "NaT", "None", "-1e400", "1e400", "1e308", "-1e308", "5e-324", "1e18",
    "9" * 30, "9" * 300, "9" * 5000, "-" + "9" * 5000, "0000-00-00", "99999-01-01", "10000-01-01", "1994-02-30",
    "Feb 30 2000", "1994-05-02T25:00", "1970-01-01T00:00:00+99:99", "T" * 50_000, " " * 50_000 + "1994", "١٩٩٤", "1e3",
    "0x10", "true", "-1994", "0", "1", "2", "19940502", "199405", "1234567890", "1234567890123", "1234567890123456789",
    "May", "soon", "1994-05-02 14:30:61", "1994-05-02 12:00 am", "\x00", "1994\n", "²⁰²⁰", "1,994", "1994.5", ".5",
    "5.", "+5", "--5",
)  # fmt: skip
COLUMNS = (
    "text", "date", "year", "speech", "a", "", " ", "text", "Date", "a.b", "a,b", '"', "\x1b[31mesc", "[bold]",
    "x" * 5000, "\n", "1994", "été", "\ufeffdate", "index", "created_at", "\x00",
)  # fmt: skip


@dataclass
class Case:
    """What is to be read: where it is, by which door, with which options; a sentence must name one of `paths`."""

    door: str
    data: Any
    options: dict[str, Any] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()


class Chooser:
    """Chances and choices."""

    def __init__(self, seed: tuple[int, ...]) -> None:
        self.rng = np.random.default_rng(seed)

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def one_of(self, items: Any) -> Any:
        return items[int(self.rng.integers(len(items)))]

    def number(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def sentence(self) -> str:
        return " ".join(self.one_of(WORDS) for _ in range(self.number(1, 12)))

    def text(self, odd: float) -> str:
        return self.one_of(TEXTS) if self.chance(odd) else self.sentence()

    def time(self, odd: float) -> str:
        return self.one_of(TIMES) if self.chance(odd) else str(self.number(1990, 1999))

    def damage(self, content: bytes) -> bytes:
        """Bytes flipped, cut out, put in or doubled, or the end lost."""
        for _ in range(self.number(1, 4)):
            place, length = self.number(0, len(content)), self.number(1, 8)
            kind = self.number(0, 4)
            if kind == 0:
                content = content[:place] + self.rng.bytes(length) + content[place + length :]
            elif kind == 1:
                content = content[:place] + content[place + length :]
            elif kind == 2:
                content = content[:place] + self.rng.bytes(length) + content[place:]
            elif kind == 3:
                content = content[:place]
            else:
                content = content + content[place:]
        return content

    def compress(self, content: bytes) -> bytes:
        """As gzip, whole or not, once or twice, or not at all under that name."""
        packed = gzip.compress(content, mtime=0)
        forms = (
            packed,
            packed,
            packed,
            packed[:-5],
            packed[:10],
            packed + b"junk",
            gzip.compress(packed),
            content,
            b"",
        )
        return self.damage(packed) if self.chance(0.2) else self.one_of(forms)
