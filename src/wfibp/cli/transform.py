"""`wfibp transform`: which of the topics found do new documents have?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wfibp.cli.console import CommandConsole
from wfibp.cli.options import Run, TableFile, takes_options
from wfibp.cli.source_options import NewSource
from wfibp.cli.sources import read_new_corpus, read_new_objects

if TYPE_CHECKING:
    import pandas as pd

    from wfibp import DynamicFeatureModel, DynamicTopicModel

ROWS_SHOWN = 20
SMALLEST_SHARE = 1e-3  # of a topic in a document, to have a row


@takes_options
def transform(run: Run, source: NewSource, table: TableFile, console: CommandConsole) -> None:
    """Find the topics (or features) of a run in new documents (or objects), without changing the run.

    The table has one row for each topic that a document has: **document**, **name**, **feature**, **share**; for
    objects **object**, **feature**, **probability**. Words that the run does not know are left out.

    Examples:

        wfibp transform run new.csv

        wfibp transform run new.csv --text speech --time date -o shares.csv
    """
    table.check()

    from wfibp import DynamicTopicModel
    from wfibp.models.base import DynamicModel

    model: Any = DynamicModel.load(run.folder)
    with console.busy("Reading and comparing"):
        rows = topics_of(model, source) if isinstance(model, DynamicTopicModel) else features_of(model, source)
    if table.output is None:
        console.show(rows.head(ROWS_SHOWN))
        if len(rows) > ROWS_SHOWN:
            console.say(f"and {len(rows) - ROWS_SHOWN:,} rows more; add -o FILE for all of them")
    table.write(rows, console)
    console.answer(rows=rows)


def topics_of(model: DynamicTopicModel, source: NewSource) -> pd.DataFrame:
    """Columns document, name, feature, share: documents are numbered from 0 as they come."""
    import numpy as np

    from wfibp.corpus.storage import StoredCorpus
    from wfibp.posterior.run_folder import read_run

    corpus = read_new_corpus(source, StoredCorpus.of(read_run(model.posterior_.path).read_data().arrays))
    place = np.argsort(np.argsort(corpus.order))  # of each document among those kept, as they came
    names = np.array(corpus.names, dtype=object)[np.argsort(place)]
    rows = tidy(model.transform(corpus), "document", "share", SMALLEST_SHARE)
    rows.insert(1, "name", names[rows["document"]])
    return rows


def features_of(model: DynamicFeatureModel, source: NewSource) -> pd.DataFrame:
    """Columns object, feature, probability: objects are numbered from 0 as they come."""
    fitted = model.posterior_
    objects = read_new_objects(source, fitted.provenance.get("columns"), fitted.calendar)
    return tidy(model.transform(objects.values, objects.times), "object", "probability", 0.0)


def tidy(values: Any, rows: str, content: str, smallest: float) -> pd.DataFrame:
    """A row for each entry (object, feature) of at least `smallest`, the largest of an object first."""
    import numpy as np
    import pandas as pd

    dense = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
    item, feature = np.nonzero(dense >= smallest)
    table = pd.DataFrame({rows: item, "feature": feature, content: dense[item, feature]})
    return table.sort_values([rows, content], ascending=[True, False], ignore_index=True)
