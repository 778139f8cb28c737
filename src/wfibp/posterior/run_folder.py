"""The folder of a run: what was run, on what data, and where each chain keeps its draws.

run/lock             held by the process that writes
run/data.npz         the data, sorted by time, and their clock
run/provenance.json  what was run: model, settings, seed, versions, digest of the data; written last
run/chain-0/         the draws and checkpoints of a chain
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from wfibp import checks
from wfibp.checks import Integers
from wfibp.inference.state import Clock
from wfibp.parameters import ParameterError
from wfibp.posterior.arrays import (
    Arrays,
    decode_arrays,
    digest_of,
    encode_arrays,
    encode_signed,
    read_digested,
    read_signed,
    write_digested,
)
from wfibp.posterior.errors import DamagedRunError, RunError, StorageError
from wfibp.posterior.locks import LOCK_NAME, locked

FORMAT = 1
PROVENANCE, DATA = "provenance.json", "data.npz"
DATA_PREFIX = "data."
LENGTHS = ("num_draws", "num_warmup", "num_chains", "thin", "verbose")  # may change while a run goes on
TYPES = {
    **dict.fromkeys(("model", "entropy", "data_digest", "matched_by"), str),
    **dict.fromkeys(("settings", "versions"), dict),
    "num_draws": int,
}
SHORT_PATIENCE = 1.0  # seconds, for a process just killed to be cleared away


class RunData(NamedTuple):
    """What a chain is run on."""

    clock: Clock
    order: Integers  # (N,) the user's row of each sorted object
    arrays: Arrays


@dataclass(frozen=True)
class RunFolder:
    """A run on disk."""

    path: Path
    provenance: dict[str, Any]

    @property
    def num_chains(self) -> int:
        """Chains of the run."""
        return int(self.provenance["settings"]["num_chains"])

    def chain(self, chain: int) -> Path:
        """Where a chain keeps its draws."""
        return self.path / f"chain-{chain}"

    def origin(self, chain: int) -> str:
        """What the commits of a chain are told by from those of other chains and other runs."""
        settings = {name: value for name, value in self.provenance["settings"].items() if name not in LENGTHS}
        known = [self.provenance[name] for name in ("model", "entropy", "data_digest")]
        return digest_of(json.dumps([*known, settings, chain], sort_keys=True).encode())

    @contextmanager
    def locked_chain(self, chain: int) -> Iterator[None]:
        """Hold the lock of a chain, made if it is new; who had it before may have outlived its parent a moment."""
        with _said_clearly(self.path):
            self.chain(chain).mkdir(exist_ok=True)
            (self.chain(chain) / LOCK_NAME).touch()
        with locked(self.chain(chain)):
            yield

    def read_data(self) -> RunData:
        """The data, if they are what was written."""
        arrays = decode_arrays(read_digested(self.path / DATA, self.provenance["data_digest"]))
        if missing := {"times", "num_objects", "order"} - arrays.keys():
            raise DamagedRunError(f"{self.path / DATA} is damaged: it has no {sorted(missing)[0]}")
        data = {name[len(DATA_PREFIX) :]: array for name, array in arrays.items() if name.startswith(DATA_PREFIX)}
        return RunData(Clock(arrays["times"], arrays["num_objects"]), arrays["order"], data)

    def amend(self, **changes: Any) -> RunFolder:
        """Write the provenance again with some entries changed."""
        provenance = {**self.provenance, **changes}
        with _said_clearly(self.path):
            write_digested(self.path / PROVENANCE, encode_signed(provenance))
        return RunFolder(self.path, provenance)


def read_run(path: str | Path) -> RunFolder:
    """A run to read from, or a ValueError if the folder holds none."""
    folder = checks.path("directory", path)
    if not folder.is_dir():
        raise ParameterError("directory", f"must be the folder of a run, and {str(folder)!r} is none; check the name")
    if not (folder / PROVENANCE).exists():
        raise ParameterError(
            "directory",
            f"must be the folder of a run, and {str(folder)!r} has no {PROVENANCE}: "
            "either it is something else, or the run was stopped before it began; then fit again",
        )
    provenance = read_signed(folder / PROVENANCE)
    if provenance.get("format") != FORMAT:
        raise RunError(
            f"the run in {folder} has format {provenance.get('format')}, and this version reads format {FORMAT}; "
            f"use wfibp {provenance.get('versions', {}).get('wfibp', 'of its time')}"
        )
    _check_types(folder / PROVENANCE, provenance)
    return RunFolder(folder, provenance)


def _check_types(path: Path, provenance: dict[str, Any]) -> None:
    """What everybody relies on is there, whoever wrote it."""
    wrong = [name for name, kind in TYPES.items() if type(provenance.get(name)) is not kind]
    settings = {} if "settings" in wrong else provenance["settings"]
    wrong += [
        f"settings.{name}" for name in ("num_chains", "num_warmup", "thin") if type(settings.get(name)) is not int
    ]
    if wrong or not provenance["entropy"].isdecimal() or settings["num_chains"] < 1:
        raise DamagedRunError(f"{path} is damaged: it is not the provenance of a run ({', '.join(wrong) or 'values'})")


@contextmanager
def new_run(path: str | Path, provenance: dict[str, Any], data: RunData) -> Iterator[RunFolder]:
    """Make the folder of a run and hold its lock; a folder that has anything in it is refused and left alone."""
    folder = checks.path("output", path)
    check_free(folder)
    with _said_clearly(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LOCK_NAME).touch()
    with locked(folder, SHORT_PATIENCE):
        check_free(folder)  # another process may have been quicker
        content = encode_arrays(
            {
                "times": data.clock.times,
                "num_objects": data.clock.num_objects,
                "order": data.order,
                **{DATA_PREFIX + name: array for name, array in data.arrays.items()},
            }
        )
        run = RunFolder(folder, {"format": FORMAT, **provenance, "data_digest": digest_of(content)})
        with _said_clearly(folder):
            write_digested(folder / DATA, content)
            write_digested(folder / PROVENANCE, encode_signed(run.provenance))
        yield run


@contextmanager
def existing_run(path: str | Path) -> Iterator[RunFolder]:
    """A run to go on with; hold its lock."""
    folder = read_run(path).path
    with _said_clearly(folder):
        (folder / LOCK_NAME).touch()
    with locked(folder, SHORT_PATIENCE):
        yield read_run(folder)


def check_free(folder: Path) -> None:
    """Refuse a folder with anything in it but what a run leaves that was killed before it began."""
    if folder.exists() and not folder.is_dir():
        raise ParameterError("output", f"must be a folder, and {str(folder)!r} is a file; choose another name")
    names = {entry.name for entry in folder.iterdir()} if folder.exists() else set()
    if PROVENANCE in names:
        raise ParameterError(
            "output",
            f"must be a new or empty folder, and {str(folder)!r} already holds a run; "
            "resume that one, or choose another name",
        )
    leftovers = {name for name in names if name.startswith(".") and name.endswith(".tmp")} | {LOCK_NAME, DATA}
    if names - leftovers or (names and LOCK_NAME not in names):
        raise ParameterError(
            "output",
            f"must be a new or empty folder, and {str(folder)!r} already holds {sorted(names)[0]!r}; "
            "choose another name",
        )


@contextmanager
def _said_clearly(folder: Path) -> Iterator[None]:
    """Errors of the disk as one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"cannot write to {folder} ({reason}); make room, or choose another folder") from error
