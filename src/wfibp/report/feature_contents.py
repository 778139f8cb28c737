"""What is each feature made of: words and their probabilities, or columns and their loadings?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.terms import is_topics, telling_words


class Content(NamedTuple):
    """Names and values, the largest first; a topic may have no words."""

    names: list[str]
    values: Floats


def contents_of(posterior: Posterior, most: int) -> list[Content]:
    """The `most` probable words of each topic, or the largest loadings of each feature."""
    if is_topics(posterior):
        table = telling_words(posterior, most)
        groups = [table[table["feature"] == feature] for feature in posterior.features.index]
        return [Content(group["word"].tolist(), group["probability"].to_numpy()) for group in groups]
    if not len(posterior.features):
        return []
    loadings = posterior.mean("loadings")
    names = column_names(posterior, loadings.shape[1])
    largest = np.argsort(-np.abs(loadings), axis=1, kind="stable")[:, :most]
    return [Content([names[d] for d in row], loadings[k, row]) for k, row in enumerate(largest)]


def column_names(posterior: Posterior, num_columns: int) -> list[str]:
    """What the measured columns were called, if the run knows."""
    known = posterior.provenance.get("columns")
    return [str(name) for name in known] if known else [f"column {column}" for column in range(num_columns)]
