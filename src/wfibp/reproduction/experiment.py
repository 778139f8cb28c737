"""What an experiment of the paper is: its settings, how it is run, what is claimed, what is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Settings = dict[str, Any]  # of what JSON has
Results = dict[str, NDArray[Any]]  # of numbers, booleans or text; never of objects
Progress = Callable[[int, int, str], None]  # how much is done, of how much, and what is being done
Keep = Callable[[str, Callable[[], Results]], Results]  # the name of a part, and what computes it


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
