"""An experiment is done once for each name, version, size, seed and corpus, and a damaged file is as good as none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.reproduction.small import experiment, run
from wfibp.reproduction.experiment import Finding
from wfibp.reproduction.result_store import ResultStore, draw_pictures
from wfibp.reproduction.runner import CorpusFile, carry_out


class Counted:
    """An experiment that knows how often it was run."""

    def __init__(self, **changes):
        self.times = 0
        self.experiment = replace(experiment(**changes), run=self.run)

    def run(self, *arguments, **extra):
        self.times += 1
        return run(*arguments, **extra)

    def done(self, store, *, quick=False, seed=1, corpus=None):
        """How often it had to be run to be done."""
        before = self.times
        carry_out(self.experiment, store, lambda *said: None, quick=quick, seed=seed, corpus=corpus)
        return self.times - before


def write_corpus(path, number):
    path.write_text(f",1987_1,1988_1\nbrain,2,{number}\nkernel,1,3\n")
    return CorpusFile(path)


def test_what_was_done_is_not_done_again(tmp_path):
    counted, store = Counted(), ResultStore(tmp_path)
    first = carry_out(counted.experiment, store, lambda *said: None, quick=False, seed=1)
    again = carry_out(counted.experiment, ResultStore(tmp_path), lambda *said: None, quick=False, seed=1)
    assert counted.times == 1
    np.testing.assert_array_equal(first.results["drawn"], again.results["drawn"])
    assert again.about == first.about


@pytest.mark.parametrize("asked", [{"seed": 2}, {"quick": True}])
def test_another_seed_or_size_is_done_anew_and_both_are_kept(tmp_path, asked):
    counted, store = Counted(), ResultStore(tmp_path)
    assert [counted.done(store), counted.done(store, **asked)] == [1, 1]
    assert [counted.done(store), counted.done(store, **asked)] == [0, 0]


@pytest.mark.parametrize("changes", [{"settings": {"mean": 1.5, "times": (0.0, 1.0)}}, {"version": 2}])
def test_other_settings_or_another_version_are_done_again(tmp_path, changes):
    assert Counted().done(ResultStore(tmp_path)) == 1
    assert Counted(**changes).done(ResultStore(tmp_path)) == 1


def test_a_corpus_counts_by_its_content_where_one_is_needed(tmp_path):
    one, other = write_corpus(tmp_path / "a.csv", 1), write_corpus(tmp_path / "b.csv", 2)
    same = write_corpus(tmp_path / "c.csv", 1)
    counted, store = Counted(needs_corpus=True), ResultStore(tmp_path)
    assert [counted.done(store, corpus=corpus) for corpus in (one, other, same)] == [1, 1, 0]
    without = Counted()
    assert [without.done(store, corpus=corpus) for corpus in (one, other)] == [1, 0]


@pytest.mark.parametrize("damage", [lambda content: content[:-20], lambda content: b"", lambda content: b"PK nonsense"])
def test_a_damaged_file_is_computed_again(tmp_path, damage):
    counted, store = Counted(), ResultStore(tmp_path)
    counted.done(store)
    (path,) = tmp_path.rglob("*.npz")
    path.write_bytes(damage(path.read_bytes()))
    assert [counted.done(store), counted.done(store)] == [1, 0]


def test_parts_outlive_an_experiment_that_was_stopped_and_leave_once_it_is_done(tmp_path):
    stopping = experiment(keeps_parts=True)
    asked = []

    def stop(settings, seed, progress, *, keep):
        keep("first", lambda: asked.append(1) or {"value": np.array(3.0)})
        if len(asked) == 1 and not any(tmp_path.rglob("second")):
            (tmp_path / "second").touch()
            raise KeyboardInterrupt
        return keep("first", lambda: pytest.fail("the part was not kept"))

    stopping = replace(stopping, run=stop)
    with pytest.raises(KeyboardInterrupt):
        carry_out(stopping, ResultStore(tmp_path), lambda *said: None, quick=True, seed=1)
    kept = carry_out(stopping, ResultStore(tmp_path), lambda *said: None, quick=True, seed=1)
    assert float(kept.results["value"]) == 3.0
    assert len(asked) == 1
    assert len(list(tmp_path.rglob("*.npz"))) == 1


def test_pictures_are_drawn_once_and_again_when_one_is_missing(tmp_path):
    store, small = ResultStore(tmp_path), experiment()
    kept = carry_out(small, store, lambda *said: None, quick=True, seed=1)
    (picture,) = draw_pictures(small, kept, store)
    first = picture.stat().st_mtime_ns
    assert draw_pictures(small, kept, store) == [picture]
    assert picture.stat().st_mtime_ns == first
    picture.unlink()
    assert draw_pictures(small, kept, store) == [picture]
    assert picture.is_file()


def test_a_finding_of_numpy_is_one_of_python():
    assert Finding("a", "b", "c", np.float64(1.0) > 0.0).holds is True
