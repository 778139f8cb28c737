"""How a posterior looks where it is the last line of a notebook's cell, or is printed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from wfibp.printing import visible

if TYPE_CHECKING:
    from wfibp.posterior.posterior import Posterior

MOST_ROWS = 12  # features shown
NUM_WORDS = 8  # of each topic


def one_line(posterior: Posterior) -> str:
    """Model, draws, features and folder."""
    name, noun = posterior.provenance["model"], "topics" if posterior.has_topics else "features"
    draws = " + ".join(str(chain.num_draws) for chain in posterior._chains)
    return f"<Posterior of {name}: {draws} draws, {len(posterior.matching)} listed {noun}, in {str(posterior.path)!r}>"


def to_html(posterior: Posterior) -> str:
    """The line, and a table of the first features; all that is text of others is escaped."""
    features = posterior.features.head(MOST_ROWS)
    objects = "documents" if posterior.has_topics else "objects"
    columns = {"": [str(feature) for feature in features.index]}
    if posterior.has_topics:
        columns["words"] = first_words(posterior)[: len(features)]
    columns["in draws"] = [f"{share:.0%}" for share in features["share"]]
    columns[objects] = [f"{size:.0f}" for size in features["size"]]
    left_out = len(posterior.features) - len(features)
    more = f"<p>… and {left_out} more in <code>features</code></p>" if left_out else ""
    return f"<div><p>{escape(one_line(posterior).strip('<>'))}</p>{_table(columns)}{more}</div>"


def first_words(posterior: Posterior) -> list[str]:
    """The most probable words of each topic, on a line."""
    shape = (len(posterior.matching), min(NUM_WORDS, posterior.vocabulary.size))
    words = posterior.top_words(NUM_WORDS)["word"].to_numpy().reshape(shape)
    return [", ".join(row) for row in words.tolist()]


def _table(columns: dict[str, list[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = zip(*columns.values(), strict=True)
    body = "".join(f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
