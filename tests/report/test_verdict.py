"""The verdict on a run says what its diagnostics say, on draws that were made up."""

from __future__ import annotations

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from wfibp.report.verdict import FAIR_ESS, GOOD_ESS, GOOD_R_HAT, Worst, draws_wanted, round_up, verdict

CLOCK = make_clock()
TWO_FEATURES = [[3.0, 0.0], [0.0, 3.0]]


def make_chain(alphas, loadings=TWO_FEATURES):
    return [make_draw(CLOCK, range(len(loadings)), loadings, alpha=float(alpha)) for alpha in alphas]


def judge(path, *chains):
    return verdict(make_posterior(path, CLOCK, [make_chain(alphas) for alphas in chains]))


def test_long_chains_of_independent_draws_are_trusted(tmp_path):
    rng = np.random.default_rng(1)  # R-hat of independent draws is below 1.01 for 400 a chain: seen, fixed seed
    said = judge(tmp_path / "run", rng.gamma(5.0, size=400), rng.gamma(5.0, size=400))
    assert (said.level, said.run_longer, said.more_draws) == ("good", False, 0)
    assert said.headline == "The results can be trusted."
    assert "2 chains made 400 draws each." in said.sentences
    assert "Every established feature that is listed was found by every chain." in said.sentences
    assert "The chains agree" in str(said)
    assert "no need to run longer" in str(said)


def test_chains_in_different_places_are_not_trusted_and_the_number_is_named(tmp_path):
    rng = np.random.default_rng(2)
    said = judge(tmp_path / "run", rng.gamma(5.0, size=50), 20.0 + rng.gamma(5.0, size=50))
    assert said.level == "poor"
    assert "do not agree yet" in str(said)
    assert "(for the mass alpha)" in str(said)
    assert "longer warm-up" in str(said)
    assert said.more_draws == 500  # ten times as long, rounded up


def test_chains_each_stuck_at_a_value_of_its_own_are_not_trusted(tmp_path):
    said = judge(tmp_path / "run", [1.0] * 20, [2.0] * 20)
    assert said.level == "poor"
    assert "each is stuck at its own value of the mass alpha (1 and 2)." in str(said)
    assert said.run_longer


def test_one_chain_alone_is_never_good(tmp_path):
    said = judge(tmp_path / "run", np.random.default_rng(3).gamma(5.0, size=600))
    assert said.level == "fair"
    assert "One chain made 600 draws." in said.sentences
    assert "run two or more" in str(said)


def test_a_handful_of_draws_tells_nothing(tmp_path):
    said = judge(tmp_path / "run", [1.0, 2.0], [1.0, 2.0])
    assert said.level == "poor"
    assert "too few to judge convergence" in str(said)
    assert said.run_longer


def test_a_run_with_every_number_fixed_has_nothing_to_distrust(tmp_path):
    said = judge(tmp_path / "run", [1.0] * 8, [1.0] * 8)
    assert (said.level, said.more_draws) == ("good", 0)


def test_features_that_only_one_chain_found_are_counted(tmp_path):
    rng = np.random.default_rng(4)
    chains = [make_chain(rng.gamma(5.0, size=10)), make_chain(rng.gamma(5.0, size=10), [[3.0, 0.0]])]
    said = verdict(make_posterior(tmp_path / "run", CLOCK, chains))
    assert "1 of 2 listed established features was found by every chain." in said.sentences


def test_features_of_one_object_are_not_judged(tmp_path):
    """The number of all features differs between the chains, that of established ones does not."""
    rng = np.random.default_rng(5)
    z = np.zeros((2, 12), np.bool_)
    z[0], z[1, 0] = True, True
    loadings, alphas = [[3.0, 0.0], [0.0, 3.0]], rng.gamma(5.0, size=(2, 400)).tolist()
    one = [make_draw(CLOCK, [0], loadings[:1], alpha=alpha) for alpha in alphas[0]]
    both = [make_draw(CLOCK, [0, 1], loadings, allocations=z, alpha=alpha) for alpha in alphas[1]]
    said = verdict(make_posterior(tmp_path / "run", CLOCK, [one, both]))
    assert said.table.loc["num_features", "r_hat"] > 100.0 or np.isnan(said.table.loc["num_features", "r_hat"])
    assert said.table.loc["num_established", "sd"] == 0.0
    assert said.level == "good"
    assert "Every established feature that is listed was found by every chain." in said.sentences


@pytest.mark.parametrize(
    ("r_hat", "ess", "level"),
    [
        (GOOD_R_HAT, GOOD_ESS, "good"),
        (GOOD_R_HAT + 1e-6, GOOD_ESS, "fair"),
        (1.0, GOOD_ESS - 1, "fair"),
        (1.0, FAIR_ESS - 1, "poor"),
        (1.06, 1000.0, "poor"),
        (float("nan"), 1000.0, "fair"),
    ],
)
def test_the_level_follows_the_worst_number(r_hat, ess, level):
    assert Worst(r_hat, "a", ess, "b").level == level


def test_the_draws_wanted_bring_the_effective_size_to_what_is_good():
    assert draws_wanted(Worst(1.0, "a", 200.0, "b"), 300) == 300
    assert draws_wanted(Worst(1.0, "a", 800.0, "b"), 300) == 0
    assert draws_wanted(Worst(1.02, "a", 800.0, "b"), 300) == 400  # R-hat² − 1 must halve
    assert draws_wanted(Worst(float("inf"), "a", 0.0, "b"), 100) == 900


def test_advice_is_rounded_up_to_one_digit():
    assert [round_up(number) for number in (0, 7, 10, 11, 137, 900, 901)] == [0, 7, 10, 20, 200, 900, 1000]
