"""A whole state drawn from the prior: hyper-parameters, features with their paths and objects, parameters."""

from __future__ import annotations

import numpy as np

from wfibp.field import PoissonRandomField
from wfibp.inference.dynamics import time_scale_range
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.priors import Prior
from wfibp.inference.setup import Settings, first_state
from wfibp.inference.state import Clock, StateKind


def draw_prior_state(
    settings: Settings, clock: Clock, likelihood: Likelihood[StateKind], rng: np.random.Generator
) -> StateKind:
    """A state from the prior; in the unbounded model, of the features that some object has."""
    alpha, beta = _draw(settings.alpha, rng), _draw(settings.beta, rng)
    time_scale = _draw(settings.time_scale, rng, *time_scale_range(clock))
    field = PoissonRandomField(alpha, beta)
    model = field if settings.truncation is None else field.truncate(settings.truncation)
    drawn = model.draw_allocations((clock.times - clock.times[0]) * time_scale, clock.num_objects, rng=rng)
    state = first_state(settings, clock, np.concatenate(drawn.allocations).T.copy())
    state.alpha, state.beta, state.time_scale, state.frequencies = alpha, beta, time_scale, drawn.frequencies
    return likelihood.draw_from_prior(state, rng)


def _draw(setting: float | Prior, rng: np.random.Generator, low: float = 0.0, high: float = np.inf) -> float:
    """The number, or a draw of the prior restricted to [low, high]."""
    if not isinstance(setting, Prior):
        return setting
    while True:
        value = setting.draw(rng)
        if low <= value <= high and value > 0.0:
            return value
