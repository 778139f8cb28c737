"""Posteriors that are made up: everything a report asks of one, without a run."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from wfibp.corpus import Calendar
from wfibp.posterior.figures import Figures
from wfibp.posterior.usage import usage_rows, usage_table

WORDS = {
    "war army troops soldiers enemy victory battle campaign command forces": (1861.0, 0.45, 4.0),
    "treaty minister majesty britain commerce neutral vessels ports commissioners claims": (1812.0, 0.5, 18.0),
    "bank currency gold silver notes treasury specie coin circulation reserve": (1893.0, 0.4, 16.0),
    "jobs workers families college health tax credit wage college insurance": (2005.0, 0.7, 14.0),
    "soviet nuclear weapons freedom arms missiles communist nato allies defense": (1963.0, 0.6, 16.0),
    "railroad interstate corporations commission combinations trusts rates shippers": (1905.0, 0.35, 10.0),
    "indian tribes lands reservations agents removal hostilities annuities": (1845.0, 0.3, 30.0),
    "slavery territories kansas constitution convention union secession": (1858.0, 0.42, 5.0),
    "navy ships vessels squadron officers yards ironclads cruisers": (1885.0, 0.35, 30.0),
    "iraq terrorists afghanistan taliban attacks intelligence homeland": (2004.0, 0.5, 4.0),
    "farmers agriculture crops prices farm production surplus cotton": (1928.0, 0.42, 14.0),
    "congress report department session recommend attention appropriation distribution": (1880.0, 0.95, 70.0),
}
YEARS = np.arange(1790.0, 2020.0, 3.0)
SPREAD = 0.25  # half the width of a band, in multiples of the mean


class MadeUpTopics(Figures):
    """Topics that rise and fall as bells over the years; `words` may be any words, `texts` any openings."""

    def __init__(self, topics: dict[str, tuple[float, float, float]] | None = None, **changes: Any) -> None:
        self.chosen = WORDS if topics is None else topics
        self.changes = changes
        self.num_chains, self.num_draws = 2, 200
        self.times = np.asarray(changes.get("times", YEARS), float)
        self.settings = {
            "num_chains": 2,
            "num_draws": 200,
            "num_warmup": 500,
            "thin": 5,
            "num_topics": None,
            "alpha": 1,
        }
        self.provenance = {
            "model": "DynamicTopicModel",
            "settings": self.settings,
            "num_draws": 200,
            "entropy": "7",
            "versions": {"python": "3.11", "wfibp": "0.1.0"},
            **changes.get("provenance", {}),
        }

    has_topics = True
    is_warmup = False
    is_unfinished = False
    progress = pd.DataFrame({"chain": [0, 1], "sweep": 1500, "num_warmup": 500, "num_draws": 200})

    @property
    def calendar(self) -> Calendar:
        return self.changes.get("calendar", Calendar("year", "year"))

    @property
    def features(self) -> pd.DataFrame:
        num = len(self.chosen)
        ids = pd.Series([((0, k), (1, k)) if k % 5 else ((0, k),) for k in range(num)], dtype=object)
        columns = {"share": np.linspace(1.0, 0.6, num), "size": np.linspace(400.0, 20.0, num), "ids": ids}
        columns = {**columns, "established": columns["size"] >= self.established_size}
        return pd.DataFrame(columns, index=pd.RangeIndex(num, name="feature"))

    @cached_property
    def _means(self) -> np.ndarray:
        bells = [peak * np.exp(-0.5 * ((self.times - year) / width) ** 2) for year, peak, width in self.chosen.values()]
        return np.where(np.array(bells) < 0.01, 0.0, bells)

    def _tidy(self, means: np.ndarray) -> pd.DataFrame:
        num = len(means)
        return pd.DataFrame(
            {
                "feature": np.repeat(np.arange(num), self.times.size),
                "time": np.tile(self.times, num),
                "mean": means.ravel(),
                "low": (means * (1.0 - SPREAD)).ravel(),
                "high": np.minimum(means * (1.0 + SPREAD), 1.0).ravel(),
                "alive": (means > 0.0).astype(float).ravel(),
            }
        )

    def popularity(self, times: Any = None, interval: float = 0.9) -> pd.DataFrame:
        return self._tidy(self._means)

    def shares(self, interval: float = 0.9) -> pd.DataFrame:
        table = self._tidy(self._means / np.maximum(self._means.sum(axis=0), 1e-9))
        return table.drop(columns="alive")

    def lifetimes(self, interval: float = 0.9) -> pd.DataFrame:
        rows = []
        for k, mean in enumerate(self._means):
            alive = np.flatnonzero(mean > 0.0)
            born, dies = alive[0] > 0, alive[-1] < self.times.size - 1
            birth = self.times[alive[0]] - 1.5 if born else np.nan
            death = self.times[alive[-1]] + 1.5 if dies else np.nan
            rows.append(
                {
                    "feature": k,
                    "share": self.features.share[k],
                    "born_before": float(not born),
                    "birth": birth,
                    "birth_low": birth - 6.0,
                    "birth_high": birth + 3.0,
                    "alive_at_end": float(not dies),
                    "death": death,
                    "death_low": death - 3.0,
                    "death_high": death + 8.0,
                }
            )
        return pd.DataFrame(rows)

    def usage(self, interval: float = 0.9) -> pd.DataFrame:
        shares = self.shares()["mean"].to_numpy().reshape(-1, self.times.size)
        rows = usage_rows(shares[None], range(len(shares)), self.times, interval)
        return usage_table(rows)

    def summary(self, interval: float = 0.9) -> pd.DataFrame:
        rows = {
            "num_features": (12.4, 1.1, 11.0, 14.0, 410.0, 520.0, 1.004),
            "num_established": (12.4, 1.1, 11.0, 14.0, 410.0, 520.0, 1.004),
            "alpha": (2.6, 0.6, 1.7, 3.7, 640.0, 600.0, 1.001),
            "beta": (1.0, 0.0, 1.0, 1.0, np.nan, np.nan, np.nan),
            "time_scale": (0.12, 0.02, 0.09, 0.16, 433.0, 450.0, 1.009),
            "log_likelihood": (-1.6e6, 210.0, -1.6e6 - 300, -1.6e6 + 300, 402.0, 480.0, 1.008),
        }
        columns = ["mean", "sd", "low", "high", "ess_bulk", "ess_tail", "r_hat"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns)

    def numbers(self) -> pd.DataFrame:
        rng, size = np.random.default_rng(1), self.num_chains * self.num_draws
        return pd.DataFrame(
            {
                "chain": np.repeat(np.arange(self.num_chains), self.num_draws),
                "draw": np.tile(np.arange(self.num_draws), self.num_chains),
                "sweep": np.tile(np.arange(self.num_draws), self.num_chains),
                "num_features": (num_features := rng.poisson(1.0, size) + 11),
                "num_established": num_features - 1,
                "alpha": rng.gamma(16.0, 0.16, size),
                "beta": np.ones(size),
                "time_scale": rng.gamma(36.0, 0.0033, size),
                "mu": np.zeros(size),
                "log_likelihood": -1.6e6 + 200.0 * rng.normal(size=size),
            }
        )

    def num_features_distribution(self) -> pd.Series:
        return pd.Series([0.02, 0.31, 0.4, 0.2, 0.07], index=pd.Index([10, 11, 12, 13, 14], name="num_features"))

    established_size = 5

    def num_established_distribution(self, at_least: int | None = None) -> pd.Series:
        return self.num_features_distribution().rename_axis("num_established")

    def prevalence(self, interval: float = 0.9) -> pd.DataFrame:
        levels = np.arange(1, 401)
        mean = (self.features["size"].to_numpy()[:, None] >= levels).sum(axis=0) + 30.0 / levels**2
        return pd.DataFrame(
            {"at_least": levels, "mean": mean, "low": np.floor(0.9 * mean), "high": np.ceil(1.1 * mean)}
        )

    @cached_property
    def vocabulary(self) -> np.ndarray:
        return np.array(sorted({word for words in self.chosen for word in words.split()}))

    def topics(self) -> np.ndarray:
        place = {word: v for v, word in enumerate(self.vocabulary)}
        rho = np.full((len(self.chosen), len(place)), 1e-4)
        for k, words in enumerate(self.chosen):
            for rank, word in enumerate(words.split()):
                rho[k, place[word]] = 0.06 / (rank + 1.5)
        return rho / rho.sum(axis=1, keepdims=True)

    def top_words(self, num_words: int = 10) -> pd.DataFrame:
        rho = self.topics()
        order = np.argsort(-rho, axis=1, kind="stable")[:, :num_words]
        num, kept = order.shape
        return pd.DataFrame(
            {
                "feature": np.repeat(np.arange(num), kept),
                "rank": np.tile(np.arange(1, kept + 1), num),
                "word": self.vocabulary[order].ravel(),
                "probability": np.take_along_axis(rho, order, axis=1).ravel(),
            }
        )

    @cached_property
    def documents(self) -> pd.DataFrame:
        times = np.repeat(self.times, 3)
        opening = self.changes.get("opening", "Fellow-citizens of the Senate and House: in meeting you again, I ")
        name = self.changes.get("name", "Address of {:g}")
        return pd.DataFrame(
            {
                "name": [name.replace("{:g}", f"{time:g}, part {i % 3}") for i, time in enumerate(times)],
                "time": times,
                "time_label": [self.calendar.label(time) for time in times],
                "num_words": 300,
                "opening": pd.Series([opening] * times.size, dtype=object),
            }
        )

    @property
    def object_times(self) -> np.ndarray:
        return np.repeat(self.times, 3)

    def document_proportions(self) -> sparse.csr_array:
        shares = self._means / np.maximum(self._means.sum(axis=0), 1e-9)
        wobble = 1.0 + 0.2 * np.sin(np.arange(3 * self.times.size * len(shares))).reshape(-1, len(shares))
        return sparse.csr_array(np.repeat(shares, 3, axis=1).T * wobble)

    def allocations(self) -> np.ndarray:
        return np.repeat(self._means, 3, axis=1).T

    def coherence(self, num_words: int = 10) -> pd.Series:
        return pd.Series(np.linspace(0.3, 0.1, len(self.chosen)), index=self.features.index)
