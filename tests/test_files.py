"""A file is whole or not there."""

from __future__ import annotations

import contextlib
import os
import stat

import pytest

from wfibp.files import all_or_none, check_destination, replace_file


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
    check_destination("output", path, (".csv", ".npz"), overwrite=True)
    with pytest.raises(ValueError, match="already exists; add overwrite=True"):
        check_destination("output", path, (".csv", ".npz"), overwrite=False)
    assert path.read_bytes() == b"old"


def test_files_that_belong_together_appear_together(tmp_path):
    folder = tmp_path / "new" / "tables"
    with all_or_none(folder) as staging:
        (staging / "a").write_text("1")
        (staging / "b").write_text("2")
        assert [path for path in folder.iterdir() if not path.name.startswith(".")] == []
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_if_one_file_fails_none_is_left_and_the_old_ones_stay(tmp_path, error):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a").write_text("old")
    for folder in (tmp_path / "old", tmp_path / "new" / "tables"):
        with contextlib.suppress(error), all_or_none(folder) as staging:
            (staging / "a").write_text("new")
            raise error
    assert (tmp_path / "old" / "a").read_text() == "old"
    assert [path.name for path in tmp_path.rglob("*")] == ["old", "a"]


def test_the_error_of_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space") as raised, replace_file(tmp_path / "table.csv"):
        raise OSError(28, "No space left on device")
    assert raised.value.filename == str(tmp_path / "table.csv")
