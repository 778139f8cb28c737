"""Gamma functions of a complex number inside kernels: Stirling's series after stepping away from the origin."""

from __future__ import annotations

import math

import numpy as np

from wfibp.numerics.kernel import kernel

FAR = 12.0  # from here on six terms of the series are right to the last digits
HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


@kernel
def log_gamma_complex(z: complex) -> complex:
    """log Γ(z) for Re z > 0, up to a multiple of 2πi."""
    passed = complex(1.0, 0.0)
    while abs(z) < FAR:
        passed *= z
        z += 1.0
    inverse = 1.0 / z
    square = inverse * inverse
    tail = 1.0 / 1188.0 - square * (691.0 / 360360.0)
    tail = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square * tail)
    tail = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * tail))
    return (z - 0.5) * np.log(z) - z + HALF_LOG_2PI + tail - np.log(passed)


@kernel
def digamma_complex(z: complex) -> complex:
    """ψ(z), the derivative of log Γ, for Re z > 0."""
    passed = complex(0.0, 0.0)
    while abs(z) < FAR:
        passed += 1.0 / z
        z += 1.0
    square = 1.0 / (z * z)
    tail = 1.0 / 240.0 - square * (1.0 / 132.0 - square * (691.0 / 32760.0))
    tail = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square * tail)))
    return np.log(z) - 0.5 / z - tail - passed
