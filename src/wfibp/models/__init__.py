"""The estimators: data and settings in, a sampler run, a posterior out."""

from wfibp.models.features import DynamicFeatureModel
from wfibp.models.topics import DynamicTopicModel

__all__ = ["DynamicFeatureModel", "DynamicTopicModel"]
