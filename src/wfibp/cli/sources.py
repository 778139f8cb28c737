"""How the data named on the command line are read: which kind they are, and which options go with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wfibp.cli.source_options import NewSource, Source, WordOptions

if TYPE_CHECKING:
    from wfibp.corpus import Calendar, Corpus
    from wfibp.corpus.measurement_table import Measurements
    from wfibp.corpus.storage import StoredCorpus

Dated = TypeVar("Dated", "Corpus", "Measurements")

MATRICES = (".npz", ".mtx", ".mtx.gz")
FEWEST_OBJECTS = 2  # in which features can be told apart
FOR_TEXT = ("stop_words", "ngrams", "token_pattern", "keep_case")  # a matrix has its words already
ONLY_FOR = {
    "table": ("text", "name"),
    "folder": ("dates",),
    "matrix": ("vocabulary",),
}


def read_corpus(source: Source, words: WordOptions) -> Corpus:
    """A corpus from a table, a folder or a matrix."""
    kind = kind_of(source.data)
    _refuse_others(source, kind)
    if source.columns is not None:
        raise ValueError("--columns goes with --model features; name the column of texts with --text")
    options = read_date_options(source) | {"resolution": read_resolution(source.resolution)}
    if kind == "matrix":
        corpus = _read_matrix(source, words, options)
    else:
        corpus = read_texts(source, kind, options | read_words(words))
    return without_times(corpus) if source.static else corpus


def read_new_corpus(source: NewSource, kept: StoredCorpus) -> Corpus:
    """New documents in the words and on the clock of a run."""
    from wfibp import Corpus

    kind = kind_of(source.data)
    _refuse_others(source, kind)
    options = read_date_options(source)
    if kind != "matrix":
        return read_texts(source, kind, options | kept.reading)
    corpus = Corpus.from_counts(source.data, source.time, source.vocabulary, resolution=kept.calendar, **options)
    return corpus.in_words(kept.vocabulary)


def read_texts(source: NewSource, kind: str, options: dict[str, Any]) -> Corpus:
    """From a table or a folder."""
    from wfibp import Corpus

    if kind == "table":
        return Corpus.from_table(source.data, source.text, source.time, source.name, **options)
    if source.time is not None:
        raise ValueError("--time goes with a table; the dates of a folder are in its names, or in --dates FILE")
    return Corpus.from_folder(source.data, source.dates, **options)


def read_objects(source: Source, words: WordOptions) -> Measurements:
    """Measurements from a table."""
    from wfibp.corpus.document_times import DateRules
    from wfibp.corpus.measurement_table import read_measurements

    _check_measured(source)
    for name in WordOptions.__dataclass_fields__:
        if getattr(words, name) not in (None, False):
            raise ValueError(f"--{name.replace('_', '-')} goes with --model topics; leave it out")
    columns = None if source.columns is None else [name.strip() for name in source.columns.split(",")]
    dates = DateRules(read_resolution(source.resolution), **read_date_options(source))
    measurements = read_measurements(source.data, columns, source.time, dates)
    if len(measurements) < FEWEST_OBJECTS:
        raise ValueError(f"{str(source.data)!r} must hold at least two rows of measurements, got {len(measurements)}")
    return without_times(measurements) if source.static else measurements


def without_times(data: Dated) -> Dated:
    """The same data, all at one time."""
    import numpy as np

    from wfibp.corpus import Calendar

    said = (*data.description, "times ignored: all objects are at one time (--static)")
    return replace(data, times=np.zeros(len(data)), calendar=Calendar(), description=said)


def check_times(data: Corpus | Measurements, path: Path) -> None:
    """Refuse data whose times are all the same: perhaps the wrong column was given."""
    import numpy as np

    from wfibp.corpus import Calendar

    if data.calendar != Calendar() and np.unique(data.times).size == 1:
        label = data.calendar.label(float(data.times[0]))
        raise ValueError(
            f"{str(path)!r}: all times are the same, {label}, so nothing can be seen to move; name another column with "
            "--time, choose a finer --resolution, or add --static to fit without times"
        )


def read_new_objects(source: NewSource, columns: list[str] | None, calendar: Calendar | None) -> Measurements:
    """New objects, measured as those of a run were."""
    from wfibp.corpus.document_times import DateRules
    from wfibp.corpus.measurement_table import read_measurements

    _check_measured(source)
    return read_measurements(source.data, columns, source.time, DateRules(calendar, **read_date_options(source)))


def _check_measured(source: NewSource) -> None:
    """Measurements come in tables, and have no text."""
    if kind_of(source.data) != "table":
        raise ValueError(f"measurements are read from .csv, .tsv, .jsonl or .parquet, got {str(source.data)!r}")
    for name in ("text", "name", "dates", "vocabulary"):
        if getattr(source, name) is not None:
            raise ValueError(f"--{name} goes with topics, not with measurements; leave it out")


def kind_of(data: Path) -> str:
    """A table, a folder or a matrix; by whether it is one, and by the end of its name."""
    if not data.exists():
        raise ValueError(f"there is no file or folder {str(data)!r}; check its name")
    if data.is_dir():
        if (data / "provenance.json").exists():
            raise ValueError(f"{str(data)!r} is a run, not data; continue it with: wfibp resume {data}")
        return "folder"
    return "matrix" if data.name.lower().endswith(MATRICES) else "table"


def read_date_options(source: NewSource) -> dict[str, Any]:
    """As the library has them."""
    return {
        "on_bad_dates": "drop" if source.drop_bad_dates else "raise",
        "day_first": source.day_first,
    }


def read_resolution(text: str | None) -> str | float | None:
    """A number where it is one."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def read_words(words: WordOptions) -> dict[str, Any]:
    """As the library has them; what is left out keeps the library's default."""
    rules: dict[str, Any] = {
        "min_count": words.min_count,
        "max_count": words.max_count,
        "min_documents": words.min_documents,
        "max_share": words.max_share,
        "lowercase": not words.keep_case,
    }
    if words.stop_words is not None:
        rules["stop_words"] = _read_stop_words(words.stop_words)
    if words.ngrams is not None:
        rules["ngram_range"] = (1, words.ngrams)
    if words.token_pattern is not None:
        rules["token_pattern"] = words.token_pattern
    return rules


def _read_stop_words(text: str) -> str | list[str] | None:
    if text in ("english", "none"):
        return None if text == "none" else text
    if not Path(text).is_file():
        raise ValueError(
            f"--stop-words must be english, none or a file with one word per line, and {text!r} is no file"
        )
    from wfibp.corpus.encodings import TextReader

    return [line.strip() for line in TextReader().lines(Path(text)) if line.strip()]


def _read_matrix(source: Source, words: WordOptions, dates: dict[str, Any]) -> Corpus:
    """Counts, with times and words beside them; rare and common words are left out only if that is asked for."""
    from wfibp import Corpus

    for name in FOR_TEXT:
        if getattr(words, name) not in (None, False):
            raise ValueError(f"--{name.replace('_', '-')} goes with texts; a matrix has its words already")
    corpus = Corpus.from_counts(source.data, source.time, source.vocabulary, **dates)
    bounds = {name: getattr(words, name) for name in ("min_count", "max_count", "min_documents", "max_share")}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return corpus.keep_words(**given) if given else corpus


def _refuse_others(source: NewSource, kind: str) -> None:
    """Options that go with another kind of data are a mistake that is worth a word."""
    for other, names in ONLY_FOR.items():
        for name in names:
            if other != kind and getattr(source, name) is not None:
                raise ValueError(f"--{name} goes with a {other}, and {str(source.data)!r} is a {kind}; leave it out")
