"""e^x and log x of whole arrays, in plain arithmetic without a branch or a call: loops take many entries at a time."""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.kernel import innermost_kernel

SMALLEST_EXPONENT, LARGEST_EXPONENT = -708.0, 708.0  # beyond, e^x is no normal double
SMALLEST_NORMAL = 2.3e-308
BIAS, MANTISSA_BITS = 1023, 52  # of a double
MANTISSA, HALF = (1 << 52) - 1, 0x3FE << 52  # as whole numbers: its last bits; those of ½
LOG_2_HIGH, LOG_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10  # n times the first is exact
LOG2_E = 1.0 / math.log(2.0)
ROUNDING = 6755399441055744.0  # 1.5 · 2⁵²: added to a double, the fraction is gone


@innermost_kernel
def exp_all(x: Floats, y: Floats) -> None:
    """y = e^x to 2e-16 relative, for x in ±708; what lies beyond is taken as that."""
    powers = np.empty(x.size, np.int64)
    for i in range(x.size):
        value = min(max(x[i], SMALLEST_EXPONENT), LARGEST_EXPONENT)
        n = (value * LOG2_E + ROUNDING) - ROUNDING
        r = (value - n * LOG_2_HIGH) - n * LOG_2_LOW
        tail = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
        tail = 1.0 / 362880.0 + r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * tail))
        tail = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40320.0 + r * tail))
        y[i] = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * tail)))))
        powers[i] = (np.int64(n) + BIAS) << MANTISSA_BITS
    two_to_n = powers.view(np.float64)
    for i in range(x.size):
        y[i] *= two_to_n[i]


@innermost_kernel
def log_all(x: Floats, y: Floats) -> None:
    """y = log x to 5e-16 relative, for x from the smallest normal double on; of others it says nothing."""
    bits = x.view(np.int64)
    fractions = np.empty(x.size, np.int64)
    for i in range(x.size):
        fractions[i] = (bits[i] & MANTISSA) | HALF
    fraction = fractions.view(np.float64)
    for i in range(x.size):
        n = np.float64((bits[i] >> MANTISSA_BITS) - (BIAS - 1))
        is_low = 1.0 if fraction[i] < 0.7071067811865476 else 0.0
        m = fraction[i] * (1.0 + is_low)
        n -= is_low
        s = (m - 1.0) / (m + 1.0)
        z = s * s
        tail = 1.0 / 15.0 + z * (1.0 / 17.0 + z * (1.0 / 19.0 + z * (1.0 / 21.0 + z * (1.0 / 23.0))))
        tail = 1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z * (1.0 / 13.0 + z * tail)))
        tail = 1.0 / 3.0 + z * (1.0 / 5.0 + z * tail)
        y[i] = n * LOG_2_HIGH + (2.0 * s + (2.0 * s * z * tail + n * LOG_2_LOW))
