"""How the draws of a running chain reach the disk: in segments, with checkpoints, memory bounded, nothing half done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wfibp.inference.moves import MoveTotal
from wfibp.inference.state import Clock, State, StateKind
from wfibp.posterior.arrays import decode_arrays, encode_arrays, read_digested, write_digested
from wfibp.posterior.checkpoints import pack_checkpoint, unpack_checkpoint
from wfibp.posterior.commits import Commit, Say, Segment, remove_all_but
from wfibp.posterior.draw_records import Block, Draw, pack_draws
from wfibp.posterior.errors import StorageError
from wfibp.posterior.sound_commits import note_newest, noted_sweep, sound_commits

COMMITS_KEPT = 2
SEGMENT_BYTES = 16_000_000  # of draws held in memory before a segment is closed
SEGMENT_DRAWS = 2000


class ChainWriter:
    """Takes draws, and at each commit puts them and the state on disk.

    The last segment is open: the next commit writes it again under another name, longer, until it is full. So there are
    few files however often the chain commits, and those of the commit before stay as they were.
    """

    def __init__(self, folder: Path, say: Say, origin: str = "") -> None:
        self.folder, self.origin = folder, origin
        self.commits: list[Commit] = []  # newest first
        self.closed: tuple[Segment, ...] = ()
        self.buffer: list[Draw] = []
        self.buffered_bytes = 0
        self.chosen: tuple[int | None, int | None] = (None, None)  # num_warmup and thin, under a limit on the time
        try:
            self.commits = sound_commits(folder, say, to_resume=True, origin=origin)[:COMMITS_KEPT]
            self._remove_unused()
            if self.commits and noted_sweep(folder) is None:
                note_newest(folder, self.commits[0])
        except OSError as error:
            raise StorageError(self._what_is_kept(error)) from error
        if self.commits:
            self.shorten(self.commits[0].num_warmup, self.commits[0].thin)
        self._take_back(self.segments)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Those of the last commit."""
        return self.commits[0].segments if self.commits else ()

    @property
    def num_draws(self) -> int:
        """Draws taken so far."""
        return sum(segment.num_draws for segment in self.closed) + len(self.buffer)

    @property
    def is_full(self) -> bool:
        """Whether it is time to commit for the sake of memory."""
        return len(self.buffer) >= SEGMENT_DRAWS or self.buffered_bytes >= SEGMENT_BYTES

    @property
    def moves(self) -> tuple[MoveTotal, ...]:
        """What the updates had done by the last commit."""
        return self.commits[0].moves if self.commits else ()

    def restore(self, clock: Clock, kind: type[StateKind]) -> tuple[StateKind, dict[str, Any]] | None:
        """State and generator state of the last commit; None if the chain has to start again."""
        if not self.commits:
            return None
        content = read_digested(self.folder / self.commits[0].checkpoint, self.commits[0].digest)
        return unpack_checkpoint(decode_arrays(content), clock, kind)

    def shorten(self, num_warmup: int | None, thin: int | None) -> None:
        """Note with all further commits that the warm-up is shorter than the settings say."""
        self.chosen = (num_warmup, thin)

    def append(self, draw: Draw) -> None:
        """Take one draw."""
        self.buffer.append(draw)
        self.buffered_bytes += draw.num_bytes

    def write_commit(self, state: State, rng: np.random.Generator, moves: tuple[MoveTotal, ...] = ()) -> None:
        """Put everything on disk. If that fails, what was committed before still holds, and the error says so."""
        try:
            commit = self._write_files(state, rng, moves)
            commit.write(self.folder)
        except OSError as error:
            self._remove_unused()
            raise StorageError(self._what_is_kept(error)) from error
        self.commits = [commit, *self.commits][:COMMITS_KEPT]
        self._remove_unused()
        try:
            note_newest(self.folder, commit)
        except OSError as error:
            raise StorageError(self._what_is_kept(error)) from error
        if self.is_full:
            self._close(commit.segments)

    def _write_files(self, state: State, rng: np.random.Generator, moves: tuple[MoveTotal, ...]) -> Commit:
        segments = self.segments
        if self.num_draws > sum(segment.num_draws for segment in segments):
            first = self.num_draws - len(self.buffer)
            name = f"draws-{first:010d}-{self.num_draws:010d}.npz"
            digest = write_digested(self.folder / name, encode_arrays(pack_draws(self.buffer)))
            segments = (*self.closed, Segment(name, digest, len(self.buffer)))
        name = f"checkpoint-{state.sweep:010d}.npz"
        digest = write_digested(self.folder / name, encode_arrays(pack_checkpoint(state, rng)))
        num_warmup, thin = self.chosen
        return Commit(
            state.sweep, name, digest, segments, origin=self.origin, moves=moves, num_warmup=num_warmup, thin=thin
        )

    def _take_back(self, segments: tuple[Segment, ...]) -> None:
        """Reopen the last segment, unless it is full."""
        if not segments:
            return
        content = read_digested(self.folder / segments[-1].file, segments[-1].digest)
        self.closed = segments[:-1]
        for draw in Block.unpack(decode_arrays(content)).draws():
            self.append(draw)
        if self.is_full:
            self._close(segments)

    def _close(self, segments: tuple[Segment, ...]) -> None:
        self.closed, self.buffer, self.buffered_bytes = segments, [], 0

    def _remove_unused(self) -> None:
        """Also after a failure, for a full disk needs the room; what cannot be removed now is left to the next time."""
        try:
            remove_all_but(self.folder, {name for commit in self.commits for name in commit.files})
        except OSError:
            return

    def _what_is_kept(self, error: OSError) -> str:
        reason = error.strerror or str(error)
        kept = "nothing of this chain is kept yet"
        if self.commits:
            kept = f"its {self.commits[0].num_draws} draws up to sweep {self.commits[0].sweep} are kept"
        return f"cannot write to {self.folder} ({reason}); {kept}. Make room or restore access, then resume the run"
