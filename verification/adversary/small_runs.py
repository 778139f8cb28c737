"""Which small real runs are attacked, and what do the commands answer about them?"""

from __future__ import annotations

import io
import signal
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wfibp.cli.app import _run as run_command
from wfibp.corpus import Corpus
from wfibp.models import DynamicFeatureModel, DynamicTopicModel
from wfibp.models.running import run_chains

SHORT: dict[str, Any] = {"num_draws": 6, "num_warmup": 4, "num_chains": 2, "thin": 2, "num_workers": 1}
PATIENCE = 300.0  # seconds for one command, which may have to compile first; most take less than one
WORDS = (["ship", "sea", "sail", "wind"], ["wheat", "field", "barn", "cow"], ["steam", "rail", "train", "coal"])


class Hang(BaseException):
    """A command took longer than anybody would wait."""


@dataclass(frozen=True)
class Answer:
    """What a command said and wrote: its exit code, its output, its files, and what it noted on standard error."""

    code: int
    output: str
    files: dict[str, bytes]
    noted: str


def make_features_run(path: Path, seed: int = 5) -> Path:
    """Measurements of twelve objects at three times; every sweep is committed, so that two commits are there."""
    rng = np.random.default_rng(1)
    data = (rng.random((12, 2)) < 0.5) @ np.array([[2.0, 0.0, 1.0], [0.0, -2.0, 1.0]]) + 0.3 * rng.normal(size=(12, 3))
    model = DynamicFeatureModel(**SHORT, seed=seed)
    run_chains(model, model.check_data(data, np.repeat([2000.0, 2001.0, 2002.0], 4)), path, checkpoint_seconds=0.0)
    return path


def make_topics_run(path: Path, seed: int = 5) -> Path:
    """Short texts of four years."""
    rng = np.random.default_rng(1)
    years = np.repeat(np.arange(1900, 1904), 5)
    texts = [" ".join(rng.choice(WORDS[(year - 1900 + i) % 3], 12)) for i, year in enumerate(years)]
    corpus = Corpus.from_documents(texts, years.tolist(), names=[f"text {i}" for i in range(20)], max_share=1.0)
    model = DynamicTopicModel(**SHORT, initial_topics=3, seed=seed)
    run_chains(model, model.check_data(corpus), path, checkpoint_seconds=0.0)
    return path


def ask(command: list[str], run: Path) -> Answer:
    """Run a command on a run in this process; RUN stands for its folder, and for what it writes beside it."""
    written = run.with_name(f"{run.name}-written")
    arguments = [part.replace("RUN-written", str(written)).replace("RUN", str(run)) for part in command]
    output, noted = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(noted), warnings.catch_warnings():
        warnings.simplefilter("always")  # a note is shown once for each place, and all trials are in one process
        try:
            with at_most(PATIENCE):
                code = run_command(arguments)
        except Exception:
            code = 1
            traceback.print_exc(file=noted)
    files = {path.name: path.read_bytes() for path in sorted(written.rglob("*")) if path.is_file()}
    return Answer(code, *(text.replace(str(run), "RUN") for text in [output.getvalue()]), files, noted.getvalue())


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise Hang after so many seconds; nothing below catches it."""

    def give_up(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
