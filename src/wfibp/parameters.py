"""How does a sentence mention a parameter, so that another interface can call it by its own name?

The library says "min_count must be at least 1"; the command says the same of its option, "--min-count must be at least
1". So a sentence knows which of its words are names of parameters, and an error knows which parameter it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter


class Mention(str):
    """The name of a parameter, or a setting of it such as `day_first=True`, within a sentence."""

    __slots__ = ()


class Sentence(str):
    """A text that knows its mentions of parameters; as a text it has the names of the library."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Sentence:
        """One after another; the parts of sentences among them are taken over."""
        flat = tuple(piece for part in parts for piece in (part.parts if isinstance(part, Sentence) else (part,)))
        sentence = super().__new__(cls, "".join(flat))
        sentence.parts = flat
        return sentence

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.parts

    @property
    def mentions(self) -> list[str]:
        """The parameters that are mentioned, in order."""
        return [part.partition("=")[0] for part in self.parts if isinstance(part, Mention)]

    def with_names(self, names: Mapping[str, str]) -> str:
        """The sentence with other names for some of its parameters."""
        return "".join(names.get(part, part) if isinstance(part, Mention) else part for part in self.parts)


def phrase(template: str, *values: object) -> Sentence:
    """A sentence in which `{name}` mentions a parameter and `{}` takes the next value: "lower {min_count}, got {}"."""
    return Sentence(*_fill(template, iter(values)))


def _fill(template: str, values: Iterator[object]) -> Iterator[str]:
    for text, field, form, _ in Formatter().parse(template):
        yield text
        if field:
            yield Mention(field)
        elif field is not None:
            value = next(values)
            yield value if isinstance(value, str) and not form else format(value, form or "")


def sentence_of(error: BaseException) -> str:
    """What an error says, with its mentions of parameters if it knows them."""
    return error.sentence if isinstance(error, AboutParameter) else str(error)


class AboutParameter(Exception):  # noqa: N818 - what two kinds of errors share
    """An error that knows its `sentence` and the `parameter` it is about.

    Given the name of a parameter and what it must be, or a sentence that mentions the parameter.
    """

    def __init__(self, subject: str, rule: str = "") -> None:
        super().__init__(subject, rule)
        named = subject if isinstance(subject, Sentence) or not rule else Mention(subject)
        self.sentence = Sentence(named, " ", rule) if rule else Sentence(named)
        self.parameter = next(iter(self.sentence.mentions), None)

    def __str__(self) -> str:
        return str(self.sentence)


class ParameterError(AboutParameter, ValueError):
    """A parameter has a value that it cannot have."""


class ParameterTypeError(AboutParameter, TypeError):
    """A parameter is of a kind that it cannot be."""
