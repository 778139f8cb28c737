"""The estimators: data and settings in, a sampler run, a posterior out."""

from wfibp.models.features import DynamicFeatureModel

__all__ = ["DynamicFeatureModel"]
