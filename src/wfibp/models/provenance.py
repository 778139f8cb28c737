"""What was run, as plain JSON: enough to run it again to the last bit, given the data."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from platform import python_version
from typing import TYPE_CHECKING, Any

import numpy as np

from wfibp import checks
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal
from wfibp.models.registry import model_class
from wfibp.models.renamed import current_names
from wfibp.parameters import ParameterError
from wfibp.posterior.errors import DamagedRunError

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

PRIORS = {prior.__name__: prior for prior in (Gamma, InverseGamma, LogNormal)}
NOT_OF_THE_RUN = ("output", "num_workers", "seed")  # where and by how many; the seed is noted as its entropy
PACKAGES = ("wfibp", "numpy", "scipy", "numba")


def describe_run(model: DynamicModel, likelihood: Likelihood[Any]) -> dict[str, Any]:
    """Model, settings, seed and versions, and by what features are matched; a seed of None becomes fresh entropy."""
    settings = {name: value for name, value in model.get_params(deep=False).items() if name not in NOT_OF_THE_RUN}
    return {
        "model": type(model).__name__,
        "settings": {name: encode_setting(name, value) for name, value in settings.items()},
        "num_draws": int(model.num_draws),
        "entropy": str(resolve_seed(model.seed)),  # as text: it may be longer than other readers' numbers
        "matched_by": likelihood.matched_by,
        "matched_up_to_scale": likelihood.matched_up_to_scale,
        "versions": current_versions(),
    }


def rebuild_model(provenance: dict[str, Any]) -> DynamicModel:
    """The model that was run."""
    settings = {name: decode_setting(value) for name, value in provenance["settings"].items()}
    try:
        return model_class(provenance["model"])(**current_names(settings))
    except (TypeError, ValueError) as error:
        raise DamagedRunError(f"the settings of the run do not fit {provenance['model']}: {error}") from None


def resolve_seed(seed: Any) -> int:
    """The seed as a whole number, fresh entropy if there is none."""
    if seed is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(
            "seed", f"must be a whole number of at least 0, or None for a new one, got {checks.shown(seed)}"
        )
    return int(seed)


def encode_setting(name: str, value: Any) -> Any:
    """A setting as JSON has it."""
    if type(value) in PRIORS.values():
        return {"prior": type(value).__name__, **asdict(value)}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [encode_setting(name, item) for item in value]
    if isinstance(value, bool | int | float | str | None):
        return value
    raise ParameterError(
        name, f"must be a number, a text, None or one of the priors {', '.join(PRIORS)}, got {checks.shown(value)}"
    )


def decode_setting(value: Any) -> Any:
    """A setting from JSON."""
    if isinstance(value, dict):
        distributions = dict(value)
        return PRIORS[distributions.pop("prior")](**distributions)
    return [decode_setting(item) for item in value] if isinstance(value, list) else value


def current_versions() -> dict[str, str]:
    """Of everything that the bits of a run may depend on."""
    return {"python": python_version(), **{name: version(name) for name in PACKAGES}}


def changed_versions(provenance: dict[str, Any]) -> str:
    """What differs between the versions of the run and those here, as text; empty if nothing does."""
    then, now = provenance["versions"], current_versions()
    return ", ".join(f"{name} {then.get(name)} -> {now[name]}" for name in now if then.get(name) != now[name])
