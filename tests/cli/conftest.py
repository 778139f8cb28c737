"""One small fitted run of each model, made by the command itself, for all tests of a session that only read it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.small_data import QUICK, write_letters, write_measurements
from wfibp.cli import main


class Fitted(NamedTuple):
    data: Path
    run: Path


def fit(data: Path, run: Path, *arguments: str) -> Fitted:
    with pytest.raises(SystemExit) as leaving:
        main(["fit", str(data), "-o", str(run), *QUICK, "--quiet", *arguments])
    assert leaving.value.code == 0
    return Fitted(data, run)


@pytest.fixture(scope="session")
def topics_run(tmp_path_factory) -> Fitted:
    folder = tmp_path_factory.mktemp("topics")
    return fit(write_letters(folder), folder / "run", "--text", "speech", "--time", "date", "--name", "title")


@pytest.fixture(scope="session")
def features_run(tmp_path_factory) -> Fitted:
    folder = tmp_path_factory.mktemp("features")
    return fit(write_measurements(folder), folder / "run", "--model", "features", "--time-scale", "0.1")
