"""Sentences and errors know the parameters they mention, whatever else is in them."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from pathlib import Path

import pytest

import wfibp
from wfibp import checks
from wfibp.parameters import ParameterError, ParameterTypeError, Sentence, phrase, sentence_of

SOURCE = Path(wfibp.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def test_a_parameter_can_be_called_by_another_name_and_nothing_else_is_touched():
    sentence = phrase("{alpha} must be {:.1f}, got {}; {time=…} helps", 2.0, "'alpha {time=…}'")
    assert sentence == "alpha must be 2.0, got 'alpha {time=…}'; time=… helps"
    names = {"alpha": "--alpha", "time=…": "--time"}
    assert sentence.with_names(names) == "--alpha must be 2.0, got 'alpha {time=…}'; --time helps"
    assert sentence.mentions == ["alpha", "time"]


def test_sentences_within_sentences_keep_their_mentions():
    inner = phrase("lower {min_count}")
    assert phrase("{}; or {}", "a", inner).with_names({"min_count": "--min-count"}) == "a; or lower --min-count"
    assert Sentence("a: ", inner).mentions == ["min_count"]


def test_copies_of_sentences_and_errors_still_know_their_parameters():
    error = ParameterError("alpha", "must be {odd}, got 3")
    for other in (copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert str(other) == "alpha must be {odd}, got 3"
        assert other.parameter == "alpha"
        assert other.sentence.with_names({"alpha": "--alpha"}) == "--alpha must be {odd}, got 3"


def test_a_check_names_its_parameter_and_is_the_usual_kind_of_error():
    with pytest.raises(ValueError, match=r"^level must be at least 1, got 0$") as wrong:
        checks.whole_number("level", 0, at_least=1)
    assert wrong.value.parameter == "level"
    with pytest.raises(TypeError, match=r"^rng must be a numpy Generator") as of_kind:
        checks.generator("dice")
    assert isinstance(of_kind.value, ParameterTypeError)
    assert of_kind.value.parameter == "rng"


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"alpha": -1.0}, "alpha"),
        ({"beta": wfibp.LogNormal(500.0)}, "beta"),
        ({"num_draws": 0}, "num_draws"),
        ({"time_scale": 1e9}, "time_scale"),
        ({"noise_scale": wfibp.Gamma(1)}, "noise_scale"),
        ({"seed": -1}, "seed"),
        ({"num_particles": 3}, "num_particles"),
        ({"output": 3.5}, "output"),
    ],
)
def test_a_model_says_which_of_its_parameters_is_wrong(settings, parameter):
    model = wfibp.DynamicFeatureModel(**settings)
    with pytest.raises((ValueError, TypeError)) as wrong:
        model.fit([[1.0, 2.0], [3.0, 1.0]], [0.0, 1.0])
    assert wrong.value.parameter == parameter


def test_an_error_that_knows_no_parameter_says_what_it_says():
    assert sentence_of(ValueError("so it is")) == "so it is"
    assert ParameterError("so it is").parameter is None


def library_files() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if "cli" not in path.relative_to(SOURCE).parts]


@pytest.mark.parametrize("path", library_files(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_sentence_of_the_library_speaks_of_options_of_the_command(path):
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_function(node)]
    docstrings = {ast.get_docstring(function, clean=False) for function in functions}
    texts = {node.value for function in functions for node in ast.walk(function) if isinstance(node, ast.Constant)}
    assert [text for text in texts - docstrings if isinstance(text, str) and OPTION.search(text)] == []


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef)
