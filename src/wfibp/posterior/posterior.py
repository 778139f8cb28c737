"""The posterior as its users see it: how many features, when each lived, how popular it was, and how sure we are."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.posterior import diagnostics, notebook_display
from wfibp.posterior.chain_progress import ChainProgress
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import ALLOCATIONS, Block, Draw, allocations_of
from wfibp.posterior.errors import NoDrawsError, RunWarning
from wfibp.posterior.feature_means import mean_rows
from wfibp.posterior.figures import Figures
from wfibp.posterior.forecasts import Forecast, per_object_table
from wfibp.posterior.matching import MatchedFeatures, match_features
from wfibp.posterior.path_draws import TimeGrid
from wfibp.posterior.path_summaries import PathSummaries
from wfibp.posterior.popularity import popularity_draws
from wfibp.posterior.run_folder import RunData, RunFolder, read_run
from wfibp.posterior.summary_cache import SummaryCache
from wfibp.posterior.topic_summaries import TopicSummaries


class Posterior(TopicSummaries, PathSummaries, ChainProgress, Figures):
    """Draws of a run, read from its folder as they are needed, and their summaries.

    A fitted model has one, `posterior_`; `Posterior.load` reads one from a folder. Features are matched over draws and
    chains and numbered 0, …, F − 1, those in most draws first; `features` lists them. A feature in fewer than 5 % of
    the draws is not listed. Summaries that need further randomness take it from the run's seed, so that asking twice
    gives the same answer.

    Parameters
    ----------
    run : RunFolder
        The folder of the run.
    chains : list of ChainReader
        Its chains that have draws.
    keep_alive : Any, default=None
        Held as long as the posterior is, such as a temporary folder.

    Examples
    --------
    >>> import wfibp
    >>> ships, trains = "ship sea sail harbour captain", "engine steam rail train station"
    >>> texts, years = [ships] * 10 + [trains] * 10, [1900] * 5 + [1901] * 10 + [1902] * 5
    >>> model = wfibp.DynamicTopicModel(num_draws=20, num_warmup=20, num_chains=1, seed=1, output="run")
    >>> posterior = model.fit(texts, years).posterior_
    >>> list(posterior.top_words(2).columns)
    ['feature', 'rank', 'word', 'probability']
    >>> list(posterior.popularity().columns)
    ['feature', 'time', 'mean', 'low', 'high', 'alive', 'time_label']
    >>> list(posterior.lifetimes().columns[:4])
    ['feature', 'share', 'born_before', 'birth']
    >>> bool(abs(posterior.num_features_distribution().sum() - 1.0) < 1e-9)
    True
    >>> wfibp.Posterior.load("run").num_draws
    20
    """

    def __init__(self, run: RunFolder, chains: list[ChainReader], keep_alive: Any = None) -> None:
        self._run = run
        self._chains = chains
        self._keep_alive = keep_alive
        self._summaries = SummaryCache()

    @classmethod
    def load(cls, directory: str | Path, *, keep_alive: Any = None) -> Posterior:
        """Read the draws that the run in a folder has made so far.

        Parameters
        ----------
        directory : str or Path
            The folder of the run.
        keep_alive : Any, default=None
            Held as long as the posterior is.

        Returns
        -------
        Posterior
            The draws.

        Raises
        ------
        RunError
            If the folder has no run, or the run has no draws yet.

        Warns
        -----
        RunWarning
            If the run is unfinished.
        """
        run = read_run(directory)
        chains = [ChainReader.open(k, run.chain(k), _warn, run.origin(k)) for k in range(run.num_chains)]
        if not any(chain.num_draws for chain in chains):
            raise NoDrawsError(f"the run in {run.path} has no draw yet; let it continue, or resume it")
        wanted = run.provenance["num_draws"]
        if any(chain.num_draws < wanted for chain in chains):
            made = ", ".join(str(chain.num_draws) for chain in chains)
            _warn(f"the run in {run.path} is unfinished: its chains have made {made} of {wanted} draws; resume it")
        return cls(run, [chain for chain in chains if chain.num_draws], keep_alive)

    def __repr__(self) -> str:
        return notebook_display.one_line(self)

    def _repr_html_(self) -> str:
        return notebook_display.to_html(self)

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self._run.path

    @property
    def provenance(self) -> dict[str, Any]:
        """What was run: model, settings, entropy of the seed, versions, digest of the data."""
        return self._run.provenance

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the model, by name."""
        return dict(self.provenance["settings"])

    @property
    def num_chains(self) -> int:
        """The number of chains with draws."""
        return len(self._chains)

    @property
    def num_draws(self) -> int:
        """The number of draws kept per chain, of the shortest chain if they differ."""
        return min(chain.num_draws for chain in self._chains)

    @property
    def times(self) -> Floats:
        """The times of the data, as an array of shape (T,)."""
        return self._data.clock.times.copy()

    @property
    def object_times(self) -> Floats:
        """The time of each object, in the order of the data given to fit, as an array of shape (N,)."""
        return self.times[self._data.clock.object_time][np.argsort(self._data.order)]

    def draws(self) -> Iterator[tuple[int, Draw]]:
        """Read every draw, one at a time.

        Yields
        ------
        chain : int
            The number of its chain.
        draw : Draw
            Its `numbers` and `rows` by name; allocations (K, N) are in the order of the data given to fit.
        """
        to_sorted = np.argsort(self._data.order)
        for block in self.blocks():
            for draw in block.draws():
                allocations = allocations_of(draw.rows, to_sorted.size)[:, to_sorted]
                yield block.chain, Draw(draw.numbers, {**draw.rows, ALLOCATIONS: allocations})

    def blocks(self, *names: str) -> Iterator[Block]:
        """Read the draws as they are stored, some at a time, with objects sorted by time.

        Parameters
        ----------
        *names : str
            Arrays to read, such as "frequencies"; none reads all.

        Yields
        ------
        Block
            Some draws of one chain.
        """
        for name in names:
            checks.instance("names", name, str, 'name arrays of the draws, such as "frequencies"')
        for chain in self._chains:
            yield from chain.blocks(*names)

    @cached_property
    def matching(self) -> MatchedFeatures:
        """Which id of which chain is which feature."""
        by, up_to_scale = self.provenance["matched_by"], self.provenance["matched_up_to_scale"]
        return match_features(self._chains, by, up_to_scale=up_to_scale, indexes=self._indexes)

    @cached_property
    def features(self) -> pd.DataFrame:
        """The listed features, one row each.

        share is the share of the draws that have the feature; size is the number of objects that have it then, on
        average; ids are its (chain, id) pairs.
        """
        ids = pd.Series([tuple(chunk.members) for chunk in self.matching.chunks], dtype=object)
        size = self.matching.size
        columns = {"share": self.matching.share, "size": size, "established": size >= self.established_size, "ids": ids}
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self.matching), name="feature"))

    def num_features_distribution(self) -> pd.Series:
        """Return the posterior probability of each number of features K that the objects have in all.

        Returns
        -------
        pandas.Series
            Probabilities, indexed by K.
        """
        values = np.concatenate(self._numbers["num_features"])
        probability = np.bincount(values) / values.size
        seen = np.flatnonzero(probability)
        return pd.Series(probability[seen], index=pd.Index(seen, name="num_features"), name="probability")

    def numbers(self) -> pd.DataFrame:
        """Return every number of the model in every draw.

        Returns
        -------
        pandas.DataFrame
            One row per draw of each chain, in their order, with the columns chain and draw and one column per number.
        """
        chain = np.concatenate([np.full(chain.num_draws, chain.chain) for chain in self._chains])
        draw = np.concatenate([np.arange(chain.num_draws) for chain in self._chains])
        numbers = {name: np.concatenate(parts) for name, parts in self._numbers.items()}
        return pd.DataFrame({"chain": chain, "draw": draw, **numbers})

    def summary(self, interval: float = 0.9) -> pd.DataFrame:
        """Summarise every number of the model.

        Parameters
        ----------
        interval : float, default=0.9
            Probability of the equal-tailed interval.

        Returns
        -------
        pandas.DataFrame
            One row per number: mean, sd, interval, effective sample sizes and R-hat. r_hat above 1.01, or an ess below
            400, says that the chains are too short to be trusted; both are NaN for a number that was held fixed.
        """
        inside = checks.interval(interval)
        return self._summaries.get(
            ("summary", inside, self.established_size),
            lambda: diagnostics.summary_table(diagnostics.stack_chains(self._numbers), inside),
        ).copy()

    def moves(self) -> pd.DataFrame:
        """Return how often each move of the sampler was tried and accepted, and its seconds.

        Draws from a full conditional are always accepted.

        Returns
        -------
        pandas.DataFrame
            One row per chain, phase of the run and move; empty if the run was made before this was kept.
        """
        return diagnostics.moves_table(self._chains)

    def to_arviz(self) -> Any:
        """Return the draws for arviz.

        Returns
        -------
        arviz.InferenceData
            Every number, and the frequencies X_k(t) of the listed features at the times of the data. `sample_stats`
            has, by chain and move, what `moves` says of the sweeps after the warm-up.
        """
        grid, num_draws = self._grid(None), self.num_draws
        span, everything = range(len(self.matching)), np.ones(self.matching.num_draws, np.bool_)
        values = popularity_draws(self._chains, self.matching, grid, span, everything, self._rng())
        starts = np.cumsum([0, *(chain.num_draws for chain in self._chains[:-1])])
        frequencies = np.stack([values[start : start + num_draws] for start in starts])
        data = diagnostics.to_arviz(diagnostics.stack_chains(self._numbers), frequencies, self.times)
        diagnostics.add_sample_stats(data, self.moves())
        return data

    def popularity(self, times: ArrayLike | None = None, interval: float = 0.9) -> pd.DataFrame:
        """Summarise X_k(t), the probability that an object at time t has feature k.

        Parameters
        ----------
        times : array_like of shape (W,), default=None
            Increasing times; None is those of the data. Elsewhere X is drawn exactly given the counts and
            hyper-parameters of (at most 250) draws. Topics also take labels or dates.
        interval : float, default=0.9
            Probability of the equal-tailed interval.

        Returns
        -------
        pandas.DataFrame
            Tidy, one row per feature and time: feature, time, mean, low and high of X_k(t) over the draws, 0 where a
            draw has no such feature, and alive, the probability that X_k(t) > 0. Topics have time_label as well.
        """
        inside = checks.interval(interval)
        if times is not None:
            return self._popularity(self._grid(times), inside)
        return self._summaries.get(("popularity", inside), lambda: self._popularity(self._grid(None), inside)).copy()

    def lifetimes(self, interval: float = 0.9) -> pd.DataFrame:
        """Summarise when each feature was born and died.

        Parameters
        ----------
        interval : float, default=0.9
            Probability of the equal-tailed intervals.

        Returns
        -------
        pandas.DataFrame
            One row per feature. share: the share of the draws that have the feature; all else is about those draws.
            born_before: the probability that it was there before the first time of the data; birth, birth_low,
            birth_high: median and interval of the date if it was not. alive_at_end: the probability that it outlived
            the last time; death, death_low, death_high: likewise. NaN: in no draw. For the probability of being alive
            at each time, see `alive`.

        Raises
        ------
        ValueError
            If the number of features was fixed: none is born or dies then.
        """
        self._need_deaths()
        inside = checks.interval(interval)
        return self._summaries.get(("lifetimes", inside), lambda: self._lifetimes(inside)).copy()

    def alive(self, times: ArrayLike | None = None) -> pd.DataFrame:
        """Return the probability that each feature exists at each time, X_k(t) > 0.

        Parameters
        ----------
        times : array_like of shape (W,), default=None
            As in `popularity`.

        Returns
        -------
        pandas.DataFrame
            Tidy: feature, time, alive.
        """
        return self.popularity(times)[["feature", "time", "alive"]]

    def forecast(self, future_times: ArrayLike, interval: float = 0.9) -> Forecast:
        """Predict the features after the last time of the data.

        Parameters
        ----------
        future_times : array_like of shape (W,)
            Increasing times after the last time of the data; topics also take labels or dates.
        interval : float, default=0.9
            Probability of the equal-tailed intervals.

        Returns
        -------
        Forecast
            Two tables: `features`, as `popularity` has them; and `per_object`, how many features an object has on
            average at each time, of those listed, of those seen but not listed, and of new ones that no object had
            before.
        """
        times = self._read_times("future_times", future_times)
        last = self._data.clock.times[-1]
        if times[0] <= last:
            raise ValueError(f"future_times must lie after the last time of the data, {last:g}, got {times[0]:g}")
        known = self.popularity(times, interval)
        return Forecast(known, per_object_table(self._chains, self.matching, self._data.clock, times))

    def allocations(self) -> Floats:
        """Return the probability that each object has each feature.

        Returns
        -------
        ndarray of float, shape (N, F)
            The probabilities, rows in the order of the data given to fit.
        """
        return self._summaries.get(("allocations",), self._allocations).toarray()

    def mean(self, name: str) -> Floats:
        """Return the mean of a parameter of the features, each over the draws that have the feature.

        Parameters
        ----------
        name : str
            The parameter, such as "loadings".

        Returns
        -------
        ndarray of float, shape (F, …)
            The means.
        """
        checks.instance("name", name, str, "give the name of a parameter of the features")
        return self._summaries.get(("mean", name), lambda: mean_rows(self._chains, self.matching, name)).copy()

    @cached_property
    def _data(self) -> RunData:
        return self._run.read_data()

    def _grid(self, times: ArrayLike | None) -> TimeGrid:
        clock = self._data.clock
        return TimeGrid.of(clock, clock.times if times is None else self._read_times("times", times))

    def _read_times(self, name: str, times: Any) -> Floats:
        """Increasing numbers on the clock, from numbers, or from what the calendar of a corpus can read."""
        return checks.increasing_times(name, self._labels.read(name, times) if self._labels else times)

    def _need_deaths(self) -> None:
        if (self._numbers["mu"][0] > 0.0).any():
            raise ValueError("lifetimes need the unbounded model: with a fixed number of features none is born or dies")


def _warn(text: str) -> None:
    warnings.warn(text, RunWarning, stacklevel=3)
