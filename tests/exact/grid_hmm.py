"""What is the distribution of a path given counts, found on a grid and without lineages (docs/model.md, sections 2 and
3)?

The transition density of WF(μ, β) with respect to its reversing measure m is Σ_k e^{−λ_k t} φ_k(x) φ_k(y), where
    μ > 0: m = Beta(μ, β), φ_k its orthonormal Jacobi polynomials, λ_k = k(k − 1 + μ + β)/2;
    μ = 0: m = x⁻¹(1 − x)^{β−1} dx, φ_k = x p_k with p_k orthonormal under x(1 − x)^{β−1} dx, λ_k = (k + 1)(k + β)/2,
           and the state 0 takes what the others lose.
The grid is made of Gauss nodes. All that a hidden Markov model on it sums are polynomials of bounded degree, which the
Gauss rule integrates exactly: the grid brings no error of its own. What rounding leaves, seen by doubling `refinement`
and against the history integrals, is about 1e-11 (probabilities: up to 1e-10), gaps of 0.001 and 100 included. It is
relative to the likelihoods of the counts taken singly at their best: counts that contradict each other are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal
from scipy.special import betaln, xlog1py, xlogy

Floats = NDArray[np.float64]

NEGLIGIBLE_EXPONENT = 46.0  # e⁻⁴⁶ = 1e-20: basis functions decayed by more are left out
TRUSTED = 1e-11  # a likelihood no larger than this, wherever the others leave X likely, is drowned by their rounding
MORE_NODES = 40  # for a partial integral, whose integrand is smooth but no polynomial


def _recurrence(num: int, a: float, b: float) -> tuple[Floats, Floats]:
    """The Jacobi matrix of Beta(a, b): its diagonal (num,), and the entries beside it (num − 1,)."""
    k = np.arange(num, dtype=np.float64)
    total = 2.0 * k + a + b
    diagonal = np.empty(num)
    diagonal[0] = a / (a + b)
    diagonal[1:] = 0.5 + 0.5 * (a - b) * (a + b - 2.0) / (total[1:] * (total[1:] - 2.0))
    beside = np.empty(num)
    beside[1:2] = a * b / ((a + b) ** 2 * (a + b + 1.0))
    k, total = k[2:], total[2:]
    beside[2:] = k * (k + a - 1.0) * (k + b - 1.0) * (k + a + b - 2.0)
    beside[2:] /= (total - 2.0) ** 2 * (total - 1.0) * (total - 3.0)
    return diagonal, np.sqrt(beside[1:])


def jacobi_polynomials(points: Floats, num: int, a: float, b: float) -> Floats:
    """The first `num` orthonormal polynomials of Beta(a, b) at the points, shape (num, points)."""
    diagonal, beside = _recurrence(num + 1, a, b)
    values = np.ones((num, points.size))
    before, coefficient = np.zeros(points.size), 0.0
    for k in range(num - 1):
        values[k + 1] = ((points - diagonal[k]) * values[k] - coefficient * before) / beside[k]
        before, coefficient = values[k], beside[k]
    return values


def gauss_rule(num: int, a: float, b: float) -> tuple[Floats, Floats]:
    """Nodes and weights that integrate polynomials of degree below 2·num under Beta(a, b), (num,) and (num,)."""
    diagonal, beside = _recurrence(num, a, b)
    nodes = eigh_tridiagonal(diagonal, beside, eigvals_only=True)
    return nodes, 1.0 / np.square(jacobi_polynomials(nodes, num, a, b)).sum(axis=0)


class GridHmm:
    """Likelihood and smoothed distributions of X_t, t = 0, …, T − 1, given n_t successes of N_t; any N_t may be 0."""

    def __init__(
        self,
        active: Sequence[int],
        total: Sequence[int],
        times: Sequence[float],
        mu: float,
        beta: float,
        refinement: int = 1,
    ) -> None:
        self.active, self.total = np.asarray(active), np.asarray(total)
        self.gaps = np.diff(np.asarray(times, dtype=np.float64))
        self.mu, self.beta, self.has_atom = float(mu), float(beta), mu == 0
        if self.has_atom and not self.active.any():
            raise ValueError("a feature active nowhere has an infinite rate when mu = 0")
        shortest = self.gaps.min(initial=10.0)
        self.num_functions = refinement * int(3 + np.sqrt(2.0 * NEGLIGIBLE_EXPONENT / shortest))
        self.num_nodes = self.num_functions + refinement * (8 + int(self.total.max()) // 2)
        self._lay_grid()
        self._pass_messages()

    def _lay_grid(self) -> None:
        """Nodes (S,), the mass the measure m gives them (S,), the basis at them (functions, S), its rates of decay."""
        k = np.arange(self.num_functions)
        if not self.has_atom:
            self.nodes, self.mass = gauss_rule(self.num_nodes, self.mu, self.beta)
            self.decay = 0.5 * k * (k - 1.0 + self.mu + self.beta)
        else:
            nodes, weights = gauss_rule(self.num_nodes, 1.0, self.beta)
            self.nodes = np.concatenate([[0.0], nodes])
            self.mass = np.concatenate([[0.0], weights / nodes / self.beta])  # ∫(1 − x)^{β−1} dx = 1/β
            self.decay = 0.5 * (k + 1.0) * (k + self.beta)
        self.basis = self.basis_at(self.nodes)

    def basis_at(self, points: Floats) -> Floats:
        """φ_k at the points, shape (functions, points)."""
        if not self.has_atom:
            return jacobi_polynomials(points, self.num_functions, self.mu, self.beta)
        norm = np.exp(-0.5 * betaln(2.0, self.beta))
        return norm * points * jacobi_polynomials(points, self.num_functions, 2.0, self.beta)

    def expectation(self, values: Floats, gap: float, points: Floats | None = None) -> Floats:
        """E[f(X_gap) | X_0 = x] = Σ_k e^{−λ_k gap} ⟨f, φ_k⟩ φ_k(x), f given at the nodes, at points x (or nodes)."""
        absorbed = values[0] if self.has_atom else 0.0
        coefficients = np.exp(-self.decay * gap) * (self.basis @ (self.mass * (values - absorbed)))
        return absorbed + coefficients @ (self.basis if points is None else self.basis_at(points))

    def _likelihood(self, t: int, points: Floats) -> Floats:
        """x^{n_t}(1 − x)^{N_t−n_t} over its largest value, at the points."""
        n, num = self.active[t], self.total[t]
        return np.exp(xlogy(n, points) + xlog1py(num - n, -points) - self._log_peak(t))

    def _log_peak(self, t: int) -> float:
        """The logarithm of that largest value."""
        n, num = self.active[t], self.total[t]
        return float(xlogy(n, n / max(num, 1)) + xlog1py(num - n, -n / max(num, 1)))

    def _pass_messages(self) -> None:
        """Likelihoods up to and from each time at the nodes; the process is reversible, so both are passed alike."""
        num_times = self.active.size
        self.past = self._accumulate(range(num_times), self.gaps)
        self.future = self._accumulate(range(num_times)[::-1], self.gaps[::-1])[::-1]
        self.log_scale = np.array([self._log_scale_at(t) for t in range(num_times)])
        anchor = int(np.argmax(self.active > 0))  # with μ = 0, X is not 0 there
        self.log_likelihood = float(np.log(self.mass @ self._unscaled(anchor)) + self.log_scale[anchor])

    def _accumulate(self, order: range, gaps: Floats) -> list[tuple[Floats, float]]:
        """E[Π likelihood_u, u up to t in this order | X_t] at the nodes over its maximum, and the log of that."""
        message, log_scale, accumulated = np.ones(self.nodes.size), 0.0, []
        for step, t in enumerate(order):
            if step > 0:
                message = self.expectation(message, gaps[step - 1])
            before = message.max()
            message = message * self._likelihood(t, self.nodes)
            if not message.max() > before * TRUSTED:
                raise ValueError(
                    f"counts {self.active} of {self.total} contradict each other: rounding drowns the answer"
                )
            log_scale += self._log_peak(t) + np.log(message.max())
            message = message / message.max()
            accumulated.append((message, log_scale))
        return accumulated

    def _log_scale_at(self, t: int) -> float:
        """What `_unscaled` leaves out, as a logarithm."""
        before = self.past[t - 1][1] if t > 0 else 0.0
        after = self.future[t + 1][1] if t + 1 < self.active.size else 0.0
        return before + self._log_peak(t) + after

    def _unscaled(self, t: int, points: Floats | None = None) -> Floats:
        """E[Π_u likelihood_u | X_t] at the points (default: the nodes), up to a factor."""
        value = self._likelihood(t, self.nodes if points is None else points)
        if t > 0:
            value = value * self.expectation(self.past[t - 1][0], self.gaps[t - 1], points)
        if t + 1 < self.active.size:
            value = value * self.expectation(self.future[t + 1][0], self.gaps[t], points)
        return value

    def posterior_ratio(self, t: int, points: Floats | None = None) -> Floats:
        """The distribution of X_t given all counts over the measure m, at the points inside (0, 1) (default: the
        nodes)."""
        return self._unscaled(t, points) * np.exp(self.log_scale[t] - self.log_likelihood)

    def moments(self, power: int) -> Floats:
        """E[X_t^power | counts] at each time, power at least 1, shape (T,)."""
        return np.array([(self.mass * self.nodes**power) @ self.posterior_ratio(t) for t in range(self.active.size)])

    @property
    def means(self) -> Floats:
        """E[X_t | counts], shape (T,)."""
        return self.moments(1)

    @property
    def variances(self) -> Floats:
        """Variance of X_t given the counts, shape (T,)."""
        means = self.means
        return (
            np.array(
                [(self.mass * (self.nodes - means[t]) ** 2) @ self.posterior_ratio(t) for t in range(self.active.size)]
            )
            + self.zero_probabilities * means**2
        )

    @property
    def zero_probabilities(self) -> Floats:
        """P(X_t = 0 | counts), shape (T,): what the nodes inside do not hold."""
        inside = np.array([self.mass @ self.posterior_ratio(t) for t in range(self.active.size)])
        return 1.0 - inside if self.has_atom else np.zeros(inside.size)

    def cdf(self, t: int, points: Floats) -> Floats:
        """P(X_t ≤ x | counts) at points strictly inside (0, 1), shape of the points; integrated from the nearer end."""
        points = np.asarray(points, dtype=np.float64)
        values, low = np.empty(points.size), points <= 0.5
        values[low] = self.zero_probabilities[t] + self._integral_to_end(t, points[low], at_zero=True)
        values[~low] = 1.0 - self._integral_to_end(t, 1.0 - points[~low], at_zero=False)
        return values

    def _integral_to_end(self, t: int, reach: Floats, at_zero: bool) -> Floats:
        """Posterior mass within `reach` of 0 (or of 1), by a Gauss rule made for the density's power at that end."""
        shape = (self.mu if self.mu > 0 else 1.0) if at_zero else self.beta
        units, weights = gauss_rule(self.num_nodes + MORE_NODES, shape, 1.0)
        distance = reach[:, None] * units
        x = distance if at_zero else 1.0 - distance
        value = self.posterior_ratio(t, x.ravel()).reshape(x.shape)
        if at_zero:
            value *= distance ** (self.mu - shape) * (1.0 - distance) ** (self.beta - 1.0)
        else:
            value *= (1.0 - distance) ** (self.mu - 1.0)
        log_norm = betaln(self.mu, self.beta) if self.mu > 0 else 0.0
        return reach**shape / shape * (value @ weights) * np.exp(-log_norm)
