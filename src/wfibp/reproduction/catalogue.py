"""Which experiments there are, in the order of the paper; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from wfibp.reproduction.experiment import Experiment

ALL = "all"
NAMES = (
    "field",
    "dependence",
    "particle-gibbs",
    "truncation",
    "linear-gaussian",
    "linear-gaussian-infinite",
    "topics",
    "reconstruction",
    "static",
    "nips",
    "nips-perplexity",
)


def load(name: str) -> Experiment:
    """The experiment of that name."""
    module = import_module(f"wfibp.reproduction.experiments.{name.replace('-', '_')}")
    return cast("Experiment", module.EXPERIMENT)


def choose(names: Iterable[str]) -> list[str]:
    """The names asked for, in the order of the paper, each once; "all" is all of them."""
    asked = set(names)
    for name in sorted(asked - {ALL, *NAMES}):
        raise ValueError(f"there is no experiment {name!r}; there are {', '.join(NAMES)}, and all of them: {ALL}")
    return [name for name in NAMES if ALL in asked or name in asked]
