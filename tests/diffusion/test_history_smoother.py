"""Are histories in the eigenbasis those of lineages, is the bound on their error honest, are jumps noticed?

The lineages themselves are tested against brute force in `test_lineage_smoothing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from wfibp import WrightFisher
from wfibp.diffusion import spectral
from wfibp.diffusion.history_smoother import TOLERANCE, HistorySmoother, smoother_of
from wfibp.diffusion.lineages import lineage_table
from wfibp.diffusion.messages import IS_ZERO, tabulate_log_gammas
from wfibp.diffusion.smoothing import smooth_features
from wfibp.diffusion.spectral_likelihood import log_probabilities_spectrally, make_engine
from wfibp.diffusion.transitions import tabulate_transitions

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Histories(NamedTuple):
    """Counts (K, T) of total (T,) objects, gaps (T − 1,) apart."""

    mu: float
    beta: float
    active: Integers
    total: Integers
    gaps: Floats

    @classmethod
    def of(cls, mu: float, beta: float, active: list[int], total: list[int], gaps: list[float]) -> Histories:
        return cls(mu, beta, np.array([active]), np.array(total), np.array(gaps, dtype=float))

    def smoother(self) -> HistorySmoother:
        return smoother_of(self.mu, self.beta, self.gaps, self.total)

    def spectral(self) -> tuple[Floats, Floats]:
        return log_probabilities_spectrally(self.smoother().engine, self.active)

    def by_lineages(self) -> Floats:
        transitions = tabulate_transitions(self.mu, self.beta, self.gaps)
        log_gammas = tabulate_log_gammas(transitions, int(self.total.max()))
        paths = np.empty((len(self.active), 0, self.total.size))
        return smooth_features(transitions, log_gammas, self.active, self.total, paths, np.random.default_rng(0))


def random_histories(rng: np.random.Generator) -> Histories:
    """Gaps from 0.001 to 100, N from 0 to 5000, β from 0.1 to 20, μ = 0 or from 1e-4 to 5; some of them jump."""
    num_times, num = int(rng.integers(1, 8)), 6
    beta = float(np.exp(rng.uniform(np.log(0.1), np.log(20.0))))
    mu = 0.0 if rng.random() < 0.5 else float(np.exp(rng.uniform(np.log(1e-4), np.log(5.0))))
    gaps = np.exp(rng.uniform(np.log(1e-3), np.log(100.0), num_times - 1))
    if rng.random() < 0.5:
        gaps = np.full(num_times - 1, np.exp(rng.uniform(np.log(2e-3), 0.0)))
    total = np.floor(np.exp(rng.uniform(0.0, np.log(5001.0), num_times))).astype(np.int64)
    total *= rng.random(num_times) < 0.85
    total[rng.integers(num_times)] += 1
    times, kind = np.concatenate([[0.0], np.cumsum(gaps)]), rng.integers(3)
    if kind < 2:
        frequency = rng.beta(0.3, beta, (num, 1 if kind == 0 else num_times)) * np.ones(num_times)
    else:
        frequency = WrightFisher(max(mu, 0.01), beta).draw_path(rng.beta(0.5, 0.5, num), times, rng=rng)
    active = rng.binomial(total, frequency)
    never = ~active.any(axis=1)
    active[never, rng.choice(np.flatnonzero(total))] = 1
    return Histories(mu, beta, active, total, gaps)


def test_random_histories_are_those_of_lineages_or_known_to_be_off() -> None:
    rng, num, num_trusted = np.random.default_rng(1), 0, 0
    for _ in range(250):
        histories = random_histories(rng)
        values, bounds = histories.spectral()
        expected, trusted = histories.by_lineages(), bounds <= TOLERANCE
        checked = trusted & (expected > IS_ZERO)  # e^{−700} is too little for lineages, not for the eigenbasis
        np.testing.assert_allclose(values[checked], expected[checked], rtol=0, atol=1e-9)
        num, num_trusted = num + trusted.size, num_trusted + int(trusted.sum())
    assert num_trusted > 0.85 * num  # a third of them jump on purpose


JUMPS = [
    ([70, 0], [70, 70], [0.12]),
    ([70, 0], [70, 70], [0.005]),
    ([800, 0], [800, 800], [0.01]),
    ([1, 1000], [1000, 1000], [0.01]),
    ([1, 1000], [1000, 1000], [0.12]),
    ([70, 0, 0, 0, 0], [70, 0, 0, 0, 70], [0.005, 0.005, 0.002, 0.005]),  # nobody looks while it jumps
    ([30, 35, 1, 32, 30], [40, 40, 40, 40, 40], [0.004, 0.004, 0.004, 0.004]),
]


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.0, 3.0), (0.5, 1.0), (0.01, 3.0)])
@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_jump_is_noticed_done_by_lineages_and_counted(
    mu: float, beta: float, jump: tuple[list[int], list[int], list[float]], is_reversed: bool
) -> None:
    step = -1 if is_reversed else 1
    histories = Histories.of(mu, beta, jump[0][::step], jump[1][::step], jump[2][::step])
    expected = histories.by_lineages()
    value, bound = histories.spectral()
    assert abs(value[0] - expected[0]) <= 1e-9 or bound[0] > TOLERANCE
    smoother = HistorySmoother(histories.smoother().spectrum)
    np.testing.assert_allclose(smoother.log_probabilities(histories.active), expected, rtol=0, atol=1e-9)
    assert smoother.num_by_lineages == (bound[0] > TOLERANCE)
    assert smoother.num_by_lineages == 1 or histories.active.max() < 40


def test_a_jump_has_the_paths_of_lineages_and_leaves_its_neighbours_alone() -> None:
    active, total, gaps = np.array([[70, 0], [3, 2]]), np.array([70, 70]), np.array([0.005])
    smoother = smoother_of(0.0, 1.0, gaps, total)
    together = smoother.draw_paths(active, 5, np.random.default_rng(2))[0]
    rng = np.random.default_rng(2)
    neighbour = smoother.draw_paths(active[1:], 5, rng)[0]
    jump = np.empty((1, 5, 2))
    smooth_features(smoother.transitions, smoother.log_gammas, active[:1], total, jump, rng)
    np.testing.assert_array_equal(together[1], neighbour[0])
    np.testing.assert_array_equal(together[0], jump[0])


@pytest.mark.parametrize("gap", [0.001, 0.004, 0.12, 3.0])
@pytest.mark.parametrize(("mu", "beta"), [(0.0, 0.3), (0.0, 1.0), (0.0, 8.0), (0.02, 1.0), (2.0, 0.5)])
def test_more_polynomials_and_nodes_change_nothing(
    mu: float, beta: float, gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    total = np.array([5, 40, 300, 0, 2000, 40, 1])
    active = rng.binomial(total, np.array([[0.02], [0.2], [0.5], [0.9]]))
    active[~active.any(axis=1), 0] = 1
    histories = Histories(mu, beta, active, total, np.full(6, gap))
    values, bounds = histories.spectral()
    monkeypatch.setattr(spectral, "LOG_PRECISION", 60.0)
    spectral._tabulate.cache_clear()
    larger = spectral.tabulate_spectrum(mu, beta, histories.gaps, total)
    spectral._tabulate.cache_clear()
    assert larger.num_nodes.max() > histories.smoother().spectrum.num_nodes.max()
    again, _ = log_probabilities_spectrally(make_engine(larger), active)
    trusted = bounds <= TOLERANCE
    assert trusted[:3].all()
    np.testing.assert_allclose(values[trusted], again[trusted], rtol=0, atol=3e-10)


def test_a_row_has_the_same_bits_alone_and_among_others() -> None:
    rng = np.random.default_rng(4)
    total, gaps = rng.integers(0, 90, 12), np.full(11, 0.03)
    active = rng.binomial(total, np.array([[0.01], [0.1], [0.3], [0.6]]))
    active[~active.any(axis=1), 1] = 1
    smoother = smoother_of(0.0, 1.0, gaps, total)
    together = smoother.log_probabilities(active)
    for row, value in zip(active, together, strict=True):
        assert smoother.log_probabilities(row[None])[0] == value


@pytest.mark.parametrize(
    ("mu", "beta", "active", "total"),
    [
        (0.0, 1.0, 1, 1),
        (0.0, 0.3, 1, 40),
        (0.0, 4.0, 40, 40),
        (0.0, 20.0, 2, 5),
        (0.05, 0.4, 0, 3),
        (0.05, 0.1, 3, 3),
        (3.0, 2.0, 700, 3000),
        (0.7, 0.7, 0, 0),
    ],
)
def test_a_draw_at_one_time_is_the_quantile_of_the_beta_distribution(
    mu: float, beta: float, active: int, total: int
) -> None:
    smoother = smoother_of(mu, beta, np.empty(0), np.array([total]))
    drawn = smoother.draw_paths(np.array([[active]]), 2000, np.random.default_rng(5))[0][0, :, 0]
    uniforms = np.random.default_rng(5).random(2000)
    exact = stats.beta(mu + active, beta + total - active)
    off = np.abs(exact.cdf(drawn) - uniforms)
    off[np.abs(drawn - exact.ppf(uniforms)) < 1e-15] = 0.0  # next to 1, where doubles are few
    assert off.max() < 1e-11


@pytest.mark.parametrize("gap", [0.005, 0.12, 2.0])
@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.0, 0.4), (0.0, 5.0), (0.3, 0.6)])
def test_a_step_onto_nothing_observed_is_the_quantile_of_the_transition(mu: float, beta: float, gap: float) -> None:
    smoother, num = smoother_of(mu, beta, np.array([gap]), np.array([9, 0])), 300
    paths = smoother.draw_paths(np.array([[2, 0]]), num, np.random.default_rng(6))[0][0]
    uniforms = np.random.default_rng(6).random(2 * num)[1::2]
    exact = transition_cdf(mu, beta, gap, *paths.T)
    died = paths[:, 1] == 0.0
    np.testing.assert_allclose(exact[~died], uniforms[~died], rtol=0, atol=1e-9)
    assert (uniforms[died] <= exact[died] + 1e-9).all()


def transition_cdf(mu: float, beta: float, gap: float, x: Floats, y: Floats) -> Floats:
    """P(X_gap ≤ y | X_0 = x) of each pair (P,), a mixture of betas over the lineages left.

    Binomial probabilities below 1e-15 are left out: some hundred of each of some hundred sums, 1e-11 in all.
    """
    table = lineage_table(mu + beta, gap)
    total = np.zeros(x.size)
    for m, probability in enumerate(table.probabilities, start=table.first):
        pmf = binomial_probabilities(m, x)
        pair, active = np.nonzero(pmf > 1e-15)
        below = special.betainc(np.maximum(mu + active, 1e-300), beta + m - active, y[pair])
        if mu == 0.0:
            below[active == 0] = 1.0
        total += probability * np.bincount(pair, pmf[pair, active] * below, minlength=x.size)
    return total


def binomial_probabilities(size: int, x: Floats) -> Floats:
    """(P, size + 1) for each x (P,) inside (0, 1)."""
    active, log_factorial = np.arange(size + 1), special.gammaln(np.arange(size + 1) + 1.0)
    log_ways = log_factorial[-1] - log_factorial - log_factorial[::-1]
    return np.exp(log_ways + np.outer(np.log(x), active) + np.outer(np.log1p(-x), size - active))


def test_binomial_probabilities_are_those_of_scipy() -> None:
    x = np.array([1e-6, 0.3, 0.99])
    np.testing.assert_allclose(
        binomial_probabilities(400, x), stats.binom.pmf(np.arange(401), 400, x[:, None]), rtol=1e-11, atol=1e-300
    )
