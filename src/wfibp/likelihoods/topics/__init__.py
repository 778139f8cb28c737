"""Topics in text: words of a document come from the topics it has (paper: section 6)."""

from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood
from wfibp.likelihoods.topics.topic_state import TopicState

__all__ = ["TopicLikelihood", "TopicState"]
