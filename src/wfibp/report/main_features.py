"""Which of the listed features are shown at first?"""

from __future__ import annotations

import numpy as np

from wfibp.corpus.phrasing import plural
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.description.texts import in_use

OFTEN = 0.5  # share of the draws


def main_features(posterior: Posterior) -> list[int]:
    """Those established, in at least half of the draws and made of more than a few words; all if there is none.

    The others come and go in a few draws, or are topics that few documents have, or with hardly a word of theirs.
    """
    often = posterior.features["share"].to_numpy() >= OFTEN
    established = posterior.features["established"].to_numpy(dtype=np.bool_)
    chosen = np.flatnonzero(often & established & describe(posterior).substantial()).tolist()
    return chosen or list(range(often.size))


def that_moved_most(posterior: Posterior, features: list[int], most: int) -> list[int]:
    """Of these features the `most` that came and went most, the first in use first."""
    movement = describe(posterior).movements()
    moved = sorted(features, key=lambda feature: -movement[feature])[:most]
    curves = describe(posterior).mean_curves()[moved]
    order = np.lexsort((curves.argmax(axis=1), in_use(curves).argmax(axis=1)))
    return [moved[place] for place in order]


def describe_others(posterior: Posterior) -> str:
    """What those that are not among the main ones are."""
    described = describe(posterior)
    fewer = plural(posterior.established_size, described.object_noun)
    return f"in fewer than {fewer}, {described.minor}in less than half of the draws"
