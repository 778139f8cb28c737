"""Coverage-guided fuzzing of the readers: which bytes make a new path through them end in anything but a sentence?

Needs atheris (`pip install atheris`), which is no dependency of the project. Five minutes on all kinds of file:

    python -m verification.adversary.fuzz_readers -max_total_time=300 -rss_limit_mb=6000 [FOLDER OF SEEDS]

The first byte of an input chooses the kind; options are libFuzzer's. A finding ends the run, with the bytes in a file
crash-… or timeout-…, which can be given in place of the folder to see it again. `--seeds FOLDER` writes seeds.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["wfibp.corpus", "numpy.lib", "zipfile", "csv", "json", "gzip"]):
    import wfibp.corpus.matrix_files
    import wfibp.corpus.measurement_table
    import wfibp.corpus.paper_corpus
    import wfibp.corpus.storage  # noqa: F401

from verification.adversary import inputs
from verification.adversary.odd_values import Case, Chooser

KINDS: tuple[tuple[str, str], ...] = (
    ("table", "table.csv"),
    ("table", "table.tsv.gz"),
    ("table", "table.jsonl"),
    ("table", "table.parquet"),
    ("counts", "counts.npz"),
    ("counts", "counts.mtx"),
    ("counts", "counts.mtx.gz"),
    ("measurements", "table.csv"),
    ("measurements", "table.jsonl"),
    ("papers", "papers.csv"),
    ("folder", "texts/1994.txt"),
    ("folder", "texts/dates.csv"),
)
FOLDER = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))


def prepare() -> None:
    """Two texts for the folder, which stay."""
    (FOLDER / "texts").mkdir()
    for year in (1990, 1991):
        (FOLDER / "texts" / f"{year}.txt").write_text("war and peace")


def read_bytes(data: bytes) -> None:
    """Write the bytes to a file, read it, and let through whatever is no clear sentence."""
    if not data:
        return
    door, name = KINDS[data[0] % len(KINDS)]
    path = FOLDER / name
    path.write_bytes(data[1:])
    case = Case(door, path.parent if door == "folder" else path, {}, (path, path.parent))
    try:
        inputs.check_usable(inputs.read(case))
    except Exception as error:
        finding, detail = inputs.judge(error, case)
        if finding is not None:
            print(detail)
            raise
    finally:
        path.unlink()


def write_seeds(folder: Path, seed: int = 1) -> None:
    """The inputs of the campaign as bytes to begin with, those of up to ten thousand."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(900):
        with tempfile.TemporaryDirectory() as place:
            maker = inputs.MAKERS[number % len(inputs.MAKERS)]
            if maker.__name__ in ("in_memory", "special_file"):
                continue
            case = maker(Chooser((seed, number)), Path(place))
            for path in (p for p in case.paths if p.is_file() and p.stat().st_size < 10_000):
                for kind, (_, name) in enumerate(KINDS):
                    if name.endswith(path.suffix):
                        (folder / f"{number}-{kind}").write_bytes(bytes([kind]) + path.read_bytes())


if __name__ == "__main__":
    if "--seeds" in sys.argv:
        write_seeds(Path(sys.argv[sys.argv.index("--seeds") + 1]))
    else:
        warnings.simplefilter("error")
        prepare()
        atheris.Setup(sys.argv, read_bytes)
        atheris.Fuzz()
