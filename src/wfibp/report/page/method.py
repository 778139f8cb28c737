"""How was it made: settings, traces, diagnostics, the command, and whom to cite?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from wfibp.corpus.phrasing import thousands
from wfibp.posterior import Posterior
from wfibp.report.citation import BIBTEX, CITATION
from wfibp.report.description import describe
from wfibp.report.sampled_parameters import sampled_parameters
from wfibp.report.spacing import spread_over

MOST_POINTS = 200  # of a trace
INFERRED_IF_NONE = ("num_topics", "num_features")


def describe_method(posterior: Posterior, table: pd.DataFrame, command: str | None) -> dict[str, Any]:
    """All that the end of the page says."""
    provenance = posterior.provenance
    return {
        "model": provenance["model"],
        "command": command or provenance.get("command"),
        "notes": [str(line) for line in provenance.get("description", [])],
        "settings": [[name, write_setting(name, value)] for name, value in posterior.settings.items()],
        "seed": str(provenance["entropy"]),
        "versions": [[name, str(number)] for name, number in provenance["versions"].items()],
        "traces": _traces(posterior),
        "summary": _summary(posterior, table),
        "citation": CITATION,
        "bibtex": BIBTEX,
    }


def write_setting(name: str, value: Any) -> str:
    """A setting of the run as people read it."""
    if value is None:
        return "inferred" if name in INFERRED_IF_NONE else "by default"
    if isinstance(value, dict):
        prior = dict(value)
        return f"{prior.pop('prior')}({', '.join(f'{key} = {number:g}' for key, number in prior.items())}) prior"
    if isinstance(value, list):
        return ", ".join(write_setting(name, item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _traces(posterior: Posterior) -> list[dict[str, Any]]:
    """For each number that moves: its name, and its value in a few of the draws of each chain."""
    table = posterior.numbers()
    return [
        {
            "name": describe(posterior).name_number(name).removeprefix("the "),
            "draws": [_thin(rows["draw"]) for _, rows in table.groupby("chain")],
            "chains": [[float(f"{v:.8g}") for v in _thin(rows[name])] for _, rows in table.groupby("chain")],
        }
        for name in sampled_parameters(table)
    ]


def _thin(column: pd.Series) -> list[Any]:
    values = column.to_numpy()
    return values[spread_over(values.size, MOST_POINTS)].tolist()  # type: ignore[no-any-return]


def write_number(value: float) -> str:
    """Four digits, or all before the point."""
    return thousands(round(value)) if abs(value) >= 1000.0 else f"{value:.4g}"


def _summary(posterior: Posterior, table: pd.DataFrame) -> list[list[str]]:
    """One row per number: name, mean, interval, effective sample size and R-hat, as text."""
    rows = []
    for name, row in table.iterrows():
        size = "" if np.isnan(row["ess_bulk"]) else f"{min(row['ess_bulk'], row['ess_tail']):.0f}"
        r_hat = "" if np.isnan(row["r_hat"]) else f"{row['r_hat']:.3f}"
        interval = f"{write_number(row['low'])} to {write_number(row['high'])}" if row["sd"] > 0.0 else "held fixed"
        named = describe(posterior).name_number(str(name)).removeprefix("the ")
        rows.append([named, write_number(row["mean"]), interval, size, r_hat])
    return rows
