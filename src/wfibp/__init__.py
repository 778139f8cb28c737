"""What can be imported from wfibp, each name loaded when first used so that start-up stays quick."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wfibp.corpus import Corpus
    from wfibp.diffusion import SelectionPosterior, WrightFisher, WrightFisherChain, infer_selection
    from wfibp.field import (
        Allocations,
        PoissonRandomField,
        TruncatedField,
        draw_indian_buffet,
        relabel_births_and_deaths,
    )
    from wfibp.inference.priors import Gamma, InverseGamma, LogNormal
    from wfibp.models import DynamicFeatureModel, DynamicTopicModel
    from wfibp.models.geweke import geweke
    from wfibp.models.running import resume
    from wfibp.posterior import Posterior
    from wfibp.posterior.perplexity import perplexity
    from wfibp.report.figures import (
        plot_allocations,
        plot_lifelines,
        plot_popularity,
        plot_prevalence,
        plot_topics,
        plot_trace,
    )

_HOMES = {
    "Corpus": "wfibp.corpus",
    "SelectionPosterior": "wfibp.diffusion",
    "WrightFisher": "wfibp.diffusion",
    "WrightFisherChain": "wfibp.diffusion",
    "infer_selection": "wfibp.diffusion",
    "Allocations": "wfibp.field",
    "PoissonRandomField": "wfibp.field",
    "TruncatedField": "wfibp.field",
    "draw_indian_buffet": "wfibp.field",
    "relabel_births_and_deaths": "wfibp.field",
    "Gamma": "wfibp.inference.priors",
    "InverseGamma": "wfibp.inference.priors",
    "LogNormal": "wfibp.inference.priors",
    "DynamicFeatureModel": "wfibp.models",
    "DynamicTopicModel": "wfibp.models",
    "Posterior": "wfibp.posterior",
    "geweke": "wfibp.models.geweke",
    "plot_allocations": "wfibp.report.figures",
    "plot_lifelines": "wfibp.report.figures",
    "plot_popularity": "wfibp.report.figures",
    "plot_prevalence": "wfibp.report.figures",
    "plot_topics": "wfibp.report.figures",
    "plot_trace": "wfibp.report.figures",
    "perplexity": "wfibp.posterior.perplexity",
    "resume": "wfibp.models.running",
}

__all__ = [
    "Allocations",
    "Corpus",
    "DynamicFeatureModel",
    "DynamicTopicModel",
    "Gamma",
    "InverseGamma",
    "LogNormal",
    "PoissonRandomField",
    "Posterior",
    "SelectionPosterior",
    "TruncatedField",
    "WrightFisher",
    "WrightFisherChain",
    "draw_indian_buffet",
    "geweke",
    "infer_selection",
    "perplexity",
    "plot_allocations",
    "plot_lifelines",
    "plot_popularity",
    "plot_prevalence",
    "plot_topics",
    "plot_trace",
    "relabel_births_and_deaths",
    "resume",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("wfibp")
    if name not in _HOMES:
        raise AttributeError(f"module 'wfibp' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
