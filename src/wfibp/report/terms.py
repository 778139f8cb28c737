"""What are things called in a sentence?"""

from __future__ import annotations

import pandas as pd

from wfibp.posterior import Posterior
from wfibp.printing import visible

NAMES = {
    "log_likelihood": "the log-likelihood",
    "alpha": "the mass alpha",
    "beta": "the concentration beta",
    "time_scale": "the time scale",
    "noise_scale": "the noise scale",
    "loading_scale": "the loading scale",
    "proportion_shape": "the proportion shape gamma",
    "topic_smoothing": "the topic smoothing eta",
}

BEYOND_CHANCE = 1.2  # times the probability of a word if all had the same
HARDLY = 0.02  # of the probability of the first word


def is_topics(posterior: Posterior) -> bool:
    """Whether the features are topics, with words and documents."""
    return posterior.has_topics


def noun_of(posterior: Posterior) -> str:
    """A feature of this model: "topic" or "feature"."""
    return "topic" if is_topics(posterior) else "feature"


def object_of(posterior: Posterior) -> str:
    """What has features in this model: "document" or "object"."""
    return "document" if is_topics(posterior) else "object"


def name_number(posterior: Posterior, name: str) -> str:
    """A number of the model as a sentence names it."""
    return f"the number of {noun_of(posterior)}s" if name == "num_features" else NAMES.get(name, name.replace("_", " "))


def feature_names(posterior: Posterior, num_words: int = 3) -> list[str]:
    """What to call each listed feature: its first words, or its number."""
    if not is_topics(posterior):
        return [f"{noun_of(posterior)} {feature}" for feature in posterior.features.index]
    table = telling_words(posterior, num_words)
    words = [table.loc[table["feature"] == feature, "word"] for feature in posterior.features.index]
    return [
        visible(" · ".join(of_topic)) or f"topic {feature}, without words" for feature, of_topic in enumerate(words)
    ]


def telling_words(posterior: Posterior, num_words: int) -> pd.DataFrame:
    """The most probable words of each topic as in `top_words`, without those that it hardly has.

    A topic that few words belong to, or none, has all others with the same small probability.
    """
    table = posterior.top_words(num_words)
    highest = table.groupby("feature")["probability"].transform("max")
    by_chance = 1.0 / posterior.vocabulary.size
    return table[(table["probability"] > BEYOND_CHANCE * by_chance) & (table["probability"] > HARDLY * highest)]
