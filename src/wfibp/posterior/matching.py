"""Which features of different draws and chains are one and the same?

Within a chain a feature has an id for life, but one that dies may be born again under another id; over chains ids mean
nothing. So: ids of one chain that never occur in the same draw and have close parameters are one feature; then the
features of each chain are paired with those found so far, by Hungarian assignment on their mean parameters.
(docs/model.md, section 19)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.posterior.chain_index import ChainIndex
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import Block
from wfibp.posterior.rows import Rows, join_rows, scale_rows, squared_lengths, sum_rows, to_dense
from wfibp.work_progress import counted

SMALLEST_PIECE = 0.01  # an id in a smaller share of its chain's draws is not looked at,
MOST_PIECES = 2000  # nor are those beyond so many, in the fewest draws: memory and time go with the square of them
SMALLEST_SHARE = 0.05  # a feature in a smaller share of all draws is not listed
CLOSE = 0.4  # distance below which two features may be one: equal length at an angle of 47°, or in line at 2.3 times

UNLISTED = -1


@dataclass
class Chunk:
    """What is known of one feature of one chain or of all: where it occurs and what it is like on average."""

    members: list[tuple[int, int]]  # (chain, id)
    num_draws: int
    mean: Rows  # (1, P) its parameters
    size: float  # objects that have it, on average over its draws

    def absorb(self, other: Chunk) -> None:
        """Take another chunk in, each counting by its draws."""
        weight = other.num_draws / (self.num_draws + other.num_draws)
        self.mean = self.mean * (1.0 - weight) + other.mean * weight
        self.size = (1.0 - weight) * self.size + weight * other.size
        self.members, self.num_draws = self.members + other.members, self.num_draws + other.num_draws


@dataclass(frozen=True, eq=False)
class MatchedFeatures:
    """Features 0, …, F − 1, those in most draws first, then those that most objects have."""

    chunks: tuple[Chunk, ...]
    num_draws: int
    labels: dict[int, Integers]  # by the number of a chain, the feature of each id, or UNLISTED

    def __len__(self) -> int:
        return len(self.chunks)

    @property
    def share(self) -> Floats:
        """(F,) share of all draws that have the feature."""
        return np.array([chunk.num_draws / self.num_draws for chunk in self.chunks])

    @property
    def size(self) -> Floats:
        """(F,) objects that have the feature, on average over the draws that have it."""
        return np.array([chunk.size for chunk in self.chunks])

    def label(self, block: Block) -> Integers:
        """(R,) the feature of each row of a block, or UNLISTED."""
        return self.labels[block.chain][block.rows["feature_ids"]]


def match_features(
    chains: Sequence[ChainReader],
    parameter: str,
    *,
    up_to_scale: bool = False,
    indexes: Sequence[ChainIndex] | None = None,
) -> MatchedFeatures:
    """Match over all draws, by the means of one array of parameters with one row per feature, or of its directions.

    indexes: those of the chains, if they have been read.
    """
    known = {c.chain: i for c, i in zip(chains, indexes or map(ChainIndex.read, chains), strict=True)}
    found: list[Chunk] = []
    for chain in counted(chains, "matching features over draws", "chains", len(chains)):
        kept = frequent_ids(known[chain.chain], chain.num_draws)
        found = match_over_chains(found, merge_within_chain(*tally_chain(chain, kept, parameter, up_to_scale)))
    num_draws = sum(chain.num_draws for chain in chains)
    listed = [chunk for chunk in found if chunk.num_draws >= SMALLEST_SHARE * num_draws]
    listed.sort(key=lambda chunk: (-chunk.num_draws, -chunk.size))
    labels = {chain: _labels(chain, index.largest_id, listed) for chain, index in known.items()}
    return MatchedFeatures(tuple(listed), num_draws, labels)


def tally_chain(chain: ChainReader, kept: Integers, parameter: str, up_to_scale: bool) -> tuple[list[Chunk], Booleans]:
    """What the ids `kept` of a chain are like, and the draws each is in, (ids, draws)."""
    present = np.zeros((kept.size, chain.num_draws), np.bool_)
    totals: Any = 0.0
    sizes = np.zeros(kept.size)
    for block in chain.blocks("counts", parameter):
        rows = np.flatnonzero(np.isin(block.rows["feature_ids"], kept))
        place = np.searchsorted(kept, block.rows["feature_ids"][rows])
        present[place, block.draw_of_row[rows]] = True
        totals = totals + sum_rows(place, _flat_rows(block.rows[parameter], rows, up_to_scale), kept.size)
        sizes += np.bincount(place, block.rows["counts"][rows].sum(axis=1), kept.size)
    counts = present.sum(axis=1)
    chunks = [
        Chunk([(chain.chain, int(kept[p]))], int(counts[p]), totals[[p]] / counts[p], sizes[p] / counts[p])
        for p in range(kept.size)
    ]
    return chunks, present


def _flat_rows(values: Rows, rows: Integers, up_to_scale: bool) -> Rows:
    """(R, P) some rows of an array, each as a vector; of length 1, or 0, if only their directions count."""
    width = math.prod(values.shape[1:])
    flat: Any = values[rows].reshape((rows.size, width)).astype(np.float64)
    if not up_to_scale:
        return flat  # type: ignore[no-any-return]
    lengths = np.sqrt(squared_lengths(flat))
    return scale_rows(flat, np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0))


def frequent_ids(index: ChainIndex, num_draws: int) -> Integers:
    """The ids in enough of a chain's draws, sorted."""
    enough = SMALLEST_PIECE * num_draws
    kept = [identity for identity, count in index.occurrences.most_common(MOST_PIECES) if count >= enough]
    return np.array(sorted(kept), np.int64)


def merge_within_chain(chunks: list[Chunk], present: Booleans) -> list[Chunk]:
    """Join ids that never occur together and are close, the longest-lived first, each to the nearest."""
    groups = _Groups(chunks, present)
    for p in sorted(range(len(chunks)), key=lambda p: -chunks[p].num_draws):
        groups.place(p)
    return groups.chunks()


class _Groups:
    """Chunks put together. The mean of a group is a mix of its members', and so are its products with all means."""

    def __init__(self, members: list[Chunk], present: Booleans) -> None:
        self.members = members
        means = join_rows([chunk.mean for chunk in members]) if members else np.empty((0, 0))
        self.products = to_dense(means @ means.T)  # (P, P), of all members
        seen = present.astype(np.float32)
        self.together = seen @ seen.T > 0.0  # (P, P) which occur in the same draw
        self.size = 0
        self.with_members = np.zeros_like(self.products)  # (G, P), of which the first `size` rows are in use
        self.excluded = np.zeros_like(self.together)
        self.squares, self.num_draws = np.zeros(len(members)), np.zeros(len(members))
        self.lists: list[list[int]] = []

    def place(self, p: int) -> None:
        """Put member p into the nearest group that it may join, or into one of its own."""
        distances = _distance(self.squares[: self.size], self.products[p, p], self.with_members[: self.size, p])
        distances[self.excluded[: self.size, p]] = np.inf
        if self.size and distances.min() < CLOSE:
            self._join(int(distances.argmin()), p)
        else:
            self.lists.append([])
            self.size += 1
            self._join(self.size - 1, p)

    def _join(self, g: int, p: int) -> None:
        weight = self.members[p].num_draws / (self.num_draws[g] + self.members[p].num_draws)
        cross, square = self.with_members[g, p], self.products[p, p]
        self.squares[g] = (
            (1.0 - weight) ** 2 * self.squares[g] + 2.0 * weight * (1.0 - weight) * cross + weight**2 * square
        )
        self.with_members[g] = (1.0 - weight) * self.with_members[g] + weight * self.products[p]
        self.num_draws[g] += self.members[p].num_draws
        self.excluded[g] |= self.together[p]
        self.lists[g].append(p)

    def chunks(self) -> list[Chunk]:
        """The groups as chunks."""
        found = []
        for first, *others in self.lists:
            for p in others:
                self.members[first].absorb(self.members[p])
            found.append(self.members[first])
        return found


def match_over_chains(found: list[Chunk], more: list[Chunk]) -> list[Chunk]:
    """Pair the features of one more chain with those found so far; what is close to none stays on its own."""
    distances = distances_between(found, more)
    for a, b in zip(*linear_sum_assignment(np.minimum(distances, CLOSE)), strict=True):
        if distances[a, b] < CLOSE:
            found[a].absorb(more[b])
            more[b].num_draws = 0
    return found + [chunk for chunk in more if chunk.num_draws > 0]


def distances_between(one: Sequence[Chunk], other: Sequence[Chunk]) -> Floats:
    """‖a − b‖ / (‖a‖ + ‖b‖) of the mean parameters: 0 for equal, 1 for opposite; shape (A, B)."""
    if not one or not other:
        return np.empty((len(one), len(other)))
    a, b = (join_rows([chunk.mean for chunk in chunks]) for chunks in (one, other))
    return _distance(squared_lengths(a)[:, None], squared_lengths(b), to_dense(a @ b.T))


def _distance(squares: Any, other_squares: Any, products: Floats) -> Floats:
    """From ‖a‖², ‖b‖² and a·b."""
    difference = np.sqrt(np.maximum(squares + other_squares - 2.0 * products, 0.0))
    length = np.sqrt(squares) + np.sqrt(other_squares)
    return np.divide(difference, length, out=np.zeros_like(difference), where=length > 0)


def _labels(chain: int, largest_id: int, listed: list[Chunk]) -> Integers:
    """From id to feature, for all ids that the chain has used."""
    labels = np.full(largest_id + 1, UNLISTED)
    for feature, chunk in enumerate(listed):
        for number, identity in chunk.members:
            if number == chain:
                labels[identity] = feature
    return labels
