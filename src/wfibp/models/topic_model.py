"""Topics in text: the dynamic topic model whose number of topics is inferred (paper: section 6)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.corpus.storage import VOCABULARY, StoredCorpus, pack_texts, store_corpus
from wfibp.inference.priors import Gamma, LogNormal, Prior, check_setting
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Settings
from wfibp.inference.state import Booleans, Clock
from wfibp.likelihoods.topics import TopicLikelihood
from wfibp.likelihoods.topics.corpus_words import Words
from wfibp.models.base import DynamicModel
from wfibp.models.chain_run import Progress
from wfibp.models.dataset import Dataset
from wfibp.models.renamed import take_renamed, with_warning
from wfibp.models.running import Executor, count_processors
from wfibp.models.time_limit import TimeLimit
from wfibp.models.topic_data import as_corpus, check_document_probability, column_names
from wfibp.models.transform_topics import NUM_SWEEPS, NewDocuments, read_new_documents, transform_documents
from wfibp.parameters import ParameterError
from wfibp.posterior.run_folder import read_run

WORDS_PER_TOPIC_TO_START = 100.0  # the square root of the corpus over 10: 140 topics for two million words
FEWEST_TO_START, MOST_TO_START = 5, 200
WEAK_MASS = Gamma(1.0, 1.0)
WEAK_TIME_SCALE = LogNormal(math.log(0.12), 1.0)  # around the paper's 0.12 a year
FIRM_SHAPE = 5.0  # the mean of the paper's Gamma(5, 1); inferred, γ falls below 1 on real text and Z says nothing


class DynamicTopicModel(FeatureTransformer, DynamicModel):
    """Topics of dated documents: how many there are, when they came and went, how many documents have each.

    A document has topic k with probability X_k(t), which moves as a Wright–Fisher diffusion; which share of its words
    the topic takes is modelled separately (φ). Each of alpha, beta and time_scale is a number (held fixed) or a prior
    (inferred). The sampler is exact; see the page on the mathematics.

    Parameters
    ----------
    num_topics: None for an unbounded number (it is inferred), or a fixed number.
    alpha, beta: mass and concentration; a document has alpha/beta topics on average.
    time_scale: diffusion units per unit of time; a topic's popularity changes over about 1/time_scale units.
    topic_smoothing: η, how even the words of a topic are; a number or a prior. Far below 0.1 (the paper has 0.001) a
        word that one document repeats makes a topic of its own, and there are thousands of them.
    document_probability: p, None for one per document (documents are as long as they are), a number for a fixed p (0.5
        is the paper's), or a pair (a, b) for a Beta prior.
    proportion_shape: γ, how much a document that has a topic is expected to say about it; a number, or a Gamma prior
        (the paper's is Gamma(5, 1)). Inferred, it falls far below 1 on real text, and documents then have nearly all
        topics, without a word of most. Larger than 5, fewer topics in a document, and sharper lives.
    initial_topics: how many topics words are assigned at random to at the start; None chooses by the size of the
    corpus. word_sampler: "collapsed" draws word after word with the topics integrated out; "threaded" draws the topics
    and then
        most documents side by side. Both are exact; the first needs fewer sweeps, the second less time for each.
    num_threads: of "threaded"; None for as many as there are processors. It changes no bit of the draws.
    path_method, num_particles, num_draws, num_warmup, num_chains, thin, seed, output, num_workers, verbose: as
        in DynamicFeatureModel.
    """

    path_period: ClassVar[int] = SCHEDULE.topic_path_period
    draws_per_whole_feature_move: ClassVar[int] = SCHEDULE.topic_draws_per_whole_feature_move

    def __init__(
        self,
        num_topics: int | None = None,
        alpha: float | Prior = WEAK_MASS,
        beta: float | Prior = 1.0,
        time_scale: float | Prior = WEAK_TIME_SCALE,
        topic_smoothing: float | Prior = 0.1,
        document_probability: float | tuple[float, float] | None = None,
        proportion_shape: float | Gamma = FIRM_SHAPE,
        *,
        initial_topics: int | None = None,
        word_sampler: str = "collapsed",
        num_threads: int | None = None,
        path_method: str = "exact",
        num_particles: int | None = None,
        num_draws: int = 200,
        num_warmup: int = 500,
        num_chains: int = 2,
        thin: int = 5,
        seed: int | None = None,
        output: str | Path | None = None,
        num_workers: int | None = None,
        verbose: bool = True,
        **renamed: Any,
    ) -> None:
        self.num_topics = num_topics
        self.alpha = alpha
        self.beta = beta
        self.time_scale = time_scale
        self.topic_smoothing = topic_smoothing
        self.document_probability = document_probability
        self.proportion_shape = proportion_shape
        self.initial_topics = initial_topics
        self.word_sampler = word_sampler
        self.num_threads = num_threads
        self.path_method = path_method
        self.num_particles = num_particles
        self.num_draws = num_draws
        self.num_warmup = num_warmup
        self.num_chains = num_chains
        self.thin = thin
        self.seed = seed
        self.output = output
        self.num_workers = num_workers
        self.verbose = verbose
        take_renamed(self, renamed)

    def set_params(self, **params: Any) -> Self:
        """Set parameters by their names, those included that they had before."""
        known, given = self._get_param_names(), with_warning(self, params)
        for name in sorted(given.keys() - set(known)):
            raise ParameterError(name, f"is no parameter of {type(self).__name__}; they are {', '.join(known)}")
        super().set_params(**given)
        return self

    def fit(
        self,
        data: Any,
        times: Any = None,
        *,
        max_time: float | str | TimeLimit | None = None,
        vocabulary: Any = None,
        on_progress: Progress | None = None,
        notes: dict[str, Any] | None = None,
        executor: Executor | None = None,
    ) -> Self:
        """Run the chains and keep their draws in `posterior_`; without times the model is static.

        data: a Corpus; counts (documents × words); or texts. vocabulary: the words of the columns of counts, as a list,
        a file with one per line, or the vectoriser that counted them, which may be the step before in a pipeline:
        `pipeline.fit(texts, years, dynamictopicmodel__vocabulary=pipeline[0])`. A data frame brings its own.
        max_time, on_progress, notes, executor: as in DynamicFeatureModel.
        """
        words = column_names(data, vocabulary)
        corpus = as_corpus(data, times, words)
        super().fit(corpus, max_time=max_time, on_progress=on_progress, notes=notes, executor=executor)
        self._columns = words  # also those that no document used
        return self

    def fit_transform(self, data: Any, times: Any = None, *, vocabulary: Any = None) -> Floats:
        """Fit the model, and return the share θ̂ of each listed topic in each document of the fit.

        Parameters
        ----------
        data : Corpus, list of str, or array_like or sparse matrix of shape (N, V)
            As in `fit`.
        times : array_like of shape (N,), default=None
            As in `fit`.
        vocabulary : list of str, str, Path or vectorizer, default=None
            As in `fit`.

        Returns
        -------
        ndarray of float, shape (N, F)
            The shares, rows in the order of `data`.
        """
        return self.fit(data, times, vocabulary=vocabulary).posterior_.document_proportions().toarray()

    def transform(self, new_documents: Any, times: Any = None, *, num_sweeps: int = NUM_SWEEPS) -> Floats:
        """Return the share θ̂ of each listed topic in new documents.

        new_documents: texts, counts (documents × words) over the words of the fit, or a Corpus. Words that the fit did
        not have are left out. times: a time for each, any, before, between or after those of the fit, as numbers or
        dates; none are needed if there were none. num_sweeps: Gibbs sweeps for each draw, two thirds of them left out;
        only with a fixed `document_probability` near 1 and documents of a few words are thousands needed. Averaged over
        at most 25 draws; the topics stay as they were found, and no new ones are introduced.
        """
        return self._transform(new_documents, times, num_sweeps).shares

    def topic_probabilities(self, new_documents: Any, times: Any = None, *, num_sweeps: int = NUM_SWEEPS) -> Floats:
        """Return the probability that each new document has each listed topic, however few of its words are about it.

        Parameters
        ----------
        new_documents : Corpus, list of str, or array_like or sparse matrix of shape (N, V)
            As in `transform`.
        times : array_like of shape (N,), default=None
            As in `transform`.
        num_sweeps : int, default=60
            As in `transform`.

        Returns
        -------
        ndarray of float, shape (N, F)
            The probabilities; columns are the topics of `posterior_.features`.
        """
        return self._transform(new_documents, times, num_sweeps).probability

    def _transform(self, new_documents: Any, times: Any, num_sweeps: int) -> NewDocuments:
        check_is_fitted(self, "posterior_")
        sweeps = checks.whole_number("num_sweeps", num_sweeps, at_least=1)
        kept = StoredCorpus.of(read_run(self.posterior_.path).read_data().arrays)
        columns = getattr(self, "_columns", None)  # none after a load: the words that were used have to do
        corpus = read_new_documents(kept, new_documents, times, self.posterior_.times.size, columns)
        return transform_documents(
            self.posterior_, corpus, check_document_probability(self.document_probability), sweeps
        )

    def check_data(self, data: Any, times: Any = None) -> Dataset:
        """Check documents and sort them by time.

        Parameters
        ----------
        data : Corpus, list of str, or array_like or sparse matrix of shape (N, V)
            As in `fit`.
        times : array_like of shape (N,), default=None
            As in `fit`.

        Returns
        -------
        Dataset
            What a chain is run on.
        """
        corpus = as_corpus(data, times)
        if corpus.counts.sum() == 0:
            raise ValueError("the corpus has no words left; check the texts, the stop words and the minimum counts")
        distinct, num_documents = np.unique(corpus.times, return_counts=True)
        place = np.argsort(np.argsort(corpus.order))  # among the documents kept: those without a time may be gone
        return Dataset(Clock(distinct, num_documents.astype(np.int64)), store_corpus(corpus), place)

    def empty_dataset(self, times: Floats, num_objects: Integers, num_columns: int) -> Dataset:
        """Return documents without words yet, to be simulated.

        Parameters
        ----------
        times : ndarray of float, shape (T,)
            Increasing times.
        num_objects : ndarray of int, shape (T,)
            Documents at each time.
        num_columns : int
            Number of different words.

        Returns
        -------
        Dataset
            What a chain is run on.
        """
        num_documents = int(num_objects.sum())
        arrays: dict[str, NDArray[Any]] = {
            "words": np.empty(0, np.int32),
            "start": np.zeros(num_documents + 1, np.int64),
            **pack_texts(VOCABULARY, [f"word {j}" for j in range(num_columns)]),
        }
        return Dataset(Clock(times, num_objects), arrays, np.arange(num_documents))

    def likelihood(self, dataset: Dataset) -> TopicLikelihood:
        """Return the topic likelihood of the words.

        Parameters
        ----------
        dataset : Dataset
            The documents.

        Returns
        -------
        TopicLikelihood
            The likelihood, holding the data.
        """
        arrays = dataset.arrays
        words = Words(arrays["words"], arrays["start"], arrays["vocabulary_lengths"].size)
        shape = self.proportion_shape
        if not isinstance(shape, Gamma):
            shape = checks.number("proportion_shape", shape, above=0.0)
        smoothing = check_setting("topic_smoothing", self.topic_smoothing)
        probability = check_document_probability(self.document_probability)
        return TopicLikelihood(words, smoothing, shape, probability, self._num_threads())

    def _num_threads(self) -> int:
        """Of the sampler that runs on threads; 0 for the other."""
        sampler = checks.choice("word_sampler", self.word_sampler, ("collapsed", "threaded"))
        if sampler == "collapsed":
            if self.num_threads is not None:
                rule = 'goes with word_sampler="threaded"; the other draws word after word'
                raise ParameterError("num_threads", rule)
            return 0
        if self.num_threads is None:
            return count_processors()
        return checks.whole_number("num_threads", self.num_threads, at_least=1)

    def first_allocations(self, dataset: Dataset, rng: np.random.Generator) -> Booleans:
        """Return room for the first topics; the likelihood assigns the words to them at random.

        Parameters
        ----------
        dataset : Dataset
            The documents.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of bool, shape (K, 0)
            Z, which the likelihood keeps in its own form.
        """
        return np.zeros((self._num_first_topics(dataset), 0), np.bool_)

    def settings(self, dataset: Dataset) -> Settings:
        """The settings of the sampler."""
        if self.initial_topics is not None:
            checks.whole_number("initial_topics", self.initial_topics, at_least=1)
        return super().settings(dataset)

    def _truncation(self) -> int | None:
        return None if self.num_topics is None else checks.whole_number("num_topics", self.num_topics, at_least=1)

    def _num_first_topics(self, dataset: Dataset) -> int:
        fixed = self._truncation()
        if fixed is not None:
            return fixed
        if self.initial_topics is not None:
            return int(self.initial_topics)
        suits = round(math.sqrt(dataset.arrays["words"].size / WORDS_PER_TOPIC_TO_START))
        return min(max(suits, FEWEST_TO_START), MOST_TO_START)
