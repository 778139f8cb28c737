"""The law q of the number of lineages left after a gap, on which every exact transition rests (model: section 2).

The lineages of a Wright–Fisher diffusion form a pure death process that comes down from infinity with rates
λ_m = m(m + θ − 1)/2. The Laplace transform in time of the probability that m are left has a closed form,
    q̂_m(s) = 2 Γ(m + r₁) Γ(m + r₂) / (Γ(m + 1) Γ(m + θ)),   r₁ + r₂ = θ − 1,   r₁ r₂ = 2s,
and the trapezoid rule on the vertical line through its real saddle inverts it with no cancellation. The alternating
series of the textbooks loses every digit below a gap of about 0.05; from a gap of 1 up its terms only fall, and it
is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln, loggamma, polygamma

from wfibp.checks import Floats, Integers
from wfibp.numerics.alias import build_alias

SMALLEST_GAP, LARGEST_GAP = 1e-3, 100.0  # where the tables are tested against high-precision values
NEGLIGIBLE = 1e-17  # a lineage count less likely than this is left out: far below what 2^53 draws can show
CACHED_TABLES = 4096
SERIES_FROM = 1.0  # from this gap on the alternating series has no cancellation, and the contour would need many nodes
SERIES_TERMS = 32
SADDLE_HALVINGS = 16
NODES_AT_ONCE = 48

Complexes = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class LineageTable:
    """q_m for m = first, first + 1, … and its alias table."""

    first: int
    probabilities: Floats
    acceptance: Floats
    alias: Integers

    @property
    def last(self) -> int:
        """The largest lineage count kept."""
        return self.first + self.probabilities.size - 1


@lru_cache(maxsize=CACHED_TABLES)
def lineage_table(theta: float, gap: float) -> LineageTable:
    """The table for mutation total θ and one gap, computed once per process."""
    num_lineages = _plausible_counts(theta, gap)
    probabilities = lineage_probabilities(num_lineages, theta, gap)
    kept = np.flatnonzero(probabilities > NEGLIGIBLE)
    probabilities = probabilities[kept[0] : kept[-1] + 1]
    probabilities = probabilities / probabilities.sum()
    acceptance, alias = build_alias(probabilities)
    for array in (probabilities, acceptance, alias):
        array.flags.writeable = False
    return LineageTable(int(num_lineages[kept[0]]), probabilities, acceptance, alias)


def lineage_probabilities(num_lineages: Integers, theta: float, gap: float) -> Floats:
    """q_m(gap) for each m in `num_lineages`, shape (M,)."""
    return np.exp(log_lineage_probabilities(num_lineages, theta, gap))


def log_lineage_probabilities(num_lineages: Integers, theta: float, gap: float) -> Floats:
    """log q_m(gap) for each m in `num_lineages`, also where q_m underflows, shape (M,)."""
    m = num_lineages.astype(np.float64)
    return _log_alternating_series(m, theta, gap) if gap >= SERIES_FROM else _log_inverse(m, theta, gap)


def _log_alternating_series(m: Floats, theta: float, gap: float) -> Floats:
    """log Σ_{k ≥ m} (−1)^{k−m} (θ + 2k − 1) (θ + m)_{k−1} e^{−λ_k gap} / (m! (k − m)!), the k = 0 term being 1."""
    step = np.arange(SERIES_TERMS)
    k = m[:, None] + step
    with np.errstate(divide="ignore", invalid="ignore"):
        log_term = (
            np.log(theta + 2.0 * k - 1.0)
            + gammaln(theta + m[:, None] + k - 1.0)
            - gammaln(theta + m[:, None])
            - gammaln(m[:, None] + 1.0)
            - gammaln(step + 1.0)
            - 0.5 * k * (k + theta - 1.0) * gap
        )
        # At m = 0 the first two terms, 1 and (1 + θ)e^{−θ gap/2}, all but cancel for small θ: e^{−θ gap/2} leaves both.
        log_term[m == 0.0, 0] = np.log(-np.expm1(-0.5 * theta * gap))
        log_term[m == 0.0, 1] = np.log(theta) - 0.5 * theta * gap
        peak = log_term.max(axis=1)
        sign = np.where(step % 2 == 0, 1.0, -1.0)
        return peak + np.log((sign * np.exp(log_term - peak[:, None])).sum(axis=1))


def _log_inverse(m: Floats, theta: float, gap: float) -> Floats:
    """log q_m by the trapezoid rule on the vertical line through the saddle."""
    pole = m * (m + theta - 1.0) / 2.0
    saddle = _find_saddle(m, pole, theta, gap)
    distance = saddle + pole  # from the pole nearest to the line of integration
    nudge = 1e-3 * distance
    variance = (_mean_time(saddle - nudge, m, theta) - _mean_time(saddle + nudge, m, theta)) / (2.0 * nudge)
    period = gap + 45.0 / distance + 14.0 * np.sqrt(np.maximum(variance, 0.0))  # the aliases beyond it are below e⁻⁴⁰
    spacing = 2.0 * np.pi / period
    peak = _log_transform(saddle.astype(np.complex128), m, theta).real + saddle * gap
    return peak + np.log(spacing / np.pi * _trapezoid_sum(saddle, spacing, peak, m, theta, gap))


def _plausible_counts(theta: float, gap: float) -> Integers:
    """Every m whose probability may matter: Griffiths' normal approximation (1984), with a wide margin."""
    drift = 0.5 * (theta - 1.0) * gap
    eta = 1.0 if abs(drift) < 1e-5 else drift / np.expm1(min(drift, 700.0))
    mean = 2.0 * eta / gap
    reach = 10.0 * np.sqrt(mean / 3.0 + 1.0) + 12.0
    lowest = 1 if theta == 0.0 else 0
    return np.arange(max(lowest, int(mean - reach)), int(mean + reach) + 1)


def _transform_roots(s: Complexes | Floats, theta: float) -> tuple[Complexes, Complexes]:
    """r₁ and r₂."""
    half_difference: Complexes = np.sqrt(0.25 * (theta - 1.0) ** 2 - 2.0 * s, dtype=np.complex128)
    return 0.5 * (theta - 1.0) + half_difference, 0.5 * (theta - 1.0) - half_difference


def _log_transform(s: Complexes, m: Floats, theta: float) -> Complexes:
    """log q̂_m(s)."""
    r1, r2 = _transform_roots(s, theta)
    return np.log(2.0) + loggamma(m + r1) + loggamma(m + r2) - gammaln(m + 1.0) - gammaln(m + theta)


def _mean_time(s: Floats, m: Floats, theta: float) -> Floats:
    """−(d/ds) log q̂_m(s) = Σ_{k ≥ m} 1/(λ_k + s): the mean time to leave m under the law tilted by s."""
    r1, r2 = _transform_roots(s, theta)
    difference = r1 - r2
    close = np.abs(difference) < 1e-5
    slope = (digamma(m + r1) - digamma(m + r2)) / np.where(close, 1.0, difference)
    return 2.0 * np.where(close, polygamma(1, m + 0.5 * (theta - 1.0)), slope.real)


def _find_saddle(m: Floats, pole: Floats, theta: float, gap: float) -> Floats:
    """The s at which the tilted mean time is the gap, by halving in log(s + λ_m); near is enough."""
    low = np.full(m.shape, -12.0) - np.log(gap)
    high = np.log((m + 2.0) ** 2 + 10.0) + 2.0 + max(0.0, -2.0 * np.log(gap))
    for _ in range(SADDLE_HALVINGS):
        middle = 0.5 * (low + high)
        late = _mean_time(np.exp(middle) - pole, m, theta) > gap
        low, high = np.where(late, middle, low), np.where(late, high, middle)
    return np.exp(0.5 * (low + high)) - pole


def _trapezoid_sum(saddle: Floats, spacing: Floats, peak: Floats, m: Floats, theta: float, gap: float) -> Floats:
    """½ + Σ_j Re of the integrand at the j-th node over its peak, until nothing is left to add."""
    total = np.full(m.shape, 0.5)
    unfinished = np.arange(m.size)
    node = np.arange(1.0, NODES_AT_ONCE + 1.0)
    while unfinished.size:
        row = unfinished[:, None]
        s = saddle[row] + 1j * spacing[row] * node
        terms = np.exp(_log_transform(s, m[row], theta) + s * gap - peak[row])
        total[unfinished] += terms.real.sum(axis=1)
        unfinished = unfinished[np.abs(terms[:, -8:]).max(axis=1) > 1e-18]
        node = node + NODES_AT_ONCE
    return total
