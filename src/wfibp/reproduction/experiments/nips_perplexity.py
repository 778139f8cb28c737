"""Figure 15: does knowing the years help to predicts the words of the NIPS papers of 1999?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy import sparse

from wfibp import Corpus
from wfibp.checks import Floats
from wfibp.report.style import BLUE, GREEN, house_style
from wfibp.reproduction.experiment import Experiment, Finding, Keep, Progress, Results, Settings
from wfibp.reproduction.experiments.recovered_topics import perplexity, proportions, word_distributions
from wfibp.reproduction.experiments.sampler_choices import (
    CHOICES,
    EXACT_PATHS,
    EXACT_STEPS,
    LEGEND,
    OURS,
    PAPER,
    Choice,
)

WHY_NOT = (
    "At p = ½, φ is the number of words that a paper spends on a topic. Without the years, one φ serves whole papers "
    "and those of the last year, of which little is left; with them, the last year has a φ of its own, and this is "
    "what is gained above. With a p for each document both fit the length of every paper: both are better than either "
    "was, and the years make no difference that so few sweeps could show."
)
KEPT_APART = 15  # of the randomness of the words held out, from that of the chains


class Model(NamedTuple):
    """A choice of sampler, with or without the years."""

    choice: Choice
    dynamic: bool

    @property
    def name(self) -> str:
        """As it stands above a column."""
        return f"{'dynamic' if self.dynamic else 'static'}, {self.choice.name}"


# With all papers at one time a path is a single value, and all three ways to draw it are one.
MODELS = (*(Model(choice, True) for choice in CHOICES), Model(EXACT_PATHS, False), Model(OURS, False))
IN_BETWEEN = (Model(EXACT_STEPS, True), Model(EXACT_PATHS, True))  # corrected in part: fewer starts will do


def run(settings: Settings, seed: int, progress: Progress, *, corpus: Corpus, keep: Keep) -> Results:
    """Perplexity of the held-out words (share, model, start), of all draws and of their first half; nan: not run."""
    papers = _papers_until(corpus, settings)
    shares, fits = settings["shares"], _fits(settings)
    found = np.full((2, len(shares), len(MODELS), settings["num_starts"]), np.nan)
    for done, (start, share, model) in enumerate(fits):
        name = f"{share:.0%} held out, {model.name}, start {start + 1}"
        progress(done, len(fits), name)
        both = keep(name, partial(_fit, settings, papers, share, model, [seed, start]))["perplexity"]
        found[:, shares.index(share), MODELS.index(model), start] = both
    progress(len(fits), len(fits), "done")
    last = papers.times == papers.times.max()
    sizes = (len(papers), papers.num_words, last.sum(), papers.num_words_of_documents[last].sum())
    return {"half_way": found[0], "perplexity": found[1], "sizes": np.array(sizes)}


def _fits(settings: Settings) -> list[tuple[int, float, Model]]:
    """All starts, shares and models, a start after the other; models corrected in part have fewer starts."""
    every, few = product(range(settings["num_starts"]), settings["shares"], MODELS), settings["num_starts_in_between"]
    return [fit for fit in every if fit[0] < few or fit[2] not in IN_BETWEEN]


def _papers_until(corpus: Corpus, settings: Settings) -> Corpus:
    """The papers until the year in question, in the words that are used so often in the whole corpus."""
    words = corpus.keep_words(min_count=settings["min_count"], max_count=settings["max_count"])
    rows = np.flatnonzero(words.times <= settings["last_year"])
    return Corpus.from_counts(words.counts[rows], words.times[rows], words.vocabulary).keep_words()


def _fit(settings: Settings, papers: Corpus, share: float, model: Model, seed: list[int]) -> Results:
    """The perplexity over the draws of the first half, and over all; the same words are held out from every start."""
    rows = np.flatnonzero(papers.times == papers.times.max())
    held_out_rng = np.random.default_rng([seed[0], KEPT_APART, round(1000 * share)])
    seen, hidden = papers.split(share, rng=held_out_rng, documents=rows)
    if not model.dynamic:
        seen = replace(seen, times=np.full(len(seen), seen.times[-1]))
    estimator = model.choice.model(
        **{name: settings[name] for name in ("num_topics", "alpha", "beta", "time_scale", "topic_smoothing")}
    )
    chain = model.choice.start(estimator, estimator.check_data(seen), np.random.SeedSequence(seed))
    held_out = sparse.coo_array(hidden.counts[rows])
    mean, half = np.zeros(held_out.nnz), 0.0
    draws = range(settings["num_warmup"] + settings["thin"], settings["num_sweeps"] + 1, settings["thin"])
    for state in chain.sweeps():
        if state.sweep in draws:
            number = draws.index(state.sweep) + 1
            word_probability = proportions(chain)[rows] @ word_distributions(chain)
            mean += (word_probability[held_out.coords] - mean) / number
            half = perplexity(mean, held_out.data) if number == len(draws) // 2 else half
        if state.sweep == draws[-1]:
            break
    return {"perplexity": np.array([half, perplexity(mean, held_out.data)])}


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Is perplexity lower with the years, more so when more is held out, with the paper's choices and with ours?"""
    means = np.nanmean(results["perplexity"], axis=2)
    shares = ", ".join(f"{share:.0%}" for share in settings["shares"])
    findings = []
    for choice, still in ((PAPER, EXACT_PATHS), (OURS, OURS)):
        dynamic, static = MODELS.index(Model(choice, True)), MODELS.index(Model(still, False))
        gain = means[:, static] - means[:, dynamic]
        findings += [
            Finding(
                f"perplexity with {shares} of the words held out: {choice.title}",
                "lower with the years, at every share",
                f"{_row(results, dynamic)} with the years; {_row(results, static)} without",
                (gain > 0.0).all(),
                " ".join([*([LEGEND] if choice is PAPER else []), *([] if (gain > 0.0).all() else [WHY_NOT])]),
            ),
            Finding(
                f"what the years gain, {shares} held out: {choice.title}",
                "most at the largest share",
                ", ".join(f"{value:.1f}" for value in gain),
                gain[-1] == gain.max() and gain[-1] > 0.0,
                "" if gain[-1] == gain.max() and gain[-1] > 0.0 else "As above: only p = ½ makes it so.",
            ),
        ]
    return [*findings, _corrections(settings, means), _length(settings, results)]


def _row(results: Results, model: int) -> str:
    """Mean and standard deviation over the starts at each share."""
    values = results["perplexity"][:, model]
    return ", ".join(f"{row.mean():.0f} ± {row.std(ddof=1) if row.size > 1 else 0.0:.0f}" for row in values)


def _corrections(settings: Settings, means: Floats) -> Finding:
    """Perplexity of the dynamic model as one thing after another is corrected."""
    titles = [f"{model.choice.title}: {_numbers(means[:, m])}" for m, model in enumerate(MODELS) if model.dynamic]
    return Finding(
        "perplexity with the years as one thing after another is corrected",
        "not given",
        "; ".join(titles),
        None,
        "Only what the length of a document means matters here: with p = ½, φ must be as large as the number of words "
        "that a paper spends on a topic, and Z freezes. How paths are drawn matters for popularity, not for words; "
        f"the second and third are from {settings['num_starts_in_between']} start each.",
    )


def _length(settings: Settings, results: Results) -> Finding:
    """How far perplexity still falls as draws are added."""
    falls = np.nanmean(results["half_way"] - results["perplexity"], axis=(0, 2))
    dynamic = np.array([model.dynamic for model in MODELS])
    papers, words, last, last_words = (int(value) for value in results["sizes"])
    return Finding(
        "length of the chains",
        "not given for this figure; 2000 sweeps for figure 13",
        f"{settings['num_sweeps']} sweeps, {settings['num_warmup']} of them warm-up, {settings['num_topics']} topics",
        None,
        f"Short, to have {np.isfinite(results['perplexity']).sum()} chains on {papers} papers ({words} words, "
        f"{last_words} of them in the {last} papers of {settings['last_year']}) within two hours of one processor: the "
        f"second half of the draws still lowers perplexity by {_numbers(falls[dynamic])} with the years, from the "
        f"paper's sampler to ours, and by {_numbers(falls[~dynamic])} without.",
    )


def _numbers(values: Floats) -> str:
    return ", ".join(f"{value:.0f}" for value in values)


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Figure 15: means over the starts with one standard deviation, without and with our corrections."""
    pairs = ((PAPER, EXACT_PATHS, GREEN), (OURS, OURS, BLUE))
    shares = np.array(settings["shares"])
    with house_style():
        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        axes = figure.add_subplot()
        for choice, still, colour in pairs:
            for dynamic, line in ((True, "-"), (False, "--")):
                values = results["perplexity"][:, MODELS.index(Model(choice if dynamic else still, dynamic))]
                name = f"{'with' if dynamic else 'without'} the years, {'ours' if choice is OURS else 'p = ½'}"
                spread = values.std(axis=1, ddof=1) if values.shape[1] > 1 else None
                axes.errorbar(shares, values.mean(axis=1), spread, fmt=line, color=colour, capsize=3, label=name)
        axes.set_xticks(shares, [f"{share:.0%}" for share in shares])
        axes.set(xlabel=f"words of the papers of {settings['last_year']} held out", ylabel="perplexity")
        axes.legend()
    return {"figure-15": figure}


DEFAULT: Settings = {
    "shares": [0.5, 0.6, 0.7, 0.8],
    "num_starts": 5,
    "num_starts_in_between": 1,
    "last_year": 1999,
    "min_count": 250,
    "max_count": 5000,
    "num_topics": 32,  # the paper does not say; figure 13 has as many
    "alpha": 1.0,
    "beta": 1.0,
    "time_scale": 0.12,
    "topic_smoothing": 0.001,
    "num_sweeps": 120,
    "num_warmup": 60,
    "thin": 5,
}

EXPERIMENT = Experiment(
    name="nips-perplexity",
    paper="figure 15, section 6.3.2",
    title="Held-out words of the NIPS papers of 1999",
    settings=DEFAULT,
    quick={**DEFAULT, "shares": [0.8], "num_starts": 1, "last_year": 1990, "num_sweeps": 60, "num_warmup": 30},
    ours=("num_topics", "num_starts_in_between", "num_sweeps", "num_warmup", "thin"),
    run=run,
    judge=judge,
    draw=draw,
    version=2,
    needs_corpus=True,
    keeps_parts=True,
)
