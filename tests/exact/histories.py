"""How likely is a 0/1 history of one feature, with its path integrated out (docs/model.md, section 5)?

The generator of WF(μ, β) maps monomials f_ab = xᵃ(1 − x)ᵇ to monomials of no higher degree,
    L f_ab = ½[a(a − 1 + μ) f_{a−1,b} + b(b − 1 + β) f_{a,b−1} − (a + b)(a + b − 1 + θ) f_ab],
so the expectation of a monomial across a gap is a finite sum, found with one small matrix exponential. Only sums and
products of non-negative numbers occur: every answer is right to a relative 1e-12 (1e-11 for gaps of 100), as long as
e^{−θ·gap/2} is within the range of a double.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import convolve2d
from scipy.sparse import csr_array
from scipy.special import betaln, digamma, logsumexp

Floats = NDArray[np.float64]
History = tuple[tuple[int, ...], ...]  # one tuple of zeros and ones per time, one entry per object

TAYLOR_REACH = 8.0  # the exponential is summed as a series up to this argument, and squared beyond
LARGE = 100  # a matrix from this size on is better multiplied as a sparse one


def exponential(rates: Floats, gap: float) -> Floats:
    """exp(gap · rates) of a triangular matrix with off-diagonal entries of at least 0, each entry to full accuracy.

    Shifting the diagonal up to non-negative leaves a series of non-negative terms, where nothing cancels. Each step
    lowers the degree, and equal degrees share a diagonal entry, so no entry needs more steps than there are of those.
    """
    shift = float(-rates.diagonal().min())
    num_squarings = max(0, int(np.ceil(np.log2(max(gap * shift / TAYLOR_REACH, 1.0)))))
    step = (rates + shift * np.eye(len(rates))) * (gap / 2**num_squarings)
    if len(step) > LARGE:
        step = csr_array(step)  # a row has at most three entries
    term: Floats = np.eye(len(rates))
    total: Floats = term
    for order in range(1, 60 + np.unique(rates.diagonal()).size):
        term = term @ step / order
        total = total + term
    total = total * np.exp(-shift * gap / 2**num_squarings)
    for _ in range(num_squarings):
        total = total @ total
    return total


def monomial_generator(num_active: int, num_inactive: int, mu: float, beta: float) -> Floats:
    """The matrix of L on all f_ab with a ≤ num_active and b ≤ num_inactive; f_ab has row a(num_inactive + 1) + b."""
    width = num_inactive + 1
    rates = np.zeros(((num_active + 1) * width, (num_active + 1) * width))
    for a, b in itertools.product(range(num_active + 1), range(width)):
        place = a * width + b
        rates[place, place] = -0.5 * (a + b) * (a + b - 1 + mu + beta)
        if a > 0:
            rates[place, place - width] = 0.5 * a * (a - 1 + mu)
        if b > 0:
            rates[place, place - 1] = 0.5 * b * (b - 1 + beta)
    return rates


@lru_cache(maxsize=256)
def _monomial_expectations(num_active: int, num_inactive: int, gap: float, mu: float, beta: float) -> Floats:
    """Row f_ab holds the coefficients of x ↦ E[f_ab(X_gap) | X_0 = x]."""
    return exponential(monomial_generator(num_active, num_inactive, mu, beta), gap)


def spread(coefficients: Floats, gap: float, mu: float, beta: float) -> Floats:
    """Coefficients of x ↦ E[f(X_gap) | X_0 = x], where f = Σ coefficients[a, b] xᵃ(1 − x)ᵇ; same shape."""
    num_active, num_inactive = np.subtract(coefficients.shape, 1)
    expectations = _monomial_expectations(int(num_active), int(num_inactive), float(gap), float(mu), float(beta))
    return (coefficients.ravel() @ expectations).reshape(coefficients.shape)


def _message(active: Sequence[int], total: Sequence[int], gaps: Floats, mu: float, beta: float) -> Floats:
    """Coefficients of E[Π_t X_t^{n_t}(1 − X_t)^{N_t−n_t} | X at the anchor], everything ordered towards the anchor."""
    coefficients = np.ones((1, 1))
    for n, num, gap in zip(active, total, gaps, strict=True):
        coefficients = np.pad(coefficients, ((n, 0), (num - n, 0)))  # times xⁿ(1 − x)ᴺ⁻ⁿ
        coefficients = spread(coefficients, gap, mu, beta)
    return coefficients


def log_history_rate(
    active: Sequence[int],
    total: Sequence[int],
    times: Sequence[float],
    mu: float,
    beta: float,
    anchor: int | None = None,
) -> float:
    """log ∫ m(x) E[Π_t X_t^{n_t}(1 − X_t)^{N_t−n_t} | X_anchor = x] dx, without binomial coefficients.

    m is the Beta(μ, β) density; for μ = 0 it is x⁻¹(1 − x)^{β−1}, and the anchor must be a time with n > 0. The process
    is reversible, so the anchor does not matter otherwise (default: the first time with n > 0).
    """
    if mu == 0 and not any(active):
        raise ValueError("a feature active nowhere has an infinite rate when mu = 0")
    if anchor is None:
        anchor = int(np.flatnonzero(active)[0]) if any(active) else 0
    gaps = np.diff(np.asarray(times, dtype=np.float64))
    before = _message(active[:anchor], total[:anchor], gaps[:anchor], mu, beta)
    after = _message(active[:anchor:-1], total[:anchor:-1], gaps[anchor:][::-1], mu, beta)
    n, num_inactive = active[anchor], total[anchor] - active[anchor]
    coefficients = np.pad(convolve2d(before, after), ((n, 0), (num_inactive, 0)))
    a, b = np.nonzero(coefficients)
    log_integral = logsumexp(np.log(coefficients[a, b]) + betaln(mu + a, beta + b))
    return float(log_integral - (betaln(mu, beta) if mu > 0 else 0.0))


def all_histories(num_objects: Sequence[int]) -> list[History]:
    """Every 0/1 history of the given numbers of objects per time, the zero history first."""
    return list(itertools.product(*(tuple(itertools.product((0, 1), repeat=num)) for num in num_objects)))


def _rates_by_history(
    histories: list[History], num_objects: Sequence[int], times: Sequence[float], mu: float, beta: float
) -> dict[History, float]:
    """exp(log_history_rate) of each history, computed once for each set of counts."""
    by_counts: dict[tuple[int, ...], float] = {}
    for history in histories:
        counts = tuple(map(sum, history))
        if counts not in by_counts:
            by_counts[counts] = float(np.exp(log_history_rate(counts, num_objects, times, mu, beta)))
    return {history: by_counts[tuple(map(sum, history))] for history in histories}


def history_rates(
    num_objects: Sequence[int], times: Sequence[float], alpha: float, beta: float
) -> dict[History, float]:
    """Poisson rate of the number of features with each non-zero history, in the unbounded model PRF(α, β)."""
    rates = _rates_by_history(all_histories(num_objects)[1:], num_objects, times, 0.0, beta)
    return {history: alpha * rate for history, rate in rates.items()}


def history_probabilities(
    num_objects: Sequence[int], times: Sequence[float], mu: float, beta: float
) -> dict[History, float]:
    """Probability of each history, the zero history included, of one feature of the fixed-K model (μ = α/K)."""
    return _rates_by_history(all_histories(num_objects), num_objects, times, mu, beta)


def expected_num_features(num_objects: Sequence[int], times: Sequence[float], alpha: float, beta: float) -> float:
    """αΛ, Λ = Σ_j Σ_m p_m^{(j)} [ψ(m + N_j + β) − ψ(m + β)]: features seen over all times, in the unbounded model.

    p^{(j)} is the distribution at t_j of the death process with rates m(m − 1 + β)/2 that N_0, …, N_{j−1} lineages
    join at their times: the objects before t_j all lack a feature with probability Σ_m p_m^{(j)} (1 − x)ᵐ. No history
    is enumerated.
    """
    m = np.arange(sum(num_objects) + 1)
    generator = np.diag(-0.5 * m * (m - 1 + beta)) + np.diag((0.5 * m * (m - 1 + beta))[1:], k=-1)
    distribution = np.zeros(m.size)
    distribution[0] = 1.0
    expected = 0.0
    for j, num in enumerate(num_objects):
        if j > 0:
            distribution = distribution @ exponential(generator, float(times[j] - times[j - 1]))
        expected += distribution @ (digamma(m + num + beta) - digamma(m + beta))
        distribution = np.concatenate([np.zeros(num), distribution[: m.size - num]])
    return alpha * float(expected)


def posterior_product_moment(
    active: Sequence[int],
    total: Sequence[int],
    times: Sequence[float],
    mu: float,
    beta: float,
    powers: Mapping[float, int],
) -> float:
    """E[Π_s X_s^{powers[s]} | counts]: the rate with as many more successes at each s over the rate without them.

    The s may be times of the counts, or lie between, before or after them.
    """
    successes = dict(zip(map(float, times), zip(active, total, strict=True), strict=True))
    for s, power in powers.items():
        n, num = successes.get(float(s), (0, 0))
        successes[float(s)] = (n + power, num + power)
    all_times = sorted(successes)
    more_active, more_total = zip(*(successes[s] for s in all_times), strict=True)
    log_ratio = log_history_rate(more_active, more_total, all_times, mu, beta)
    return float(np.exp(log_ratio - log_history_rate(active, total, times, mu, beta)))


def posterior_moment(
    active: Sequence[int], total: Sequence[int], times: Sequence[float], mu: float, beta: float, s: float, power: int
) -> float:
    """E[X_s^power | counts], s any time."""
    return posterior_product_moment(active, total, times, mu, beta, {s: power})
