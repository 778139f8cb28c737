"""How can a file or a folder of a run be spoilt? By accident, by a careless copy, or by somebody who means it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from wfibp.posterior.arrays import encode_signed

Generator = np.random.Generator
Corruptor = Callable[[Path, Path, Generator], None]  # what to spoil, the folder of another run, randomness

OTHER_JSON = (
    *("5", "[1, 2]", '"text"', "null", "true", "{}", "NaN", "1e999", "[" * 5000, "9" * 5000, '{"content": 5}'),
    *('{"content": {}, "digest": ""}', '{"content": [1], "digest": 3}', '{"digest": "a"}', '{"format": 1}'),
)
OTHER_CONTENT = (5, [1], None, "text", {}, {"format": 1}, {"sweep": 3}, {"sweep": "x", "segments": 1, "checkpoint": []})


def truncate(path: Path, other: Path, rng: Generator) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: rng.integers(0, max(len(content), 1))])


def empty(path: Path, other: Path, rng: Generator) -> None:
    path.write_bytes(b"")


def flip_bytes(path: Path, other: Path, rng: Generator) -> None:
    content = bytearray(path.read_bytes())
    for place in rng.integers(0, max(len(content), 1), rng.integers(1, 20)):
        if content:
            content[place] ^= 1 << rng.integers(8)
    path.write_bytes(content)


def fill_with_zeros(path: Path, other: Path, rng: Generator) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def fill_with_noise(path: Path, other: Path, rng: Generator) -> None:
    path.write_bytes(rng.bytes(int(rng.integers(1, 5000))))


def append(path: Path, other: Path, rng: Generator) -> None:
    path.write_bytes(path.read_bytes() + rng.bytes(int(rng.integers(1, 100))))


def delete(path: Path, other: Path, rng: Generator) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def put_other_json(path: Path, other: Path, rng: Generator) -> None:
    path.write_text(str(rng.choice(OTHER_JSON)))


def put_signed_json(path: Path, other: Path, rng: Generator) -> None:
    path.write_bytes(encode_signed(OTHER_CONTENT[rng.integers(len(OTHER_CONTENT))]))  # type: ignore[arg-type]


def put_numbers_off(path: Path, other: Path, rng: Generator) -> None:
    """Change a digit of a text, as an editor would."""
    text = path.read_bytes()
    digits = [place for place, byte in enumerate(text) if chr(byte).isdigit()]
    place = int(rng.choice(digits)) if digits else 0
    path.write_bytes(text[:place] + str(rng.integers(10)).encode() + text[place + 1 :])


def swap(path: Path, other: Path, rng: Generator) -> None:
    """With any other file beside it."""
    others = [p for p in sorted(path.parent.iterdir()) if p != path and p.is_file()]
    if not others:
        return
    partner = others[rng.integers(len(others))]
    held = path.with_name("held")
    path.rename(held)
    partner.rename(path)
    held.rename(partner)


def put_beside(path: Path, other: Path, rng: Generator) -> None:
    """A copy under the name of another file."""
    others = [p for p in sorted(path.parent.iterdir()) if p != path and p.is_file()]
    if others:
        shutil.copy(path, others[rng.integers(len(others))])


def copy_as_later(path: Path, other: Path, rng: Generator) -> None:
    """A copy under a name of the same kind, with a greater number."""
    stem, dash, _ = path.stem.rpartition("-")
    shutil.copy(path, path.with_name(f"{stem}{dash}{rng.integers(10**6):010d}{path.suffix}"))


def rename(path: Path, other: Path, rng: Generator) -> None:
    path.rename(path.with_name(f"{path.name}.bak" if rng.random() < 0.5 else f"old-{path.name}"))


def put_from_other_run(path: Path, other: Path, rng: Generator) -> None:
    """The file or folder of the same name of another run, of the same data and settings but another seed."""
    source = other / path.relative_to(path.parents[1] if path.parent.name.startswith("chain-") else path.parent)
    delete(path, other, rng)
    if source.exists():
        (shutil.copytree if source.is_dir() else shutil.copy)(source, path)


def put_folder(path: Path, other: Path, rng: Generator) -> None:
    delete(path, other, rng)
    path.mkdir()


def put_file(path: Path, other: Path, rng: Generator) -> None:
    delete(path, other, rng)
    path.write_bytes(b"x")


def put_pipe(path: Path, other: Path, rng: Generator) -> None:
    delete(path, other, rng)
    os.mkfifo(path)


def put_link(path: Path, other: Path, rng: Generator) -> None:
    """To nothing, to itself, to a device, to the file beside it."""
    delete(path, other, rng)
    beside = sorted(path.parent.iterdir())
    targets = [Path("nowhere"), path, Path("/dev/zero"), Path("/dev/null"), *beside]
    path.symlink_to(targets[rng.integers(len(targets))])


def move_away_and_link(path: Path, other: Path, rng: Generator) -> None:
    """Somebody keeps large files on another disk: nothing is wrong."""
    kept = path.parent / f"moved-{path.name}"
    path.rename(kept)
    path.symlink_to(kept.name)


def forbid(path: Path, other: Path, rng: Generator) -> None:
    """An administrator reads it all the same."""
    path.chmod(0)


def mark_with_bom(path: Path, other: Path, rng: Generator) -> None:
    """As some editors do when they save a text."""
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def reformat(path: Path, other: Path, rng: Generator) -> None:
    """The same JSON on one line: nothing is wrong."""
    try:
        path.write_text(json.dumps(json.loads(path.read_bytes())))
    except ValueError:
        return


def put_copy_of_other_chain(path: Path, other: Path, rng: Generator) -> None:
    """A chain in place of another, or both exchanged."""
    partner = next(p for p in sorted(path.parent.glob("chain-*")) if p != path)
    held = path.with_name("held")
    path.rename(held)
    if rng.random() < 0.5:
        shutil.copytree(partner, path)
        shutil.rmtree(held)
    else:
        partner.rename(path)
        held.rename(partner)


OF_FILES: tuple[Corruptor, ...] = (
    *(truncate, empty, flip_bytes, fill_with_zeros, fill_with_noise, append, delete, delete, delete, put_other_json),
    *(put_signed_json, put_numbers_off, swap, put_beside, copy_as_later, rename, put_from_other_run, put_folder),
    *(put_pipe, put_link, move_away_and_link, forbid, mark_with_bom, reformat),
)
OF_FOLDERS: tuple[Corruptor, ...] = (
    *(delete, rename, put_file, put_folder, put_pipe, put_link, move_away_and_link, put_from_other_run),
    *(put_copy_of_other_chain, put_copy_of_other_chain),
)
