"""A file is whole or not there."""

from __future__ import annotations

import contextlib
import os
import stat

import pytest

from wfibp.files import check_destination, replace_file


def test_the_file_appears_only_when_the_block_has_ended(tmp_path):
    path = tmp_path / "table.csv"
    with replace_file(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_on_the_way_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    with contextlib.suppress(RuntimeError), replace_file(path) as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_gets_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path):
    path, plain = tmp_path / "table.csv", tmp_path / "plain"
    plain.touch()
    for expected in (stat.S_IMODE(plain.stat().st_mode), 0o640):
        with replace_file(path) as file:
            file.write(b"x")
        assert stat.S_IMODE(path.stat().st_mode) == expected
        path.chmod(0o640)


def test_a_link_keeps_pointing_where_it_did(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_bytes(b"old")
    link.symlink_to(real)
    with replace_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_the_bytes_are_on_disk_before_the_name_is(tmp_path, monkeypatch):
    path, events = tmp_path / "table.csv", []
    monkeypatch.setattr(os, "fsync", lambda descriptor: events.append(path.exists()))
    with replace_file(path) as file:
        file.write(b"x")
    assert events == [False, True]  # the file before it has its name, the folder after


@pytest.mark.parametrize("name", ["table.csv", "TABLE.CSV"])
def test_a_good_destination_is_left_untouched_by_the_check(tmp_path, name):
    check_destination("--output", tmp_path / name, (".csv", ".npz"), overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_passes_only_when_it_may_be_replaced(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    check_destination("--output", path, (".csv", ".npz"), overwrite=True)
    with pytest.raises(ValueError, match="already exists; add --overwrite"):
        check_destination("--output", path, (".csv", ".npz"), overwrite=False)
    assert path.read_bytes() == b"old"
