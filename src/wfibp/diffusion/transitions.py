"""Exact draws of a diffusion across a gap: lineages, then a binomial, then a beta (docs/model.md, section 2)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.lineages import LineageTable, lineage_table
from wfibp.diffusion.urn import matrix_width, urn_matrices
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_alias, draw_beta, draw_binomial

CACHED_CLOCKS = 16
LARGEST_MATRICES = 20_000  # numbers, for a hundred lineages: the time to make them grows as their cube
ROOM_FOR_MATRICES = 1 << 19  # numbers, of all gaps
GAP_DIGITS = 12  # gaps that agree to so many digits differ by rounding alone and share a table


class Transitions(NamedTuple):
    """All that kernels need to cross the gaps g = 0, …, G − 1 of WF(μ, β); the tables of all gaps lie end to end."""

    mu: float
    beta: float
    first: Integers  # (G,) smallest lineage count of each table
    start: Integers  # (G + 1,) where each table begins
    probability: Floats
    acceptance: Floats
    alias: Integers
    matrix_start: Integers  # (G,) where the matrices of a gap begin (see `urn`); −1 where there are none
    matrices: Floats


def tabulate_transitions(mu: float, beta: float, gaps: Floats) -> Transitions:
    """The transitions of WF(μ, β) across each gap, all gaps > 0."""
    return _tabulate(float(mu), float(beta), tuple(gaps.tolist()))


@lru_cache(maxsize=CACHED_CLOCKS)
def _tabulate(mu: float, beta: float, gaps: tuple[float, ...]) -> Transitions:
    tables = [lineage_table(mu + beta, float(f"{gap:.{GAP_DIGITS}g}")) for gap in gaps]
    matrix_start, matrices = _lay_out_matrices(mu, beta, tables)
    empty = [np.empty(0)]
    return Transitions(
        float(mu),
        float(beta),
        np.array([table.first for table in tables], dtype=np.int64),
        np.cumsum([0, *(table.probabilities.size for table in tables)]),
        np.concatenate(empty + [table.probabilities for table in tables]),
        np.concatenate(empty + [table.acceptance for table in tables]),
        np.concatenate([np.empty(0, np.int64), *(table.alias for table in tables)]),
        matrix_start,
        matrices,
    )


def _lay_out_matrices(mu: float, beta: float, tables: list[LineageTable]) -> tuple[Integers, Floats]:
    """Where the matrices of each gap begin, and all of them; equal gaps share theirs, large ones have none."""
    begins: dict[int, int] = {}
    matrices, end = [np.empty(0)], 0
    for table in tables:
        degree = table.first + table.probabilities.size - 1
        size = 2 * (degree + 1) * matrix_width(degree)
        if id(table) in begins or size > LARGEST_MATRICES or end + size > ROOM_FOR_MATRICES:
            continue
        begins[id(table)] = end
        matrices.append(urn_matrices(mu, beta, table.first, table.probabilities).ravel())
        end += size
    return np.array([begins.get(id(table), -1) for table in tables], dtype=np.int64), np.concatenate(matrices)


def number_gaps(gaps: Floats) -> tuple[Floats, Integers]:
    """The distinct gaps above 0, and the place of each gap (n,) among them, −1 for a gap of 0."""
    if gaps.size and (gaps == gaps[0]).all():
        return gaps[:1][gaps[:1] > 0.0], np.full(gaps.size, 0 if gaps[0] > 0.0 else -1)
    distinct, index = np.unique(gaps, return_inverse=True)
    return (distinct[1:], index - 1) if distinct.size and distinct[0] == 0.0 else (distinct, index)


class _Gap(NamedTuple):
    """One gap of WF(μ, β), and where its table lies; no arrays, for passing those to each draw would cost a quarter."""

    mu: float
    beta: float
    first: int
    begin: int
    end: int


@kernel
def _draw_across(gap: _Gap, x: float, acceptance: Floats, alias: Integers, rng: np.random.Generator) -> float:
    """X at the end of the gap given X = x at its beginning."""
    if (x <= 0.0 and gap.mu == 0.0) or (x >= 1.0 and gap.beta == 0.0):
        return x
    num_lineages = gap.first + draw_alias(acceptance, alias, gap.begin, gap.end, rng)
    num_active = draw_binomial(num_lineages, x, rng)
    if num_active == 0 and gap.mu == 0.0:
        return 0.0
    if num_active == num_lineages and gap.beta == 0.0:
        return 1.0
    return draw_beta(gap.mu + num_active, gap.beta + (num_lineages - num_active), rng)


@kernel
def draw_transition(transitions: Transitions, g: int, x: float, rng: np.random.Generator) -> float:
    """X at the end of gap g given X = x at its beginning; the diffusion is reversible, so it also runs backwards."""
    start = transitions.start
    gap = _Gap(transitions.mu, transitions.beta, transitions.first[g], start[g], start[g + 1])
    return _draw_across(gap, x, transitions.acceptance, transitions.alias, rng)


@kernel
def draw_transitions(transitions: Transitions, x: Floats, gap_index: Integers, rng: np.random.Generator) -> Floats:
    """One draw for each x (n,) across its gap (n,); a negative gap index stands for no time at all."""
    mu, beta, first, start, _, acceptance, alias, _, _ = transitions
    drawn = x.copy()
    for i in range(x.size):
        g = gap_index[i]
        if g >= 0:
            drawn[i] = _draw_across(_Gap(mu, beta, first[g], start[g], start[g + 1]), x[i], acceptance, alias, rng)
    return drawn


@kernel
def draw_paths_forward(transitions: Transitions, x0: Floats, rng: np.random.Generator) -> Floats:
    """Paths (n, G + 1) from x0 (n,) through every gap in turn."""
    mu, beta, first, start, _, acceptance, alias, _, _ = transitions
    paths = np.empty((x0.size, first.size + 1))
    paths[:, 0] = x0
    for g in range(first.size):
        gap = _Gap(mu, beta, first[g], start[g], start[g + 1])
        for i in range(x0.size):
            paths[i, g + 1] = _draw_across(gap, paths[i, g], acceptance, alias, rng)
    return paths
