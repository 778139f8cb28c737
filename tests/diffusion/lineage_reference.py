"""What are the lineage probabilities to many digits, by the alternating series in as much precision as it needs?

`python -m tests.diffusion.lineage_reference` writes lineage_reference.json, which takes some minutes: at a gap of 0.001
the terms of the series are as large as 10^1200 and cancel to the last digit.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import mpmath

STORED = Path(__file__).with_suffix(".json")
THETAS = (0.0, 0.01, 0.3, 1.0, 2.0, 7.5, 60.0, 500.0)
STORED_GAP = 1e-3
STORED_STEPS = (-1985, -1000, -150, -40, 0, 40, 150)  # from the likeliest number of lineages
DIGITS_KEPT = 30


def log_lineage_probability(m: int, theta: float, gap: float) -> float:
    """log Σ_{k ≥ m} (−1)^{k−m} (θ + 2k − 1) (θ + m)_{k−1} e^{−k(k+θ−1)gap/2} / (m! (k − m)!)."""
    with mpmath.workdps(60 + int(3.5 / gap)):
        th, t, k = mpmath.mpf(theta), mpmath.mpf(gap), m
        term = mpmath.mpf(1)
        if m > 0:
            term = (th + 2 * m - 1) * mpmath.rf(th + m, m - 1) / mpmath.factorial(m)
            term *= mpmath.exp(-m * (m + th - 1) * t / 2)
        total, ratio = mpmath.mpf(0), mpmath.mpf(1)
        while ratio > 0.5 or abs(term) > abs(total) * mpmath.mpf(10) ** -DIGITS_KEPT:
            total += term if (k - m) % 2 == 0 else -term
            ratio = _ratio(k, m, th, t)
            term *= ratio
            k += 1
        return float(mpmath.log(total))


def _ratio(k: int, m: int, theta: mpmath.mpf, gap: mpmath.mpf) -> mpmath.mpf:
    """The size of the term at k + 1 over that at k."""
    if k == 0:
        return (theta + 1) * mpmath.exp(-theta * gap / 2)
    growth = (theta + 2 * k + 1) / (theta + 2 * k - 1) * (theta + m + k - 1) / (k + 1 - m)
    return growth * mpmath.exp(-(2 * k + theta) * gap / 2)


def stored_values() -> list[tuple[float, float, int, float]]:
    """Rows (θ, gap, m, log q_m)."""
    return [tuple(row) for row in json.loads(STORED.read_text())]


def _main() -> None:
    """Compute and write the stored values."""
    rows = []
    for theta in THETAS:
        drift = (theta - 1) * STORED_GAP / 2
        likeliest = round(2 / STORED_GAP * (drift / math.expm1(drift) if drift else 1))
        for step in STORED_STEPS:
            m = max(likeliest + step, 2)
            rows.append((theta, STORED_GAP, m, log_lineage_probability(m, theta, STORED_GAP)))
            print(*rows[-1], flush=True)
    STORED.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    _main()
