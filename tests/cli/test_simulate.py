"""`wfibp simulate` writes what the library draws, the same for the same seed, and is never silent."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pandas as pd
import pytest

import wfibp
from tests.cli.command import run
from wfibp.cli import simulate

READERS = {
    ".csv": pd.read_csv,
    ".parquet": pd.read_parquet,
    ".npz": lambda path: pd.DataFrame(dict(np.load(path, allow_pickle=False))),
}
COMMANDS = {
    "diffusion": ["--mu", "0.5", "--times", "0,0.2,1", "--num-paths", "4"],
    "field": ["--alpha", "3", "--times", "0,0.2,1", "--level", "0.02"],
    "allocations": ["--alpha", "3", "--times", "0,0.2,1", "--objects", "6,0,4"],
}
TIMES = [0.0, 0.2, 1.0]


@pytest.mark.parametrize("extension", READERS)
def test_a_diffusion_table_holds_the_paths_the_library_draws(capsys, tmp_path, extension):
    path = tmp_path / f"paths{extension}"
    assert run(capsys, "simulate", "diffusion", *COMMANDS["diffusion"], "--seed", "7", "-o", path).code == 0
    table = READERS[extension](path)
    expected = wfibp.WrightFisher(0.5, 1.0).draw_path(np.full(4, 0.5), TIMES, rng=7)
    assert list(table.columns) == ["path", "time", "frequency"]
    assert np.array_equal(table.pivot(index="path", columns="time", values="frequency"), expected)


@pytest.mark.parametrize("extension", READERS)
def test_a_field_table_holds_the_features_the_library_draws(capsys, tmp_path, extension):
    path = tmp_path / f"field{extension}"
    assert run(capsys, "simulate", "field", *COMMANDS["field"], "--seed", "7", "-o", path).code == 0
    table = READERS[extension](path)
    expected = wfibp.PoissonRandomField(3.0, 1.0).draw_paths(TIMES, 0.02, rng=7)
    assert list(table.columns) == ["feature", "time", "frequency"]
    assert len(expected) > 0
    assert np.array_equal(table.pivot(index="feature", columns="time", values="frequency"), expected)


@pytest.mark.parametrize("extension", READERS)
@pytest.mark.parametrize("num_features", [None, 8])
def test_an_allocations_table_holds_the_matrices_the_library_draws(capsys, tmp_path, extension, num_features):
    path = tmp_path / f"allocations{extension}"
    truncation = [] if num_features is None else ["--num-features", str(num_features)]
    arguments = [*COMMANDS["allocations"], *truncation, "--seed", "7", "-o", path]
    assert run(capsys, "simulate", "allocations", *arguments).code == 0
    table = READERS[extension](path)
    field = wfibp.PoissonRandomField(3.0, 1.0)
    process = field if num_features is None else field.truncate(num_features)
    expected = process.draw_allocations(TIMES, [6, 0, 4], rng=7)
    matrices = table.pivot(index=["time", "object"], columns="feature", values="active")
    frequencies = table.drop_duplicates(["feature", "time"]).pivot(index="feature", columns="time", values="frequency")
    assert list(table.columns) == ["time", "object", "feature", "frequency", "active"]
    assert table["active"].dtype == bool
    assert np.array_equal(matrices.loc[0.0], expected.allocations[0])
    assert np.array_equal(matrices.loc[1.0], expected.allocations[2])
    assert np.array_equal(frequencies, expected.frequencies[:, [0, 2]])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("extension", READERS)
def test_the_same_seed_gives_the_same_file_byte_for_byte_and_another_seed_another(capsys, tmp_path, command, extension):
    contents = []
    for name, seed in (("first", "3"), ("second", "3"), ("third", "4")):
        path = tmp_path / f"{name}{extension}"
        assert run(capsys, "simulate", command, *COMMANDS[command], "--seed", seed, "-o", path).code == 0
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != contents[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_file_a_summary_is_printed_with_the_seed_that_repeats_it(capsys, command):
    printed = run(capsys, "simulate", command, *COMMANDS[command]).out
    seed = re.search(r"--seed (\d+)", printed)
    assert seed is not None
    repeated = run(capsys, "simulate", command, *COMMANDS[command], "--seed", seed[1]).out
    assert printed.splitlines()[1:] == repeated.splitlines()
    assert "Nothing was written" in repeated


def test_the_approximation_is_had_by_name_and_takes_a_step(capsys, tmp_path):
    path = tmp_path / "paths.csv"
    arguments = [*COMMANDS["diffusion"], "--method", "split-step", "--step", "0.01", "--seed", "7", "-o", path]
    assert run(capsys, "simulate", "diffusion", *arguments).code == 0
    process = wfibp.WrightFisher(0.5, 1.0, method="split-step", step=0.01)
    assert np.array_equal(pd.read_csv(path)["frequency"], process.draw_path(np.full(4, 0.5), TIMES, rng=7).ravel())


def test_what_was_written_is_said(capsys, tmp_path):
    table, picture = tmp_path / "field.csv", tmp_path / "field.png"
    printed = run(capsys, "simulate", "field", *COMMANDS["field"], "--seed", "1", "-o", table, "--plot", picture).out
    assert f"{len(pd.read_csv(table)):,} rows in {table}" in printed
    assert str(picture) in printed


def test_a_field_without_features_is_an_empty_table_and_a_picture(capsys, tmp_path):
    for command, extra in (("field", ["--level", "0.9"]), ("allocations", ["--objects", "1"])):
        table, picture = tmp_path / f"{command}.csv", tmp_path / f"{command}.png"
        arguments = ["--alpha", "1e-9", "--times", "0,1", *extra, "--seed", "1"]
        assert run(capsys, "simulate", command, *arguments, "-o", table, "--plot", picture).code == 0
        assert len(pd.read_csv(table)) == 0
        assert picture.stat().st_size > 0
        assert run(capsys, "simulate", command, *arguments).code == 0


@pytest.mark.parametrize(
    "command", [simulate.diffusion, simulate.field, simulate.allocations], ids=lambda c: c.__name__
)
def test_the_examples_in_the_help_run(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^ +wfibp (simulate .*)$", command.__doc__, flags=re.MULTILINE)
    assert len(examples) >= 2
    for example in examples:
        assert run(capsys, *shlex.split(example)).code == 0
