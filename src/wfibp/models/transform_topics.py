"""Which of the topics found do new documents have, and in what shares? The topics are left as they are.

For each of some draws: X at the times of the new documents is drawn given the draw, ρ̂ and φ are the draw's, and the
topics of the new words are drawn by Gibbs sweeps. Topics that no document had before are not introduced.
(docs/model.md, section 19)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.corpus import Calendar, Corpus
from wfibp.corpus.storage import StoredCorpus
from wfibp.likelihoods.topics.document_probability import DocumentProbability
from wfibp.likelihoods.topics.new_documents import KnownTopics, OddsPrior, SweepPlan, draw_new_documents
from wfibp.models.topic_data import frame_words, is_counts
from wfibp.models.transform_features import TRANSFORMS
from wfibp.parameters import ParameterError
from wfibp.posterior import Posterior
from wfibp.posterior.draw_records import Block
from wfibp.posterior.feature_rows import choose_draws, rows_of_draw
from wfibp.posterior.matching import UNLISTED
from wfibp.posterior.path_draws import TimeGrid, draw_popularity
from wfibp.posterior.run_folder import read_run
from wfibp.posterior.topic_means import PROPORTIONS, WORD_COUNTS, word_distributions

MOST_DRAWS = 25  # evenly spaced: shares are then off by a fifth of their spread over draws
NUM_SWEEPS = 60  # by default: held-out words are then predicted about as well as by the fit, and no better after 150
LEFT_OUT = 2 / 3  # of the sweeps
DOCUMENTS_AT_ONCE = 4096  # so that their shares of all topics fit in memory


class NewDocuments(NamedTuple):
    """Of the listed topics in each new document (N, F): their shares θ̂, and the probability that it has them."""

    shares: Floats
    probability: Floats


def transform_documents(
    posterior: Posterior, corpus: Corpus, odds: DocumentProbability, num_sweeps: int
) -> NewDocuments:
    """Averages over draws; `corpus` is in the words of the run and on its clock, rows are in the order given."""
    sweeps = SweepPlan(num_sweeps, int(LEFT_OUT * num_sweeps))
    rng = np.random.default_rng(np.random.SeedSequence(int(posterior.provenance["entropy"]), spawn_key=(TRANSFORMS,)))
    prior = OddsPrior(np.nan if odds.fixed is None else -np.log1p(-odds.fixed), odds.a, odds.b)
    times, time = np.unique(corpus.times, return_inverse=True)
    grid = TimeGrid.of(read_run(posterior.path).read_data().clock, times)
    words, start = corpus.tokens()
    sums, num_draws = np.zeros((2, len(corpus), len(posterior.matching))), 0
    for block, s in chosen_draws(posterior):
        topics = topics_of_draw(block, s, grid, rng)
        label = posterior.matching.label(block)[block.rows_of(s)]
        listed = np.flatnonzero(label != UNLISTED)
        for first in range(0, len(corpus), DOCUMENTS_AT_ONCE):
            some = slice(first, min(first + DOCUMENTS_AT_ONCE, len(corpus)))
            drawn = draw_new_documents(start[first : some.stop + 1], words, time[some], topics, prior, sweeps, rng)
            for total, values in zip(sums, drawn, strict=True):
                total[some, label[listed]] += values[:, listed]
        num_draws += 1
    in_given_order = np.argsort(corpus.order)
    return NewDocuments(*(sums[:, in_given_order] / num_draws))


def chosen_draws(posterior: Posterior) -> Iterator[tuple[Block, int]]:
    """At most MOST_DRAWS draws: the block of each and its place there."""
    chosen, number = choose_draws(posterior.matching.num_draws, MOST_DRAWS), 0
    for block in posterior.blocks("frequencies", "counts", PROPORTIONS, WORD_COUNTS):
        for s in np.flatnonzero(chosen[number : number + block.num_draws]):
            yield block, int(s)
        number += block.num_draws


def topics_of_draw(block: Block, s: int, grid: TimeGrid, rng: np.random.Generator) -> KnownTopics:
    """All topics of a draw at the times of the grid: φ is known where the fit had documents with the topic."""
    rows = block.rows_of(s)
    counts, kept = block.rows["counts"][rows], block.rows[PROPORTIONS][rows]
    proportions = np.full((counts.shape[0], grid.times.size), np.nan)
    place = grid.place[grid.observed]
    proportions[:, grid.observed] = np.where(counts[:, place] > 0, kept[:, place], np.nan)
    frequencies = draw_popularity(rows_of_draw(block, s), grid, rng)
    shape = float(block.numbers["proportion_shape"][s])
    return KnownTopics(word_distributions(block, s), frequencies, proportions, shape)


def read_new_documents(
    kept: StoredCorpus, documents: Any, times: Any, num_times: int, columns: Sequence[str] | None = None
) -> Corpus:
    """A corpus, counts (documents × words) or texts, in the words of a run and on its clock of so many times.

    columns: the words of the columns of counts, those that the fit did not use among them.
    """
    corpus = documents
    if not isinstance(documents, Corpus):
        if times is None and num_times > 1:
            raise ParameterError(
                "times",
                f"must be given, one for each document: the model was fitted to {num_times} times; in a pipeline "
                "enable scikit-learn's metadata routing and call set_transform_request(times=True) on the model",
            )
        corpus = _read(kept, documents, times, kept.vocabulary if columns is None else columns)
    elif times is not None:
        raise ParameterError("times", "must be omitted when new_documents is a Corpus, which has its own")
    if corpus.calendar.unit != kept.calendar.unit:
        raise ValueError(
            f"new documents must be on the clock of the fit, whose times are in {_unit(kept.calendar)}, got "
            f"{_unit(corpus.calendar)}; read them with the options of the first corpus, `**corpus.reading`"
        )
    return corpus.in_words(kept.vocabulary)


def _is_numbered(word: str, num_columns: int) -> bool:
    """Whether it is the name of a column that was given none; there may be more columns than could be listed."""
    place = word.removeprefix("word ")
    return word != place and place.isascii() and place.isdigit() and len(place) < 18 and int(place) < num_columns


def _read(kept: StoredCorpus, documents: Any, times: Any, columns: Sequence[str]) -> Corpus:
    if not is_counts(documents):
        return Corpus.from_documents(documents, times, **kept.reading)
    words, known = frame_words(documents), set(kept.vocabulary)
    if words is None or known.isdisjoint(words):  # known by their places, not by their names
        words = tuple(columns) if documents.shape[1] == len(columns) else None
    if words is None and not any(_is_numbered(word, documents.shape[1]) for word in known):
        raise ParameterError(
            "counts",
            f"must have a column for each of the {len(columns)} words of the fit, in their order, got "
            f"{documents.shape[1]}; name the words of others with Corpus.from_counts(…, vocabulary=…)",
        )
    return Corpus.from_counts(documents, times, words, resolution=kept.calendar)


def _unit(calendar: Calendar) -> str:
    return "plain numbers" if calendar.unit is None else f"{calendar.unit}s"
