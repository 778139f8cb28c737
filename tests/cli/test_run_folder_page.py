"""Is a real run what docs/run-folder.md says: its files, their arrays and types, and the keys of its JSON?"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Fitted
from wfibp.posterior.run_folder import FORMAT

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "run-folder.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))
ARCHIVES = {"Data": "data.npz", "Draws": "chain-0/draws-*.npz", "Checkpoints": "chain-0/checkpoint-*.npz"}
OF_MODEL = {"topics": "texts: ", "features": "measurements: "}
LIMITED = {"num_warmup", "thin"}  # only in commits of a run with a limit on its time


@pytest.fixture(params=["topics", "features"])
def model(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fitted(model: str, topics_run: Fitted, features_run: Fitted) -> Fitted:
    return {"topics": topics_run, "features": features_run}[model]


def documented_arrays(section: str, model: str) -> dict[str, str]:
    """The type of each array that the page names for runs of a model; a sparse one as its parts."""
    rows = re.findall(r"^\| `([\w.]+)` \| (\w+) \| \([^|]*\) \| ?([^\n]*)", SECTIONS[section], flags=re.MULTILINE)
    of_others = tuple(prefix for name, prefix in OF_MODEL.items() if name != model)
    types: dict[str, str] = {}
    for name, kind, meaning in rows:
        if not meaning.startswith(of_others):
            types |= dict.fromkeys(sparse_parts(name), "sparse") if kind == "sparse" else {name: kind}
    return types


def sparse_parts(name: str) -> list[str]:
    return [f"{name}.{part}" for part in re.findall(r"^\| `NAME\.(\w+)`", PAGE, flags=re.MULTILINE)]


def fits(array: Any, documented: str) -> bool:
    return bool(array.dtype.kind in "ui" if documented == "sparse" else array.dtype == np.dtype(documented))


@pytest.mark.parametrize("section", ARCHIVES)
def test_archives_hold_the_arrays_of_the_page_in_their_types(section: str, model: str, fitted: Fitted) -> None:
    with np.load(max(fitted.run.glob(ARCHIVES[section])), allow_pickle=False) as archive:
        arrays = dict(archive)
    documented = documented_arrays(section, model)
    assert set(arrays) == set(documented)
    assert [name for name, array in arrays.items() if not fits(array, documented[name])] == []


def test_files_are_those_of_the_page(fitted: Fitted) -> None:
    names = re.findall(r"^\| `([^`]+)` \|", SECTIONS["Files"], flags=re.MULTILINE)
    patterns = [
        re.sub("SWEEP|FIRST|END", r"\\d{10}", re.escape(name).replace(r"chain\-C", r"chain\-\d+")) for name in names
    ]
    files = [path.relative_to(fitted.run).as_posix() for path in fitted.run.rglob("*") if path.is_file()]
    assert [file for file in files if not any(re.fullmatch(p, file) for p in patterns)] == []
    unused = [p for p in patterns if not any(re.fullmatch(p, file) for file in files)]
    assert unused == ["tables/"]  # which another command writes


@pytest.mark.parametrize(("title", "pattern"), [("Provenance", "provenance.json"), ("Commit", "chain-0/commit-*.json")])
def test_json_has_the_keys_of_the_page_and_its_own_digest(title: str, pattern: str, model: str, fitted: Fitted) -> None:
    document = json.loads(max(fitted.run.glob(pattern)).read_text(encoding="utf-8"))
    content = document["content"]
    rows = re.search(rf"\*\*{title}\.\*\*\n\n(.*?)\n\n", SECTIONS["JSON files"] + "\n\n", flags=re.DOTALL)[1]  # type: ignore[index]
    keys = {
        key for names in re.findall(r"^\| (`[^|]*`) \|", rows, re.MULTILINE) for key in re.findall(r"`(\w+)`", names)
    }
    assert set(content) == keys - LIMITED - ({"columns", "calendar"} if model == "topics" else set())
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    assert document["digest"] == hashlib.sha256(canonical).hexdigest()


def test_digests_are_those_of_the_files(fitted: Fitted) -> None:
    def digest(name: str) -> str:
        return hashlib.sha256((fitted.run / name).read_bytes()).hexdigest()

    provenance = json.loads((fitted.run / "provenance.json").read_text(encoding="utf-8"))["content"]
    assert provenance["data_digest"] == digest("data.npz")
    commit = json.loads(max(fitted.run.glob("chain-0/commit-*.json")).read_text(encoding="utf-8"))["content"]
    assert commit["digest"] == digest(f"chain-0/{commit['checkpoint']}")
    assert [s["digest"] for s in commit["segments"]] == [digest(f"chain-0/{s['file']}") for s in commit["segments"]]


def test_the_page_is_about_the_version_that_is_written() -> None:
    assert f"the format, version {FORMAT}," in " ".join(PAGE.split())
    assert f"| `format` | {FORMAT}, " in PAGE
