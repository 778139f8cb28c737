"""In which features is a word, or a column, to be found?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.feature_contents import column_names
from wfibp.report.terms import is_topics

MOST_NAMES = 10_000  # the most used
MOST_FEATURES = 3  # of a name
SMALLEST_PERCENT = 5  # of the uses of a name


def index_names(posterior: Posterior) -> list[list[Any]]:
    """For each name, in alphabetical order: itself, and features with their percentages of its uses, in turn."""
    if not len(posterior.features):
        return []
    names, uses = _uses(posterior)
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


def _uses(posterior: Posterior) -> tuple[list[str], Floats]:
    """The names, and how much each feature uses each: expected words, or squared loadings, (F, names)."""
    if not is_topics(posterior):
        loadings = posterior.mean("loadings")
        return column_names(posterior, loadings.shape[1]), loadings**2
    num_words = posterior.documents["num_words"].to_numpy()
    size = np.asarray(posterior.document_proportions().T @ num_words).ravel()
    return [str(word) for word in posterior.vocabulary], posterior.topics() * size[:, None]
