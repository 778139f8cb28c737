"""Small data that commands are tried on: letters whose topics come and go, and measurements with two features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

WORDS = (
    ["ship", "sea", "sail", "harbour", "wind", "captain", "anchor", "deck"],
    ["wheat", "field", "plough", "harvest", "barn", "cow", "farmer", "grain"],
    ["engine", "steam", "rail", "train", "station", "signal", "coal", "track"],
)
YEARS = range(1900, 1904)
QUICK = ["--draws", "20", "--warmup", "20", "--thin", "1", "--seed", "1", "--workers", "1"]


def letters() -> pd.DataFrame:
    """Ships before 1902, trains from then on, farms in some letters of all years."""
    rng = np.random.default_rng(1)
    rows = []
    for year in YEARS:
        for number in range(6):
            topics = [0 if year < 1902 else 2, *([1] if number % 2 else [])]
            speech = " ".join(rng.choice(WORDS[rng.choice(topics)]) for _ in range(25))
            rows.append({"title": f"letter {year}-{number}", "date": year, "speech": speech})
    return pd.DataFrame(rows)


def measurements() -> pd.DataFrame:
    """Two features over four columns, at three times."""
    rng = np.random.default_rng(1)
    year = np.repeat([2001, 2003, 2004], 8)
    has = rng.random((24, 2)) < np.array([0.5, 0.4])
    values = has @ np.array([[3.0, 3.0, 0.0, 0.0], [0.0, 0.0, 3.0, 3.0]]) + 0.3 * rng.normal(size=(24, 4))
    return pd.DataFrame(values, columns=["a", "b", "c", "d"]).assign(year=year, who="someone")


def write_letters(folder: Path) -> Path:
    path = folder / "talks.csv"
    letters().to_csv(path, index=False)
    return path


def write_measurements(folder: Path) -> Path:
    path = folder / "measured.csv"
    measurements().to_csv(path, index=False)
    return path
