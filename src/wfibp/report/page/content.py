"""What is on the page, as plain data for its script?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Integers
from wfibp.posterior import Posterior
from wfibp.report.curves import Curves, alive_chances, popularity_curves
from wfibp.report.description import Description, describe
from wfibp.report.lifespans import Lifespan, Moment
from wfibp.report.main_features import main_features
from wfibp.report.page.headline import headline, how_many, page_title
from wfibp.report.page.method import describe_method
from wfibp.report.page.name_index import index_names
from wfibp.report.page.related import related_features
from wfibp.report.page.representative_documents import choose_documents
from wfibp.report.time_axis import TimeAxis, time_axis
from wfibp.report.verdict import verdict

WORDS_A_CARD = 24
FINENESS = 10_000  # popularities are sent as whole numbers of this part, and their digits beyond it are noise


def page_content(posterior: Posterior, command: str | None = None) -> dict[str, Any]:
    """Everything on the page."""
    axis, judged = time_axis(posterior), verdict(posterior)
    described = describe(posterior)
    counts, prevalence = posterior.num_established_distribution(), posterior.prevalence()
    return {
        "title": page_title(posterior, axis),
        "headline": headline(posterior, axis),
        "howMany": how_many(posterior),
        "noun": described.noun,
        "object": described.object_noun,
        "sure": {"level": judged.level, "headline": judged.headline, "sentences": list(judged.sentences)},
        "counts": [[k, round(p, 4)] for k, p in zip(counts.index.tolist(), counts.tolist(), strict=True)],
        "established": posterior.established_size,
        "prevalence": [[round(value, 3) for value in row] for row in prevalence.to_numpy().tolist()],
        "times": axis.times.tolist(),
        "labels": list(axis.labels),
        "numbers": axis.are_numbers,
        "years": axis.calendar.unit == "year",
        "fineness": FINENESS,
        "measures": [measure._asdict() for measure in described.measures],
        "born": described.have_lifespans,
        "features": _features(posterior, described, axis),
        **choose_documents(posterior, axis),
        "related": related_features(posterior),
        "index": index_names(posterior),
        "method": describe_method(posterior, judged.table, command),
    }


def _features(posterior: Posterior, described: Description, axis: TimeAxis) -> list[dict[str, Any]]:
    """One entry per listed feature."""
    curves = {m.of: _whole_numbers(popularity_curves(posterior, m.of)) for m in described.measures}
    lives, contents, names = described.lifespans(axis), described.contents(WORDS_A_CARD), described.names()
    alive = alive_chances(posterior)
    listed, main, moved = posterior.features, set(main_features(posterior)), described.movements()
    return [
        {
            "id": feature,
            "name": names[feature],
            "share": round(float(listed["share"].iloc[feature]), 3),
            "size": round(float(listed["size"].iloc[feature]), 1),
            "words": [[str(word), float(f"{value:.4g}")] for word, value in zip(*contents[feature], strict=True)],
            "curves": {of: [part[feature].tolist() for part in parts] for of, parts in curves.items()},
            "alive": np.rint(100 * alive[feature]).astype(int).tolist(),
            "life": _life(lives[feature]),
            "main": feature in main,
            "established": bool(listed["established"].iloc[feature]),
            "moved": round(float(moved[feature]), 4),
        }
        for feature in range(len(listed))
    ]


def _whole_numbers(curves: Curves) -> list[Integers]:
    """Mean, low and high, each (F, T)."""
    return [np.rint(FINENESS * part).astype(np.int64) for part in curves]


def _life(life: Lifespan) -> dict[str, Any]:
    return {"sentence": life.sentence, "birth": _moment(life.birth), "death": _moment(life.death)}


def _moment(moment: Moment) -> list[float] | None:
    """Low, middle, high; None if it lies outside the data."""
    return [round(value, 4) for value in (moment.low, moment.middle, moment.high)] if moment.is_dated else None
