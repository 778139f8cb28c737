"""How are the results of an experiment kept, and its pictures beside them, so that neither is made twice?

folder/results/NAME-KEY.npz  the arrays and, as JSON in the array `about`, what was asked for and how long it took
folder/results/parts/…       parts of an experiment that is not done yet
folder/NAME…/                its pictures

The key is a digest of name, version, settings, seed and corpus: ask for something else and it is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wfibp.files import replace_file
from wfibp.posterior.arrays import decode_arrays, digest_of, encode_arrays, read_regular, write_digested
from wfibp.posterior.errors import DamagedRunError
from wfibp.reproduction.experiment import Experiment, Keep, Results, Settings

ABOUT = "about"
KEY_DIGITS = 12
RESULTS, PARTS = "results", "parts"
DRAWN = "drawn.json"  # written last: which results the pictures are of, and their files
CORPUS_DIGITS = 6  # of the digest, to tell the pictures of two corpora apart


@dataclass(frozen=True)
class Request:
    """What is asked for: an experiment at one of its sizes, a seed and a corpus."""

    name: str
    version: int
    quick: bool
    settings: Settings
    seed: int
    corpus: str = ""  # the digest of its file

    @classmethod
    def of(cls, experiment: Experiment, *, quick: bool, seed: int, corpus: str = "") -> Request:
        """At the paper's size or quickly; a corpus is of no concern to an experiment that needs none."""
        settings = experiment.quick if quick else experiment.settings
        corpus = corpus if experiment.needs_corpus else ""
        return cls(experiment.name, experiment.version, quick, _as_json(settings), seed, corpus)

    @property
    def key(self) -> str:
        """Of everything that decides what comes out."""
        return digest_of(json.dumps(asdict(self), sort_keys=True).encode())[:KEY_DIGITS]


@dataclass(frozen=True, eq=False)
class Kept:
    """What was asked for, what came out, and how long it took."""

    request: Request
    results: Results
    seconds: float
    corpus: str = ""  # in words

    @property
    def about(self) -> dict[str, Any]:
        """All but the results, as JSON has it."""
        return {"request": asdict(self.request), "seconds": self.seconds, "corpus": self.corpus}


@dataclass(frozen=True)
class ResultStore:
    """A folder of results."""

    folder: Path

    def find(self, request: Request) -> Kept | None:
        """What was kept for this request; a file that is damaged is as good as none."""
        kept = _read(self._path(request))
        return kept if kept is not None and kept.request == request else None

    def keep(self, kept: Kept) -> None:
        """Whole or not at all; the parts have then done their duty."""
        _write(self._path(kept.request), kept)
        for path in self._parts(kept.request).glob("*.npz"):
            path.unlink()

    def keeper_of_parts(self, request: Request) -> Keep:
        """Returns a part if it was computed before, or else computes and keeps it."""

        def keep(part: str, compute: Callable[[], Results]) -> Results:
            path = self._parts(request) / f"{digest_of(part.encode())[:KEY_DIGITS]}.npz"
            kept = _read(path)
            if kept is None or kept.request != request:
                kept = Kept(request, compute(), 0.0)
                _write(path, kept)
            return kept.results

        return keep

    def all_kept(self, name: str) -> Iterator[Kept]:
        """Everything kept of an experiment, in the order of the files' names."""
        for path in sorted((self.folder / RESULTS).glob(f"{name}-*.npz")):
            kept = _read(path)
            if kept is not None and kept.request.name == name:
                yield kept

    def _path(self, request: Request) -> Path:
        return self.folder / RESULTS / f"{request.name}-{request.key}.npz"

    def _parts(self, request: Request) -> Path:
        return self.folder / RESULTS / PARTS / f"{request.name}-{request.key}"


def _write(path: Path, kept: Kept) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    about = np.frombuffer(json.dumps(kept.about).encode(), np.uint8)
    write_digested(path, encode_arrays({**kept.results, ABOUT: about}))


def _read(path: Path) -> Kept | None:
    """Nothing where there is no file, or not the file that was written."""
    try:
        arrays = decode_arrays(read_regular(path))
        about = json.loads(arrays.pop(ABOUT).tobytes())
        return Kept(Request(**about["request"]), arrays, float(about["seconds"]), str(about["corpus"]))
    except (DamagedRunError, KeyError, TypeError, ValueError):
        return None


def _as_json(settings: Settings) -> Settings:
    """As they come back from a file: lists where there were tuples."""
    read: Settings = json.loads(json.dumps(settings))
    return read


def picture_folder(request: Request, store: ResultStore) -> Path:
    """field, field-quick, nips-1a2b3c."""
    corpus = f"-{request.corpus[:CORPUS_DIGITS]}" if request.corpus else ""
    return store.folder / f"{request.name}{corpus}{'-quick' if request.quick else ''}"


def draw_pictures(experiment: Experiment, kept: Kept, store: ResultStore) -> list[Path]:
    """The files, drawn now unless they are of these results already."""
    folder = picture_folder(kept.request, store)
    found = _drawn_before(folder, kept.request.key)
    if found is not None:
        return found
    from wfibp.report.style import save_figure

    folder.mkdir(parents=True, exist_ok=True)
    (folder / DRAWN).unlink(missing_ok=True)
    paths = []
    for stem, figure in experiment.draw(kept.request.settings, kept.results).items():
        paths.append(folder / f"{stem}.png")
        save_figure(figure, paths[-1])
    with replace_file(folder / DRAWN) as file:
        file.write(json.dumps({"key": kept.request.key, "pictures": [path.name for path in paths]}).encode())
    return paths


def _drawn_before(folder: Path, key: str) -> list[Path] | None:
    """The pictures of the results with this key, if all are there."""
    try:
        drawn = json.loads((folder / DRAWN).read_bytes())
        paths = [folder / name for name in drawn["pictures"]]
        return paths if drawn["key"] == key and all(path.is_file() for path in paths) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
