"""What is an experiment of the paper: how is it run, what is claimed and drawn, how are numbers compared?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Settings = dict[str, Any]  # of what JSON has
Results = dict[str, NDArray[Any]]  # of numbers, booleans or text; never of objects
Progress = Callable[[int, int, str], None]  # how much is done, of how much, and what is being done
Keep = Callable[[str, Callable[[], Results]], Results]  # the name of a part, and what computes it
SURE = 4.0  # standard errors: a true value is missed once in 16 000 times


@dataclass(frozen=True)
class Finding:
    """Something the paper shows, what comes out here, and whether it holds."""

    claim: str
    paper: str
    ours: str
    holds: bool | None  # None: the paper has nothing to compare with
    why: str = ""  # where the two differ

    def __post_init__(self) -> None:
        if isinstance(self.holds, np.bool_):  # which JSON does not know
            object.__setattr__(self, "holds", bool(self.holds))

    @classmethod
    def of_mean(cls, claim: str, paper: str, values: Floats | Integers, expected: float) -> Finding:
        """The mean of independent values (n,) against what it should be."""
        return cls(claim, paper, compared(values), agrees(values, expected))


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper.

    run(settings, seed, progress) gives arrays; with needs_corpus it gets the keyword `corpus`, and with keeps_parts the
    keyword `keep`, which returns a named part from disk if it was computed before, or else computes and keeps it.
    judge(settings, results) and draw(settings, results) need nothing else; a figure goes by the stem of its file.
    """

    name: str
    paper: str  # where the paper has it: "figure 4, section 4.5"
    title: str
    settings: Settings  # the paper's
    quick: Settings  # less than a minute
    run: Callable[..., Results]
    judge: Callable[[Settings, Results], list[Finding]]
    draw: Callable[[Settings, Results], dict[str, Figure]]
    ours: tuple[str, ...] = ()  # settings that the paper does not give
    needs_corpus: bool = False
    keeps_parts: bool = False
    version: int = 1  # one more whenever the same settings and seed come to give something else


def standard_error(values: Floats | Integers) -> float:
    """Of the mean of independent values (n,)."""
    return float(np.std(values, ddof=1) / np.sqrt(values.size))


def agrees(values: Floats | Integers, expected: float) -> bool:
    """Whether the mean of independent values (n,) is the expected one, within four standard errors."""
    return bool(abs(float(np.mean(values)) - expected) <= SURE * standard_error(values) + 1e-12)


def compared(values: Floats | Integers) -> str:
    """4.61 ± 0.02: the mean and its standard error."""
    error = standard_error(values)
    digits = 2 if error == 0.0 else max(1 - int(np.floor(np.log10(error))), 1)  # two of the error
    return f"{np.mean(values):.{digits}f} ± {error:.{digits}f}"


def percent(share: float) -> str:
    """97.5 %."""
    return f"{100.0 * share:.3g} %"


def written(values: Floats, digits: int) -> str:
    """0.99, 0.90."""
    return ", ".join(f"{value:.{digits}f}" for value in values)
