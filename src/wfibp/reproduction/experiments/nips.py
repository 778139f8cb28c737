"""Figures 13 and 14: which topics do the NIPS papers have, and how did their share of the words move over the years?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from wfibp import Corpus
from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, percent
from wfibp.reproduction.experiments.nips_figures import draw, theme_topics
from wfibp.reproduction.experiments.sampler_choices import OURS

ONE_DEVIATION = 0.6827  # a band of one standard deviation to each side, as the paper's
EARLY, LATE = 1992, 2010  # "until the early 90s"; a corpus that ends before the second says nothing of "later on"
SMOOTH = 3  # years over which shares are averaged to find where a topic was lowest
LARGE = 0.01  # of all words
HALF, RISE, STILL_HIGH = 0.5, 1.25, 0.8  # what is called a decline, a rise, and to be still near the height
SCATTERED = (
    "Its words lie scattered over topics of a few years each, which moves of words do not join, and over the "
    "topic of neural networks, which rises instead."
)
PHRASES = (
    'Titles and abstracts have few words on it (25 in 10 000 are "deep" in 2015), and topics of the phrases that all '
    "abstracts use, larger than those of any subject."
)


def run(settings: Settings, seed: int, progress: Progress, *, corpus: Corpus) -> Results:
    """One chain of the unbounded model: its topics, with words and shares of all words over the years."""
    papers = _choose_words(corpus, settings)
    names = ("alpha", "beta", "time_scale", "topic_smoothing", "initial_topics", "num_warmup", "thin")
    num_draws = (settings["num_sweeps"] - settings["num_warmup"]) // settings["thin"]
    model = OURS.model(
        **{name: settings[name] for name in names}, num_draws=num_draws, num_chains=1, num_workers=1, seed=seed
    )
    model.fit(papers, on_progress=lambda _, sweep, total, __: progress(sweep, total, "sweeps"))
    return {**_sizes(papers), **_summarise(model.posterior_, settings)}


def _choose_words(corpus: Corpus, settings: Settings) -> Corpus:
    """Neither rare nor common words: as the paper has it, or for abstracts, in which all words are rarer."""
    short = corpus.num_words < settings["short_below"] * len(corpus)
    fewest, most = settings["uses_in_abstracts" if short else "uses"]
    return corpus.keep_words(min_count=fewest, max_count=most)


def _sizes(papers: Corpus) -> Results:
    sizes = (len(papers), papers.num_words, len(papers.vocabulary))
    return {"years": papers.distinct_times, "sizes": np.array(sizes)}


def _summarise(posterior: Posterior, settings: Settings) -> Results:
    """Topics by their number of words: their words, means and bands (3, F, T), and how often each theme is in each."""
    num_times, topics = posterior.times.size, posterior.topics()
    share = _bands(posterior.shares(ONE_DEVIATION), num_times)
    popularity = _bands(posterior.popularity(interval=ONE_DEVIATION), num_times)
    weight = share[0].mean(axis=1)
    order = np.argsort(-weight)
    order = order[weight[order] >= settings["smallest_share"]]
    likeliest = np.argsort(-topics[order], axis=1)[:, : settings["num_words"]]
    of_themes = [np.isin(posterior.vocabulary, words) for words in settings["themes"].values()]
    return {
        "num_topics": posterior.numbers()["num_features"].to_numpy(),
        "share": share[:, order],
        "popularity": popularity[:, order],
        "words": posterior.vocabulary[likeliest],
        "theme_uses": np.array([topics[order][:, words].sum(axis=1) * weight[order] for words in of_themes]),
    }


def _bands(table: pd.DataFrame, num_times: int) -> Floats:
    """(3, F, T) mean, low and high of a tidy table."""
    return np.stack([table[column].to_numpy().reshape(-1, num_times) for column in ("mean", "low", "high")])


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Do neural networks fall and rise, do kernels rise, does deep learning take over?"""
    networks, kernels, deep = theme_topics(results)
    return [
        _topics_found(results),
        *_of_networks(results, networks),
        _of_kernels(results, kernels),
        *_of_deep_learning(results, deep),
    ]


def _topics_found(results: Results) -> Finding:
    weight = results["share"][0].mean(axis=1)
    papers, words, distinct = (int(size) for size in results["sizes"])
    return Finding(
        f"topics of {papers} papers, {words} words, {distinct} of them distinct",
        "32 are shown, of 5811 papers until 2015",
        f"{results['num_topics'].mean():.0f} on average; {(weight >= LARGE).sum()} have 1 % of the words or more, the "
        f"{len(weight)} that are kept have {percent(round(weight.sum(), 3))}",
        None,
        "At η = 0.001 a word that one paper repeats makes a topic of its own. Topics are neither split nor merged, as "
        "in the paper, and their number still grows when the chain ends.",
    )


def _of_networks(results: Results, topic: int | None) -> list[Finding]:
    """Extremely popular until the early 90s, in decline after that, more popular later on."""
    if topic is None:
        return [Finding("neural networks fall", "until the late 90s", "no topic uses their words", False)]
    early, after, years = _early(results, topic), _after(results, topic), results["years"]
    fall = Finding(
        f"{_named(results, topic)}: popular until the early 90s, then in decline",
        "a steady decline",
        f"{percent(round(early, 4))} of the words until {EARLY}, at its lowest {percent(round(after.min(), 4))}",
        after.min() < HALF * early,
    )
    if years[-1] < LATE:
        return [fall, Finding("they rise again later on", "rise", "–", None, _too_early(years))]
    ours = f"{percent(round(after[-1], 4))} in the last {SMOOTH} years, {percent(round(after.min(), 4))} at the lowest"
    return [fall, Finding("they rise again later on", "rise", ours, after[-1] > RISE * after.min())]


def _of_kernels(results: Results, topic: int | None) -> Finding:
    """From nothing to their height."""
    if topic is None:
        return Finding("kernels rise", "rise", "no topic uses their words", False)
    early, after = _early(results, topic), _after(results, topic)
    top = results["years"][results["share"][0, topic].argmax()]
    ours = f"{percent(round(early, 4))} until {EARLY}, at most {percent(round(after.max(), 4))}, around {top:.0f}"
    return Finding(f"{_named(results, topic)}: rise", "rise", ours, after.max() > 2.0 * early)


def _of_deep_learning(results: Results, topic: int | None) -> list[Finding]:
    """Steadily up, and the most popular of all topics in 2015."""
    years = results["years"]
    if topic is None or years[-1] < LATE:
        return [Finding("deep learning rises and takes over in 2015", "the most popular", "–", None, _too_early(years))]
    share = results["share"][0]
    rank, top = 1 + int((share[:, -1] > share[topic, -1]).sum()), share[topic].max()
    ours = (
        f"{percent(round(_early(results, topic), 4))} until {EARLY}, at most {percent(round(top, 4))}, in "
        f"{years[share[topic].argmax()]:.0f}, and {percent(round(share[topic, -1], 4))} in {years[-1]:.0f}"
    )
    rises = share[topic, -1] >= STILL_HIGH * top and top > RISE * _early(results, topic)
    return [
        Finding(f"{_named(results, topic)}: rises", "steadily", ours, rises, "" if rises else SCATTERED),
        Finding(
            f"deep learning is the most popular topic of {years[-1]:.0f}",
            "1st",
            f"number {rank} of {len(share)} by its share of the words",
            rank == 1,
            "" if rank == 1 else PHRASES,
        ),
    ]


def _early(results: Results, topic: int) -> float:
    return float(results["share"][0, topic, results["years"] <= EARLY].mean())


def _after(results: Results, topic: int) -> Floats:
    """The share after the early years, averaged over some years."""
    smooth = np.convolve(results["share"][0, topic], np.full(SMOOTH, 1.0 / SMOOTH), "valid")
    return smooth[min(np.searchsorted(results["years"], EARLY), smooth.size - 1) :]


def _named(results: Results, topic: int) -> str:
    """By its first words."""
    return '"' + " ".join(str(word) for word in results["words"][topic][:4]) + '"'


def _too_early(years: Floats) -> str:
    return f"The corpus ends in {years[-1]:.0f}."


DEFAULT: Settings = {
    "uses": [250, 5000],
    "uses_in_abstracts": [20, 1500],  # which are a twentieth of the length
    "short_below": 300,  # words a paper: an abstract
    "alpha": 1.0,
    "beta": 1.0,
    "time_scale": 0.12,
    "topic_smoothing": 0.001,
    "initial_topics": None,
    "num_sweeps": 2000,
    "num_warmup": 200,
    "thin": 20,
    "smallest_share": 0.0005,
    "num_shown": 32,
    "num_words": 12,
    "themes": {
        "NNs, backpropagation": [
            "hidden",
            "layer",
            "layers",
            "units",
            "backpropagation",
            "propagation",
            "feedforward",
            "multilayer",
        ],
        "kernels": ["kernel", "kernels", "svm", "svms", "rkhs"],
        "deep learning": ["deep", "convolutional", "cnn", "dropout", "autoencoder", "autoencoders"],
    },
}

EXPERIMENT = Experiment(
    name="nips",
    paper="figures 13 and 14, section 6.3.2",
    title="Topics of the NIPS papers over the years",
    settings=DEFAULT,
    quick={**DEFAULT, "num_sweeps": 60, "num_warmup": 20},
    ours=("uses_in_abstracts", "short_below", "initial_topics", "thin", "smallest_share", "themes"),
    run=run,
    judge=judge,
    draw=draw,
    version=2,
    needs_corpus=True,
)
