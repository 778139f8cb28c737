"""One draw from a density on (0, 1) that is a product of two sums of polynomials, to rounding (see `panels`)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.panels import COARSE, FINE
from wfibp.diffusion.path_tables import PathTables
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.spectral_messages import NEGLIGIBLE_LIKELIHOOD, add_rows, evaluate, log_peak
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import kernel

NEGLIGIBLE = 1e-14  # of the largest panel
NEWTON_STEPS = 100
CLOSE = 1e-13  # a Newton step so short leaves an error of its square


class Density(NamedTuple):
    """x^successes (1 − x)^failures · first · second · x^{e−1} (1 − x)^{β−1}, e = μ, or 1 for μ = 0.

    Each of the two is its value at 0 plus a sum of polynomials, the sum times x if it is split.
    """

    role: int
    t: int
    successes: float
    failures: float
    first_degree: int
    second_degree: int
    first_at_zero: float
    second_at_zero: float
    first_is_split: bool
    second_is_split: bool


@kernel
def _begin(panel: int) -> int:
    """Where the points of a panel begin."""
    return 0 if panel == 0 else FINE + COARSE * (panel - 1)


@kernel
def _end(panel: int, number: int) -> int:
    """Where they end."""
    return _begin(panel) + (FINE if panel == 0 or panel == number - 1 else COARSE)


@kernel
def likely_panels(tables: PathTables, role: int, t: int, successes: float, failures: float) -> tuple[int, int]:
    """The panels, from the first to before the last, on which x^successes (1 − x)^failures counts."""
    number, first = tables.num_panels[role, t], tables.first_point[role, t]
    if successes + failures == 0.0:
        return 0, number
    floor = log_peak(successes, failures) + NEGLIGIBLE_LIKELIHOOD
    place = 2.0 / math.pi * math.asin(math.sqrt(successes / (successes + failures)))
    low = min(int(place * number), number - 1)
    high = low + 1
    while low > 0:  # by the point of the next panel that is nearest to the peak
        point = first + _end(low - 1, number) - 1
        if successes * tables.log_x[point] + failures * tables.log_rest[point] < floor:
            break
        low -= 1
    while high < number:
        point = first + (_end(high, number) - 1 if high == number - 1 else _begin(high))  # the last panel runs inwards
        if successes * tables.log_x[point] + failures * tables.log_rest[point] < floor:
            break
        high += 1
    return low, high


@kernel
def _fill_density(
    spectrum: Spectrum, tables: PathTables, density: Density, begin: int, end: int, memory: tuple[Floats, Floats]
) -> None:
    """The density at the points from `begin` to before `end` into room[0]; end panels without its power there."""
    coefficients, room = memory
    role, t = density.role, density.t
    first, size, number = tables.first_point[role, t], tables.num_points[role, t], tables.num_panels[role, t]
    num = end - begin
    values, powers, f, h = room[0, :num], room[3, :num], room[1, :num], room[2, :num]
    table, entry = tables.by_degree, tables.first_entry[role, t]
    one, two = coefficients[0, : density.first_degree], coefficients[1, : density.second_degree]
    both = min(one.size, two.size)
    evaluate(table, entry, size, begin, one[:both], two[:both], f, h)
    add_rows(table, entry, size, begin, both, one, f)
    add_rows(table, entry, size, begin, both, two, h)
    low_power = spectrum.mu - 1.0 if spectrum.mu > 0.0 else 0.0
    peak, high_end = log_peak(density.successes, density.failures), _begin(number - 1)
    for j in range(values.size):
        point = begin + j
        a = density.successes + (low_power if point >= FINE else 0.0)
        b = density.failures + (0.0 if high_end <= point < high_end + FINE else spectrum.beta - 1.0)
        values[j] = a * tables.log_x[first + point] + b * tables.log_rest[first + point] - peak
    exp_all(values, powers)
    for j in range(values.size):
        x = tables.x[first + begin + j]
        left = density.first_at_zero + (x * f[j] if density.first_is_split else f[j])
        right = density.second_at_zero + (x * h[j] if density.second_is_split else h[j])
        values[j] = max(powers[j] * left * right, 0.0)


@kernel
def _narrow(
    spectrum: Spectrum, tables: PathTables, density: Density, panels: tuple[int, int], memory: tuple[Floats, Floats]
) -> tuple[int, int]:
    """The panels without those at both sides whose middle, and that of the next, says that they do not matter."""
    low, high = panels
    first, number = tables.first_point[density.role, density.t], tables.num_panels[density.role, density.t]
    middle = 2 * FINE + (COARSE + FINE) * (number - 2)
    _fill_density(spectrum, tables, density, middle + low, middle + high, memory)
    values = memory[1][0, : high - low]
    largest = 0.0
    for panel in range(low, high):
        values[panel - low] *= tables.weight[first + middle + panel]
        largest = max(largest, values[panel - low])
    begin, end = 0, values.size
    while begin < end - 2 and values[begin] < NEGLIGIBLE * largest and values[begin + 1] < NEGLIGIBLE * largest:
        begin += 1
    while begin < end - 2 and values[end - 1] < NEGLIGIBLE * largest and values[end - 2] < NEGLIGIBLE * largest:
        end -= 1
    return low + begin, low + end


@kernel
def draw_from_panels(
    spectrum: Spectrum,
    tables: PathTables,
    density: Density,
    panels: tuple[int, int],
    atom: float,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """A draw from the density on these panels and an atom at 0; not a number where doubles hold no density."""
    if panels[0] >= panels[1]:
        return math.nan
    low, high = _narrow(spectrum, tables, density, panels, memory)
    room = memory[1]
    role, t = density.role, density.t
    number, first = tables.num_panels[role, t], tables.first_point[role, t]
    length = 0.5 * math.pi / number
    begin, end = _begin(low), _end(high - 1, number)
    _fill_density(spectrum, tables, density, begin, end, memory)
    values = room[0]
    masses, legendre = room[4, : high - low], room[5, : 2 * FINE].reshape(2, FINE)
    exponents = (spectrum.mu if spectrum.mu > 0.0 else 1.0, spectrum.beta)
    total = atom
    for panel in range(low, high):
        place = _begin(panel) - begin
        mass = 0.0
        if panel == 0 or panel == number - 1:
            side = 0 if panel == 0 else 1
            _transform(tables.low_end if side == 0 else tables.high_end, values[place : place + FINE], legendre[side])
            mass = legendre[side].sum() * math.sin(length) ** (2.0 * exponents[side])
        else:
            for j in range(place, place + COARSE):
                mass += values[j] * tables.weight[first + begin + j]
        masses[panel - low] = max(mass, 0.0)
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
    if panel == 0:
        return math.sin(length) ** 2 * _invert_end(legendre[0], exponents[0], share)
    if panel == number - 1:
        return 1.0 - math.sin(length) ** 2 * _invert_end(legendre[1], exponents[1], 1.0 - share)
    place = 2 * FINE + COARSE * (number - 2) + FINE * (panel - 1)
    _fill_density(spectrum, tables, density, place, place + FINE, memory)
    for j in range(FINE):
        values[j] *= tables.weight[first + place + j]
    _transform(tables.inner, values[:FINE], legendre[0])
    return math.sin(length * (panel + 0.5 + 0.5 * _invert_inner(legendre[0], share))) ** 2


@kernel
def _transform(matrix: Floats, values: Floats, product: Floats) -> None:
    """matrix (FINE, FINE), held by columns, times values."""
    product[:] = 0.0
    for i in range(FINE):
        for k in range(FINE):
            product[k] += matrix[i, k] * values[i]


@kernel
def _invert_inner(legendre: Floats, share: float) -> float:
    """ξ in (−1, 1) below which lies this share of ∫ Σ_k a_k P_k, by Newton's method within a bracket."""
    target, low, high = 2.0 * share * legendre[0], -1.0, 1.0
    place = 2.0 * share - 1.0
    for _ in range(NEWTON_STEPS):
        before, value = 1.0, place  # P_0, P_1
        slope, integral = legendre[0], legendre[0] * (place + 1.0)
        for k in range(1, FINE):
            after = ((2 * k + 1) * place * value - k * before) / (k + 1)
            slope += legendre[k] * value
            integral += legendre[k] * (after - before) / (2 * k + 1)
            before, value = value, after
        if integral > target:
            high = place
        else:
            low = place
        moved = place - (integral - target) / slope if slope > 0.0 else 2.0
        if not low <= moved <= high:
            moved = 0.5 * (low + high)
        step = abs(moved - place)
        place = moved
        if step < CLOSE:
            break
    return place


@kernel
def _invert_end(legendre: Floats, exponent: float, share: float) -> float:
    """r in (0, 1) with r^e Q(r) = share · Q(1), Q = Σ_k a_k P_k(2r − 1): Newton's method on log r."""
    if not share > 0.0:
        return 0.0
    target = math.log(share) + math.log(legendre.sum())
    log_r = min(math.log(share) / exponent, 0.0)
    for _ in range(NEWTON_STEPS):
        r = math.exp(log_r)
        xi = 2.0 * r - 1.0
        before, value, before_slope, slope = 1.0, xi, 0.0, 1.0
        q, q_slope = legendre[0] + legendre[1] * xi, legendre[1]
        for k in range(1, FINE - 1):
            after = ((2 * k + 1) * xi * value - k * before) / (k + 1)
            after_slope = ((2 * k + 1) * (value + xi * slope) - k * before_slope) / (k + 1)
            before, value, before_slope, slope = value, after, slope, after_slope
            q += legendre[k + 1] * value
            q_slope += legendre[k + 1] * slope
        rate = exponent + 2.0 * r * q_slope / q if q > 0.0 else exponent
        step = (exponent * log_r + math.log(max(q, 1e-300)) - target) / max(rate, 0.1 * exponent)
        moved = min(log_r - step, 0.0)
        step = abs(moved - log_r)
        log_r = moved
        if step < CLOSE * max(1.0, abs(log_r)):
            break
    return math.exp(log_r)
