"""What a chain has committed to disk: one small file of JSON for each commit.

It is renamed into place when everything it names is on disk: the segments of draws and the checkpoint to go on from,
each with its digest. It carries its own digest too. The last two are kept, and neither needs the other but for segments
that were full before both: a process may be killed at any moment, and a file damaged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from wfibp.inference.moves import MoveTotal
from wfibp.posterior.arrays import encode_signed, read_digested, read_signed, write_digested
from wfibp.posterior.errors import DamagedRunError

COMMITS, CHECKPOINTS, DRAWS = "commit-*.json", "checkpoint-*.npz", "draws-*.npz"
OWN_FILES = (COMMITS, CHECKPOINTS, DRAWS, ".*.tmp")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Segment:
    """A file with a block of draws."""

    file: str
    digest: str
    num_draws: int


@dataclass(frozen=True)
class Commit:
    """The chain after `sweep` sweeps."""

    sweep: int
    checkpoint: str
    digest: str  # of the checkpoint
    segments: tuple[Segment, ...]
    origin: str = ""  # of which run and which chain; the first runs did not note it
    moves: tuple[MoveTotal, ...] = ()  # what the updates have done so far; none in runs older than this entry
    num_warmup: int | None = None  # sweeps of warm-up and for each draw, where a limit on the time has chosen them
    thin: int | None = None

    @property
    def num_draws(self) -> int:
        """Draws kept in all."""
        return sum(segment.num_draws for segment in self.segments)

    @property
    def files(self) -> set[str]:
        """The names of all its files."""
        return {commit_name(self.sweep), self.checkpoint, *(segment.file for segment in self.segments)}

    def write(self, folder: Path) -> None:
        """The moment from which the commit holds."""
        write_digested(folder / commit_name(self.sweep), encode_signed(self._content()))

    def _content(self) -> dict[str, Any]:
        """What is not chosen is not written."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def read(cls, path: Path) -> Commit:
        """From its file, if that is sound; what a later version may have added is left out."""
        content = read_signed(path)
        try:
            segments = tuple(Segment(**_known(Segment, segment)) for segment in content["segments"])
            moves = tuple(MoveTotal(**_known(MoveTotal, total)) for total in content.get("moves", ()))
            commit = cls(**{**_known(cls, content), "segments": segments, "moves": moves})
        except (AttributeError, KeyError, TypeError):
            raise DamagedRunError(f"{path} is damaged: it is not a commit of a chain") from None
        if not commit._is_of_its_types() or path.name != commit_name(commit.sweep):
            raise DamagedRunError(f"{path} is damaged: it is not the commit of its name")
        return commit

    def _is_of_its_types(self) -> bool:
        texts: list[Any] = [self.checkpoint, self.digest, self.origin]
        numbers: list[Any] = [self.sweep]
        for segment in self.segments:
            texts += [segment.file, segment.digest]
            numbers.append(segment.num_draws)
        numbers += [number for number in (self.num_warmup, self.thin) if number is not None]
        for total in self.moves:
            texts += [total.phase, total.name]
            numbers += [total.tried, total.accepted]
        return all(isinstance(text, str) for text in texts) and all(type(number) is int for number in numbers)

    def verify(self, folder: Path, *, with_checkpoint: bool) -> None:
        """Read the files it names and compare the digests; who only reads draws needs no checkpoint."""
        if with_checkpoint:
            read_digested(folder / self.checkpoint, self.digest)
        for segment in self.segments:
            read_digested(folder / segment.file, segment.digest)


def _known(kind: type[Commit | Segment | MoveTotal], content: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in content.items() if name in names}


def commit_name(sweep: int) -> str:
    """Names that sort as the sweeps do."""
    return f"commit-{sweep:010d}.json"


def remove_all_but(folder: Path, kept: set[str]) -> None:
    """Remove what the chain wrote and no longer needs, and leave everything that is not its own."""
    for pattern in OWN_FILES:
        for path in folder.glob(pattern):
            if path.name not in kept:
                path.unlink(missing_ok=True)
