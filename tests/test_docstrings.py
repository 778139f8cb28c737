"""Is everything public documented as numpydoc asks: each parameter with its type and default, and examples that run?"""

from __future__ import annotations

import doctest
import inspect
import logging
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import griffe
import matplotlib
import pytest

import wfibp

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXPORTS = [f"wfibp.{name}" for name in wfibp.__all__]
PUBLIC = list(dict.fromkeys([*EXPORTS, *re.findall(r"^::: (\S+)", REFERENCE, re.MULTILINE)]))
PLAIN = (bool, int, float, str, tuple, type(None))  # defaults that are written in a docstring as in the code
UNDOCUMENTED = ("self", "cls", "renamed")  # the last: names that parameters once had, taken with a warning
logging.getLogger("griffe").setLevel(logging.CRITICAL)  # what it would warn of is tested here


def find(name: str) -> Any:
    """The object of a public name."""
    home, _, last = name.rpartition(".")
    return getattr(import_module(home), last)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class that the package has written, inherited ones among them."""
    for name in dir(kind):
        value = inspect.getattr_static(kind, name)
        if isinstance(value, property | cached_property):
            value = value.fget if isinstance(value, property) else value.func
            name = f"{name} (property)"
        else:
            value = inspect.unwrap(getattr(kind, name))
        is_own = callable(value) and str(getattr(value, "__module__", "")).startswith("wfibp")
        if is_own and not name.startswith("_") and not inspect.isclass(value):
            yield name, value


def documented() -> dict[str, Any]:
    """Every public function, class, method and property, by name."""
    found = {}
    for name in PUBLIC:
        found[name] = value = find(name)
        if inspect.isclass(value):
            found.update({f"{name}.{member}": method for member, method in members(value)})
    return found


DOCUMENTED = documented()
CALLABLES = {name: value for name, value in DOCUMENTED.items() if not name.endswith("(property)")}


def sections(value: Any) -> dict[str, Any]:
    """Of its docstring, by kind; the griffe parser is the one that makes the pages of the documentation."""
    docstring = griffe.Docstring(inspect.cleandoc(value.__doc__ or ""))
    parsed = docstring.parse("numpy", warnings=False)
    return {section.kind.value: section.value for section in parsed}


def parameters_of(value: Any) -> dict[str, inspect.Parameter]:
    """Those a caller gives, by name; those of a protocol or an abstract class are none."""
    if inspect.isclass(value) and (inspect.isabstract(value) or getattr(value, "_is_protocol", False)):
        return {}
    parameters = inspect.signature(value).parameters
    return {name: parameter for name, parameter in parameters.items() if name not in UNDOCUMENTED}


def is_default_said(said: str | None, default: Any, module: str) -> bool:
    """As it is in the code, or by the name of a constant; a prior, say, as one would write it."""
    if said is None or default is inspect.Parameter.empty:
        return said is None and default is inspect.Parameter.empty
    constant = vars(sys.modules[module]).get(said, inspect.Parameter.empty)
    return not isinstance(default, PLAIN) or said.replace('"', "'") == repr(default) or constant == default


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_public_has_a_summary_of_one_line(name):
    lines = inspect.cleandoc(DOCUMENTED[name].__doc__ or "").splitlines()
    assert lines, f"{name} has no docstring"
    assert lines[0].endswith("."), f"{name} needs a summary that is a sentence"
    assert len(lines) == 1 or not lines[1], f"the summary of {name} must be one line"


@pytest.mark.parametrize("name", CALLABLES)
def test_every_parameter_has_its_type_its_default_and_a_description(name):
    wanted, found = parameters_of(CALLABLES[name]), sections(CALLABLES[name])
    said = {entry.name.lstrip("*"): entry for entry in found.get("parameters", [])}
    attributes = {entry.name: entry for entry in found.get("attributes", [])}
    said |= {key: entry for key, entry in attributes.items() if key in wanted}  # the fields of a dataclass
    assert list(said) == list(wanted), f"{name} documents {list(said)} and takes {list(wanted)}"
    for key, entry in said.items():
        assert entry.annotation, f"{name}: {key} has no type"
        assert entry.description, f"{name}: {key} has no description"
        if key not in attributes:
            default = wanted[key].default
            is_said = is_default_said(entry.value, default, CALLABLES[name].__module__)
            assert is_said, f"{name}: {key} says {entry.value}, it is {default!r}"


@pytest.mark.parametrize("name", [name for name, value in CALLABLES.items() if not inspect.isclass(value)])
def test_every_function_says_what_it_returns(name):
    returned = inspect.signature(CALLABLES[name]).return_annotation
    found = sections(CALLABLES[name])
    if returned not in (None, "None"):
        assert {"returns", "yields"} & set(found), f"{name} returns {returned} and does not say what that is"


@pytest.mark.parametrize("name", EXPORTS)
def test_everything_exported_has_an_example(name):
    assert ">>> " in (find(name).__doc__ or "")


@pytest.mark.parametrize("name", [name for name, value in DOCUMENTED.items() if ">>> " in (value.__doc__ or "")])
def test_the_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    examples = doctest.DocTestParser().get_doctest(inspect.cleandoc(DOCUMENTED[name].__doc__), {}, name, None, 0)
    printed: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(examples, out=printed.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(printed)


def undocumented(kept: float, current: int = 3) -> float:
    """Do something.

    Parameters
    ----------
    kept : float
        A number.
    former : int, default=2
        A name that it once had.

    Returns
    -------
    float
        Another.
    """
    return kept * current


def test_a_renamed_parameter_and_a_wrong_default_are_noticed(monkeypatch):
    monkeypatch.setitem(CALLABLES, "undocumented", undocumented)
    with pytest.raises(AssertionError, match="documents"):
        test_every_parameter_has_its_type_its_default_and_a_description("undocumented")
    monkeypatch.setattr(undocumented, "__doc__", undocumented.__doc__.replace("former", "current"))
    with pytest.raises(AssertionError, match="says 2, it is 3"):
        test_every_parameter_has_its_type_its_default_and_a_description("undocumented")
