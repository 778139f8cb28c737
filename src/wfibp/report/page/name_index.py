"""In which features is a word, or a column, to be found?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.posterior import Posterior
from wfibp.report.description import describe

MOST_NAMES = 10_000  # the most used
MOST_FEATURES = 3  # of a name
SMALLEST_PERCENT = 5  # of the uses of a name


def index_names(posterior: Posterior) -> list[list[Any]]:
    """For each name, in alphabetical order: itself, and features with their percentages of its uses, in turn."""
    if not len(posterior.features):
        return []
    names, uses = describe(posterior).name_uses()
    total = uses.sum(axis=0)
    kept = np.argsort(-total, kind="stable")[:MOST_NAMES]
    percent = np.rint(100.0 * uses[:, kept] / np.maximum(total[kept], 1e-300)).astype(int)
    best = np.argsort(-percent, axis=0, kind="stable")[:MOST_FEATURES]
    entries = [
        [
            names[name],
            *(n for k in best[:, i] if percent[k, i] >= SMALLEST_PERCENT for n in (int(k), int(percent[k, i]))),
        ]
        for i, name in enumerate(kept)
        if total[name] > 0.0
    ]
    return sorted(entries, key=lambda entry: str(entry[0]))
