"""A diffusion with selection as a Markov chain on a fine grid: slow, simple, and with none of the library's code.

Cells are equally wide in the angle arcsin √x. Neighbouring cells exchange at the rates of the diffusion's conductance
½ x(1 − x) m(x) between them, m the reversing density x^{μ−1}(1 − x)^{β−1} e^{σx}: a chain with the right stationary
distribution whose error falls like the square of the width. With μ = 0 what leaves the lowest cell, which
begins at half a width, is at 0 and stays there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.special import betainc, betaln

Floats = NDArray[np.float64]


class FineGrid:
    """WF(μ, β) with selection σ on `num_cells` cells; for μ = 0 the state below the first is 0 itself."""

    def __init__(self, mu: float, beta: float, sigma: float, num_cells: int = 400) -> None:
        angles = np.linspace(0.0, 0.5 * np.pi, 2 * num_cells + 1)
        if mu == 0.0:
            angles = np.linspace(0.0, 0.5 * np.pi, 2 * num_cells + 2)[1:]
        edges, self.x = np.sin(angles[::2]) ** 2, np.sin(angles[1::2]) ** 2
        self.mu = mu
        if mu > 0.0:
            mass = np.diff(betainc(mu, beta, edges))
            scale = float(np.exp(-betaln(mu, beta)))
        else:
            mass, scale = _integrals(lambda x: x**-1.0 * (1.0 - x) ** (beta - 1.0), edges), 1.0
        self.mass = mass * np.exp(sigma * self.x)
        resistance = _integrals(lambda x: 2.0 * x**-mu * (1.0 - x) ** -beta * np.exp(-sigma * x), self.x) / scale
        up = 1.0 / resistance
        rates = np.zeros((num_cells, num_cells))
        i = np.arange(num_cells - 1)
        rates[i, i + 1], rates[i + 1, i] = up / self.mass[:-1], up / self.mass[1:]
        self.leaving = np.zeros(num_cells)
        if mu == 0.0:
            ends = np.array([0.0, self.x[0]])
            first = _integrals(lambda x: 2.0 * (1.0 - x) ** -beta * np.exp(-sigma * x), ends)[0]
            self.leaving[0] = 1.0 / (first * self.mass[0])
        self.rates = rates - np.diag(rates.sum(axis=1) + self.leaving)

    def log_likelihood(self, active: Floats, total: Floats, times: Floats, start: float | None = None) -> float:
        """Counts at the times, from a known value at the first, the stationary distribution or the random field."""
        anchor = int(np.flatnonzero(active)[0]) if self.mu == 0.0 and start is None else 0
        after = self._message(active, total, times, range(len(times) - 1, anchor, -1), -1)
        before = self._message(active, total, times, range(anchor), 1)
        h = before * after * self._likelihood(active[anchor], total[anchor])
        if start is not None:
            return float(np.log(np.interp(np.arcsin(np.sqrt(start)), np.arcsin(np.sqrt(self.x)), h)))
        mass = self.mass / self.mass.sum() if self.mu > 0.0 else self.mass
        return float(np.log(mass @ h))

    def _likelihood(self, active: int, total: int) -> Floats:
        return self.x**active * (1.0 - self.x) ** (total - active)

    def _message(self, active: Floats, total: Floats, times: Floats, order: range, towards: int) -> Floats:
        """What the counts at these times, visited in turn, say about X at the next."""
        h, at_zero = np.ones(self.x.size), 1.0
        for t in order:
            h = h * self._likelihood(active[t], total[t])
            at_zero *= float(active[t] == 0)
            move = expm(self.rates * abs(times[t + towards] - times[t]))
            lost = 1.0 - move.sum(axis=1) if self.mu == 0.0 else 0.0
            h = move @ h + lost * at_zero
        return h


def _integrals(function: Callable[[Floats], Floats], edges: Floats) -> Floats:
    """Of a function over the cells between the edges, in the angle, by twenty Gauss–Legendre points each."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    angles = np.arcsin(np.sqrt(edges))
    half = 0.5 * np.diff(angles)[:, None]
    place = angles[:-1, None] + half * (1.0 + nodes)
    return (half * weights * function(np.sin(place) ** 2) * np.sin(2.0 * place)).sum(axis=1)
