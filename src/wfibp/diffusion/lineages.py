"""The distribution q of the number of lineages left after a gap, behind exact transitions (docs/model.md, section 2).

The lineages of a Wright–Fisher diffusion form a pure death process that comes down from infinity with rates
λ_m = m(m + θ − 1)/2. The Laplace transform in time of the probability that m are left has a closed form,
    q̂_m(s) = 2 Γ(m + r₁) Γ(m + r₂) / (Γ(m + 1) Γ(m + θ)),   r₁ + r₂ = θ − 1,   r₁ r₂ = 2s,
and the trapezoid rule on the vertical line through its real saddle inverts it with no cancellation. The alternating
series of the textbooks loses every digit below a gap of about 0.05; where few lineages are left it is right, and used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import exprel, gammaln

from wfibp.checks import Floats, Integers
from wfibp.diffusion.lineage_inversion import log_inverse_transform
from wfibp.numerics.random_variates import build_alias

SMALLEST_GAP, LARGEST_GAP = 1e-3, 100.0  # where the tables are tested against high-precision values
NEGLIGIBLE = 1e-17  # many lineages less likely than this are left out: far below what 2^53 draws can show
NEGLIGIBLE_BELOW = (
    1e-40  # few lineages are what counts that jump between two times make likely, so more of them are kept
)
ALWAYS_KEPT = 8  # so few lineages are kept however rare: they alone survive a long gap
CACHED_TABLES = 4096
SERIES_BELOW = 5.0  # lineages left on average: there the alternating series is right, and a line has many nodes
SERIES_TERMS = 32
NEIGHBOURS_SHARING_A_LINE = 4


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
    probabilities = np.exp(log_lineage_probabilities(num_lineages, theta, gap, NEIGHBOURS_SHARING_A_LINE))
    few = np.arange(probabilities.size) < probabilities.argmax()
    threshold = np.where(few, NEGLIGIBLE_BELOW, NEGLIGIBLE)
    threshold[num_lineages <= ALWAYS_KEPT] = 0.0
    kept = np.flatnonzero(probabilities > threshold)
    probabilities = probabilities[kept[0] : kept[-1] + 1]
    probabilities = probabilities / probabilities.sum()
    acceptance, alias = build_alias(probabilities)
    for array in (probabilities, acceptance, alias):
        array.flags.writeable = False
    return LineageTable(int(num_lineages[kept[0]]), probabilities, acceptance, alias)


def log_lineage_probabilities(num_lineages: Integers, theta: float, gap: float, sharing: int = 1) -> Floats:
    """log q_m(gap) for the consecutive m in `num_lineages` (M,), also where q_m underflows.

    `sharing` neighbouring m on a line of integration is faster, and as right for the m that matter.
    """
    if mean_lineages(theta, gap) < SERIES_BELOW:
        return _log_alternating_series(num_lineages.astype(np.float64), theta, gap)
    return log_inverse_transform(int(num_lineages[0]), num_lineages.size, theta, gap, sharing)


def _log_alternating_series(m: Floats, theta: float, gap: float) -> Floats:
    """log Σ_{k ≥ m} (−1)^{k−m} (θ + 2k − 1) (θ + m)_{k−1} e^{−λ_k gap} / (m! (k − m)!), the k = 0 term being 1."""
    step = np.arange(SERIES_TERMS)
    k = m[:, None] + step
    with np.errstate(divide="ignore", invalid="ignore"):
        log_term = (
            np.log(theta + 2.0 * k - 1.0)
            + gammaln(theta + m[:, None] + k - 1.0)
            - gammaln(theta + m[:, None] + 1.0)
            + np.log(theta + m[:, None])
            - gammaln(m[:, None] + 1.0)
            - gammaln(step + 1.0)
            - 0.5 * k * (k + theta - 1.0) * gap
        )
        # At m = 0 the first two terms, 1 and (1 + θ)e^{−θ gap/2}, all but cancel for small θ: e^{−θ gap/2} leaves both.
        log_term[m == 0.0, 0] = np.log(theta) + np.log(0.5 * gap * exprel(-0.5 * theta * gap))
        log_term[m == 0.0, 1] = np.log(theta) - 0.5 * theta * gap
        peak = log_term.max(axis=1)
        sign = np.where(step % 2 == 0, 1.0, -1.0)
        return peak + np.log((sign * np.exp(log_term - peak[:, None])).sum(axis=1))


def mean_lineages(theta: float, gap: float) -> float:
    """The mean of q in Griffiths' normal approximation (1984)."""
    drift = 0.5 * (theta - 1.0) * gap
    eta = 1.0 if abs(drift) < 1e-5 else drift / np.expm1(min(drift, 700.0))
    return float(2.0 * eta / gap)


def _plausible_counts(theta: float, gap: float) -> Integers:
    """Every m whose probability may matter, with a wide margin."""
    mean = mean_lineages(theta, gap)
    spread = np.sqrt(mean / 3.0 + 1.0)
    lowest = 1 if theta == 0.0 else 0
    return np.arange(max(lowest, int(mean - 16.0 * spread - 12.0)), int(mean + 10.0 * spread + 12.0) + 1)
