"""A summary is computed once and kept; what is handed out is a copy, and what is kept does not grow with the draws."""

from __future__ import annotations

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from wfibp.posterior import summary_cache
from wfibp.posterior.summary_cache import SummaryCache

CLOCK = make_clock()


def made(path, num_draws=6):
    rng = np.random.default_rng(1)
    paths = [rng.random((2, 3)) * [[1.0], [0.0 if s % 2 else 1.0]] for s in range(num_draws)]
    return make_posterior(path, CLOCK, [[make_draw(CLOCK, range(2), 3.0 * np.eye(2), x) for x in paths]])


def ask(posterior):
    """All that is kept of a run of features, as arrays."""
    tables = (posterior.popularity(), posterior.lifetimes(), posterior.summary())
    return [*(table.to_numpy() for table in tables), posterior.allocations(), posterior.mean("loadings")]


def test_what_a_caller_does_to_an_answer_does_not_change_the_next(tmp_path):
    posterior = made(tmp_path / "run")
    first = ask(posterior)
    for table in (posterior.popularity(), posterior.lifetimes(), posterior.summary()):
        table.iloc[:] = -1.0
    for array in (posterior.allocations(), posterior.mean("loadings")):
        array[:] = -1.0
    for before, after in zip(first, ask(posterior), strict=True):
        np.testing.assert_array_equal(before, after)


def test_another_interval_is_another_table(tmp_path):
    posterior = made(tmp_path / "run")
    narrow, wide = posterior.popularity(interval=0.2), posterior.popularity(interval=0.9)
    assert (narrow["high"] - narrow["low"] < wide["high"] - wide["low"]).any()
    np.testing.assert_array_equal(posterior.popularity(interval=0.2), narrow)


def test_other_times_are_drawn_when_asked_for_and_not_kept(tmp_path):
    posterior = made(tmp_path / "run")
    at_data = posterior.popularity()
    assert set(posterior.popularity([0.25])["time"]) == {0.25}
    np.testing.assert_array_equal(posterior.popularity(), at_data)


def test_those_not_asked_for_longest_are_forgotten(monkeypatch):
    monkeypatch.setattr(summary_cache, "MOST_KEPT", 2)
    cache, computed = SummaryCache(), []
    for name in ("a", "b", "a", "c", "a", "b"):
        cache.get(name, lambda name=name: computed.append(name))
    assert computed == ["a", "b", "c", "b"]


def test_an_error_is_raised_again_and_not_kept():
    cache = SummaryCache()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.get("ratio", lambda: 1 / 0)


def test_what_is_kept_does_not_grow_with_the_number_of_draws(tmp_path):
    sizes = []
    for num_draws in (6, 60):
        posterior = made(tmp_path / str(num_draws), num_draws)
        ask(posterior)
        sizes.append([np.size(getattr(kept, "values", kept)) for kept in posterior._summaries._kept.values()])
    assert sizes[0] == sizes[1]
