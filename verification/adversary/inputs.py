"""Do odd files ever end in a traceback, a hang or a sentence that does not say which file is wrong?

Each input is made and read in a process of its own kind, which is killed when it takes too long or too much memory.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from verification.adversary.odd_folders import folder_of_texts, special_file
from verification.adversary.odd_matrices import archive, in_memory, matrix_market
from verification.adversary.odd_tables import delimited, json_lines, parquet
from verification.adversary.odd_values import Case, Chooser
from verification.adversary.trial import Finding, Trial

CAMPAIGN = "inputs"
MAKERS = (delimited, json_lines, archive, matrix_market, folder_of_texts, delimited, parquet, special_file, in_memory)
SECONDS = 20.0  # for one input; most take some milliseconds
SECONDS_TO_START = 120.0  # for the imports of the process that reads
BYTES = 6 * 2**30  # of addresses, of which the libraries take about two gigabytes
LONGEST_SENTENCE = 1500

Verdict = tuple[Finding | None, str]


def run(num_trials: int, seed: int) -> Iterator[Trial]:
    """One odd input after another; the same seed makes the same ones."""
    reader = _Reader(seed)
    try:
        for i in range(num_trials):
            name = f"{MAKERS[i % len(MAKERS)].__name__} {i} (seed {seed})"
            finding, detail = reader.read(i)
            yield Trial(CAMPAIGN, name, finding, detail)
    finally:
        reader.stop()


class _Reader:
    """A process that makes and reads inputs by number, started again after one that it did not survive."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._seed), daemon=True)
        self._process.start()
        theirs.close()
        if not self._connection.poll(SECONDS_TO_START):
            raise RuntimeError("the process that reads inputs does not start")
        self._connection.recv()

    def read(self, number: int) -> Verdict:
        try:
            self._connection.send(number)
            if self._connection.poll(SECONDS):
                return self._connection.recv()
            verdict: Verdict = ("hang", f"not read after {SECONDS:g} seconds")
        except (EOFError, ConnectionError):
            self._process.join()
            verdict = ("traceback", f"the process ended with code {self._process.exitcode}")
        self.stop()
        self._start()
        return verdict

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


def _serve(connection: Connection, seed: int) -> None:
    """Read what is asked for until there is nobody to ask."""
    import wfibp.corpus.measurement_table
    import wfibp.corpus.paper_corpus  # noqa: F401

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    warnings.simplefilter("error")
    connection.send("ready")
    while True:
        try:
            number = connection.recv()
        except EOFError:
            return
        connection.send(try_input(number, seed))


def try_input(number: int, seed: int) -> Verdict:
    """Make an input, read it, judge what comes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        case = MAKERS[number % len(MAKERS)](Chooser((seed, number)), Path(folder))
        try:
            check_usable(read(case))
        except Exception as error:
            return judge(error, case)
    return None, ""


def read(case: Case) -> Any:
    """Through the doors that users have."""
    from wfibp import Corpus
    from wfibp.corpus.measurement_table import read_measurements
    from wfibp.corpus.paper_corpus import read_papers

    options = dict(case.options)
    if case.door == "table":
        return Corpus.from_table(case.data, **options)
    if case.door == "folder":
        return Corpus.from_folder(case.data, **options)
    if case.door == "counts":
        return Corpus.from_counts(case.data, **options)
    if case.door == "papers":
        return read_papers(case.data)
    if case.door == "measurements":
        return read_measurements(case.data, time=options.get("time"))
    return _read_by_command(case, measured=case.door == "command measurements")


def _read_by_command(case: Case, *, measured: bool) -> Any:
    from wfibp.cli.source_options import Source, WordOptions
    from wfibp.cli.sources import check_times, read_corpus, read_objects

    given = {"on_bad_dates": "drop_bad_dates", "times": "time"}
    options = {given.get(name, name): value for name, value in case.options.items()}
    if measured:
        options.pop("text", None)
    options = {name: str(value) if name in ("time", "resolution") else value for name, value in options.items()}
    data = (read_objects if measured else read_corpus)(Source(case.data, **options), WordOptions())
    check_times(data, case.data)
    return data


def check_usable(data: Any) -> None:
    """What was read can be shown and, if it is a corpus, kept with a run and read back."""
    import numpy as np

    from wfibp import Corpus
    from wfibp.corpus.storage import StoredCorpus, store_corpus

    "\n".join([repr(data), *data.description]).encode()
    assert np.isfinite(data.times).all()
    if not isinstance(data, Corpus):
        assert np.isfinite(data.values).all()
        return
    "\n".join([*data.vocabulary, *data.names, *data.openings, *data.time_labels]).encode()
    assert (np.diff(data.times) >= 0).all()
    assert (data.counts.data > 0).all()
    kept = StoredCorpus.of(store_corpus(data))
    assert (kept.vocabulary, kept.names) == (data.vocabulary, data.names)


def judge(error: Exception, case: Case) -> Verdict:
    """A ValueError or OSError of one sentence that names a file of the case is as it should be."""
    from wfibp.parameters import ParameterError

    said = str(error)
    if not (type(error) in (ValueError, ParameterError) or isinstance(error, OSError)):
        return "traceback", "".join(traceback.format_exception(error))[-3000:]
    if not said or len(said) > LONGEST_SENTENCE or "\n" in said:
        return "unclear message", f"not one sentence: {said[:300]!r}"
    if case.paths and not any(repr(str(path))[:-1] in said for path in case.paths):  # or a file in that folder
        return "unclear message", f"names no file: {said[:300]}"
    return None, said


if __name__ == "__main__":
    found = 0
    for trial in run(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        if trial.finding is not None:
            found += 1
            print(f"{trial.name}: {trial.finding}\n{trial.detail}\n")
    print(f"{found} findings")
