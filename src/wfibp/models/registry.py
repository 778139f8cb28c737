"""Which model class a stored run belongs to, by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from wfibp.posterior.errors import RunError

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

_HOMES = {"DynamicFeatureModel": "wfibp.models.features"}
_ADDED: dict[str, type[DynamicModel]] = {}
_Model = TypeVar("_Model", bound="type[DynamicModel]")


def register_model(model_class: _Model) -> _Model:
    """Make the runs of your own model class known to this process, so that they can be resumed; also a decorator."""
    _ADDED[model_class.__name__] = model_class
    return model_class


def model_class(name: str) -> type[DynamicModel]:
    """The class of this name."""
    if name in _ADDED:
        return _ADDED[name]
    if name not in _HOMES:
        raise RunError(f"the run was made by the model class {name}, which is not known here; register_model it first")
    found: type[DynamicModel] = getattr(import_module(_HOMES[name]), name)
    return found


def is_built_in(model: DynamicModel) -> bool:
    """Whether another process can find the class of this model by its name alone."""
    return _HOMES.get(type(model).__name__) == type(model).__module__
