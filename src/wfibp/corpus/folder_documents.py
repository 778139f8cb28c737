"""How is a folder of text files read, with dates in the names of the files or in a table beside them?

Which files are left out is said, so that no document is missed by accident.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wfibp import checks
from wfibp.corpus.builder import CorpusBuilder, ReadDocuments
from wfibp.corpus.dates import read_date
from wfibp.corpus.encodings import TextReader
from wfibp.corpus.phrasing import plural, show, some
from wfibp.corpus.table_columns import choose_columns, list_columns
from wfibp.corpus.tables import Table, open_table
from wfibp.corpus.tokenizer import WordRules
from wfibp.parameters import ParameterError, phrase

TABLES = (".csv", ".tsv")  # of dates, beside the texts
# 1994-05-02, 1994_05_02, 19940502; then 1994-05; then 1994. Years from 1400 on: smaller numbers count files.
_IN_NAMES = (
    re.compile(r"(?<!\d)(1[4-9]\d{2}|20\d{2})([-_. ]?)(\d{2})\2(\d{2})(?!\d)"),
    re.compile(r"(?<!\d)(1[4-9]\d{2}|20\d{2})[-_.](\d{2})(?!\d)"),
    re.compile(r"(?<!\d)(1[4-9]\d{2}|20\d{2})(?!\d)"),
)
TEXT = ".txt"


def read_folder(path: Any, dates: Any, rules: WordRules) -> ReadDocuments:
    """Every .txt file in the folder or below is a document, named by its path in the folder."""
    folder = checks.path("folder", path)
    files, left_out = list_texts(folder)
    sidecar = checks.path("dates", dates) if dates is not None else _find_sidecar(folder)
    times, notes = _dates_in_names(files, folder) if sidecar is None else _dates_in_table(sidecar, files, folder)
    reader, builder = TextReader(), CorpusBuilder(rules, timed=any(times), num_documents=len(files))
    for file, time in zip(files, times, strict=True):
        builder.add_chunks(reader.chunks(file), time, _name(file, folder))
    named = [] if sidecar is None else [_name(sidecar, folder)] if sidecar.is_relative_to(folder) else []
    return builder.finish(notes=notes + left_out.notes(aside=named) + reader.notes())


def find_date(name: str) -> str | None:
    """The date in the name of a file, as 1994-05-02, 1994-05 or 1994."""
    for pattern in _IN_NAMES:
        for found in pattern.finditer(name):
            numbers = [part for part in found.groups() if part.isdigit()]
            written = "-".join(numbers)
            if read_date(written, day_first=False) is not None:
                return written
    return None


def _find_sidecar(folder: Path) -> Path | None:
    """The only table in the folder, if there is one."""
    tables = sorted(file for file in folder.iterdir() if file.suffix.lower() in TABLES and is_plain(file))
    if len(tables) > 1:
        listed = some([repr(table.name) for table in tables])
        problem = "{} holds several tables, {}; say with {dates=…} which one has the dates"
        raise ParameterError(phrase(problem, repr(str(folder)), listed))
    return tables[0] if tables else None


def _dates_in_names(files: list[Path], folder: Path) -> tuple[list[Any], list[str]]:
    """From the file's own name, or else from the folders it is in."""
    times = [find_date(file.stem) or find_date(_name(file.parent, folder)) for file in files]
    if any(times):
        return times, ["dates taken from the names of the files"]
    return times, [
        phrase(
            "no file has a date in its name, so all documents are at one time "
            "(a date looks like 1994, 1994-05 or 1994-05-02; {dates=…} names a table with the columns file and date)"
        )
    ]


def _dates_in_table(sidecar: Path, files: list[Path], folder: Path) -> tuple[list[Any], list[str]]:
    table = open_table(sidecar)
    names = _places_by_name(files, folder)
    file_column = _find_file_column(table, sidecar, names)
    time_column = _find_time_column(table, sidecar, file_column)
    times: list[Any] = [None] * len(files)
    strangers, repeated = [], []
    for chunk in table.chunks([file_column, time_column]):
        for entry, time in zip(chunk.cells[file_column], chunk.cells[time_column], strict=True):
            place = names.get(show(entry).strip())
            if place is None:
                strangers.append(repr(show(entry)[:60]))
                continue
            if times[place] is not None and times[place] != time:
                repeated.append(repr(_name(files[place], folder)))
            times[place] = time
    notes = [f"dates taken from columns {file_column!r} and {time_column!r} of {sidecar.name!r}"]
    if strangers:
        notes.append(f"{plural(len(strangers), 'row')} of {sidecar.name!r} without a file: {some(strangers)}")
    if repeated:
        notes.append(
            f"{plural(len(repeated), 'row')} of {sidecar.name!r} with another date, the last taken: {some(repeated)}"
        )
    return times, notes


def _find_file_column(table: Table, sidecar: Path, names: dict[str, int]) -> str:
    """The column with the most names of files among its first entries."""
    columns = list(dict.fromkeys(table.columns))
    first = next(iter(table.chunks(columns)), None)
    hits = {c: sum(show(cell).strip() in names for cell in first.cells[c]) for c in columns} if first else {}
    best = max(hits, key=lambda column: hits[column], default=None)
    if best is None or hits[best] == 0:
        raise ValueError(
            f"no column of {str(sidecar)!r} names the .txt files; it must have the columns file and date, "
            f"and has {list_columns(columns)}"
        )
    return best


def _find_time_column(table: Table, sidecar: Path, file_column: str) -> str:
    if "date" in table.columns:
        return "date"
    found = choose_columns(table, text=file_column, time=None, name=None).time
    if found is None:
        listed = list_columns(table.columns)
        raise ValueError(f"no column of {str(sidecar)!r} holds dates; call it date. The columns are {listed}")
    return found


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _places_by_name(files: list[Path], folder: Path) -> dict[str, int]:
    """The place of each file under every name a table may give it that means no other file."""
    places: dict[str, set[int]] = {}
    for i, file in enumerate(files):
        path = _name(file, folder)
        for name in (file.stem, file.name, path.removesuffix(file.suffix), path):
            places.setdefault(name, set()).add(i)
    return {name: next(iter(found)) for name, found in places.items() if len(found) == 1}


@dataclass
class LeftOutFiles:
    """Files and folders that are not read, by their paths in the folder, and why."""

    others: list[str] = field(default_factory=list)  # of another name
    special: list[str] = field(default_factory=list)  # pipes, sockets, devices, links to nothing
    linked: list[str] = field(default_factory=list)  # folders elsewhere
    closed: list[str] = field(default_factory=list)  # folders that cannot be looked into

    def notes(self, aside: Collection[str] = ()) -> list[str]:
        """A sentence for each kind of which there are some; `aside`: files that are of use otherwise."""
        others = [name for name in self.others if name not in aside]
        return [
            f"left out: {plural(len(names), kind)}: {_list(names)} ({remedy})"
            for names, kind, remedy in (
                (others, "other file", "texts are those that end in .txt and are not hidden; rename them to read them"),
                (self.special, "special file", "a pipe, a device or a link to nothing"),
                (self.linked, "linked folder", "copy it to have its texts read"),
                (self.closed, "folder", "it cannot be opened; check its permissions"),
            )
            if names
        ]


def list_texts(folder: Path) -> tuple[list[Path], LeftOutFiles]:
    """The .txt files in the folder and below, sorted by their paths, and what is not one of them."""
    if not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is not a folder; give the folder that the texts are in")
    texts, left_out = [], LeftOutFiles()
    for file in _walk(folder, left_out):
        name = file.relative_to(folder).as_posix()
        if file.suffix.lower() != TEXT or file.name.startswith("."):
            left_out.others.append(name)
        elif is_plain(file):
            texts.append(file)
        else:
            left_out.special.append(name)
    if not texts:
        others = f" but {_list(left_out.others)}" if left_out.others else ""
        raise ValueError(
            f"{str(folder)!r} holds no .txt files{others}; give the folder that does, or rename the texts in it"
        )
    return sorted(texts), left_out


def is_plain(file: Path) -> bool:
    """Whether it is a regular file, or a link to one, that is there."""
    try:
        return file.is_file()
    except OSError:
        return False


def _walk(folder: Path, left_out: LeftOutFiles) -> Iterator[Path]:
    """Every file below; what cannot be opened is noted. Links to folders, which may lead in circles, are too."""

    def note(error: OSError) -> None:
        left_out.closed.append(Path(error.filename).relative_to(folder).as_posix())

    for place, folders, files in os.walk(folder, onerror=note):
        linked = (Path(place) / name for name in folders if (Path(place) / name).is_symlink())
        left_out.linked.extend(path.relative_to(folder).as_posix() for path in linked)
        yield from (Path(place) / name for name in files)


def _list(names: list[str]) -> str:
    """The first few, hidden ones last."""
    return some([repr(name) for name in sorted(names, key=lambda name: (name.startswith("."), name))])
