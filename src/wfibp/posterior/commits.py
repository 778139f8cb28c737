"""What a chain has committed to disk, and which of it is sound.

A commit is one small file of JSON, renamed into place when everything it names is on disk: the segments of draws and
the checkpoint to go on from, each with its digest. It carries its own digest too. The last two are kept, and neither
needs the other but for segments that were full before both: a process may be killed at any moment, and a file damaged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wfibp.posterior.arrays import encode_signed, read_digested, read_signed, write_digested
from wfibp.posterior.errors import DamagedRunError

OWN_FILES = ("commit-*.json", "checkpoint-*.npz", "draws-*.npz", ".*.tmp")

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
        """From its file, if that is sound."""
        content = read_signed(path)
        segments = tuple(Segment(**segment) for segment in content.pop("segments"))
        return cls(segments=segments, **content)

    def verify(self, folder: Path) -> None:
        """Read every file it names and compare the digests."""
        read_digested(folder / self.checkpoint, self.digest)
        for segment in self.segments:
            read_digested(folder / segment.file, segment.digest)


def commit_name(sweep: int) -> str:
    """Names that sort as the sweeps do."""
    return f"commit-{sweep:010d}.json"


def sound_commits(folder: Path, say: Say, *, whole: bool) -> list[Commit]:
    """The commits that can be used, newest first; none if there never was one.

    `whole`: of the newest, every file it names is verified too. Damaged ones that are passed over are said; if they
    were all there was, a DamagedRunError is raised.
    """
    commits: list[Commit] = []
    damages: list[str] = []
    for path in sorted(folder.glob("commit-*.json"), reverse=True):
        try:
            commit = Commit.read(path)
            if whole and not commits:
                commit.verify(folder)
            commits.append(commit)
        except DamagedRunError as error:
            damages += [] if commits else [str(error)]
    if damages and not commits:
        raise DamagedRunError(f"{'; '.join(damages)}; no earlier commit is left to fall back on, the chain is lost")
    if damages:
        say(f"{'; '.join(damages)}; the commit before it is used, of sweep {commits[0].sweep}")
    return commits


def remove_all_but(folder: Path, kept: set[str]) -> None:
    """Remove what the chain wrote and no longer needs, and leave everything that is not its own."""
    for pattern in OWN_FILES:
        for path in folder.glob(pattern):
            if path.name not in kept:
                path.unlink(missing_ok=True)
