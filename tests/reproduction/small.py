"""An experiment that takes no time, for tests of everything around it."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp.reproduction.experiment import Experiment, Finding


def run(settings, seed, progress, **extra):
    progress(0, 1, "drawing")
    drawn = np.random.default_rng(seed).normal(settings["mean"], size=10)
    corpus = {"documents": np.array(len(extra["corpus"]))} if "corpus" in extra else {}
    parts = extra["keep"]("half", lambda: {"half": drawn / 2}) if "keep" in extra else {}
    return {"drawn": drawn, **corpus, **parts}


def judge(settings, results):
    close = abs(results["drawn"].mean() - settings["mean"]) < 2.0
    return [
        Finding("the mean", "1", f"{results['drawn'].mean():.2f} | more or less", close, "" if close else "it is off"),
        Finding("the weather", "–", "fine", None),
    ]


def draw(settings, results):
    figure = Figure(figsize=(1.0, 1.0))
    figure.add_subplot().plot(results["drawn"])
    return {"figure-0": figure}


def experiment(**changes) -> Experiment:
    paper = "figure 0, section 0"
    standard = {"settings": {"mean": 1.0, "times": (0.0, 1.0)}, "quick": {"mean": 0.0}, "ours": ("times",)}
    return Experiment("small", paper, "A small one", **{**standard, **changes}, run=run, judge=judge, draw=draw)
