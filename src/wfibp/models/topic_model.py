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
from wfibp.models.transformer import FeatureTransformer
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
    num_topics : int, default=None
        A fixed number of topics; None is the unbounded model, which infers it.
    alpha : float or prior, default=Gamma(1, 1)
        Mass; a document has alpha/beta topics on average.
    beta : float or prior, default=1.0
        Concentration.
    time_scale : float or prior, default=LogNormal(log(0.12), 1)
        Diffusion units per unit of time; the popularity of a topic changes over about 1/time_scale units.
    topic_smoothing : float or prior, default=0.1
        η, how even the words of a topic are. Far below 0.1 (the paper has 0.001) a word that one document repeats makes
        a topic of its own, and there are thousands of them.
    document_probability : float or tuple of float, default=None
        None infers one p per document, so that documents are as long as they are; a number is a fixed p (the paper's is
        0.5); a pair (a, b) is a Beta prior.
    proportion_shape : float or Gamma, default=5.0
        γ, how much a document that has a topic is expected to say about it; a number, or a Gamma prior (the paper's is
        Gamma(5, 1)). Inferred, it falls far below 1 on real text, and documents then have nearly all topics, without a
        word of most. Above 5, there are fewer topics in a document, and births and deaths are sharper.
    initial_topics : int, default=None
        To how many topics words are assigned at random at the start; None chooses by the size of the corpus.
    word_sampler : {"collapsed", "threaded"}
        "collapsed" draws word after word with the topics integrated out; "threaded" draws the topics and then most
        documents in parallel. Both are exact; the first needs fewer sweeps, the second less time for each.
    num_threads : int, default=None
        Threads of "threaded"; None is as many as there are processors. It changes no bit of the draws.
    path_method : {"exact", "particle-gibbs"}
        How paths X_k are drawn; "particle-gibbs" is the paper's method.
    num_particles : int, default=None
        Particles of "particle-gibbs"; None is 100.
    num_draws : int, default=200
        Draws kept per chain.
    num_warmup : int, default=500
        Sweeps of each chain before its first draw.
    num_chains : int, default=2
        Independent chains.
    thin : int, default=5
        Sweeps per draw kept.
    seed : int, default=None
        The same seed gives the same bits, with any `num_workers`; None takes a new one.
    output : str or Path, default=None
        A new folder for the draws, to resume or report from; None keeps them only as long as the posterior.
    num_workers : int, default=None
        Processes that run chains; None is one per chain and core.
    verbose : bool, default=True
        Show the progress of a run that takes more than two seconds, in a terminal.

    Attributes
    ----------
    posterior_ : Posterior
        The draws and their summaries, after `fit`.

    See Also
    --------
    DynamicFeatureModel : Features of measurements.
    Corpus : Documents from files.

    Examples
    --------
    >>> import wfibp
    >>> ships, trains = "ship sea sail harbour captain", "engine steam rail train station"
    >>> texts, years = [ships] * 10 + [trains] * 10, [1900] * 5 + [1901] * 10 + [1902] * 5
    >>> model = wfibp.DynamicTopicModel(num_draws=20, num_warmup=20, num_chains=1, seed=1).fit(texts, years)
    >>> model.posterior_.times
    array([1900., 1901., 1902.])
    >>> shares = model.transform(["the ship left the harbour"], [1901])
    >>> shares.shape == (1, len(model.get_feature_names_out()))
    True
    """

    feature_noun: ClassVar[str] = "topic"
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
        """Set parameters by their names; names that they had in earlier versions are accepted with a warning.

        Parameters
        ----------
        **params : Any
            Values by name.

        Returns
        -------
        DynamicTopicModel
            The model itself.
        """
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
        """Run the chains and keep their draws in `posterior_`.

        Parameters
        ----------
        data : Corpus, list of str, or array_like or sparse matrix of shape (N, V)
            A corpus, texts, or counts (documents × words).
        times : array_like of shape (N,), default=None
            A time for each document, as numbers or dates; a Corpus has its own. Without times the model is static.
        max_time : float or str, default=None
            Longest time that the run may take, in seconds or as a text such as "10m". The warm-up is then as short as
            it must be to leave half of that time for draws, and the run stops after it with the draws it has;
            `wfibp.resume` continues.
        vocabulary : list of str, str, Path or vectorizer, default=None
            The words of the columns of counts: a list, a file with one per line, or the fitted vectorizer that counted
            them. In a pipeline: `pipeline.fit(texts, years, dynamictopicmodel__vocabulary=pipeline[0])`. A data frame
            has its own.
        on_progress : callable, default=None
            Called as on_progress(chain, sweep, total, seen) while the chains run, in place of the progress bars.
        notes : dict, default=None
            Plain JSON to keep with the run, in its provenance.
        executor : callable, default=None
            What computes the chains, called as executor(run, chains, reporting); None is processes of this machine,
            `num_workers` at a time.

        Returns
        -------
        DynamicTopicModel
            The model itself.
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

        It is averaged over at most 25 draws. The topics stay as they were found, and no new ones are introduced.

        Parameters
        ----------
        new_documents : Corpus, list of str, or array_like or sparse matrix of shape (N, V)
            Texts, counts (documents × words) over the words of the fit, or a corpus. Words that the fit did not have
            are left out.
        times : array_like of shape (N,), default=None
            A time for each, before, between or after those of the fit, as numbers or dates; none are needed if the
            model was fitted without.
        num_sweeps : int, default=60
            Gibbs sweeps for each draw, two thirds of them left out. Thousands are needed only with a fixed
            `document_probability` near 1 and documents of a few words.

        Returns
        -------
        ndarray of float, shape (N, F)
            The shares; columns are the topics of `posterior_.features`.
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
        """Return the settings of the sampler, checked.

        Parameters
        ----------
        dataset : Dataset
            What the chains are run on.

        Returns
        -------
        Settings
            The settings.
        """
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
