"""Reading the draws of a chain back, one block after another, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wfibp.inference.moves import MoveTotal
from wfibp.posterior.arrays import decode_arrays, read_digested
from wfibp.posterior.commits import Commit, Say, Segment
from wfibp.posterior.draw_records import Block, Draw, is_part_of, pack_draws
from wfibp.posterior.errors import DamagedRunError
from wfibp.posterior.sound_commits import sound_commits


@dataclass(frozen=True)
class ChainReader:
    """The draws that a chain had committed when it was opened."""

    chain: int
    folder: Path
    commit: Commit | None

    @classmethod
    def open(cls, chain: int, folder: Path, say: Say, origin: str = "") -> ChainReader:
        """Look up what is there, and whether it is what was written."""
        commits = sound_commits(folder, say, to_resume=False, origin=origin)
        return cls(chain, folder, commits[0] if commits else None)

    @property
    def is_warmup(self) -> bool:
        """Whether what is read is no draw, but a state of the warm-up."""
        return False

    @property
    def num_draws(self) -> int:
        """Draws that can be read."""
        return self.commit.num_draws if self.commit else 0

    @property
    def moves(self) -> tuple[MoveTotal, ...]:
        """What the updates of the chain did; nothing of a run that was begun before this was kept."""
        return self.commit.moves if self.commit else ()

    def blocks(self, *names: str) -> Iterator[Block]:
        """All draws in order, a segment at a time, each verified; with all rows, or the ids and those named."""
        first = 0
        for segment in self.commit.segments if self.commit else ():
            arrays = decode_arrays(
                self._read(segment), (lambda name: is_part_of(name, ("feature_ids", *names))) if names else None
            )
            yield Block.unpack(arrays, self.chain, first).head(segment.num_draws)
            first += segment.num_draws

    def _read(self, segment: Segment) -> bytes:
        """Its content; if the chain went on meanwhile, that of the longer segment which took its place."""
        path = self.folder / segment.file
        try:
            return read_digested(path, segment.digest)
        except DamagedRunError:
            if path.exists():
                raise
            start = segment.file.rpartition("-")[0]
            for commit in sound_commits(self.folder, lambda _: None, to_resume=False):
                for longer in commit.segments:
                    if longer.file.rpartition("-")[0] == start and longer.num_draws > segment.num_draws:
                        return read_digested(self.folder / longer.file, longer.digest)
            raise


@dataclass(frozen=True)
class WarmupReader(ChainReader):
    """A chain that has no draw yet; its last state stands in for one."""

    block: Block

    @classmethod
    def of(cls, reader: ChainReader, state: Draw) -> WarmupReader:
        """The chain, with what would be kept of its state if it were a draw."""
        block = Block.unpack(pack_draws([state]), reader.chain)
        return cls(reader.chain, reader.folder, reader.commit, block)

    @property
    def is_warmup(self) -> bool:
        """It is."""
        return True

    @property
    def num_draws(self) -> int:
        """The one state."""
        return 1

    def blocks(self, *names: str) -> Iterator[Block]:
        """The state."""
        yield self.block
