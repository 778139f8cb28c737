"""The plot_* methods of a posterior, drawn by a layer that this one does not know.

A picture is a function of the package, wfibp.plot_popularity(posterior), and handier as a method of its first argument.
The package alone knows where each of its public names lives, and loads it when it is asked for; so no draw is read or
summarised by anything that needs the pictures, and matplotlib is loaded with the first of them.
"""

from __future__ import annotations

from importlib import import_module
from types import MethodType
from typing import Any

PACKAGE = __name__.partition(".")[0]


class PublicFunction:
    """A method that is the package's public function of the same name, with its signature and help."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        function = getattr(import_module(PACKAGE), self.name)
        return function if instance is None else MethodType(function, instance)


class Figures:
    """What can be drawn of a posterior; each returns matplotlib axes."""

    plot_popularity = PublicFunction()
    plot_lifelines = PublicFunction()
    plot_topics = PublicFunction()
    plot_allocations = PublicFunction()
    plot_prevalence = PublicFunction()
    plot_trace = PublicFunction()
