"""Which of the listed features are shown at first?"""

from __future__ import annotations

from wfibp.posterior import Posterior
from wfibp.report.contents import contents_of

OFTEN = 0.5  # share of the draws


def main_features(posterior: Posterior) -> list[int]:
    """Those in at least half of the draws and made of something; all if there is none of that kind.

    The others come and go in a few draws, or are topics that documents may have without a word of theirs.
    """
    often, contents = posterior.features["share"] >= OFTEN, contents_of(posterior, 1)
    chosen = [feature for feature, content in enumerate(contents) if often.iloc[feature] and content.names]
    return chosen or list(range(len(contents)))
