"""The Poisson random field with selection: points, paths, allocations and expected numbers (docs/model.md, section 9).

Its mean density is α x⁻¹ (1 − x)^{β−1} e^{σx}, and it is reversible, so that features are found as without selection:
at the first time at which they are above the level, or seen, then run back and forth by exact draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.special import betaln, gammainc, gammaincinv

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import LOG_REST, WEIGHT, X
from wfibp.diffusion.selection.likelihood import Start, make_selection_engine
from wfibp.diffusion.selection.messages import CONSTANT
from wfibp.diffusion.selection.selected_diffusion import SelectedDiffusion
from wfibp.diffusion.selection.tables import log_single_integrals, tabulate_selection
from wfibp.diffusion.spectral_messages import SCALE
from wfibp.field.allocations import Allocations, assemble_allocations

LAST_BELOW_ONE = 1.0 - 2.0**-53  # where a point goes that lies nearer to 1 than a double can say


@dataclass(frozen=True)
class SelectedField:
    """Mass α, concentration β, selection σ ≠ 0."""

    alpha: float
    beta: float
    sigma: float

    @property
    def diffusion(self) -> SelectedDiffusion:
        """How each feature moves."""
        return SelectedDiffusion(0.0, self.beta, self.sigma)

    def draw_points(self, level: float, rng: np.random.Generator) -> Floats:
        """The points (K,) at or above the level at one time: proposals that dominate their density, thinned."""
        split = max(level, min(0.5, 1.0 / abs(self.sigma)))
        low = self._draw_below(level, split, rng) if level < split else np.empty(0)
        return np.concatenate([low, self._draw_above(split, rng)])

    def _draw_below(self, level: float, split: float, rng: np.random.Generator) -> Floats:
        """On [level, split): log-uniform proposals, thinned by (1 − x)^{β−1} e^{σx} relative to a bound of it."""
        bound = max(0.0, (self.beta - 1.0) * np.log1p(-split)) + max(0.0, self.sigma * split)
        x = level * (split / level) ** rng.random(rng.poisson(self.alpha * np.exp(bound) * np.log(split / level)))
        return x[rng.random(x.size) < np.exp((self.beta - 1.0) * np.log1p(-x) + self.sigma * x - bound)]

    def _draw_above(self, split: float, rng: np.random.Generator) -> Floats:
        """On [split, 1): proposals of density ∝ (1 − x)^{β−1} e^{σx}, thinned by split/x."""
        number = rng.poisson(self._mass_above(split))
        x = _draw_tilted_betas(np.full(number, self.beta), self.sigma, split, rng)
        return x[rng.random(x.size) < split / x]

    def _mass_above(self, split: float) -> float:
        """α/split ∫ (1 − x)^{β−1} e^{σx} dx over [split, 1)."""
        rest = 1.0 - split
        integral = quad(
            lambda v: np.exp(self.sigma * (1.0 - rest * v)), 0.0, 1.0, weight="alg", wvar=(self.beta - 1.0, 0.0)
        )[0]
        return float(self.alpha / split * rest**self.beta * integral)

    def expected_num_points(self, level: float) -> float:
        """α ∫ x⁻¹ (1 − x)^{β−1} e^{σx} dx over [level, 1)."""
        half = max(level, 0.5)
        rest = 1.0 - half
        total = rest**self.beta * quad(
            lambda v: np.exp(self.sigma * (1.0 - rest * v)) / (1.0 - rest * v),
            0.0, 1.0, weight="alg", wvar=(self.beta - 1.0, 0.0),
        )[0]  # fmt: skip
        if level < half:
            total += quad(
                lambda s: np.exp((self.beta - 1.0) * np.log1p(-np.exp(s)) + self.sigma * np.exp(s)),
                np.log(level), np.log(half), limit=200,
            )[0]  # fmt: skip
        return float(self.alpha * total)

    def draw_paths(self, gaps: Floats, level: Floats, rng: np.random.Generator) -> Floats:
        """All features at or above level (T,) at some time: paths (K, T)."""
        found = []
        for j in range(level.size):
            points = self.draw_points(float(level[j]), rng)
            before = self.diffusion.draw_paths(points, gaps[:j][::-1], rng)[:, :0:-1]
            is_first = (before < level[:j]).all(axis=1)
            after = self.diffusion.draw_paths(points[is_first], gaps[j:], rng)
            found.append(np.concatenate([before[is_first], after], axis=1))
        return np.concatenate(found)

    def draw_allocations(self, times: Floats, num_objects: Integers, rng: np.random.Generator) -> Allocations:
        """Exact Z and X of every feature that some of the num_objects (T,) objects has."""
        gaps, parts = np.diff(times), []
        for j in range(times.size):
            points, objects = self._draw_first_seen(int(num_objects[j]), rng)
            before = self.diffusion.draw_paths(points, gaps[:j][::-1], rng)[:, :0:-1]
            log_unseen = (num_objects[:j] * np.log1p(-np.minimum(before, LAST_BELOW_ONE))).sum(axis=1)
            is_first = rng.random(points.size) < np.exp(log_unseen)
            after = self.diffusion.draw_paths(points[is_first], gaps[j:], rng)
            paths = np.concatenate([before[is_first], after], axis=1)
            parts.append((paths, objects[is_first] + int(num_objects[:j].sum())))
        return assemble_allocations(parts, times, num_objects, rng)

    def expected_num_candidates(self, num_objects: Integers) -> float:
        """The expected number of features if they were forgotten from each time to the next."""
        return self.alpha * float(sum(self._met(int(number)).sum() for number in num_objects))

    def _met(self, num_objects: int) -> Floats:
        """(N,) features that object i is the first of its time to have, per unit of α: ∫ (1 − x)^{β+i−1} e^{σx} dx."""
        return np.exp(log_single_integrals(self.beta + np.arange(1.0, num_objects + 1.0), self.sigma))

    def _draw_first_seen(self, num_objects: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
        """Features at one time that some object has: their X, and the first object that has each."""
        objects = np.repeat(np.arange(num_objects), rng.poisson(self.alpha * self._met(num_objects)))
        return _draw_tilted_betas(self.beta + objects.astype(np.float64), self.sigma, 0.0, rng), objects

    def expected_num_features(self, gaps: Floats, num_objects: Integers) -> float:
        """αΛ: the sum over times of ∫ P(no object before has it) P(one here has it) under the mean density."""
        basis, tables = tabulate_selection(0.0, self.beta, self.sigma, gaps, num_objects)
        last = np.zeros((1, num_objects.size), np.int64)
        last[0, -1] = 1
        before = make_selection_engine(basis, tables, last, Start(np.empty(0), np.empty(0))).before
        nodes = tables.nodes
        functions = tables.by_degree.reshape(tables.decay.shape[1], nodes.shape[1])
        weight = np.exp(betaln(2.0, self.beta)) * nodes[WEIGHT] * tables.tilt
        total = 0.0
        for t in range(num_objects.size):
            degree = int(tables.degree[t - 1]) if t > 0 else 0
            scale = np.exp(before.scalars[t, SCALE])
            alone = self._met(int(num_objects[t])).sum()
            seen = -np.expm1(num_objects[t] * nodes[LOG_REST]) / nodes[X]
            others = weight @ (seen * (before.coefficients[t, :degree] @ functions[:degree]))
            total += scale * (before.scalars[t, CONSTANT] * alone + others)
        return float(self.alpha * total)


def _draw_tilted_betas(b: Floats, sigma: float, low: float, rng: np.random.Generator) -> Floats:
    """Of density ∝ (1 − x)^{b−1} e^{σx} on [low, 1): a gamma cut off, or beta proposals thinned by e^{σ(x − low)}."""
    rest = 1.0 - low
    if sigma > 0.0:
        x = 1.0 - gammaincinv(b, rng.random(b.size) * gammainc(b, sigma * rest)) / sigma
        return np.asarray(np.clip(x, low, LAST_BELOW_ONE))
    x, left = np.empty(b.size), np.arange(b.size)
    while left.size:
        proposal = np.minimum(1.0 - rest * rng.random(left.size) ** (1.0 / b[left]), LAST_BELOW_ONE)
        is_taken = rng.random(left.size) < np.exp(sigma * (proposal - low))
        x[left[is_taken]] = proposal[is_taken]
        left = left[~is_taken]
    return x
