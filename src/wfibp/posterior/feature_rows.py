"""The listed features of some draws, row by row, with all that their paths depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import Block
from wfibp.posterior.matching import UNLISTED, MatchedFeatures


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """R features of draws; `draw` numbers the draws of all chains in a row."""

    draw: Integers  # (R,)
    feature: Integers  # (R,)
    frequencies: Floats  # (R, T)
    counts: Integers  # (R, T)
    dynamics: Floats  # (R, 3): μ, β and time_scale

    def only(self, rows: Integers) -> FeatureRows:
        """Some rows."""
        return FeatureRows(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def groups(self) -> Iterator[tuple[Integers, tuple[float, float, float]]]:
        """Rows with the same dynamics, so that each table is made once."""
        distinct, group = np.unique(self.dynamics, axis=0, return_inverse=True)
        for g, (mu, beta, time_scale) in enumerate(distinct):
            yield np.flatnonzero(group.ravel() == g), (float(mu), float(beta), float(time_scale))


def rows_of_block(block: Block, start: int, features: MatchedFeatures, chosen: Booleans) -> FeatureRows:
    """The rows of a block that are listed and belong to a chosen draw; `start` is the number of its chain's draw 0."""
    label, draw = features.label(block), start + block.draw_of_row
    rows = np.flatnonzero((label != UNLISTED) & chosen[draw])
    return _rows(block, rows, draw[rows], label[rows])


def rows_of_draw(block: Block, s: int) -> FeatureRows:
    """All rows of draw s of a block, listed or not, numbered as they stand."""
    part = block.rows_of(s)
    rows = np.arange(part.start, part.stop)
    return _rows(block, rows, block.draw_of_row[rows], rows - part.start)


def _rows(block: Block, rows: Integers, draw: Integers, feature: Integers) -> FeatureRows:
    of_draw = block.draw_of_row[rows] - block.first
    dynamics = np.stack([block.numbers[name][of_draw] for name in ("mu", "beta", "time_scale")], axis=1)
    counts = block.rows["counts"][rows].astype(np.int64)
    return FeatureRows(draw, feature, block.rows["frequencies"][rows], counts, dynamics)


def feature_rows(
    chains: Sequence[ChainReader], features: MatchedFeatures, chosen: Booleans | None = None
) -> Iterator[FeatureRows]:
    """Block after block; `chosen` (all draws,) says which draws are wanted."""
    wanted = np.ones(features.num_draws, np.bool_) if chosen is None else chosen
    start = 0
    for chain in chains:
        for block in chain.blocks("frequencies", "counts"):
            yield rows_of_block(block, start, features, wanted)
        start += chain.num_draws


def listed_rows(
    chains: Sequence[ChainReader], features: MatchedFeatures, *names: str
) -> Iterator[tuple[Block, Integers, Integers]]:
    """Blocks with the arrays named, the places of their rows that are of listed features, and these features."""
    for chain in chains:
        for block in chain.blocks(*names):
            label = features.label(block)
            rows = np.flatnonzero(label != UNLISTED)
            yield block, rows, label[rows]


def choose_draws(num_draws: int, most: int) -> Booleans:
    """(num_draws,) at most so many draws, evenly spaced."""
    chosen = np.zeros(num_draws, np.bool_)
    chosen[np.linspace(0, num_draws - 1, min(most, num_draws)).round().astype(np.int64)] = True
    return chosen
