"""How a run is loaded by commands that can show one that is still warming up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wfibp.posterior import Posterior


def load_so_far(folder: Path) -> Posterior:
    """The draws of a run; of one that has none yet, where its chains are, with a note that says so."""
    from wfibp.posterior import Posterior

    return or_warmup(folder, lambda: Posterior.load(folder))


def or_warmup(folder: Path, load: Callable[[], Posterior]) -> Posterior:
    """What is loaded; if the run has no draw yet, where its chains are."""
    from wfibp.posterior.errors import NoDrawsError

    try:
        return load()
    except NoDrawsError:
        from wfibp.models.warmup import load_warmup

        return load_warmup(folder)
