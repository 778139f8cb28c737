"""What are things called in a sentence?"""

from __future__ import annotations

from wfibp.posterior import Posterior

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
    words = posterior.top_words(num_words).groupby("feature")["word"]
    return [" · ".join(words.get_group(feature)) for feature in posterior.features.index]
