"""The estimators: data and settings in, a sampler run, a posterior out."""

from wfibp.models.feature_model import DynamicFeatureModel
from wfibp.models.topic_model import DynamicTopicModel

__all__ = ["DynamicFeatureModel", "DynamicTopicModel"]
