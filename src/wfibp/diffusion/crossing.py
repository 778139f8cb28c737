"""A message taken across a gap, from its top row (the recursions are in `urn`).

Where doubles can hold the top row and the gap has a matrix, they are multiplied. Else rows are kept tilted,
g e^{−slope·i}, so that counts that jump between times do not underflow. With many objects and short gaps one slope is
not enough: then each entry has an envelope of its own, renewed every few rows.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.messages import IS_ZERO, LOG_SAFE, LOG_ZERO, scaled_exp
from wfibp.diffusion.transitions import Transitions
from wfibp.diffusion.urn import matrix_width, multiply_rows, run_urn
from wfibp.numerics.exponentials import SMALLEST_NORMAL, log_all
from wfibp.numerics.kernel import kernel

STEEPEST = 30.0  # an envelope falls no faster, so that what comes in from below cannot overflow in so many rows
ROWS_PER_ENVELOPE = 16  # neighbours differ by less than e^12 or so, hence so many rows by less than e^200


@kernel
def cross_gap(transitions: Transitions, g: int, log_top: Floats) -> Floats:
    """log Bernstein coefficients (J + 1,) of the message on the other side of gap g, from the top row."""
    if fits_matrix(transitions, g, log_top):
        return _cross_gap_by_matrix(transitions, g, log_top)
    return _cross_gap_by_rows(transitions, g, log_top)


@kernel
def fits_matrix(transitions: Transitions, g: int, log_top: Floats) -> bool:
    """Whether gap g has matrices, and doubles hold this top row."""
    if transitions.matrix_start[g] < 0:
        return False
    smallest, largest = math.inf, -math.inf
    for log in log_top:
        if log > IS_ZERO:
            smallest, largest = min(smallest, log), max(largest, log)
    return largest - smallest < LOG_SAFE


@kernel
def times_matrix(transitions: Transitions, g: int, transposed: bool, weights: Floats) -> Floats:
    """Weights (J + 1,) through the matrix of gap g, from a top row to a message, or transposed; zeros make up a row."""
    width = matrix_width(weights.size - 1)
    begin = transitions.matrix_start[g] + (weights.size * width if transposed else 0)
    product = np.empty(width)
    multiply_rows(weights, transitions.matrices[begin : begin + weights.size * width], product)
    return product


@kernel
def _cross_gap_by_matrix(transitions: Transitions, g: int, log_top: Floats) -> Floats:
    """What comes of a top row of ones is ones, so that no coefficient is smaller than the smallest of the top row."""
    top, largest = scaled_exp(log_top)
    message = times_matrix(transitions, g, False, top)
    logs = np.empty(message.size)
    log_all(message, logs)
    for i in range(top.size):
        logs[i] = logs[i] + largest if message[i] > SMALLEST_NORMAL else LOG_ZERO
    return logs[: top.size]


@kernel
def _cross_gap_by_rows(transitions: Transitions, g: int, log_top: Floats) -> Floats:
    slope = end_to_end_slope(transitions, log_top)
    tilted = log_top - slope * np.arange(log_top.size)
    smallest, largest = math.inf, -math.inf
    for i in range(tilted.size):
        if log_top[i] > IS_ZERO:
            smallest, largest = min(smallest, tilted[i]), max(largest, tilted[i])
        else:
            tilted[i] = LOG_ZERO
    q = transitions.probability[transitions.start[g] : transitions.start[g + 1]]
    if largest - smallest + abs(slope) * q.size > LOG_SAFE:
        return _cross_gap_enveloped(transitions, g, log_top)
    message = run_urn(transitions.mu, transitions.beta, transitions.first[g], q, scaled_exp(tilted)[0], slope)
    logs = np.empty(message.size)
    log_all(message, logs)
    for i in range(message.size):
        message[i] = logs[i] + slope * i + largest if message[i] > SMALLEST_NORMAL else LOG_ZERO
    return message


@kernel
def slope_near(transitions: Transitions, log_row: Floats, place: int) -> float:
    """The local slope of a row (its first entry is apart when μ = 0)."""
    begin, end = 1 if transitions.mu == 0.0 else 0, log_row.size - 1
    low, high = max(place - 1, begin), min(place + 1, end)
    if high <= low or log_row[low] < IS_ZERO or log_row[high] < IS_ZERO:
        return 0.0
    return min(max((log_row[high] - log_row[low]) / (high - low), -LOG_SAFE), LOG_SAFE)


@kernel
def end_to_end_slope(transitions: Transitions, log_row: Floats) -> float:
    """The tilt that makes both ends of a row equal (its first entry is apart when μ = 0)."""
    begin = 1 if transitions.mu == 0.0 else 0
    end = log_row.size - 1
    if end <= begin or log_row[begin] < IS_ZERO or log_row[end] < IS_ZERO:
        return 0.0
    return min(max((log_row[end] - log_row[begin]) / (end - begin), -LOG_SAFE), LOG_SAFE)


@kernel
def _cross_gap_enveloped(transitions: Transitions, g: int, log_top: Floats) -> Floats:
    """`run_urn` for a top row of any range: logarithms in, logarithms out."""
    q = transitions.probability[transitions.start[g] : transitions.start[g + 1]]
    first, degree, last_row = transitions.first[g], log_top.size - 1, q.size - 1
    rows, envelopes = _rows_below(transitions.mu, transitions.beta, first, q.size, log_top)
    log_message = np.full(degree + 1, LOG_ZERO)
    message, lower, envelope = np.zeros(degree + 1), np.zeros(degree + 1), np.zeros(degree + 1)
    from_row, from_below = np.zeros(degree + 1), np.zeros(degree + 1)
    for r in range(q.size):
        j = first + r
        block = (last_row - r) // ROWS_PER_ENVELOPE
        if r == 0 or block != (last_row - r + 1) // ROWS_PER_ENVELOPE:
            _add_logs(envelope, message, log_message)
            for i in range(degree + 1):
                envelope[i] = max(log_message[i], envelopes[block, i])
                if i > 0:
                    envelope[i] = max(envelope[i], envelope[i - 1] - STEEPEST)
                message[i] = _exp_or_zero(log_message[i], envelope[i])
                from_row[i] = _exp_or_zero(envelopes[block, i], envelope[i])
                from_below[i] = _exp_or_zero(envelope[i - 1], envelope[i]) if i > 0 else 0.0
        message, lower = lower, message
        message[0] = lower[0] + q[r] * from_row[0] * rows[r, 0]
        for i in range(1, j + 1):
            raised = i * from_below[i] * lower[i - 1] + (j - i) * lower[i]
            message[i] = raised / j + q[r] * from_row[i] * rows[r, i]
    _add_logs(envelope, message, log_message)
    return log_message


@kernel
def _rows_below(mu: float, beta: float, first: int, num_rows: int, log_top: Floats) -> tuple[Floats, Floats]:
    """The rows g_{j,i}, j = first, …, each over e^envelope of its block of rows, blocks counted from the top."""
    degree = log_top.size - 1
    rows = np.zeros((num_rows, degree + 1))
    envelopes = np.full(((num_rows - 1) // ROWS_PER_ENVELOPE + 1, degree + 1), LOG_ZERO)
    envelopes[0], rows[num_rows - 1] = log_top, np.where(log_top > IS_ZERO, 1.0, 0.0)
    ratio, above = np.zeros(degree + 1), rows[num_rows - 1].copy()
    for r in range(num_rows - 1, -1, -1):
        block = (num_rows - 1 - r) // ROWS_PER_ENVELOPE
        if r < num_rows - 1 and block != (num_rows - 2 - r) // ROWS_PER_ENVELOPE:
            _add_logs(envelopes[block - 1], above, envelopes[block])
            above = np.where(envelopes[block] > IS_ZERO, 1.0, 0.0)
        if r == num_rows - 1 or block != (num_rows - 2 - r) // ROWS_PER_ENVELOPE:
            for i in range(degree):
                ratio[i] = _exp_or_zero(envelopes[block, i + 1], envelopes[block, i])
        if r < num_rows - 1:
            j = first + r
            for i in range(j + 1):
                rows[r, i] = ((mu + i) * ratio[i] * above[i + 1] + (beta + (j - i)) * above[i]) / (mu + beta + j)
            above = rows[r]
    return rows, envelopes


@kernel
def _add_logs(envelope: Floats, scaled: Floats, logs: Floats) -> None:
    """logs = envelope + log scaled, entry by entry."""
    for i in range(scaled.size):
        logs[i] = envelope[i] + math.log(scaled[i]) if scaled[i] > 0.0 and envelope[i] > IS_ZERO else LOG_ZERO


@kernel
def _exp_or_zero(log_value: float, log_unit: float) -> float:
    """e^{log_value − log_unit}, 0 if either stands for 0."""
    return math.exp(log_value - log_unit) if log_value > IS_ZERO and log_unit > IS_ZERO else 0.0
