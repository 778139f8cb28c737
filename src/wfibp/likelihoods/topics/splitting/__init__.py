"""Moves of many words at once: one topic into two, and two into one."""

from wfibp.likelihoods.topics.splitting.dissolve import dissolve_some
from wfibp.likelihoods.topics.splitting.split_merge_move import set_up

__all__ = ["dissolve_some", "set_up"]
