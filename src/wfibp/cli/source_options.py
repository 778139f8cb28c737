"""What a user says about the data to be read: where they are, which columns, which words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

DATA_PANEL, WORDS_PANEL = "Input", "Words"

DATA_HELP = (
    "A table (.csv, .tsv, .jsonl, .parquet; .gz too), a folder of .txt files, or a matrix of counts (.npz, .mtx)."
)


def _read(*names: str, metavar: str, help: str) -> typer.models.OptionInfo:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=DATA_PANEL)


def _flag(*names: str, default: bool | str, help: str) -> typer.models.OptionInfo:
    return typer.Option(*names, help=help, show_default=default, rich_help_panel=DATA_PANEL)


Data = Annotated[Path, typer.Argument(metavar="DATA", help=DATA_HELP, show_default=False)]
TextColumn = Annotated[str | None, _read("--text", metavar="COLUMN", help="Column of the texts; auto-detected.")]
TimeColumn = Annotated[
    str | None,
    _read(
        "--time",
        metavar="COLUMN",
        help="Column of the times; auto-detected. For a matrix: a file with one time per line.",
    ),
]
NameColumn = Annotated[
    str | None, _read("--name", metavar="COLUMN", help="Column that names the documents, to be shown.")
]
DatesFile = Annotated[
    Path | None, _read("--dates", metavar="FILE", help="For a folder: a table with the columns file and date.")
]
VocabularyFile = Annotated[
    Path | None, _read("--vocabulary", metavar="FILE", help="For a matrix: a file with one word per line.")
]
DayFirst = Annotated[
    bool | None,
    _flag(
        "--day-first/--month-first",
        default="found from the dates",
        help="Whether 02/05/1994 is the second of May.",
    ),
]
DropBadDates = Annotated[
    bool, _flag("--drop-bad-dates", default=False, help="Leave out rows whose time cannot be read.")
]


@dataclass(frozen=True)
class NewSource:
    """Where new data are, to be read as those of a run were."""

    data: Data
    text: TextColumn = None
    time: TimeColumn = None
    name: NameColumn = None
    dates: DatesFile = None
    vocabulary: VocabularyFile = None
    day_first: DayFirst = None
    drop_bad_dates: DropBadDates = False


@dataclass(frozen=True)
class Source(NewSource):
    """Where the data are and how they are read."""

    columns: Annotated[
        str | None,
        _read(
            "--columns",
            metavar="A,B,…",
            help="For --model features: the columns that were measured; by default all that hold numbers.",
        ),
    ] = None
    resolution: Annotated[
        str | None,
        _read(
            "--resolution",
            metavar="PERIOD",
            help="How coarsely times are grouped: minute, hour, day, week, month, quarter, year, or a number such as "
            "5 (years); by default chosen from their span.",
        ),
    ] = None
    static: Annotated[bool, _flag("--static", default=False, help="Ignore the times, and fit the static model.")] = (
        False
    )


def _word(*names: str, help: str, default: str) -> typer.models.OptionInfo:
    return typer.Option(*names, help=help, show_default=default, rich_help_panel=WORDS_PANEL)


@dataclass(frozen=True)
class WordOptions:
    """Which words are kept."""

    stop_words: Annotated[
        str | None,
        typer.Option(
            "--stop-words",
            metavar="WORDS",
            help="english, none, or a file with one word per line: words to leave out.",
            show_default="english",
            rich_help_panel=WORDS_PANEL,
        ),
    ] = None
    min_count: Annotated[
        int | None, _word("--min-count", help="Fewest uses of a word.", default="by the size of the corpus")
    ] = None
    max_count: Annotated[int | None, _word("--max-count", help="Most uses of a word.", default="no limit")] = None
    min_documents: Annotated[
        int | None,
        _word("--min-documents", help="Fewest documents with the word.", default="by the size of the corpus"),
    ] = None
    max_share: Annotated[
        float | None,
        _word("--max-share", help="Largest share of documents with the word.", default="0.5, or more if needed"),
    ] = None
    ngrams: Annotated[int | None, _word("--ngrams", help="2 also counts pairs of neighbouring words.", default="1")] = (
        None
    )
    token_pattern: Annotated[
        str | None,
        typer.Option(
            "--token-pattern",
            metavar="REGEX",
            help=r"What a word is, as a regular expression; '\\w+' keeps numbers and single letters.",
            show_default="two or more letters or digits, the first a letter",
            rich_help_panel=WORDS_PANEL,
        ),
    ] = None
    keep_case: Annotated[
        bool,
        typer.Option("--keep-case", help="Keep upper case: Word and word are two words.", rich_help_panel=WORDS_PANEL),
    ] = False
