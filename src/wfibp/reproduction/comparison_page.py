"""The page that lays what came out beside the paper: a section for each experiment that is kept, with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from wfibp.files import check_writable, replace_file
from wfibp.parameters import ParameterError
from wfibp.reproduction.catalogue import NAMES, load
from wfibp.reproduction.experiment import Experiment, Finding
from wfibp.reproduction.result_store import Kept, Request, ResultStore, draw_pictures, picture_folder

MARK = "<!-- Written by `wfibp reproduce`; changes made here are lost when it is written again. -->"
NUM_COLOURS = 256
PICTURES = Path("pictures") / "reproduction"
VERDICTS = {True: "yes", False: "**no**", None: "–"}
INTRODUCTION = """\
# Reproducing the paper

Every experiment of *Poisson Random Fields for Dynamic Feature Models* (Perrone, Jenkins, Spanò, Teh), with the paper's
settings. Each section says what the paper shows, what comes out here, whether it holds and, where the two differ, why.
The paper gives no seeds and only some of its numbers; its simulated data are therefore drawn again.

```sh
wfibp reproduce field --quick        # one of them, in less than a minute
wfibp reproduce all --corpus nips.csv
```

The last two need the corpus "NIPS Conference Papers 1987–2015" of the UCI Machine Learning Repository. [The
specification](model.md#21-differences-from-the-paper) lists what is corrected in the paper's samplers.
"""
SMALLER = "**This page was made with `--quick`: everything is smaller than in the paper.**\n"


@dataclass(frozen=True, eq=False)
class Section:
    """One experiment, done."""

    experiment: Experiment
    kept: Kept
    findings: list[Finding]

    @property
    def heading(self) -> str:
        """The name and, should there be a corpus, its years: nips, 1987 to 2003."""
        years = self.kept.corpus.rpartition(", ")[2].replace("–", " to ")
        return self.experiment.name + (f", {years}" if years else "")

    @property
    def anchor(self) -> str:
        """What the heading is called in a link."""
        return self.heading.replace(",", "").replace(" ", "-")

    @property
    def tally(self) -> str:
        """3 of 4."""
        judged = [finding.holds for finding in self.findings if finding.holds is not None]
        return f"{sum(judged)} of {len(judged)}"


def check_page(path: Path) -> None:
    """Refuse, before any work is done, a page that could not be written or that somebody else wrote."""
    if path.suffix.lower() != ".md":
        raise ParameterError("page", f"must end in .md, got {str(path)!r}")
    if not path.parent.is_dir():
        raise ParameterError(
            "page", f"must lie in an existing folder, and {str(path.parent)!r} is none; create it first"
        )
    if path.exists() and not (path.is_file() and path.read_text("utf-8", "replace").startswith(MARK)):
        raise ValueError(f"{str(path)!r} already exists and is not a page of this command; choose another name")
    check_writable("page", path.resolve().parent)


def write_page(path: Path, store: ResultStore, *, quick: bool, seed: int) -> int:
    """Write the page and its pictures from all that is kept at this size and seed; how many sections it has."""
    sections = list(_sections(store, quick=quick, seed=seed))
    parts = [MARK, INTRODUCTION, *([SMALLER] if quick else []), _overview(sections)]
    for section in sections:
        pictures = _copy_pictures(section, path.parent, store)
        parts.append("\n".join(_write_section(section, pictures)))
    with replace_file(path) as file:
        file.write("\n".join(parts).encode())
    return len(sections)


def _sections(store: ResultStore, *, quick: bool, seed: int) -> Iterator[Section]:
    """In the order of the paper, those of several corpora one after the other."""
    for name in NAMES:
        experiment = load(name)
        for kept in store.all_kept(name):
            asked = Request.of(experiment, quick=quick, seed=seed, corpus=kept.request.corpus)
            if kept.request == asked:
                yield Section(experiment, kept, experiment.judge(asked.settings, kept.results))


def _overview(sections: list[Section]) -> str:
    rows = [
        f"| [{section.heading}](#{section.anchor}) | {section.experiment.paper} | {section.tally} |"
        for section in sections
    ]
    return "\n".join(["| experiment | paper | holds |", "|---|---|---|", *rows, ""])


def _write_section(section: Section, pictures: dict[str, Path]) -> Iterator[str]:
    experiment, kept = section.experiment, section.kept
    yield f"## {section.heading}\n"
    yield f"**{experiment.title}** (paper: {experiment.paper}).\n"
    yield from _settings(experiment, kept.request.settings)
    yield from ([f"- Corpus: {kept.corpus}."] if kept.corpus else [])
    yield f"- Seed {kept.request.seed}; took {_duration(kept.seconds)}.\n"
    yield "| | paper | here | holds |\n|---|---|---|---|"
    for finding in section.findings:
        yield f"| {_cell(finding.claim)} | {_cell(finding.paper)} | {_cell(finding.ours)} | {VERDICTS[finding.holds]} |"
    yield ""
    differences = [finding for finding in section.findings if finding.why]
    yield from (f"- *{_line(finding.claim)}*: {_line(finding.why)}" for finding in differences)
    if differences:
        yield ""
    yield from (f"![{experiment.title}: {name}]({path.as_posix()})\n" for name, path in pictures.items())


def _copy_pictures(section: Section, folder: Path, store: ResultStore) -> dict[str, Path]:
    """Into the folder of the page; their names and their paths from there."""
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    prefix = picture_folder(section.kept.request, store).name
    copied = {}
    for picture in draw_pictures(section.experiment, section.kept, store):
        path = PICTURES / f"{prefix}-{picture.name}"
        _copy_in_few_colours(picture, folder / path)
        copied[picture.stem.replace("-", " ")] = path
    return copied


def _copy_in_few_colours(picture: Path, target: Path) -> None:
    """A third of the size, and no difference to be seen: a drawing has few colours."""
    with Image.open(picture) as image, replace_file(target) as file:
        image.convert("RGB").quantize(NUM_COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)


def _settings(experiment: Experiment, settings: dict[str, Any]) -> Iterator[str]:
    """Those of the paper, and those that it does not give."""
    listed = {name: _setting(name, value) for name, value in settings.items()}
    for whose, names in (
        ("Settings of the paper", [name for name in listed if name not in experiment.ours]),
        ("Our choices, which the paper does not give", [name for name in listed if name in experiment.ours]),
    ):
        if names:
            yield f"- {whose}: {', '.join(listed[name] for name in names)}."


def _setting(name: str, value: Any) -> str:
    """20 objects, gap 0.1."""
    what = name.removeprefix("num_").replace("warmup", "sweeps of warm-up").replace("_", " ")
    return f"{_value(value)} {what}" if name.startswith("num_") else f"{what} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_value(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return "/".join(map(_value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _duration(seconds: float) -> str:
    """12 s, 3 min or 1.5 h."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    return " ".join(text.split())
