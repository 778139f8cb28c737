"""How a sentence of the library reads at the command line, where a parameter is an option."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

from wfibp.parameters import Sentence

# Parameters of the library whose options have other names, and settings of them that are an option of their own.
OTHER_NAMES = {
    "directory": "RUN",
    "more_draws": "--more",
    "ngram_range": "--ngrams",
    "num_chains": "--chains",
    "num_draws": "--draws",
    "num_features": "--topics",
    "num_threads": "--threads",
    "num_topics": "--topics",
    "num_warmup": "--warmup",
    "num_workers": "--workers",
    "proportion_shape": "--shape",
    "topic_smoothing": "--smoothing",
    "day_first=True": "--day-first",
    "on_bad_dates='drop'": "--drop-bad-dates",
    "overwrite=True": "--overwrite",
    "dates=…": "--dates",
    "name=…": "--name",
    "text=…": "--text",
    "time=…": "--time",
    "wfibp.Gamma(1, 1)": "gamma(1,1)",
}
_OF_COMMAND: ContextVar[Mapping[str, str]] = ContextVar("of_command", default=OTHER_NAMES)


def name_options(options: Mapping[str, str]) -> None:
    """From now on a command runs that has these options: the name of each, and what is typed."""
    _OF_COMMAND.set({**OTHER_NAMES, **options})


def in_options(text: str) -> str:
    """The text with the options of the command that runs in place of the parameters that it mentions."""
    return text.with_names(_OF_COMMAND.get()) if isinstance(text, Sentence) else text
