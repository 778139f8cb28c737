"""One small run of a topic model, shared by all tests that ask it something."""

from __future__ import annotations

import pytest

from tests.models.small_topics import CORPUS, fit_topics
from wfibp.models import DynamicTopicModel


@pytest.fixture(scope="session")
def fitted_topics() -> DynamicTopicModel:
    return fit_topics(CORPUS, num_warmup=240, seed=7)
