"""The kernels of the topic topic_likelihood run as plain Python, any of their names meaning something else.

A compiled kernel has the kernels it calls built in; as plain Python it looks them up by name when it is called.
"""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

import pytest

from wfibp.likelihoods.topics import (
    births,
    count_cache,
    document_probability,
    document_sweep,
    document_topic_counts,
    proportions,
    simulation,
    topic_likelihood,
    topic_smoothing,
    word_sampler,
)
from wfibp.likelihoods.topics.rearranging import block_move, open_close, single_document_topics

# Each calls only those before it.
MODULES = (
    word_sampler,
    document_topic_counts,
    births,
    open_close,
    block_move,
    document_sweep,
    proportions,
    topic_smoothing,
    simulation,
    single_document_topics,
)
CALLERS = (topic_likelihood, count_cache, document_probability, single_document_topics)  # call kernels from outside

Names = dict[str, Any]  # functions, or constants, by the names under which kernels know them


def use_plain_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every topic topic_likelihood call plain Python in place of compiled kernels."""
    for name, kernel in plain_kernels({}).items():
        _set(monkeypatch, name, kernel)


def plant(monkeypatch: pytest.MonkeyPatch, replaced: Names) -> None:
    """Have every topic topic_likelihood call these in place of what has their names, wherever it is called."""
    for name, kernel in (plain_kernels(replaced) | replaced).items():
        if name in _affected(set(replaced)):
            _set(monkeypatch, name, kernel)


def plain_kernels(replaced: Names) -> Names:
    """Every kernel by its name, in plain Python, with those named replaced wherever they are called."""
    unknown = [name for name in replaced if not any(hasattr(module, name) for module in MODULES)]
    assert not unknown, f"no kernel knows {unknown}"
    plain: Names = {}
    for module in MODULES:
        namespace = dict(vars(module))
        for name, kernel in _kernels_of(module).items():
            plain[name] = namespace[name] = FunctionType(kernel.py_func.__code__, namespace, name)
        namespace |= {name: item for name, item in (plain | replaced).items() if name in namespace}
    return plain


def _kernels_of(module: ModuleType) -> Names:
    """The kernels defined there."""
    kernels = {name: item for name, item in vars(module).items() if hasattr(item, "py_func")}
    return {name: kernel for name, kernel in kernels.items() if kernel.py_func.__module__ == module.__name__}


def _affected(names: set[str]) -> set[str]:
    """These names and those of all kernels that call them, directly or not."""
    callers = {
        name
        for module in MODULES
        for name, kernel in _kernels_of(module).items()
        if names.intersection(kernel.py_func.__code__.co_names)
    }
    return names if callers <= names else _affected(names | callers)


def _set(monkeypatch: pytest.MonkeyPatch, name: str, kernel: Any) -> None:
    for module in CALLERS:
        if hasattr(module, name):
            monkeypatch.setattr(module, name, kernel)
