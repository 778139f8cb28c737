"""The pictures of an experiment that is done: drawn once into a folder of its own, beside the results."""

from __future__ import annotations

import json
from pathlib import Path

from wfibp.files import replace_file
from wfibp.reproduction.experiment import Experiment
from wfibp.reproduction.result_store import Kept, Request, ResultStore

DRAWN = "drawn.json"  # written last: which results the pictures are of, and their files
CORPUS_DIGITS = 6  # of the digest, to tell the pictures of two corpora apart


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
