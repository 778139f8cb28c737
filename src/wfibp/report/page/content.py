"""What is on the page, as plain data for its script?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Integers
from wfibp.posterior import Posterior
from wfibp.report.curves import Curves, alive_chances, popularity_curves
from wfibp.report.feature_contents import contents_of
from wfibp.report.lifespans import Lifespan, Moment, have_lifespans, lifespans_of
from wfibp.report.main_features import main_features, movements
from wfibp.report.page.headline import headline, how_many, page_title
from wfibp.report.page.method import describe_method
from wfibp.report.page.name_index import index_names
from wfibp.report.page.related import related_features
from wfibp.report.page.representative_documents import choose_documents
from wfibp.report.terms import feature_names, is_topics, noun_of, object_of
from wfibp.report.time_axis import TimeAxis, time_axis
from wfibp.report.verdict import verdict

WORDS_A_CARD = 24
FINENESS = 10_000  # popularities are sent as whole numbers of this part, and their digits beyond it are noise


def page_content(posterior: Posterior, command: str | None = None) -> dict[str, Any]:
    """Everything on the page."""
    axis, judged = time_axis(posterior), verdict(posterior)
    names = feature_names(posterior)
    counts = posterior.num_features_distribution()
    return {
        "title": page_title(posterior, axis),
        "headline": headline(posterior, axis),
        "howMany": how_many(posterior),
        "noun": noun_of(posterior),
        "object": object_of(posterior),
        "sure": {"level": judged.level, "headline": judged.headline, "sentences": list(judged.sentences)},
        "counts": [[k, round(p, 4)] for k, p in zip(counts.index.tolist(), counts.tolist(), strict=True)],
        "times": axis.times.tolist(),
        "labels": list(axis.labels),
        "numbers": axis.are_numbers,
        "years": axis.calendar.unit == "year",
        "fineness": FINENESS,
        "measures": _measures(posterior),
        "born": have_lifespans(posterior),
        "features": _features(posterior, axis, names),
        **choose_documents(posterior, axis),
        "related": related_features(posterior),
        "index": index_names(posterior),
        "method": describe_method(posterior, judged.table, command),
    }


def _measures(posterior: Posterior) -> list[dict[str, str]]:
    """What a curve can say, and how to name it; the first is shown at first."""
    noun, thing = noun_of(posterior), object_of(posterior)
    popularity = {"of": "popularity", "label": f"Share of {thing}s with the {noun}"}
    if not is_topics(posterior):
        return [popularity]
    return [{"of": "words", "label": "Share of words from the topic"}, popularity]


def _features(posterior: Posterior, axis: TimeAxis, names: list[str]) -> list[dict[str, Any]]:
    """One entry per listed feature."""
    curves = {m["of"]: _whole_numbers(popularity_curves(posterior, m["of"])) for m in _measures(posterior)}
    lives, contents = lifespans_of(posterior, axis), contents_of(posterior, WORDS_A_CARD)
    alive = alive_chances(posterior)
    listed, main, moved = posterior.features, set(main_features(posterior)), movements(posterior)
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
