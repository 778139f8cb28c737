"""Are counts that cannot be conditioned on refused, with the value, the rule and the remedy?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wfibp import WrightFisher

COUNTS: dict[str, Any] = {"active": [1, 0, 2], "total": [3, 1, 2], "times": [0.0, 0.5, 1.0]}

WRONG = {
    "more active than there are": ({"active": [1, 2, 2]}, r"active must not exceed total, got 2 of 1 at place 1"),
    "negative active": ({"active": [1, -1, 2]}, r"active must hold whole numbers of at least 0, got -1 at place 1"),
    "half an object": ({"total": [3, 1.5, 2]}, r"total must hold whole numbers of at least 0, got 1.5 at place 1"),
    "active missing": ({"active": [1, np.nan, 2]}, r"active must be finite, got nan at place 1"),
    "total infinite": ({"total": [3, 1, np.inf]}, r"total must be finite, got inf at place 2"),
    "active of words": ({"active": ["a", "b", "c"]}, r"active must be a number or an array of numbers"),
    "time missing": ({"times": [0.0, np.nan, 1.0]}, r"times must be finite, got nan at place 1"),
    "times falling": ({"times": [0.0, 1.0, 0.5]}, r"times must increase strictly, got 1 then 0.5 \(places 1 and 2\)"),
    "times equal": ({"times": [0.0, 0.5, 0.5]}, r"times must increase strictly, got 0.5 then 0.5.*merge equal times"),
    "times too close": ({"times": [0.0, 1e-5, 1.0]}, r"gaps between times must be 0 or from 0.001 to 100"),
    "times too far": ({"times": [0.0, 0.5, 500.0]}, r"gaps between times must be 0 or from 0.001 to 100"),
    "times of two dimensions": ({"times": [[0.0, 0.5, 1.0]]}, r"times must be a one-dimensional array"),
    "no times": ({"active": [], "total": [], "times": []}, r"times must be a one-dimensional array with at least one"),
    "active too short": ({"active": [1, 0]}, r"active must have one entry for each of the 3 times, got shape \(2,\)"),
    "total too long": ({"total": [3, 1, 2, 4]}, r"total must have one entry for each of the 3 times, got shape \(4,\)"),
    "total of two dimensions": ({"total": [[3, 1, 2]]}, r"total must be one-dimensional, got shape \(1, 3\)"),
    "never seen": ({"active": [0, 0, 0]}, r"active must be above 0 at one time at least when mu is 0.*use mu > 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_counts_are_refused_by_both_doors(name: str) -> None:
    change, message = WRONG[name]
    diffusion = WrightFisher(0.0, 1.0)
    with pytest.raises(ValueError, match=message):
        diffusion.smooth(**(COUNTS | change), rng=1)
    with pytest.raises(ValueError, match=message):
        diffusion.log_likelihood(**(COUNTS | change))


WRONG_REQUESTS = {
    "no draws": ({"num_draws": 0}, r"num_draws must be at least 1, got 0"),
    "half a draw": ({"num_draws": 1.5}, r"num_draws must be a whole number, got 1.5"),
    "a wrong seed": ({"rng": -1}, r"rng must be a numpy Generator, a whole number of at least 0 or None, got -1"),
    "extra times falling": ({"at": [0.3, 0.2]}, r"at must increase strictly, got 0.3 then 0.2"),
    "extra time missing": ({"at": [np.nan]}, r"at must be finite, got nan"),
    "no extra times": ({"at": []}, r"at must be a one-dimensional array with at least one time"),
    "an extra time too close": ({"at": [0.50001]}, r"gaps between times and at must be 0 or from 0.001 to 100"),
    "an extra time too far": ({"at": [400.0]}, r"gaps between times and at must be 0 or from 0.001 to 100"),
    "rows of counts": ({"active": [[1, 0, 2], [1, 1, 1]]}, r"active must be one-dimensional, got shape \(2, 3\)"),
}


@pytest.mark.parametrize("name", WRONG_REQUESTS)
def test_wrong_requests_for_paths_are_refused(name: str) -> None:
    change, message = WRONG_REQUESTS[name]
    with pytest.raises(ValueError, match=message):
        WrightFisher(0.0, 1.0).smooth(**(COUNTS | change))


def test_a_row_never_seen_among_others_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0 at one time"):
        WrightFisher(0.0, 1.0).log_likelihood([[1, 0, 2], [0, 0, 0]], COUNTS["total"], COUNTS["times"])


def test_a_diffusion_that_absorbs_at_one_is_not_conditioned_on_counts() -> None:
    with pytest.raises(ValueError, match=r"beta \(to condition on counts\) must be greater than 0, got 0"):
        WrightFisher(0.5, 0.0).smooth(**COUNTS)


def test_counts_of_zero_everywhere_are_fine_when_mu_is_positive() -> None:
    assert np.isfinite(WrightFisher(0.1, 1.0).log_likelihood([0, 0, 0], COUNTS["total"], COUNTS["times"]))


@settings(max_examples=60, deadline=None)
@given(
    mu=st.just(0.0) | st.floats(1e-4, 20.0),
    beta=st.floats(1e-2, 20.0),
    gaps=st.lists(st.floats(0.01, 3.0), min_size=0, max_size=4),
    data=st.data(),
)
def test_any_possible_counts_give_a_finite_probability_and_paths_inside(
    mu: float, beta: float, gaps: list[float], data: st.DataObject
) -> None:
    total = data.draw(st.lists(st.integers(1, 60), min_size=len(gaps) + 1, max_size=len(gaps) + 1))
    active = [data.draw(st.integers(0, num)) for num in total]
    active[0] = max(active[0], 1)
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    diffusion = WrightFisher(mu, beta)
    log_likelihood = diffusion.log_likelihood(active, total, times)
    assert log_likelihood > -1e4
    assert log_likelihood <= 1e-9 or mu == 0.0  # a probability, or a rate
    paths = diffusion.smooth(active, total, times, rng=0, num_draws=2)
    assert ((paths >= 0.0) & (paths <= 1.0)).all()
    assert (paths[:, np.array(active) > 0] > 0.0).all()
