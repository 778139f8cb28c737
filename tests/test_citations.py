"""Does every section that the code cites stand in the specification, docs/model.md?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPECIFICATION = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
FOLDERS = ("src", "tests", "benchmarks", "verification")
NAMED = "docs/" + "model.md"  # in two parts, so that this line is no citation
CITATION = re.compile(NAMED + r", sections? (\d+(?:(?:, | and )\d+)*)(?:, steps? (\d+))?")
OLD_FORM = re.compile(r"\bmodel(?:'s)?:? sections? \d")


def cited(text: str) -> list[tuple[int, int | None]]:
    """The sections that a text cites, each with the step named after it."""
    return [
        (int(section), int(step) if step else None)
        for sections, step in CITATION.findall(text)
        for section in re.findall(r"\d+", sections)
    ]


def sections(specification: str) -> dict[int, str]:
    """The text of each numbered section."""
    parts = re.split(r"^## (\d+)\. ", specification, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def missing(text: str, specification: str) -> list[tuple[int, int | None]]:
    """The citations of a text that lead nowhere."""
    there = sections(specification)
    return [
        (section, step)
        for section, step in cited(text)
        if section not in there or (step and not re.search(rf"^{step}\. ", there[section], flags=re.MULTILINE))
    ]


def sources() -> dict[str, str]:
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


SOURCES = sources()
CITING = [name for name, text in SOURCES.items() if NAMED in text and name != "tests/test_citations.py"]


@pytest.mark.parametrize("name", CITING)
def test_every_cited_section_and_step_exists(name):
    assert cited(SOURCES[name]), f"{name} names the specification without a section that can be looked up"
    assert missing(SOURCES[name], SPECIFICATION) == []


def test_no_citation_has_another_form():
    assert [name for name, text in SOURCES.items() if OLD_FORM.search(text)] == []


def test_sections_have_numbers_that_increase():
    numbers = list(sections(SPECIFICATION))
    assert numbers == sorted(set(numbers))
    assert set(range(1, 8)) <= set(numbers)


def test_sections_that_the_specification_itself_names_exist():
    text = re.sub(r"(paper's|\bits) section", "", SPECIFICATION)
    named = {
        int(number)
        for group in re.findall(r"[Ss]ections? (\d+(?:(?:, | and | to )\d+)*)", text)
        for number in re.findall(r"\d+", group)
    }
    assert named <= set(sections(SPECIFICATION))


@pytest.mark.parametrize("wrong", ["section 10", "section 4, step 7", "sections 3 and 99"])
def test_a_wrong_number_is_noticed(wrong):
    assert missing(f"(see {NAMED}, {wrong})", SPECIFICATION) != []
