"""How a sentence of the library reads at the command line, where a setting is an option."""

from __future__ import annotations

import re

# What the library calls its arguments, and what the command calls them; longer names first where one contains another.
_OPTIONS = (
    (r"on_bad_dates='drop'", "--drop-bad-dates"),
    (r"day_first=True", "--day-first"),
    (r"\b(text|time|name|dates)=…", r"--\1"),
    (r"\bmin_count\b", "--min-count"),
    (r"\bmax_count\b", "--max-count"),
    (r"\bmin_documents\b", "--min-documents"),
    (r"\bmax_share\b", "--max-share"),
    (r"\bstop_words\b", "--stop-words"),
    (r"\bngram_range\b", "--ngrams"),
    (r"\(resolution\)", "(--resolution)"),
    (r"\bresolution must", "--resolution must"),
    (r"\btoken_pattern\b", "--token-pattern"),
    (r"\btopic_smoothing\b", "--smoothing"),
    (r"\bdocument_odds\b", "--odds"),
    (r"\bproportion_shape\b", "--shape"),
    (r"\binitial_topics\b", "--initial-topics"),
    (r"\bnum_threads\b", "--threads"),
    (r"\btime_scale\b", "--time-scale"),
    (r"\bnoise_scale\b", "--noise-scale"),
    (r"\b(?:num_topics|num_features) must", "--topics must"),
    (r"\bnum_(draws|warmup|chains|workers) must", r"--\1 must"),
    (r"^(alpha|beta|thin|seed|output) must", r"--\1 must"),
    (r"^directory must", "RUN must"),
    (r"wfibp\.Gamma\(1, 1\)", "gamma(1,1)"),
    (r"for a table of texts use from_table", "for a table give its file"),
    (r"; Corpus\.from_folder reads folders", ""),
    (r"numpy\.savez\(path, counts=…\)", "numpy.savez(file, counts=…)"),
)
_PATTERNS = tuple((re.compile(pattern), option) for pattern, option in _OPTIONS)


def in_options(sentence: str) -> str:
    """The sentence with the library's arguments as options of the command."""
    for pattern, option in _PATTERNS:
        sentence = pattern.sub(option, sentence)
    return sentence
