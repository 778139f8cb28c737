"""How a list of texts in memory is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wfibp import checks
from wfibp.corpus.builder import CorpusBuilder, ReadDocuments
from wfibp.corpus.phrasing import show
from wfibp.corpus.timestamps import to_list
from wfibp.corpus.tokenizer import WordRules
from wfibp.parameters import ParameterError


def read_documents(texts: Iterable[str], times: Any, names: Iterable[Any] | None, rules: WordRules) -> ReadDocuments:
    """Texts with a time and a name for each, or without."""
    if isinstance(texts, str | bytes):
        raise ParameterError("texts", f"must be a list of strings, one per document, got one {type(texts).__name__}")
    documents = checks.items("texts", texts, "strings, one per document")
    moments = None if times is None else _check_length("times", to_list(times), len(documents))
    called = None if names is None else _check_length("names", checks.items("names", names, "names"), len(documents))
    builder = CorpusBuilder(rules, timed=moments is not None, num_documents=len(documents))
    for i, text in enumerate(documents):
        builder.add(text, moments[i] if moments else None, show(called[i]) if called else f"document {i}")
    return builder.finish(place=lambda i: f"document {i}")


def _check_length(what: str, values: list[Any], length: int) -> list[Any]:
    if len(values) != length:
        raise ParameterError(what, f"must have one entry for each of the {length} texts, got {len(values)}")
    return values
