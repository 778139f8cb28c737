"""Which parameters had other names before, and how are these still understood?"""

from __future__ import annotations

import warnings
from typing import Any

RENAMED = {"document_odds": "document_probability"}  # before, and now
CALLER = 3  # frames up from a warning to whoever gave a model the old name


def current_names(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings, of an older run perhaps, by the names that they have now."""
    return {RENAMED.get(name, name): value for name, value in settings.items()}


def take_renamed(model: object, given: dict[str, Any]) -> None:
    """Set the parameters of a new model that were given by old names; other names are a mistake."""
    for name in given.keys() - RENAMED:
        raise TypeError(f"{type(model).__name__} got an unexpected keyword argument {name!r}")
    for name, value in with_warning(model, given, CALLER + 1).items():
        setattr(model, name, value)


def with_warning(model: object, given: dict[str, Any], frames: int = CALLER) -> dict[str, Any]:
    """Parameters of a model by the names that they have now; who used an old name is told."""
    for name in given.keys() & RENAMED:
        message = f"{name} of {type(model).__name__} is now called {RENAMED[name]}; the old name will go"
        warnings.warn(message, FutureWarning, stacklevel=frames)
    return current_names(given)
