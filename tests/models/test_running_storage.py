"""Disks that are full or cannot be written to: what was committed stays, and the run can go on."""

from __future__ import annotations

import os
import resource
import subprocess
from contextlib import contextmanager

import pytest

from tests.models.small_run import contents, small_dataset, small_model
from wfibp.models.running import resume_chains, run_chains
from wfibp.posterior import Posterior
from wfibp.posterior.errors import RunWarning, StorageError


@contextmanager
def small_disk(path, options):
    """A real disk of its own, in memory; only an administrator can mount one."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a disk here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


@contextmanager
def files_at_most(num_bytes):
    """No file of this process can grow beyond this."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run_small(path, num_workers=1):
    model = small_model(num_draws=100, num_chains=2, num_workers=num_workers)
    run_chains(model, small_dataset(model), path, checkpoint_seconds=0.0)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    path = tmp_path_factory.mktemp("roomy") / "run"
    run_small(path)
    return contents(path)


def test_files_that_cannot_grow_stop_the_run_and_nothing_is_lost(tmp_path, uninterrupted):
    with (
        files_at_most(12_000),
        pytest.raises(StorageError, match=r"File too large\); its \d+ draws up to sweep \d+ are kept"),
    ):
        run_small(tmp_path / "run")
    with pytest.warns(RunWarning, match="unfinished"):
        assert Posterior.load(tmp_path / "run").num_draws > 5
    resume_chains(tmp_path / "run", num_workers=1)
    assert contents(tmp_path / "run") == uninterrupted


@pytest.mark.parametrize("num_workers", [1, 2])
def test_a_full_disk_stops_the_run_and_with_more_room_it_goes_on(tmp_path, uninterrupted, num_workers):
    disk = tmp_path / "disk"
    with small_disk(disk, "size=96k"):
        with pytest.raises(StorageError, match=r"No space left on device.*then resume the run"):
            run_small(disk / "run", num_workers)
        with pytest.raises(StorageError, match="No space left on device"):
            resume_chains(disk / "run", num_workers=1, checkpoint_seconds=0.0)
        with pytest.warns(RunWarning, match="unfinished"):
            assert Posterior.load(disk / "run").num_draws > 0
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        resume_chains(disk / "run", num_workers=1)
        assert contents(disk / "run") == uninterrupted


def test_a_disk_full_from_the_start_is_a_clear_error(tmp_path):
    disk = tmp_path / "disk"
    with small_disk(disk, "size=4k"), pytest.raises(StorageError, match=r"No space left on device.*make room"):
        run_small(disk / "run")


def test_a_disk_that_turned_read_only_is_a_clear_error_and_its_draws_can_be_read(tmp_path):
    disk = tmp_path / "disk"
    with small_disk(disk, "size=4m"):
        run_small(disk / "run")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(StorageError, match="Read-only file system"):
            resume_chains(disk / "run", more_draws=5)
        assert Posterior.load(disk / "run").num_draws == 100
        with pytest.raises(StorageError, match="Read-only file system"):
            run_small(disk / "another")


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator may write anywhere")
def test_a_folder_without_permission_is_a_clear_error(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(StorageError, match="Permission denied"):
        run_small(tmp_path / "closed" / "run")
