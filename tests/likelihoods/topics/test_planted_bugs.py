"""Does the comparison with enumeration notice wrong topic samplers?

Every sampler here has one mistake, and is caught by a p-value below FALSE_ALARM / 100 with the same statistics that
the right sampler passes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest

from tests.exact.topics import TopicModel
from tests.inference.monte_carlo import FALSE_ALARM
from tests.likelihoods.topics import planted_bugs
from tests.likelihoods.topics.plain_kernels import Names, plant, use_plain_kernels
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.inference.state import parameter_fields
from wfibp.likelihoods.topics.topic_state import TopicState

CAUGHT = FALSE_ALARM / 100.0

PURE = TopicModel(vocabulary_size=2, topic_smoothing=0.1, proportion_shape=1.0, document_probability=0.5)
UNEVEN = TopicModel(vocabulary_size=3, topic_smoothing=0.2, proportion_shape=0.5, document_probability=0.9)
EVEN = TopicModel(vocabulary_size=2, topic_smoothing=1.3, proportion_shape=5.0, document_probability=0.3)
NEARLY_SILENT = TopicModel(vocabulary_size=2, topic_smoothing=1.0, proportion_shape=1.0, document_probability=0.1)

ONE_TIME = TinyCorpus([[(0, 1), (1,)]], (0.0,), alpha=1.0, beta=1.5)
TWO_TIMES = TinyCorpus([[(0, 0), (1,)], [(0, 2)]], (0.0, 0.3), alpha=0.8, beta=2.0, model=LONG)
AN_EMPTY_DOCUMENT = TinyCorpus([[(0, 1), ()], [(0,)]], (0.0, 0.5), alpha=2.0, beta=2.5, model=EVEN)
ONE_WORD = TinyCorpus([[(0,), (), ()]], (0.0,), alpha=2.0, beta=1.0, model=LONG)
NO_WORDS = TinyCorpus([[(), ()]], (0.0,), alpha=1.0, beta=1.0, model=NEARLY_SILENT)
TWO_WORDS = TinyCorpus([[(0,), (1,)]], (0.0,), alpha=3.0, beta=1.0, model=PURE, truncation=2)
THREE_WORDS = TinyCorpus([[(0, 1, 2), (0, 1, 2)]], (0.0,), alpha=1.0, beta=1.0, model=UNEVEN, truncation=2)

MISTAKES = {
    planted_bugs.slice_ratio_forgotten: (TWO_TIMES, 16_000),
    planted_bugs.no_words_forgotten_in_births: (AN_EMPTY_DOCUMENT, 2_000),
    planted_bugs.seen_topics_first: (NO_WORDS, 14_000),
    planted_bugs.proportions_not_drawn_at_birth: (AN_EMPTY_DOCUMENT, 6_000),
    planted_bugs.proportions_from_the_prior_at_birth: (THREE_WORDS, 10_000),
    planted_bugs.probability_without_words_forgotten: (ONE_TIME, 2_000),
    planted_bugs.the_papers_minus_one: (ONE_TIME, 6_000),
    planted_bugs.word_not_taken_out: (TWO_TIMES, 3_000),
    planted_bugs.own_part_not_less: (ONE_TIME, 8_000),
    planted_bugs.sole_holders_as_shared: (TWO_WORDS, 2_000),
    planted_bugs.no_words_forgotten_in_wordless: (ONE_TIME, 2_000),
    planted_bugs.one_table_too_few: (ONE_TIME, 8_000),
    planted_bugs.one_customer_too_many: (TWO_WORDS, 28_000),
    planted_bugs.idle_documents_not_exposed: (ONE_WORD, 8_000),
}


@pytest.mark.parametrize(
    ("mistake", "corpus", "num_sweeps"),
    [pytest.param(mistake, *dataset, id=mistake.__name__) for mistake, dataset in MISTAKES.items()],
)
def test_a_mistake_is_caught(
    monkeypatch: pytest.MonkeyPatch, mistake: Callable[[], Names], corpus: TinyCorpus, num_sweeps: int
) -> None:
    plant(monkeypatch, mistake())
    p, report = corpus.doubt(num_sweeps, seed=1)
    assert p < CAUGHT, report


@pytest.mark.parametrize("corpus", [TWO_TIMES, TWO_WORDS], ids=["unbounded", "truncated"])
def test_kernels_in_plain_python_give_the_same_bits(monkeypatch: pytest.MonkeyPatch, corpus: TinyCorpus) -> None:
    compiled = _sweep(corpus)
    use_plain_kernels(monkeypatch)
    for one, other in zip(compiled, _sweep(corpus), strict=True):
        np.testing.assert_array_equal(one.frequencies, other.frequencies)
        for name in parameter_fields(TopicState).values():
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def _sweep(corpus: TinyCorpus) -> list[TopicState]:
    return [state.snapshot() for state in islice(corpus.start(corpus.likelihood(), seed=3).sweeps(), 200)]
