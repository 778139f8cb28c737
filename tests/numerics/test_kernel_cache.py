"""Compiled kernels are kept where they can be written, and never outlive the sources they were made of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from wfibp.numerics import kernel_cache
from wfibp.numerics.kernel import kernel
from wfibp.numerics.kernel_cache import KEPT, LAYERS, PACKAGE, PREFIX, digest_of_sources, find_cache, remove_old


@pytest.fixture(autouse=True)
def forgotten():
    """What was found in one test is looked for again in the next."""
    find_cache.cache_clear()
    yield
    find_cache.cache_clear()


def write_package(folder: Path, constant: int) -> Path:
    (folder / "numerics").mkdir(parents=True, exist_ok=True)
    (folder / "numerics" / "called.py").write_text(f"VALUE = {constant}\n")
    return folder


def test_the_digest_changes_with_any_file_and_with_nothing_else(tmp_path):
    one, same = write_package(tmp_path / "one", 1), write_package(tmp_path / "same", 1)
    other = write_package(tmp_path / "other", 2)
    assert digest_of_sources(one) == digest_of_sources(same) != digest_of_sources(other)


def test_every_file_with_a_kernel_is_part_of_the_digest():
    with_kernels = [path for path in PACKAGE.rglob("*.py") if "\n@kernel" in path.read_text(encoding="utf-8")]
    assert len(with_kernels) > 20
    assert {path.relative_to(PACKAGE).parts[0] for path in with_kernels} <= set(LAYERS)


def test_the_folder_that_the_user_names_is_used(tmp_path):
    assert find_cache(str(tmp_path)) == tmp_path / f"{PREFIX}{digest_of_sources()}"


def test_a_package_that_cannot_be_written_is_cached_with_the_user(tmp_path, monkeypatch):
    blocked = tmp_path / "package"
    blocked.write_text("a file where a folder would have to be: nobody can write there, not even root\n")
    monkeypatch.setattr(kernel_cache, "PACKAGE", blocked)
    monkeypatch.setattr(kernel_cache, "user_caches", lambda: [tmp_path / "home"])
    found = find_cache()
    assert found is not None
    assert found.parent == tmp_path / "home"


def test_without_any_place_to_write_kernels_are_compiled_all_the_same(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(blocked))

    @kernel
    def double(x: float) -> float:
        return 2.0 * x

    assert double(4.0) == 8.0
    assert blocked.read_text() == ""


def test_other_code_is_cached_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @kernel
    def half(x: float) -> float:
        return 0.5 * x

    assert half(4.0) == 2.0
    assert Path(numba.config.CACHE_DIR) == tmp_path
    assert list(tmp_path.glob(f"{PREFIX}*/**/*half*.nbi"))


def test_only_the_latest_folders_are_kept_and_nothing_of_others(tmp_path):
    for age in range(KEPT + 2):
        (tmp_path / f"{PREFIX}{age}").mkdir()
        os.utime(tmp_path / f"{PREFIX}{age}", (1e9 - age, 1e9 - age))
    (tmp_path / "mine").mkdir()
    remove_old(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", *(f"{PREFIX}{age}" for age in range(KEPT))]


def test_a_kernel_is_rebuilt_when_one_that_it_calls_in_another_file_changes(tmp_path):
    """What Numba alone does not do, shown on a package of two files: the caller stays, the called changes."""
    package = tmp_path / "numerics"
    package.mkdir()
    head = "from wfibp.numerics import kernel_cache\nfrom wfibp.numerics.kernel import kernel\n"
    (package / "caller.py").write_text(
        f"{head}from called import value\n\n@kernel\ndef twice():\n    return 2 * value()\n"
    )
    script = (
        "import sys, pathlib; from wfibp.numerics import kernel_cache as c\n"
        f"c.digest_of_sources.__defaults__ = (pathlib.Path({str(tmp_path)!r}),)\n"
        f"sys.path.insert(0, {str(package)!r}); import caller; print(caller.twice())\n"
    )
    found = []
    for constant in (1, 21):
        (package / "called.py").write_text(f"{head}\n@kernel\ndef value():\n    return {constant}\n")
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-B", "-c", script]
        found.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert found == ["2\n", "42\n"]
