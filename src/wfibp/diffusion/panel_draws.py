"""One draw from a density on (0, 1) that is a product of two sums of polynomials, to rounding (see `panels`)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.panel_inversion import invert_end, invert_inner, to_legendre
from wfibp.diffusion.panels import COARSE, FINE
from wfibp.diffusion.polynomial_sums import add_rows, add_rows_twice
from wfibp.diffusion.spectral_messages import NEGLIGIBLE_LIKELIHOOD, log_peak, working_memory
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import innermost_kernel, kernel

NEGLIGIBLE = 1e-14  # of the largest panel
X, LOG_X, LOG_REST, WEIGHT = range(4)  # rows of `Panels.points`


class Partition(NamedTuple):
    """Panels, where their points lie among those of all partitions, and the powers of the weight of the basis."""

    number: int
    first: int
    entry: int
    size: int
    points: Floats
    by_degree: Floats
    low_exponent: float
    high_exponent: float


class Density(NamedTuple):
    """x^{successes + e − 1} (1 − x)^{failures + β − 1} · one · two, e = μ, or 1 for μ = 0.

    Each of the two is its value at 0 plus a sum of polynomials; the sum times x if it is split.
    """

    successes: float
    failures: float
    one: Floats
    two: Floats
    one_at_zero: float
    two_at_zero: float
    one_is_split: bool
    two_is_split: bool


@kernel
def _begin(panel: int) -> int:
    """Where the points of a panel begin."""
    return 0 if panel == 0 else FINE + COARSE * (panel - 1)


@kernel
def _end(panel: int, number: int) -> int:
    """Where they end."""
    return _begin(panel) + (FINE if panel == 0 or panel == number - 1 else COARSE)


@kernel
def likely_panels(number: int, successes: float, failures: float) -> tuple[int, int]:
    """The panels, first to before last, on which x^successes (1 − x)^failures counts (see `find_window`)."""
    both = successes + failures
    if both == 0.0:
        return 0, number
    peak = math.asin(math.sqrt(successes / both))
    reach = math.acos(math.exp(0.5 * NEGLIGIBLE_LIKELIHOOD / both))
    scale = 2.0 / math.pi * number
    return max(int((peak - reach) * scale), 0), min(int((peak + reach) * scale) + 1, number)


@innermost_kernel
def _fill_powers(
    partition: Partition, begin: int, successes: float, failures: float, peak: float, room: Floats
) -> None:
    """The logarithms of the powers of x and 1 − x at the points from `begin` on, without that of an end panel there."""
    logs = room[0]
    log_x, log_rest = partition.points[LOG_X, begin:], partition.points[LOG_REST, begin:]
    low, high = partition.low_exponent - 1.0, partition.high_exponent - 1.0
    low_end, high_end = partition.first + FINE, partition.first + _begin(partition.number - 1)
    for j in range(logs.size):
        a = successes + (low if begin + j >= low_end else 0.0)
        b = failures + (high if begin + j < high_end or begin + j >= high_end + FINE else 0.0)
        logs[j] = a * log_x[j] + b * log_rest[j] - peak


@innermost_kernel
def _multiply(x: Floats, at_zero: tuple[float, float], one_slope: float, two_slope: float, room: Floats) -> None:
    """room[0] becomes the product of powers and both sums, no less than 0."""
    values, powers, f, h = room[0], room[1], room[2], room[3]
    for j in range(values.size):
        one = at_zero[0] + (1.0 + one_slope * (x[j] - 1.0)) * f[j]
        two = at_zero[1] + (1.0 + two_slope * (x[j] - 1.0)) * h[j]
        values[j] = max(powers[j] * one * two, 0.0)


@kernel
def _density_at(partition: Partition, density: Density, begin: int, end: int, memory: Floats) -> Floats:
    """The density at the points from `begin` to before `end`; on end panels without its power there."""
    room = working_memory(memory, end - begin)
    table, entry, size, one, two = partition.by_degree, partition.entry, partition.size, density.one, density.two
    both = min(one.size, two.size)
    add_rows_twice(table, entry, size, begin, one[:both], two[:both], room[2], room[3])
    add_rows(table, entry, size, begin, both, one, room[2])
    add_rows(table, entry, size, begin, both, two, room[3])
    peak, first = log_peak(density.successes, density.failures), partition.first + begin
    _fill_powers(partition, first, density.successes, density.failures, peak, room)
    exp_all(room[0], room[1])
    slopes = (1.0 if density.one_is_split else 0.0, 1.0 if density.two_is_split else 0.0)
    at_zero = (density.one_at_zero, density.two_at_zero)
    _multiply(partition.points[X, first : first + end - begin], at_zero, slopes[0], slopes[1], room)
    return room[0]


@kernel
def _narrow(partition: Partition, density: Density, panels: tuple[int, int], memory: Floats) -> tuple[int, int]:
    """The panels without those at both sides whose middle, and that of the next, says that they do not matter."""
    low, high = panels
    middle = 2 * FINE + (COARSE + FINE) * (partition.number - 2)
    values = _density_at(partition, density, middle + low, middle + high, memory)
    largest = 0.0
    for j in range(values.size):
        values[j] *= partition.points[WEIGHT, partition.first + middle + low + j]
        largest = max(largest, values[j])
    begin, end, floor = 0, values.size, NEGLIGIBLE * largest
    while begin < end - 2 and values[begin] < floor and values[begin + 1] < floor:
        begin += 1
    while begin < end - 2 and values[end - 1] < floor and values[end - 2] < floor:
        end -= 1
    return low + begin, low + end


@kernel
def _end_mass(partition: Partition, panel: int, legendre: Floats) -> float:
    """The integral over an end panel, from the Legendre coefficients of Q."""
    exponent = partition.low_exponent if panel == 0 else partition.high_exponent
    return legendre.sum() * math.sin(0.5 * math.pi / partition.number) ** (2.0 * exponent)


@kernel
def draw_from_panels(
    partition: Partition,
    transforms: Floats,
    density: Density,
    panels: tuple[int, int],
    atom: float,
    memory: Floats,
    rng: np.random.Generator,
) -> float:
    """A draw from the density on these panels and an atom at 0; not a number where doubles hold no density."""
    if panels[0] >= panels[1]:
        return math.nan
    low, high = _narrow(partition, density, panels, memory)
    number, begin = partition.number, _begin(low)
    values = _density_at(partition, density, begin, _end(high - 1, number), memory)
    weight = partition.points[WEIGHT, partition.first + begin :]
    masses, legendre = np.zeros(high - low), np.empty((2, FINE))
    total = atom
    for panel in range(low, high):
        place = _begin(panel) - begin
        if panel == 0 or panel == number - 1:
            side = 0 if panel == 0 else 1
            to_legendre(transforms[side], values[place : place + FINE], legendre[side])
            masses[panel - low] = max(_end_mass(partition, panel, legendre[side]), 0.0)
        else:
            for j in range(place, place + COARSE):
                masses[panel - low] += values[j] * weight[j]
        total += masses[panel - low]
    if not 0.0 < total < math.inf:
        return math.nan
    left = rng.random() * total - atom
    if left < 0.0:
        return 0.0
    panel = low
    while panel < high - 1 and left >= masses[panel - low]:
        left -= masses[panel - low]
        panel += 1
    share = min(left / masses[panel - low], 1.0) if masses[panel - low] > 0.0 else 0.5
    return _invert(partition, transforms, density, (panel, share), legendre, memory)


@kernel
def _invert(
    partition: Partition,
    transforms: Floats,
    density: Density,
    place: tuple[int, float],
    legendre: Floats,
    memory: Floats,
) -> float:
    """x below which a panel has this share of its mass."""
    (panel, share), number = place, partition.number
    length = 0.5 * math.pi / number
    if panel == 0:
        return math.sin(length) ** 2 * invert_end(legendre[0], partition.low_exponent, share)
    if panel == number - 1:
        return 1.0 - math.sin(length) ** 2 * invert_end(legendre[1], partition.high_exponent, 1.0 - share)
    begin = 2 * FINE + COARSE * (number - 2) + FINE * (panel - 1)
    values = _density_at(partition, density, begin, begin + FINE, memory)
    for j in range(FINE):
        values[j] *= partition.points[WEIGHT, partition.first + begin + j]
    to_legendre(transforms[2], values, legendre[0])
    return math.sin(length * (panel + 0.5 + 0.5 * invert_inner(legendre[0], share))) ** 2
