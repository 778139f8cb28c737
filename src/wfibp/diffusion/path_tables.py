"""What drawing paths in the eigenbasis needs beyond messages: transition densities, panels for each time and role."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import WEIGHT, X, fill_polynomials, gauss_rule, jacobi_basis, ladder
from wfibp.diffusion.panels import end_rule, inner_rule, num_panels_for, tabulate_panels
from wfibp.diffusion.polynomial_sums import UNROLLED
from wfibp.diffusion.spectral import LOG_PRECISION, SPARE_DEGREES, Spectrum, message_precisions

AT_ANCHOR, FORWARDS, BACKWARDS = 0, 1, 2  # roles in which a value is drawn at a time


class PathTables(NamedTuple):
    """The panels of all partitions lie end to end."""

    degree: Integers  # (T − 1,) polynomials in the transition density of each gap
    decay: Floats  # (T − 1, W)
    recurrence: Floats  # (3, W) `jacobi.Basis.middle` and `.side`, and 1/side of the next
    survival: Floats  # (W,) for μ = 0, coefficients of 1/x: x Σ e^{−λ_n gap} survival_n p_n(x) = P(X_gap > 0 | x)
    layout: Integers  # (3, T, 4) for a value in each role at each time: panels, first point, first entry, points
    points: Floats  # (4, all points) see `panels.Panels`
    by_degree: Floats
    transforms: Floats  # (3, FINE, FINE) from values at the points of a low, high or inner panel (see `panels`)


def tabulate_paths(spectrum: Spectrum) -> PathTables:
    """The tables to draw paths given counts."""
    mu, beta, gaps = spectrum.mu, spectrum.beta, spectrum.gaps
    degree = _density_degrees(gaps, spectrum.degree)
    width = ladder(int(degree.max(initial=int(spectrum.unseen.shape[1]))))
    basis = jacobi_basis(mu, beta, width)
    num_panels = _panels_by_role(gaps, spectrum.num_objects)
    distinct = sorted(set(num_panels.ravel().tolist()))
    panels = [tabulate_panels(mu, beta, number, width) for number in distinct]
    sizes = np.array([one.points.shape[1] for one in panels])
    begins = np.cumsum(sizes) - sizes
    place = np.searchsorted(distinct, num_panels)
    return PathTables(
        degree,
        np.exp(-np.outer(gaps, basis.eigenvalues[:width] - basis.eigenvalues[0])),
        np.stack([basis.middle[:width], basis.side[:width], 1.0 / basis.side[1 : width + 1]]),
        _survival(beta, width) if mu == 0.0 else np.zeros(width),
        np.stack([num_panels, begins[place], width * begins[place], sizes[place]], axis=-1),
        np.concatenate([one.points for one in panels], axis=1),
        np.concatenate([one.by_degree.ravel() for one in panels]),
        np.stack([end_rule(mu if mu > 0.0 else 1.0), end_rule(beta), inner_rule()]),
    )


def _density_degrees(gaps: Floats, message_degree: Integers) -> Integers:
    """(T − 1,) how many polynomials the transition density needs."""
    needed = np.ceil(np.sqrt(2.0 * LOG_PRECISION / gaps)).astype(np.int64) + SPARE_DEGREES
    return np.maximum(-(-needed // UNROLLED) * UNROLLED, message_degree)


def _panels_by_role(gaps: Floats, num_objects: Integers) -> Integers:
    """(3, T): the precision of a density is that of the counts, of the messages and of the step to it."""
    before = message_precisions(gaps, num_objects)
    after = message_precisions(gaps[::-1], num_objects[::-1])[::-1]
    to_right, to_left = np.append(0.0, 1.0 / gaps), np.append(1.0 / gaps, 0.0)
    by_role = (num_objects + before + after, num_objects + after + to_right, num_objects + before + to_left)
    return np.array([[num_panels_for(float(precision)) for precision in role] for role in by_role])


@lru_cache(maxsize=64)
def _survival(beta: float, width: int) -> Floats:
    """∫ p_n(x)/x dBeta(2, β) by the rule of Beta(1, β), which is exact."""
    rule, basis = gauss_rule(1.0, beta, width // 2 + 1), jacobi_basis(0.0, beta, width)
    x, weight = rule.nodes[X], rule.nodes[WEIGHT]
    is_high = (x > 0.5).astype(np.float64)
    values = np.empty((width, x.size))
    fill_polynomials(basis.middle, basis.side, x - is_high, is_high, values)
    return (beta + 1.0) * (values @ weight)  # B(1, β)/B(2, β) = β + 1
