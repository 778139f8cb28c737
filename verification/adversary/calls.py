"""What do wrong arguments do? Random ones for every public callable, found by looking through the package.

A call may return, or raise an error of ours that says what was wanted. Anything else is a finding: another library's
error, a crash, or no answer in time.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import os
import re
import reprlib
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import wfibp
from verification.adversary.arguments import good_values, hostile_values
from verification.adversary.bounded import try_all
from verification.adversary.examples import QUICK, Examples
from verification.adversary.trial import Trial
from wfibp.posterior.errors import RunError

CAMPAIGN = "calls"
SECONDS = 20.0  # of processor time; nearly all calls take less than one
OURS = (ValueError, TypeError, FloatingPointError, RunError)  # what an argument may raise, by a `raise` of our own
FILES = (OSError,)  # about a path that was given; the system's own sentence names it
OPTIONS = ("min_count", "stop_words", "ngram_range", "token_pattern", "max_share", "lowercase", "other")  # of words
CHECKED = ("Dataset", "State", "Chain", "RunFolder", "Floats", "Integers", "Booleans", "Counts")
SOURCE = str(Path(wfibp.__file__).parent)


class Target(NamedTuple):
    """A public callable: a function or a constructor (owner None), or a method of a class."""

    name: str
    owner: type | None
    attribute: str


def find_targets() -> list[Target]:
    """All of them, save those that the library itself calls with what it has checked."""
    targets = []
    for name in wfibp.__all__:
        public = getattr(wfibp, name)
        targets.append((Target(name, None, name), public))
        if inspect.isclass(public):
            targets += [
                (Target(f"{name}.{attribute}", public, attribute), getattr(public, attribute))
                for attribute in dir(public)
                if not attribute.startswith("_") and _is_of_package(getattr(public, attribute))
            ]
    return [target for target, function in targets if not _takes_checked(function)]


def _is_of_package(member: Any) -> bool:
    return callable(member) and str(getattr(member, "__module__", "")).startswith("wfibp")


def _takes_checked(function: Callable[..., Any]) -> bool:
    """A step of the sampler or a result's constructor, public for those who extend it."""
    given = " ".join(str(parameter.annotation) for parameter in inspect.signature(function).parameters.values())
    return bool(set(re.findall(r"\w+", given)) & set(CHECKED))


class Call(NamedTuple):
    """One call: of what, and with which arguments."""

    target: Target
    function: Callable[..., Any]
    positional: list[Any]
    named: dict[str, Any]

    def __str__(self) -> str:
        given = [*map(_show, self.positional), *(f"{name}={_show(value)}" for name, value in self.named.items())]
        return f"{self.target.name}({', '.join(given)})"


def _show(value: Any) -> str:
    try:
        return reprlib.repr(value).encode("unicode_escape").decode()[:60]
    except Exception:
        return type(value).__name__


class Calls:
    """Random calls, the i-th always the same for a seed."""

    def __init__(self, examples: Examples, seed: int) -> None:
        self.examples, self.seed, self.targets = examples, seed, find_targets()

    def draw(self, i: int) -> Call:
        """One argument hostile, sometimes none or more; the others good, or left out."""
        rng = np.random.default_rng([self.seed, i])
        target = self.targets[rng.integers(len(self.targets))]
        owner = None if target.owner is None else _pick(self.examples.of(target.owner), rng)
        function = getattr(wfibp, target.name) if owner is None else getattr(owner, target.attribute)
        parameters = inspect.signature(function).parameters.values()
        share = _pick([0.0, 1.0 / max(len(parameters), 1), 1.0 / max(len(parameters), 1), 0.5], rng)
        values = hostile_values(self.examples), {**good_values(self.examples), **_data_of(self.examples, owner)}
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in parameters:
            drawn = _draw_values(parameter, share, values, rng)
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY) or _is_needed(parameter):
                positional += drawn.values()
            else:
                named |= drawn
        return Call(target, function, positional, named)


def _draw_values(
    parameter: inspect.Parameter, share: float, values: tuple[list[Any], dict[str, list[Any]]], rng: np.random.Generator
) -> dict[str, Any]:
    """By name, what is given for a parameter: nothing, one value or, where any number may be given, several."""
    (hostile, good), name = values, parameter.name
    if parameter.kind is parameter.VAR_POSITIONAL:
        return {str(j): _pick(hostile, rng) for j in range(rng.integers(3))}
    if parameter.kind is parameter.VAR_KEYWORD:
        return {_pick(list(OPTIONS), rng): _pick(hostile, rng)} if rng.random() < share else {}
    if rng.random() < share or (_is_needed(parameter) and name not in good):
        return {name: _pick(hostile, rng)}
    if _is_needed(parameter) or (name in good and (name in QUICK or rng.random() < 0.3)):
        return {name: _pick(good[name], rng)}
    return {}


def _is_needed(parameter: inspect.Parameter) -> bool:
    may_be_many = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not may_be_many


def _data_of(examples: Examples, model: Any) -> dict[str, list[Any]]:
    """What a model can be fitted to; nothing for anything else."""
    if isinstance(model, wfibp.DynamicTopicModel):
        return {"data": [examples.texts, examples.corpus.counts], "times": [examples.years]}
    if isinstance(model, wfibp.DynamicFeatureModel):
        return {"data": [examples.data], "times": [examples.times]}
    return {}


def _pick(values: list[Any], rng: np.random.Generator) -> Any:
    return values[rng.integers(len(values))]


def make_call(call: Call, examples: Examples) -> None:
    """Do it, and what comes of it: a few items of an iterator, the fit of a model that took its settings unread."""
    result = call.function(*call.positional, **call.named)
    if isinstance(result, Iterator):
        result = list(itertools.islice(result, 2))
    if inspect.isclass(call.function) and hasattr(result, "fit"):
        good = _data_of(examples, result)
        result.fit(good["data"][0], good["times"][0])
    repr(result)


def judge(error: Exception) -> tuple[str | None, str]:
    """Whether this error is a finding, and its last line with the place that it came from."""
    trace, line, last = error.__traceback__, "", ""
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        if last.startswith(SOURCE):
            line = f"{Path(last).relative_to(SOURCE)}:{trace.tb_lineno}"
            source = linecache.getline(last, trace.tb_lineno).strip()
        trace = trace.tb_next
    detail = f"{type(error).__name__}: {str(error)[:200]} ({line})"
    if isinstance(error, FILES):
        return None, detail
    if not isinstance(error, OURS):
        return "traceback", detail
    said_by_us = last.startswith(SOURCE) and source.startswith("raise")
    asked_before = type(error).__name__ == "NotFittedError"
    return (None if said_by_us or asked_before else "unclear message"), detail


def run(num_trials: int, seed: int) -> Iterator[Trial]:
    """This many calls, each within SECONDS."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calls = Calls(Examples(Path(folder)), seed)

        def attempt(i: int) -> Trial:
            os.chdir(folder)
            call = calls.draw(i)
            try:
                make_call(call, calls.examples)
            except Exception as error:
                finding, detail = judge(error)
                return Trial(CAMPAIGN, f"{i} {call}", finding, detail)  # type: ignore[arg-type]
            return Trial(CAMPAIGN, f"{i} {call}")

        yield from try_all(attempt, [f"{i} {calls.draw(i)}" for i in range(num_trials)], CAMPAIGN, SECONDS)
