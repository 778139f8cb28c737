"""What might somebody pass to a parameter? Good values by its name, and others that are good for nothing."""

from __future__ import annotations

import datetime
import decimal
import fractions
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from verification.adversary.examples import Examples

HUGE, UNWRITABLE = 10**400, 10**5000  # no float holds the one, and Python writes no more than 4300 digits


def hostile_values(examples: Examples) -> list[Any]:
    """None of them fits everywhere; most fit nowhere."""
    return [
        *[None, True, False, 0, -1, 1, 2, 3, 7, 10**9, 2**31, 2**63, 2**64, HUGE, -HUGE, UNWRITABLE],
        *[0.0, -0.0, 0.5, 1.5, -0.5, 1e-3, 1e-9, 1e-300, 5e-324, 1e9, 1e18, 1e300, 1e308, -1e308],
        *[float("nan"), float("inf"), -float("inf"), 1 + 2j, np.float32(0.25), np.int8(3), np.uint64(2**64 - 1)],
        *[decimal.Decimal("0.1"), decimal.Decimal("NaN"), fractions.Fraction(1, 3), fractions.Fraction(HUGE, 3)],
        *["", "abc", "1", "nan", "exact", "a\0b", "x" * 5000, "\ud800", "[red]", "0x10", b"", b"abc", bytearray(b"a")],
        *[datetime.date(2001, 2, 3), datetime.datetime(1, 1, 1), datetime.timedelta(days=1), np.datetime64("NaT")],
        *[np.datetime64("2001-02-03"), np.timedelta64(3, "D"), pd.NaT, pd.NA, pd.Timestamp("2001-02-03")],
        *[[], (), {}, set(), [[]], [None], ["a"], ["a", 1], [[1.0], [1.0, 2.0]], [HUGE], [float("nan")], [0.0, HUGE]],
        *[[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1e308], [-1e308, 1e308], [0.0, 1e-300], [0, 1, 2, 3], {"a": 1}],
        *[range(3), range(10**12), iter([1.0]), (value for value in "ab"), object(), int, len, lambda: None, ...],
        *[np.array(1.0), np.array([]), np.zeros((0, 3)), np.zeros((2, 0)), np.zeros((2, 2, 2)), np.array([HUGE, None])],
        *[np.array(["a", "b"]), np.array([True]), np.array([1j]), np.array(["2001"], "M8[D]"), np.zeros(3, "i1,f4")],
        *[np.full((3, 2), np.nan), np.full((3, 2), 1e308), np.ma.masked_all(3), np.arange(6.0).reshape(3, 2)],
        *[np.broadcast_to(0.5, (10**6, 10**6)), np.zeros((2, 3), np.float16), np.matrix([[1.0]])],
        *[sparse.eye_array(3, format="csr"), sparse.coo_array((2, 10**9)), pd.DataFrame({"a": [1]}), pd.Series([1, 2])],
        *[pd.DataFrame(), pd.Series(["a"]), pd.Index([1.0]), np.random.RandomState(1), np.random.SeedSequence(1)],
        *[Path("nowhere"), Path("."), Path("nowhere/below"), "nowhere.csv", "nowhere.npz", "two\nlines"],
        *examples.everything,
    ]


def good_values(examples: Examples) -> dict[str, list[Any]]:
    """By the name of the parameter; a name that is not here is left at its default, or gets anything."""
    times, texts = [0.0, 0.3, 1.0], examples.texts
    counts = [0, 2, 1]
    return {
        "mu": [0.0, 0.5], "beta": [1.0, 0.3, 4.0], "alpha": [1.0, 3.0], "x": [0.3, [0.1, 0.9]], "y": [0.4],
        "dt": [0.2, 1.0], "x0": [0.5, [0.1, 0.2]], "times": [times], "at": [[0.1, 2.0]], "active": [counts],
        "total": [[3, 3, 3]], "low": [0.1], "high": [0.6], "rng": [1, None], "seed": [1], "level": [0.1],
        "num_objects": [3, [1, 2, 3]], "num_features": [3], "num_draws": [2], "num_columns": [2], "population": [50],
        "mutation": [0.01], "back_mutation": [0.01], "count0": [10, [1, 2]], "num_generations": [5],
        "paths": [np.full((2, 3), 0.2)], "threshold": [0.1], "shape": [2.0], "rate": [1.0], "scale": [1.0],
        "log_mean": [0.0], "log_sd": [1.0], "value": [1.5], "num_values": [3], "sum_of_squares": [2.0],
        "model": [examples.topic_model, examples.feature_model], "held_out": [examples.corpus],
        "posterior": [examples.topic_model.posterior_, examples.feature_model.posterior_], "features": [[0], None],
        "interval": [0.8], "num_words": [3], "names": [None], "of": ["popularity"], "axes": [None],
        "directory": [examples.run], "more_draws": [0, 1], "num_workers": [1], "keep_alive": [None],
        "data": [examples.data], "texts": [texts], "matrix": [examples.corpus.counts, examples.corpus.counts.toarray()],
        "vocabulary": [examples.corpus.vocabulary], "table": [pd.DataFrame({"text": texts, "year": examples.years})],
        "text": ["text", None], "time": ["year", None], "name": ["loadings", None], "folder": [examples.folder],
        "dates": [None], "resolution": [None, "year"], "on_bad_dates": ["raise", "drop"], "day_first": [None, True],
        "share": [0.3], "documents": [None, [0, 1]], "min_count": [1], "max_count": [None], "min_documents": [1],
        "max_share": [1.0], "future_times": [[2010.0, 2012.0], [30.0, 31.0]], "topic": [0], "period": [None],
        "num_documents": [3], "num_sweeps": [3], "verbose": [False], "num_warmup": [2], "num_chains": [1], "thin": [1],
        "method": ["exact"], "path_method": ["exact"], "word_sampler": ["collapsed"], "time_scale": [0.5],
        "output": [None], "initial_topics": [3], "new_documents": [texts[:3]], "new_data": [examples.data],
    }  # fmt: skip
