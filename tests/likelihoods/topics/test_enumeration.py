"""Is the sampler's posterior of tiny corpora the exact one (docs/model.md, section 5)?

For each corpus the posterior of the number of topics K, the expected number E[K_h] of topics with every history h and
the probability that two words share a topic are compared with their enumeration. A right sampler fails each comparison
with probability FALSE_ALARM = 1e-4 (over redrawn seeds); `test_planted_bugs` shows what wrong ones do.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.exact.topics import TopicModel
from tests.inference.monte_carlo import FALSE_ALARM
from tests.likelihoods.topics.explicit_topics import ExplicitTopics
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus

NUM_SWEEPS = 8_000
NUM_EXPLICIT_SWEEPS = 4_000

SHORT = TopicModel(vocabulary_size=2, topic_smoothing=1.3, proportion_shape=5.0, document_probability=0.3)

ONE_DOCUMENT = TinyCorpus([[(0, 1)]], (0.0,), alpha=0.7, beta=1.0, model=LONG)
ONE_TIME = TinyCorpus([[(0, 1), (1,)]], (0.0,), alpha=1.0, beta=1.5)
TWO_TIMES = TinyCorpus([[(0,)], [(1,)]], (0.0, 0.4), alpha=1.0, beta=1.0)
TWO_AT_ONCE = TinyCorpus([[(0, 0), (1,)], [(0, 2)]], (0.0, 0.3), alpha=0.8, beta=2.0, model=LONG)
THREE_TIMES = TinyCorpus([[(0,), (1, 1)], [(0,)], [(2,)]], (0.0, 0.2, 1.0), alpha=1.2, beta=0.6, model=LONG)
AN_EMPTY_DOCUMENT = TinyCorpus([[(0, 1), ()], [(0,)]], (0.0, 0.5), alpha=2.0, beta=2.5, model=SHORT)
AN_EMPTY_TIME = TinyCorpus([[(0,)], [], [(2,), (0,)]], (0.0, 0.1, 0.7), alpha=1.0, beta=0.5)
NO_WORDS = TinyCorpus([[(), ()], [()]], (0.0, 0.3), alpha=1.0, beta=1.0)

UNBOUNDED = {
    "one document": ONE_DOCUMENT,
    "one time": ONE_TIME,
    "two times": TWO_TIMES,
    "two documents at once": TWO_AT_ONCE,
    "three times": THREE_TIMES,
    "an empty document": AN_EMPTY_DOCUMENT,
    "a time with no documents": AN_EMPTY_TIME,
    "no words": NO_WORDS,
}
TRUNCATED = {
    "one document": replace(ONE_DOCUMENT, truncation=1),
    "one time": replace(ONE_TIME, truncation=3),
    "two documents at once": replace(TWO_AT_ONCE, truncation=2),
    "three times": replace(THREE_TIMES, truncation=2),
    "an empty document": replace(AN_EMPTY_DOCUMENT, truncation=4),
    "a time with no documents": replace(AN_EMPTY_TIME, truncation=2),
}
EXPLICIT = {
    "one time": ONE_TIME,
    "two documents at once": TWO_AT_ONCE,
    "an empty document": AN_EMPTY_DOCUMENT,
    "truncated, two documents at once": replace(TWO_AT_ONCE, truncation=2),
}


@pytest.mark.parametrize("corpus", UNBOUNDED.values(), ids=UNBOUNDED)
def test_the_unbounded_posterior_is_the_exact_one(corpus: TinyCorpus) -> None:
    p, report = corpus.doubt(NUM_SWEEPS, seed=1)
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("corpus", TRUNCATED.values(), ids=TRUNCATED)
def test_the_truncated_posterior_is_the_exact_one(corpus: TinyCorpus) -> None:
    p, report = corpus.doubt(NUM_SWEEPS, seed=2)
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("corpus", EXPLICIT.values(), ids=EXPLICIT)
def test_explicit_allocations_lead_to_the_exact_posterior(corpus: TinyCorpus) -> None:
    p, report = corpus.doubt(NUM_EXPLICIT_SWEEPS, seed=3, kind=ExplicitTopics)
    assert p > FALSE_ALARM, report
