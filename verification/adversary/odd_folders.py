"""Hostile folders of texts, and things that are no regular file where a file is wanted."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from verification.adversary.odd_values import TEXTS, Case, Chooser

ODD_NAMES = (
    b"20080916.xt", b"1995.TXT", b".1996.txt", b"\xff1997.txt", b"1998\n.txt", b"\x1b[31m1999.txt", b"2000.txt.gz",
    b"[red]2001.txt", b"sub/2002.txt", b"sub/.hidden/2003.txt", b"19941399.txt", b"notes.md", b"0000.txt",
    b".txt", b"txt",
)  # fmt: skip
ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet", ".npz", ".mtx", ".mtx.gz", ".csv.gz", ".xls", "")


def folder_of_texts(choose: Chooser, folder: Path) -> Case:
    """Texts with odd names, contents, neighbours and tables of dates."""
    place = folder / "texts"
    place.mkdir()
    for i in range(choose.number(0, 6)):
        (place / f"{1990 + i}.txt").write_text(choose.text(0.1), encoding="utf-8", errors="replace", newline="")
    for _ in range(choose.number(0, 4)):
        _add_odd_file(choose, place)
    if choose.chance(0.3):
        make_special(choose, place / choose.one_of(("1994b.txt", "pipe.txt", "dates.csv", "more")))
    options = {}
    paths = [place]
    if choose.chance(0.4):
        table = choose.one_of((place / "dates.csv", folder / "dates.csv", folder / "dates.tsv"))
        if not table.exists() and not table.is_symlink():
            rows = [f"{1990 + choose.number(0, 7)}.txt,{choose.time(0.2)}" for _ in range(choose.number(0, 8))]
            table.write_text("\n".join(["file,date", *rows]), encoding="utf-8")
        if table.parent == folder:
            options["dates"] = table
        paths.append(table)
    return Case(choose.one_of(("folder", "command")), place, options, tuple(paths))


def _add_odd_file(choose: Chooser, place: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(place) + b"/" + choose.one_of(ODD_NAMES)))
    path.parent.mkdir(parents=True, exist_ok=True)
    content = choose.one_of(TEXTS).encode(choose.one_of(("utf-8", "utf-16", "cp1252")), "replace")
    path.write_bytes(choose.rng.bytes(1000) if choose.chance(0.2) else content)


def special_file(choose: Chooser, folder: Path) -> Case:
    """A pipe, a socket, a device, a folder, a link in circles, where data or a file beside them are wanted."""
    role = choose.one_of(("data", "data", "times", "vocabulary", "dates"))
    ending = choose.one_of(ENDINGS) if role == "data" else choose.one_of((".csv", ".txt"))
    path = folder / f"special{ending}"
    make_special(choose, path)
    if role == "data":
        doors = ("table", "measurements", "counts", "folder", "command", "command measurements", "papers")
        return Case(choose.one_of(doors), path, {}, (path,))
    if role == "dates":
        texts = folder / "texts"
        texts.mkdir()
        (texts / "a.txt").write_text("war")
        return Case("folder", texts, {"dates": path}, (texts, path))
    return Case("counts", [[1, 2], [3, 4]], {role: path}, (path,))


def make_special(choose: Chooser, path: Path) -> None:
    """Something under a name that is no regular file."""
    kind = choose.number(0, 6)
    if path.exists():
        return
    if kind <= 1:
        os.mkfifo(path)
    elif kind == 2:
        path.mkdir()
    elif kind == 3:
        path.symlink_to(path)
    elif kind == 4:
        path.symlink_to(choose.one_of(("/dev/zero", "/dev/null", "/dev/stdin", "/nowhere")))
    elif kind == 5 and len(str(path)) < 100:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    else:
        path.symlink_to(path.parent)
