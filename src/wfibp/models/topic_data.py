"""What users give a topic model: a corpus, texts, or counts whose columns may have names; and p of the documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from sklearn.exceptions import NotFittedError

from wfibp import checks
from wfibp.corpus import Corpus
from wfibp.corpus.tokenizer import check_vocabulary
from wfibp.likelihoods.topics.document_probability import DocumentProbability
from wfibp.parameters import ParameterError


def as_corpus(data: Any, times: Any = None, vocabulary: Sequence[str] | None = None) -> Corpus:
    """The corpus itself, or one made of counts or of texts; `vocabulary` names the columns of counts."""
    if isinstance(data, Corpus):
        if times is not None:
            raise ParameterError("times", "must be omitted when data is a Corpus, which has its own")
        return data
    if is_counts(data):
        return Corpus.from_counts(data, times, vocabulary)
    return Corpus.from_documents(data, times)


def is_counts(data: Any) -> bool:
    """Whether it has rows and columns."""
    return not isinstance(data, Corpus) and isinstance(getattr(data, "shape", None), tuple) and len(data.shape) == 2


def column_names(data: Any, vocabulary: Any) -> tuple[str, ...] | None:
    """The words of the columns of counts: those given, those that a vectorizer counts, those of a data frame."""
    if vocabulary is None:
        return frame_words(data)
    if not is_counts(data):
        raise ParameterError(
            "vocabulary",
            f"goes with counts (documents × words), got {type(data).__name__} as data; a Corpus has its "
            "words, and of texts Corpus.from_documents(…, vocabulary=…) counts those given",
        )
    if not hasattr(vocabulary, "get_feature_names_out"):
        return check_vocabulary(vocabulary)
    try:
        return check_vocabulary(vocabulary.get_feature_names_out())
    except NotFittedError:
        raise ParameterError(
            "vocabulary",
            f"must be a vectorizer that is fitted, got {vocabulary!r}; a pipeline with memory fits copies "
            "of its steps, so that the words must be given as a list there",
        ) from None


def frame_words(data: Any) -> tuple[str, ...] | None:
    """The names of the columns of a data frame, where they are texts."""
    if not isinstance(data, pd.DataFrame) or not all(isinstance(name, str) for name in data.columns):
        return None
    return check_vocabulary(data.columns)


def check_document_probability(setting: Any) -> DocumentProbability:
    """One p per document, a fixed p, or a Beta prior."""
    if setting is None:
        return DocumentProbability()
    if isinstance(setting, tuple | list):
        a, b = (checks.number("document_probability", value, above=0.0) for value in setting)
        return DocumentProbability(a=a, b=b)
    return DocumentProbability(fixed=float(checks.probabilities("document_probability", setting, interior=True)))
