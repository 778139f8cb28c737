"""Which random draws inside kernels stay right at the ends: tiny shapes, probabilities of 0 and 1, finite tables?"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import kernel

RANDOM_DIGITS = 53  # binary digits of a uniform double
INVERSION_LIMIT = 30.0  # below this mean, walking up the binomial probabilities beats NumPy's rejection method
SMALL_SHAPE = 0.5  # below this shape a gamma draw can underflow, so it is drawn as a logarithm


@kernel
def draw_binomial(num_trials: int, probability: float, rng: np.random.Generator) -> int:
    """Binomial(num_trials, probability)."""
    if probability >= 1.0:
        return num_trials
    if num_trials <= RANDOM_DIGITS:
        return _count_below(num_trials, probability, rng)
    if probability <= 0.0:
        return 0
    rare = min(probability, 1.0 - probability)
    if num_trials * rare < INVERSION_LIMIT:
        count = _invert_binomial(num_trials, rare, rng)
    else:
        count = rng.binomial(num_trials, rare)
    return count if probability <= 0.5 else num_trials - count


@kernel
def _count_below(num_trials: int, probability: float, rng: np.random.Generator) -> int:
    """How many of at most 53 uniforms lie below the probability, their binary digits drawn side by side.

    One random word holds the next digit of every uniform. A uniform is decided by the first digit in which it differs
    from the probability, so that about log₂(num_trials) + 1 words decide them all.
    """
    undecided, below = (1 << num_trials) - 1, 0
    while undecided != 0 and probability > 0.0:
        scaled = probability * 2.0**RANDOM_DIGITS
        pattern = int(scaled)  # the next digits of the probability
        probability = scaled - pattern  # what comes after them; both are exact
        place = RANDOM_DIGITS - 1
        while place >= 0 and undecided != 0:
            digits = int(rng.random() * 2.0**RANDOM_DIGITS)
            target = -((pattern >> place) & 1)  # the digit of the probability at this place, everywhere in the word
            below |= undecided & target & ~digits
            undecided &= ~(digits ^ target)
            place -= 1
    return _num_ones(below)


@kernel
def _num_ones(word: int) -> int:
    """How many of the binary digits of a word of at most 63 are 1, summed in pairs, fours, eights, then all at once."""
    word = word - ((word >> 1) & 0x5555555555555555)
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (word * 0x0101010101010101) >> 56


@kernel
def _invert_binomial(num_trials: int, probability: float, rng: np.random.Generator) -> int:
    """Walk up the probabilities until they exceed a uniform; rounding past the end starts again."""
    odds = probability / (1.0 - probability)
    mass_at_zero = math.exp(num_trials * math.log1p(-probability))
    while True:
        left, mass, count = rng.random(), mass_at_zero, 0
        while left > mass and count < num_trials:
            left -= mass
            count += 1
            mass *= odds * (num_trials - count + 1) / count
        if left <= mass:
            return count


@kernel
def draw_log_gamma(shape: float, rng: np.random.Generator) -> float:
    """Logarithm of a Gamma(shape, 1) draw, without underflow: G(a) = G(a + 1) U^(1/a)."""
    if shape >= SMALL_SHAPE:
        return math.log(rng.standard_gamma(shape))
    return math.log(rng.standard_gamma(shape + 1.0)) + math.log1p(-rng.random()) / shape


@kernel
def draw_beta(a: float, b: float, rng: np.random.Generator) -> float:
    """Beta(a, b) for a, b > 0; exactly 0 or 1 only where a double can hold nothing nearer."""
    if a >= SMALL_SHAPE and b >= SMALL_SHAPE:
        first, second = rng.standard_gamma(a), rng.standard_gamma(b)
        return first / (first + second)
    log_odds = draw_log_gamma(a, rng) - draw_log_gamma(b, rng)
    if log_odds > 0.0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    odds = math.exp(log_odds)
    return odds / (1.0 + odds)


@kernel
def draw_cell(weights: Floats, total: float, rng: np.random.Generator) -> int:
    """A cell with probability proportional to its weight; `total` is their sum."""
    left = rng.random() * total
    last = 0
    for cell in range(weights.size):
        if weights[cell] > 0.0:
            left -= weights[cell]
            last = cell
            if left <= 0.0:
                return cell
    return last


@kernel
def build_alias(probabilities: Floats) -> tuple[Floats, Integers]:
    """Acceptance probability and alias of each cell (Vose 1991), shapes (n,) and (n,)."""
    n = probabilities.size
    share = probabilities * (n / probabilities.sum())
    acceptance, alias = np.ones(n), np.arange(n)
    small, large = np.empty(n, np.int64), np.empty(n, np.int64)
    num_small, num_large = 0, 0
    for cell in range(n):
        if share[cell] < 1.0:
            small[num_small] = cell
            num_small += 1
        else:
            large[num_large] = cell
            num_large += 1
    while num_small > 0 and num_large > 0:
        num_small -= 1
        low, high = small[num_small], large[num_large - 1]
        acceptance[low], alias[low] = share[low], high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            num_large -= 1
            small[num_small] = high
            num_small += 1
    return acceptance, alias


@kernel
def draw_alias(acceptance: Floats, alias: Integers, begin: int, end: int, rng: np.random.Generator) -> int:
    """One cell of the table that lies from begin to end in arrays shared by several, counted from begin."""
    place = rng.random() * (end - begin)
    cell = int(place)
    return cell if place - cell < acceptance[begin + cell] else alias[begin + cell]
