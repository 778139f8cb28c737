"""Small whole objects of every public class, to call the methods of: fitted models, posteriors, corpora, diffusions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import wfibp

TOPICS = ("market bank price trade money stock", "cell gene protein tissue enzyme virus")
QUICK = {"num_draws": 3, "num_warmup": 3, "num_chains": 1, "thin": 1, "num_workers": 1, "seed": 1, "verbose": False}


class Examples:
    """They are made once, in a folder of their own, and shared by all calls."""

    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(1)
        self.years = [2000 + i // 4 for i in range(16)]
        self.texts = [" ".join(rng.choice(TOPICS[i % 2].split(), 20)) for i in range(16)]
        self.corpus = wfibp.Corpus.from_documents(self.texts, self.years)
        self.data, self.times = rng.standard_normal((12, 2)), [i // 3 for i in range(12)]
        self.run, self.folder = folder / "run", folder / "texts"
        self.topic_model = wfibp.DynamicTopicModel(output=self.run, **QUICK).fit(self.corpus)
        self.feature_model = wfibp.DynamicFeatureModel(**QUICK).fit(self.data, self.times)
        self.fixed = wfibp.DynamicFeatureModel(num_features=2, **QUICK).fit(self.data, self.times)
        self.threaded = wfibp.DynamicTopicModel(3, word_sampler="threaded", num_threads=1, **QUICK).fit(self.corpus)
        self.folder.mkdir()
        for year, text in zip(self.years, self.texts, strict=True):
            (self.folder / f"{year}.txt").write_text(text)
        self.everything = self._everything()

    def _everything(self) -> list[Any]:
        field, models = wfibp.PoissonRandomField(), [self.topic_model, self.feature_model, self.fixed, self.threaded]
        return [
            *models,
            *(model.posterior_ for model in models),
            *[wfibp.DynamicTopicModel(**QUICK), wfibp.DynamicFeatureModel(**QUICK), self.corpus],
            *[wfibp.Gamma(2.0, 1.0), wfibp.InverseGamma(2.0, 1.0), wfibp.LogNormal(0.0, 1.0)],
            *[wfibp.WrightFisher(0.0, 1.0), wfibp.WrightFisher(0.5, 2.0), wfibp.WrightFisher(1.0, 0.0)],
            *[wfibp.WrightFisher(0.0, 0.5, method="split-step", step=0.1), wfibp.WrightFisher(0.5, 1.0, selection=2.0)],
            *[wfibp.PoissonRandomField(selection=1.0), wfibp.infer_selection([1, 4], [5, 5], [0, 9], time_scale=0.02)],
            *[wfibp.WrightFisherChain(20), field, field.truncate(4), field.draw_allocations([0.0, 1.0], 2, 1)],
            np.random.default_rng(1),
        ]

    def of(self, kind: type) -> list[Any]:
        """All examples of a class; a class without any must be given one here."""
        found = [example for example in self.everything if isinstance(example, kind)]
        if not found:
            raise LookupError(f"there is no example of {kind.__name__}: add one to {__name__}, so that it is tried")
        return found
