"""What a user says about the model and the run, and the model that makes of it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wfibp.parameters import ParameterError
from wfibp.printing import print_line

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

MODELS = ("topics", "features")
MODEL_PANEL, RUN_PANEL = "Model", "Run"
LAW_HELP = "a number, or a prior such as gamma(1,1)"
_BETA = re.compile(r"beta\(([^,()]+),([^,()]+)\)")
_LAW = re.compile(r"(gamma|lognormal|inversegamma)\(([^,()]+),([^,()]+)\)")


def _setting(name: str, help: str, default: str) -> typer.models.OptionInfo:
    return typer.Option(name, metavar="PRIOR", help=help, show_default=default, rich_help_panel=MODEL_PANEL)


def _count(name: str, help: str, default: str, panel: str = RUN_PANEL, least: int = 1) -> typer.models.OptionInfo:
    return typer.Option(name, min=least, help=help, show_default=default, rich_help_panel=panel)


@dataclass(frozen=True)
class ModelOptions:
    """The model; what is left out keeps the model's own default."""

    model: Annotated[
        str,
        typer.Option(help="topics (of texts) or features (of measurements).", rich_help_panel=MODEL_PANEL),
    ] = "topics"
    topics: Annotated[
        int | None,
        _count("--topics", "A fixed number of topics or features.", "inferred from the data", MODEL_PANEL),
    ] = None
    alpha: Annotated[
        str | None,
        _setting("--alpha", f"Mass α: {LAW_HELP}. A document has α/β topics.", "inferred (features: 1)"),
    ] = None
    beta: Annotated[str | None, _setting("--beta", f"Concentration β: {LAW_HELP}.", "1")] = None
    time_scale: Annotated[
        str | None,
        _setting(
            "--time-scale",
            f"How fast popularity moves, per unit of time: {LAW_HELP}. It changes over about 1/TIME-SCALE units.",
            "inferred (features: 1)",
        ),
    ] = None
    smoothing: Annotated[
        str | None, _setting("--smoothing", f"Topics: how even the words of a topic are, η: {LAW_HELP}.", "0.1")
    ] = None
    document_probability: Annotated[
        str | None,
        _setting(
            "--document-probability",
            "Topics: p, which sets the length of documents: a number in (0, 1) (the paper: 0.5), or beta(1,1).",
            "one each",
        ),
    ] = None
    odds: Annotated[str | None, typer.Option("--odds", hidden=True)] = None  # its name before
    shape: Annotated[
        str | None,
        _setting(
            "--shape",
            "Topics: how much a document says about a topic it has, γ: a number, or a prior such as gamma(5,1). A "
            "larger value gives fewer topics per document.",
            "5",
        ),
    ] = None
    initial_topics: Annotated[
        int | None,
        _count("--initial-topics", "Topics: number of topics at the start.", "by the size of the corpus", MODEL_PANEL),
    ] = None
    noise_scale: Annotated[
        str | None, _setting("--noise-scale", f"Features: standard deviation of the noise: {LAW_HELP}.", "0.5")
    ] = None


@dataclass(frozen=True)
class RunOptions:
    """The length of the run, its seed and where it goes."""

    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="RUN",
            help="A new folder for everything the run makes.",
            show_default="DATA-run",
            rich_help_panel=RUN_PANEL,
        ),
    ] = None
    draws: Annotated[int | None, _count("--draws", "Draws kept per chain.", "200 (features: 1000)")] = None
    warmup: Annotated[int | None, _count("--warmup", "Sweeps before the first draw.", "500", least=0)] = None
    chains: Annotated[int | None, _count("--chains", "Independent chains, each from its own starting point.", "2")] = (
        None
    )
    thin: Annotated[int | None, _count("--thin", "Sweeps per draw kept.", "5 (features: 1)")] = None
    workers: Annotated[
        int | None, _count("--workers", "Processes that run chains at the same time.", "one per core")
    ] = None
    threads: Annotated[
        int | None, _count("--threads", "Topics: threads per chain, for more cores than chains.", "none")
    ] = None
    seed: Annotated[int | None, _count("--seed", "The same seed gives the same numbers.", "a new one", least=0)] = None

    def folder(self, data: Path) -> Path:
        """The folder asked for, or one named after the data."""
        if self.output is not None:
            return self.output
        return Path(f"{data.resolve().name.split('.')[0] or 'wfibp'}-run")


def build_model(options: ModelOptions, run: RunOptions) -> DynamicModel:
    """The model with the settings given; its own defaults for the rest."""
    from wfibp import DynamicFeatureModel, DynamicTopicModel

    if options.model not in MODELS:
        raise ValueError(f"--model must be topics or features, got {options.model!r}")
    options = with_present_name(options)
    is_topics = options.model == "topics"
    _refuse_other(options, run, is_topics=is_topics)
    settings: dict[str, Any] = {
        "num_topics" if is_topics else "num_features": options.topics,
        "alpha": read_distribution("--alpha", options.alpha),
        "beta": read_distribution("--beta", options.beta),
        "time_scale": read_distribution("--time-scale", options.time_scale),
        "noise_scale": read_distribution("--noise-scale", options.noise_scale),
        **_topic_settings(options, run),
        "num_draws": run.draws,
        "num_warmup": run.warmup,
        "num_chains": run.chains,
        "thin": run.thin,
        "seed": run.seed,
        "num_workers": run.workers,
    }
    given = {name: value for name, value in settings.items() if value is not None}
    return DynamicTopicModel(**given) if is_topics else DynamicFeatureModel(**given)


def _topic_settings(options: ModelOptions, run: RunOptions) -> dict[str, Any]:
    return {
        "topic_smoothing": read_distribution("--smoothing", options.smoothing),
        "document_probability": read_probability(options.document_probability),
        "proportion_shape": read_distribution("--shape", options.shape),
        "initial_topics": options.initial_topics,
        "word_sampler": None if run.threads is None else "threaded",
        "num_threads": run.threads,
    }


def read_distribution(name: str, text: str | None) -> Any:
    """A number, or a prior from its name and two numbers."""
    if text is None:
        return None
    from wfibp import Gamma, InverseGamma, LogNormal

    distributions = {"gamma": Gamma, "lognormal": LogNormal, "inversegamma": InverseGamma}
    found = _LAW.fullmatch(text.replace(" ", "").lower())
    try:
        return distributions[found[1]](float(found[2]), float(found[3])) if found else float(text)
    except ValueError as error:
        remedy = f"; {error}" if found else ""
        raise ValueError(
            f"{name} must be a number, or a prior: gamma(shape,rate), lognormal(mean,sd of the logarithm) or "
            f"inversegamma(shape,scale), got {text!r}{remedy}"
        ) from None


def with_present_name(options: ModelOptions) -> ModelOptions:
    """An option that was given by its old name under its new one, and a word about it."""
    if options.odds is None:
        return options
    if options.document_probability is not None:
        raise ValueError("--odds is the old name of --document-probability; leave one of them out")
    print_line("wfibp: note: --odds is now called --document-probability; the old name will go", file=sys.stderr)
    return replace(options, document_probability=options.odds, odds=None)


def read_probability(text: str | None) -> float | tuple[float, float] | None:
    """A number, or the two of a beta prior."""
    found = None if text is None else _BETA.fullmatch(text.replace(" ", "").lower())
    try:
        return (float(found[1]), float(found[2])) if found else None if text is None else float(text)
    except ValueError:
        rule = f"must be a number between 0 and 1, or beta(a,b), got {text!r}"
        raise ParameterError("document_probability", rule) from None


def _refuse_other(options: ModelOptions, run: RunOptions, *, is_topics: bool) -> None:
    """Settings of the other model are a mistake that is worth a word."""
    of_topics = {
        "--smoothing": options.smoothing,
        "--document-probability": options.document_probability,
        "--shape": options.shape,
        "--initial-topics": options.initial_topics,
        "--threads": run.threads,
    }
    for name, value in ({"--noise-scale": options.noise_scale} if is_topics else of_topics).items():
        if value is not None:
            raise ValueError(f"{name} goes with --model {'features' if is_topics else 'topics'}; leave it out")
