"""Does any spoilt run folder end a command in a traceback, a hang, a silently different answer, or lost draws?"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from verification.adversary.corruptors import OF_FILES, OF_FOLDERS
from verification.adversary.small_runs import Answer, Hang, ask, make_features_run, make_topics_run
from verification.adversary.trial import Finding, Trial

CAMPAIGN = "corruption"
COMMANDS = {
    "topics": ["topics", "RUN", "--json"],
    "diagnose": ["diagnose", "RUN", "--json"],
    "forecast": ["forecast", "RUN", "--to", "2005", "--json"],
    "report": ["report", "RUN", "-o", "RUN-written/page.html", "--json"],
    "export": ["export", "RUN", "-o", "RUN-written", "--no-draws", "--json"],
    "resume": ["resume", "RUN", "--workers", "1", "--json"],
    "resume more": ["resume", "RUN", "--more", "2", "--workers", "1", "--json"],
}
RUNS: dict[str, Callable[..., Path]] = {"features": make_features_run, "topics": make_topics_run}
MAY_WRITE = ("resume", "resume more")
MOST_AT_ONCE = 3
FAULTS = re.compile(r"Traceback|\b(Type|Key|Attribute|Index|Assertion|Unicode\w*|Recursion|ZeroDivision)Error\b")
CODES = (0, 1, 2)


@dataclass
class Target:
    """A run to be spoilt, another to take files from, and what the commands answer about it while it is whole."""

    folder: Path
    kind: str
    answers: dict[str, Answer] = field(default_factory=dict)

    @cached_property
    def run(self) -> Path:
        return RUNS[self.kind](self.folder / self.kind)

    @cached_property
    def other(self) -> Path:
        return RUNS[self.kind](self.folder / f"other-{self.kind}", seed=6)

    def answer(self, command: str) -> Answer:
        """That of the whole run, asked for once."""
        if command not in self.answers:
            answer = ask(COMMANDS[command], copy_run(self.run, self.folder / "whole"))
            assert (answer.code, without_progress(answer).noted) == (0, ""), answer.noted
            self.answers[command] = answer
        return self.answers[command]


def run(num_trials: int, seed: int) -> Iterator[Trial]:
    """Spoil a copy of a run in one to three places, then ask one command about it."""
    with tempfile.TemporaryDirectory() as folder:
        targets = {kind: Target(Path(folder), kind) for kind in RUNS}
        for number in range(num_trials):
            rng = np.random.default_rng([seed, number])
            kind, command = str(rng.choice(list(targets))), str(rng.choice(list(COMMANDS)))
            copy = copy_run(targets[kind].run, Path(folder) / "spoilt")
            places = [spoil(copy, targets[kind].other, rng) for _ in range(rng.integers(1, MOST_AT_ONCE + 1))]
            name = f"{number}: {command} of {kind} after {', '.join(places)}"
            yield Trial(CAMPAIGN, name, *judge(copy, command, targets[kind].answer(command)))


def copy_run(source: Path, target: Path) -> Path:
    """A fresh copy, and nothing of what was written beside an earlier one."""
    written = target.with_name(f"{target.name}-written")
    for path in (target, written):
        if path.exists():
            shutil.rmtree(path)
    written.mkdir()
    return Path(shutil.copytree(source, target))


def spoil(copy: Path, other: Path, rng: np.random.Generator) -> str:
    """Spoil one file or folder, and say which and how."""
    paths = [path for path in sorted(copy.rglob("*")) if path.exists() and not path.is_symlink()]
    if not paths:
        return "nothing"
    path = paths[rng.integers(len(paths))]
    folders = OF_FOLDERS if path.name.startswith("chain-") else OF_FOLDERS[:-2]
    corruptors = OF_FILES if path.is_file() else folders
    corruptor = corruptors[rng.integers(len(corruptors))]
    try:
        corruptor(path, other, rng)
    except (OSError, StopIteration):  # an earlier one has left nothing to spoil in this way
        return "nothing more"
    return f"{corruptor.__name__} of {path.relative_to(copy)}"


def judge(copy: Path, command: str, whole: Answer) -> tuple[Finding | None, str]:
    """What is wrong with what a command does about a spoilt run."""
    before = contents(copy)
    try:
        answer = ask(COMMANDS[command], copy)
    except Hang:
        return "hang", ""
    if answer.code not in CODES or FAULTS.search(answer.noted + answer.output):
        return "traceback", answer.noted[-500:]
    if lost := lost_files(before, contents(copy), may_write=command in MAY_WRITE):
        return "lost data", f"{lost}; {answer.noted}"
    said = without_progress(answer).noted
    if answer.code != 0:
        return (None, "") if is_sentence(said) else ("unclear message", said)
    if (answer.output, answer.files) == (whole.output, whole.files):
        return None, ""
    if command in MAY_WRITE:
        return "lost data", said or "after resume the answer differs"
    return (None, "") if "note: " in said else ("silent fallback", answer.output[:200])


def contents(run: Path) -> dict[str, str]:
    """A digest of every regular file."""
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(run.rglob("*"))
        if path.is_file()
    }


def lost_files(before: dict[str, str], after: dict[str, str], *, may_write: bool) -> list[str]:
    """Files that are no longer what they were; where draws may be added, those of draws that are in no other file."""
    changed = [name for name, digest in before.items() if after.get(name) != digest]
    if not may_write:
        return changed
    changed = [name for name in changed if before[name] not in after.values()]
    return [name for name in changed if "/draws-" in name and not any(covers(other, name) for other in after)]


def covers(other: str, name: str) -> bool:
    """Whether one file of draws has all that the other had: chain-0/draws-FIRST-END.npz."""
    start, _, end = name.rpartition("-")
    other_start, _, other_end = other.rpartition("-")
    return other_start == start and other_end >= end


def without_progress(answer: Answer) -> Answer:
    """The answer with sentences for people alone on standard error."""
    lines = [line for line in answer.noted.splitlines() if line.startswith("wfibp: ") or "Warning" in line]
    return Answer(answer.code, answer.output, answer.files, "\n".join(lines))


def is_sentence(said: str) -> bool:
    """The last line says what is wrong, in more than a word or two."""
    last = said.splitlines()[-1] if said else ""
    return last.startswith("wfibp: ") and len(last.split()) > 3
