"""q_m from its Laplace transform: the trapezoid rule on a vertical line through the saddle (docs/model.md, section 2).

Neighbouring m may share a line, the one through the saddle of the smallest of them, so that the gamma functions are
computed once a node for all of them: q̂_{m+1}(s) = q̂_m(s) · 2 (λ_m + s) / ((m + 1)(m + θ)).
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.complex_gamma import digamma_complex, log_gamma_complex
from wfibp.numerics.kernel import kernel

SADDLE_HALVINGS = 16  # near the saddle is enough
TINY_TERM = 1e-17  # of the peak: nothing more to add
CLOSE_ROOTS = 1e-5


@kernel
def log_inverse_transform(first: int, num_counts: int, theta: float, gap: float, sharing: int) -> Floats:
    """log q_m(gap) for m = first, …, first + num_counts − 1, `sharing` of them on a line."""
    log_q = np.empty(num_counts)
    begin = 0
    while begin < num_counts:
        # q_0 is of order θ: beside a tiny one its neighbours would overflow.
        end = min(begin + (sharing if first + begin > 0 else 1), num_counts)
        _invert_block(first + begin, theta, gap, log_q[begin:end])
        begin = end
    return log_q


@kernel
def _invert_block(m: int, theta: float, gap: float, log_q: Floats) -> None:
    """log q of m, m + 1, … along the line through the saddle of m."""
    pole = 0.5 * m * (m + theta - 1.0)
    saddle = _find_saddle(m, pole, theta, gap)
    distance = saddle + pole  # to the pole nearest to the line
    nudge = 1e-3 * distance
    variance = (mean_time(saddle - nudge, m, theta) - mean_time(saddle + nudge, m, theta)) / (2.0 * nudge)
    period = gap + 45.0 / distance + 14.0 * math.sqrt(max(variance, 0.0))  # the aliases beyond it are below e⁻⁴⁰
    spacing = 2.0 * math.pi / period
    log_peak = log_transform(complex(saddle, 0.0), m, theta).real + saddle * gap
    sums = np.zeros(log_q.size)
    _add_node(m, theta, gap, complex(saddle, 0.0), log_peak, 0.5, sums)
    node, quiet = 1, 0
    while quiet < 4:  # an oscillating integrand may be small once by chance
        size = _add_node(m, theta, gap, complex(saddle, spacing * node), log_peak, 1.0, sums)
        quiet = quiet + 1 if size < TINY_TERM else 0
        node += 1
    for place in range(log_q.size):
        log_q[place] = log_peak + math.log(spacing / math.pi * sums[place])


@kernel
def _add_node(m: int, theta: float, gap: float, s: complex, log_peak: float, weight: float, sums: Floats) -> float:
    """Add the integrand at s to the sum of each m of the block; its size at the first m comes back."""
    term = np.exp(log_transform(s, m, theta) + s * gap - log_peak)
    size = abs(term)
    for place in range(sums.size):
        sums[place] += weight * term.real
        count = m + place
        term *= 2.0 * (0.5 * count * (count + theta - 1.0) + s) / ((count + 1.0) * (count + theta))
    return size


@kernel
def _roots(s: complex, theta: float) -> tuple[complex, complex]:
    """r₁ and r₂, with r₁ + r₂ = θ − 1 and r₁ r₂ = 2s."""
    half_difference = 0.5 * np.sqrt((theta - 1.0) ** 2 - 8.0 * s)
    middle = 0.5 * (theta - 1.0)
    return middle + half_difference, middle - half_difference


@kernel
def log_transform(s: complex, m: int, theta: float) -> complex:
    """log q̂_m(s) up to a multiple of 2πi; θ = 0 has no m = 0."""
    r1, r2 = _roots(s, theta)
    log_gammas = log_gamma_complex(m + r1) + log_gamma_complex(m + r2)
    return math.log(2.0) + log_gammas - math.lgamma(m + 1.0) - math.lgamma(m + theta)


@kernel
def mean_time(s: float, m: int, theta: float) -> float:
    """−(d/ds) log q̂_m(s) = Σ_{k ≥ m} 1/(λ_k + s): the mean time to leave m under the distribution tilted by s."""
    r1, r2 = _roots(complex(s, 0.0), theta)
    if abs(r1 - r2) < CLOSE_ROOTS:
        middle = 0.5 * (r1 + r2)
        r1, r2 = middle + CLOSE_ROOTS, middle - CLOSE_ROOTS
    return 2.0 * ((digamma_complex(m + r1) - digamma_complex(m + r2)) / (r1 - r2)).real


@kernel
def _find_saddle(m: int, pole: float, theta: float, gap: float) -> float:
    """The s at which the tilted mean time is the gap, by halving in log(s + λ_m)."""
    low = -12.0 - math.log(gap)
    high = math.log((m + 2.0) ** 2 + 10.0) + 2.0 + max(0.0, -2.0 * math.log(gap))
    for _ in range(SADDLE_HALVINGS):
        middle = 0.5 * (low + high)
        if mean_time(math.exp(middle) - pole, m, theta) > gap:
            low = middle
        else:
            high = middle
    return math.exp(0.5 * (low + high)) - pole
