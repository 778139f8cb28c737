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
from wfibp.numerics.kernel_cache import FOLDER, KEPT, PACKAGE, digest_of, find_cache, imported_files, remove_old

HERE = Path(__file__)


@pytest.fixture(autouse=True)
def forgotten():
    """What was found and read in one test is looked for again in the next."""
    for remembered in (find_cache, kernel_cache._read):
        remembered.cache_clear()
    yield
    for remembered in (find_cache, kernel_cache._read):
        remembered.cache_clear()


def write_package(folder: Path, constant: int) -> Path:
    """A file that calls one that calls one with a constant, and one that none of them imports."""
    (folder / "inner").mkdir(parents=True)
    (folder / "outer.py").write_text("from wfibp.middle import (\n    f,\n    g,\n)\n")
    (folder / "middle.py").write_text("import wfibp.inner\n")
    (folder / "inner" / "__init__.py").write_text("from wfibp import called\n")
    (folder / "called.py").write_text(f"VALUE = {constant}\n")
    (folder / "other.py").write_text(f"OTHER = {constant}\n")
    return folder


def test_the_digest_of_a_file_changes_with_any_that_it_imports_and_with_no_other(tmp_path):
    one, other = write_package(tmp_path / "one", 1), write_package(tmp_path / "other", 2)
    assert digest_of(one / "outer.py", one) != digest_of(other / "outer.py", other)
    (other / "called.py").write_text("VALUE = 1\n")
    kernel_cache._read.cache_clear()
    assert digest_of(one / "outer.py", one) == digest_of(other / "outer.py", other)


def test_imports_are_found_however_they_are_written():
    found = imported_files(PACKAGE / "diffusion" / "smoothing.py")
    assert {PACKAGE / "diffusion" / "messages.py", PACKAGE / "numerics" / "random_variates.py"} <= found
    assert PACKAGE / "checks.py" in imported_files(PACKAGE / "diffusion" / "wright_fisher.py")


def test_the_folder_that_the_user_names_is_used(tmp_path):
    assert find_cache(HERE, str(tmp_path)) == tmp_path / FOLDER / f"test_kernel_cache-{digest_of(HERE)}"


def test_a_package_that_cannot_be_written_is_cached_with_the_user(tmp_path, monkeypatch):
    blocked = tmp_path / "package"
    blocked.write_text("a file where a folder would have to be: nobody can write there, not even root\n")
    monkeypatch.setattr(kernel_cache, "PACKAGE", blocked)
    monkeypatch.setattr(kernel_cache, "user_caches", lambda: [tmp_path / "home"])
    found = find_cache(HERE)
    assert found is not None
    assert found.parent == tmp_path / "home" / FOLDER


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
    assert list(tmp_path.glob(f"{FOLDER}/test_kernel_cache-*/**/*half*.nbi"))


def test_only_the_latest_folders_of_a_file_are_kept(tmp_path):
    for age in range(KEPT + 2):
        (tmp_path / f"words-{age}").mkdir()
        os.utime(tmp_path / f"words-{age}", (1e9 - age, 1e9 - age))
    (tmp_path / "other-1").mkdir()
    remove_old(tmp_path / "words-0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other-1", *(f"words-{age}" for age in range(KEPT))]


def test_a_kernel_is_rebuilt_when_one_that_it_calls_in_another_file_changes(tmp_path):
    """What Numba alone does not do, on a package of two files: the caller stays, the called changes."""
    head = "from wfibp.numerics.kernel import kernel\n"
    body = "\n@kernel\ndef twice():\n    return 2 * value()\n"
    (tmp_path / "caller.py").write_text(f"{head}from wfibp.called import value\n{body}")
    script = (
        "import sys, pathlib, wfibp; from wfibp.numerics import kernel_cache as c\n"
        f"wfibp.__path__.append({str(tmp_path)!r})\n"
        f"c.digest_of.__defaults__ = (pathlib.Path({str(tmp_path)!r}),)\n"
        "from wfibp.caller import twice; print(twice())\n"
    )
    found = []
    for constant in (1, 21):
        (tmp_path / "called.py").write_text(f"{head}\n@kernel\ndef value():\n    return {constant}\n")
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-B", "-c", script]
        found.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert found == ["2\n", "42\n"]
