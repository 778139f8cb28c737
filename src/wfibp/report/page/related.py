"""Which features are alike, and which come together?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.main_features import main_features

MOST = 3
ALIKE = 0.25  # from here on two features are said to be alike: the overlap Σ √(p q) of their words, or a cosine
TOGETHER = 0.1  # from here on they come together: the correlation over objects


def related_features(posterior: Posterior) -> list[dict[str, Any]]:
    """For each feature those that are `alike` and those that come `together` with it, the closest first."""
    if not len(posterior.features):
        return []
    alike, together, main = overlaps(posterior), correlations(posterior), main_features(posterior)
    return [
        {
            "alike": _closest(alike[k], [other for other in main if other != k], ALIKE),
            "together": _closest(together[k], [other for other in main if other != k], TOGETHER),
        }
        for k in range(len(posterior.features))
    ]


def overlaps(posterior: Posterior) -> Floats:
    """(F, F) how alike features are made: 1 for equal words, or loadings in the same direction."""
    directions = describe(posterior).directions()
    return np.asarray(directions @ directions.T)


def correlations(posterior: Posterior) -> Floats:
    """(F, F) of the shares that the objects have of two features, 0 where one never varies."""
    shares = describe(posterior).object_shares()
    num_objects, means = shares.shape[0], np.asarray(shares.mean(axis=0)).ravel()
    products = shares.T @ shares
    covariance = (products if isinstance(products, np.ndarray) else products.toarray()) / num_objects
    covariance = covariance - np.outer(means, means)
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.outer(deviation, deviation)
    return np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0.0)


def _closest(row: Floats, others: list[int], least: float) -> list[int]:
    return [other for other in sorted(others, key=lambda other: -row[other])[:MOST] if row[other] >= least]
