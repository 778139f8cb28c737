"""Which of the listed features are shown at first?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.posterior.usage import LEAST
from wfibp.report.curves import popularity_curves
from wfibp.report.terms import is_topics

OFTEN = 0.5  # share of the draws
FEW_WORDS, SMALL_PART = 100, 0.002  # below the first, or in a small corpus below this part of it, a topic is a crumb


def main_features(posterior: Posterior) -> list[int]:
    """Those in at least half of the draws and made of more than a few words; all if there is none of that kind.

    The others come and go in a few draws, or are topics that documents may have with hardly a word of theirs.
    """
    often = posterior.features["share"].to_numpy() >= OFTEN
    enough = num_words_of_topics(posterior) >= fewest_words(posterior) if is_topics(posterior) else True
    chosen = np.flatnonzero(often & enough).tolist()
    return chosen or list(range(often.size))


def movements(posterior: Posterior) -> Floats:
    """(F,) how much each came and went.

    Of a topic its highest share of the words, times the part of the times at which it was not in use; of another
    feature the range of its popularity.
    """
    if not is_topics(posterior):
        return np.ptp(popularity_curves(posterior).mean, axis=1)
    shares = popularity_curves(posterior, "words").mean
    return np.asarray(shares.max(axis=1) * (1.0 - _in_use(shares).mean(axis=1)))


def that_moved_most(posterior: Posterior, features: list[int], most: int) -> list[int]:
    """Of these topics the `most` that came and went most, the first in use first."""
    movement = movements(posterior)
    moved = sorted(features, key=lambda feature: -movement[feature])[:most]
    shares = popularity_curves(posterior, "words").mean[moved]
    order = np.lexsort((shares.argmax(axis=1), _in_use(shares).argmax(axis=1)))
    return [moved[place] for place in order]


def _in_use(shares: Floats) -> NDArray[np.bool_]:
    return np.asarray(shares >= LEAST * shares.max(axis=1, keepdims=True))


def describe_others(posterior: Posterior) -> str:
    """What those that are not among the main ones are."""
    fewer = f"with fewer than {fewest_words(posterior)} words or " if is_topics(posterior) else ""
    return f"{fewer}in less than half of the draws"


def fewest_words(posterior: Posterior) -> int:
    """How many a topic needs to be shown at first."""
    return max(1, min(FEW_WORDS, round(SMALL_PART * float(posterior.documents["num_words"].sum()))))


def num_words_of_topics(posterior: Posterior) -> Floats:
    """(F,) words of each topic, on average over the draws that have it."""
    words_at = posterior.documents.groupby("time")["num_words"].sum().reindex(posterior.times, fill_value=0).to_numpy()
    shares = posterior.shares()["mean"].to_numpy().reshape(len(posterior.features), posterior.times.size)
    return np.asarray(shares @ words_at / posterior.features["share"].to_numpy())
