"""Reading the draws of a chain back, one block after another, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wfibp.posterior.arrays import decode_arrays, read_digested
from wfibp.posterior.commits import Commit, Say, sound_commits
from wfibp.posterior.draws import Block


@dataclass(frozen=True)
class ChainReader:
    """The draws that a chain had committed when it was opened."""

    chain: int
    folder: Path
    commit: Commit | None

    @classmethod
    def open(cls, chain: int, folder: Path, say: Say) -> ChainReader:
        """Look up what is there; nothing is read yet."""
        commits = sound_commits(folder, say, whole=False)
        return cls(chain, folder, commits[0] if commits else None)

    @property
    def num_draws(self) -> int:
        """Draws that can be read."""
        return self.commit.num_draws if self.commit else 0

    def blocks(self) -> Iterator[Block]:
        """All draws in order, a segment at a time, each verified."""
        first = 0
        for segment in self.commit.segments if self.commit else ():
            arrays = decode_arrays(read_digested(self.folder / segment.file, segment.digest))
            yield Block.unpack(arrays, self.chain, first)
            first += segment.num_draws
