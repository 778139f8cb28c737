"""The folder of a run: what it holds, and what is refused and left alone."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from tests.posterior.synthetic import damage, make_clock, make_provenance
from wfibp.posterior.arrays import encode_signed
from wfibp.posterior.errors import BusyRunError, DamagedRunError, RunError, StorageError
from wfibp.posterior.locks import locked
from wfibp.posterior.run_folder import RunData, existing_run, new_run, read_run


def some_data():
    return RunData(make_clock(), np.arange(12), {"data": np.zeros((12, 2)), "names": np.array(["a", "bc"])})


def test_the_data_of_a_run_come_back(tmp_path):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()) as run:
        clock, order, arrays = read_run(run.path).read_data()
    assert clock.times.tolist() == [0.0, 0.5, 1.0]
    assert order.tolist() == list(range(12))
    assert arrays["data"].shape == (12, 2)
    assert arrays["names"].tolist() == ["a", "bc"]


@pytest.mark.parametrize("name", ["data.npz", "provenance.json"])
def test_a_run_with_damaged_data_or_provenance_is_refused(tmp_path, name):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()):
        pass
    damage(tmp_path / "run" / name, "flip")
    with pytest.raises(DamagedRunError, match=name):
        read_run(tmp_path / "run").read_data()


def test_a_folder_with_anything_in_it_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("words")
    with (
        pytest.raises(ValueError, match=r"already holds 'chapter\.tex'"),
        new_run(tmp_path / "thesis", {}, some_data()),
    ):
        pass
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]


def test_a_folder_that_holds_a_run_is_refused_by_naming_resume(tmp_path):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()):
        pass
    before = (tmp_path / "run" / "provenance.json").read_bytes()
    with (
        pytest.raises(ValueError, match="already holds a run; resume that one"),
        new_run(tmp_path / "run", {}, some_data()),
    ):
        pass
    assert (tmp_path / "run" / "provenance.json").read_bytes() == before


def test_a_file_in_the_way_is_refused(tmp_path):
    (tmp_path / "file").write_text("words")
    with pytest.raises(ValueError, match="is a file"), new_run(tmp_path / "file", {}, some_data()):
        pass


def test_what_a_run_killed_before_it_began_has_left_is_no_obstacle(tmp_path):
    (tmp_path / "run").mkdir()
    for name in ("lock", "data.npz", ".77aa.tmp"):
        (tmp_path / "run" / name).write_bytes(b"")
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()) as run:
        assert read_run(run.path).num_chains == 1


@pytest.mark.parametrize("name", ["nowhere", "file", "empty"])
def test_resuming_what_is_no_run_is_refused(tmp_path, name):
    (tmp_path / "file").write_text("words")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="directory must be the folder of a run"), existing_run(tmp_path / name):
        pass


def test_a_run_of_another_format_is_refused_by_naming_its_version(tmp_path):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()) as run:
        run.amend(format=99, versions={"wfibp": "9.1"})
    with pytest.raises(RunError, match=r"has format 99.*use wfibp 9\.1"):
        read_run(tmp_path / "run")


def test_two_processes_cannot_write_to_one_run(tmp_path):
    busy = pytest.raises(BusyRunError, match="another process is writing")
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()), busy, locked(tmp_path / "run", 0.1):
        pass
    with existing_run(tmp_path / "run"):
        pass


def test_a_folder_that_cannot_be_made_is_a_clear_error():
    with pytest.raises(StorageError, match="cannot write to /proc/run"), new_run("/proc/run", {}, some_data()):
        pass


def test_provenance_is_plain_json(tmp_path):
    with new_run(tmp_path / "run", make_provenance(2, 5), some_data()):
        pass
    document = json.loads((tmp_path / "run" / "provenance.json").read_text())
    assert document["content"]["settings"]["num_chains"] == 2
    assert len(document["content"]["data_digest"]) == 64


@pytest.mark.parametrize("content", [5, [1], None, {"format": 1}, {"format": 1, "settings": [], "num_draws": "5"}])
@pytest.mark.parametrize("signed", [True, False])
def test_a_provenance_that_is_json_but_not_ours_is_a_clear_error(tmp_path, content, signed):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()):
        pass
    encoded = encode_signed(content) if signed else json.dumps(content).encode()
    (tmp_path / "run" / "provenance.json").write_bytes(encoded)
    with pytest.raises(DamagedRunError, match=r"provenance\.json is damaged"):
        read_run(tmp_path / "run")


@pytest.mark.parametrize("name", ["lock", "provenance.json", "data.npz"])
def test_a_named_pipe_in_a_run_folder_does_not_hang(tmp_path, name):
    with new_run(tmp_path / "run", make_provenance(1, 1), some_data()):
        pass
    (tmp_path / "run" / name).unlink()
    os.mkfifo(tmp_path / "run" / name)
    with pytest.raises(RunError, match="regular file"), existing_run(tmp_path / "run") as run:
        run.read_data()


def test_chains_and_runs_tell_their_commits_apart_whatever_their_length(tmp_path):
    with new_run(tmp_path / "run", make_provenance(2, 5), some_data()) as run:
        assert run.origin(0) != run.origin(1)
        assert run.amend(num_draws=9).origin(0) == run.origin(0)
        assert run.amend(entropy="8").origin(0) != run.origin(0)
