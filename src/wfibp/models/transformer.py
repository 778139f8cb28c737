"""How is a model a transformer of scikit-learn? Named columns, `set_output`, and arguments by position or by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

WRAPPED = ("transform", "fit_transform")  # by scikit-learn, for `set_output`


class FeatureTransformer(TransformerMixin):
    """A transformer whose columns are the listed features of a posterior."""

    feature_noun: ClassVar[str] = "feature"  # what the name of a column begins with
    posterior_: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in set(WRAPPED) & set(vars(cls)):
            setattr(cls, name, with_keywords(vars(cls)[name]))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of `transform`: topic0, topic1 and so on, or feature0, feature1.

        Parameters
        ----------
        input_features : Any, default=None
            Ignored; scikit-learn gives it.

        Returns
        -------
        ndarray of object, shape (F,)
            The names.
        """
        check_is_fitted(self, "posterior_")
        return np.array([f"{self.feature_noun}{f}" for f in range(len(self.posterior_.matching))], dtype=object)


def with_keywords(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method with its first argument by position or by name; scikit-learn's wrapper takes it by position only."""
    signature = inspect.signature(method)

    @wraps(method)
    def called(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        return method(*given.args, **given.kwargs)

    return called
