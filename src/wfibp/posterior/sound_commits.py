"""Which commits of a chain can be used, and is the newest of them the newest there was?

Beside the commits lies a note of the newest, so that one that is deleted is missed. It is written after the commit and
read before the commits are listed: a process that writes meanwhile, or was killed in between, only makes it older.
"""

from __future__ import annotations

from pathlib import Path

from wfibp.posterior.arrays import encode_signed, is_whole_archive, read_signed, write_digested
from wfibp.posterior.commits import CHECKPOINTS, COMMITS, DRAWS, Commit, Say, commit_name
from wfibp.posterior.errors import DamagedRunError

NEWEST = "newest.json"


def note_newest(folder: Path, commit: Commit) -> None:
    """Write down which commit is the newest."""
    write_digested(folder / NEWEST, encode_signed({"sweep": commit.sweep, "num_draws": commit.num_draws}))


def noted_sweep(folder: Path) -> int | None:
    """The sweep of the newest commit by the note; None without one, as in the first runs and before any commit."""
    try:
        sweep = read_signed(folder / NEWEST).get("sweep")
    except DamagedRunError:
        return None
    return sweep if type(sweep) is int else None


def sound_commits(folder: Path, say: Say, *, to_resume: bool, origin: str = "") -> list[Commit]:
    """The commits that can be used, newest first; none if there never was one.

    Of the first, the draws are verified, and if the chain is `to_resume` from it, its checkpoint too; `origin` is that
    of the chain. If that is not the newest there was, it is said; if nothing is left, a DamagedRunError is raised.
    """
    noted = noted_sweep(folder)
    paths = sorted(folder.glob(COMMITS), reverse=True)
    commits: list[Commit] = []
    damages: list[str] = []
    if noted is not None and not any(path.name >= commit_name(noted) for path in paths):
        damages.append(f"{folder / commit_name(noted)} is missing")
    for path in paths:
        try:
            commit = _read_own(path, origin)
            if not commits:
                commit.verify(folder, with_checkpoint=to_resume)
            commits.append(commit)
        except DamagedRunError as error:
            damages += [] if commits else [str(error)]
    if damages and not commits:
        raise DamagedRunError(f"{'; '.join(damages)}; {_what_is_left(folder)}")
    if damages:
        used = f"the commit before it is used, of sweep {commits[0].sweep} with {commits[0].num_draws} draws"
        say(f"{'; '.join(damages)}; {used}")
    elif noted is None:
        _say_if_uncommitted(folder, commits, say)
    return commits


def _read_own(path: Path, origin: str) -> Commit:
    commit = Commit.read(path)
    if origin and commit.origin and commit.origin != origin:
        raise DamagedRunError(f"{path} belongs to another chain or another run")
    return commit


def _what_is_left(folder: Path) -> str:
    """All that can be done where no commit is sound."""
    files = sorted(path for pattern in (CHECKPOINTS, DRAWS) for path in folder.glob(pattern))
    whole = [path.name for path in files if is_whole_archive(path)]
    kept = f"whole are still {', '.join(whole)}" if whole else "no other file of the chain is whole"
    return (
        f"no earlier commit is left to fall back on; {kept}. Restore the file from a copy, or move {folder} away and "
        "resume the run: this chain is then run again from its beginning, to the same draws"
    )


def _say_if_uncommitted(folder: Path, commits: list[Commit], say: Say) -> None:
    """Where nothing was noted, a newer checkpoint than that of the newest commit is all that tells of another."""
    newest = commits[0].checkpoint if commits else ""
    later = [path.name for path in sorted(folder.glob(CHECKPOINTS)) if path.name > newest]
    if later:
        used = (
            f"the commit of sweep {commits[0].sweep} is used"
            if commits
            else "the chain has no draws and starts from the beginning"
        )
        say(f"{folder / later[-1]} is there without a commit: deleted, or killed before it was written; {used}")
