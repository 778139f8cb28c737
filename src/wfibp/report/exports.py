"""Which tidy tables hold all that a run found, one observation per row?"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from wfibp.files import replace_file
from wfibp.posterior import Posterior
from wfibp.report.feature_contents import column_names
from wfibp.report.feature_table import feature_table, moves
from wfibp.report.terms import is_topics, noun_of

WORDS_EXPORTED = 50  # of each topic
SMALLEST_SHARE = 1e-3  # of a topic in a document, to have a row

Tables = dict[str, Callable[[], pd.DataFrame]]


def export_tables(posterior: Posterior) -> Tables:
    """Each by its name, made when it is asked for."""
    tables: Tables = {
        f"{noun_of(posterior)}s": lambda: feature_table(posterior),
        "popularity": posterior.popularity,
        "num_features": lambda: posterior.num_features_distribution().reset_index(),
        "summary": lambda: posterior.summary().rename_axis("number").reset_index(),
    }
    if moves(posterior):
        tables["lifetimes"] = posterior.lifetimes
    return tables | (_of_topics(posterior) if is_topics(posterior) else _of_features(posterior))


def _of_topics(posterior: Posterior) -> Tables:
    return {
        "words": lambda: posterior.top_words(WORDS_EXPORTED),
        "shares": posterior.shares,
        "usage": posterior.usage,
        "documents": lambda: posterior.documents.rename_axis("document").reset_index(),
        "document_topics": lambda: document_topics(posterior),
    }


def _of_features(posterior: Posterior) -> Tables:
    return {"loadings": lambda: loadings(posterior), "allocations": lambda: allocations(posterior)}


def document_topics(posterior: Posterior) -> pd.DataFrame:
    """Columns document, feature, share: a row where a topic has a noticeable share of a document."""
    shares = posterior.document_proportions().tocoo()
    seen = shares.data >= SMALLEST_SHARE
    row, column = shares.coords
    table = pd.DataFrame({"document": row[seen], "feature": column[seen], "share": shares.data[seen]})
    return table.sort_values(["document", "share"], ascending=[True, False], ignore_index=True)


def loadings(posterior: Posterior) -> pd.DataFrame:
    """Columns feature, column, loading: how much each feature adds to each measurement."""
    values = posterior.mean("loadings")
    names = column_names(posterior, values.shape[1])
    feature, column = np.indices(values.shape).reshape(2, -1)
    return pd.DataFrame({"feature": feature, "column": np.array(names)[column], "loading": values.ravel()})


def allocations(posterior: Posterior) -> pd.DataFrame:
    """Columns object, feature, probability: objects are numbered from 0 as they came."""
    values = posterior.allocations()
    item, feature = np.indices(values.shape).reshape(2, -1)
    return pd.DataFrame({"object": item, "feature": feature, "probability": values.ravel()})


def write_netcdf(posterior: Posterior, path: Path) -> None:
    """Every draw, for arviz. It is made in memory: on a disk that is full, HDF5 does not fail but crashes."""
    draws: Any = posterior.to_arviz().posterior
    content = io.BytesIO()
    compressed = {name: {"zlib": True} for name in draws.variables}
    draws.to_netcdf(content, engine="h5netcdf", group="posterior", encoding=compressed)
    with replace_file(path) as file:
        file.write(content.getbuffer())
