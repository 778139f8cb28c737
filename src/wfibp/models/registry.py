"""Which model class a stored run belongs to, by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from wfibp.posterior.errors import RunError

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

HOME = "wfibp.models"
_ADDED: dict[str, type[DynamicModel]] = {}
_Model = TypeVar("_Model", bound="type[DynamicModel]")


def register_model(model_class: _Model) -> _Model:
    """Make runs of your own model class known to this process, so that they can be resumed; also a decorator.

    Parameters
    ----------
    model_class : type
        A subclass of a model.

    Returns
    -------
    type
        The class itself.
    """
    _ADDED[model_class.__name__] = model_class
    return model_class


def model_class(name: str) -> type[DynamicModel]:
    """The class of this name: one of the package's own, or registered."""
    found: type[DynamicModel] | None = _ADDED.get(name) or _built_in(name)
    if found is None:
        raise RunError(f"the run was made by the model class {name}, which is not known here; register_model it first")
    return found


def is_built_in(model: DynamicModel) -> bool:
    """Whether another process can find the class of this model by its name alone."""
    return _built_in(type(model).__name__) is type(model)


def _built_in(name: str) -> type[DynamicModel] | None:
    home = import_module(HOME)
    return getattr(home, name) if name in home.__all__ else None
