"""The files of a chain: few, sound, and never half of anything."""

from __future__ import annotations

import numpy as np
import pytest

from tests.posterior.synthetic import damage, make_clock, make_draw, make_state, write_run
from wfibp.inference.state import State
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.chain_writer import SEGMENT_DRAWS, ChainWriter
from wfibp.posterior.errors import DamagedRunError


def test_a_chain_keeps_few_files_however_often_it_commits_and_all_draws(tmp_path):
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(30)]
    run = write_run(tmp_path / "run", clock, [draws], commit_every=1)
    names = sorted(path.name for path in run.chain(0).iterdir())
    assert len(names) == 7  # two commits, each with a checkpoint and its own last segment; and the lock
    blocks = list(ChainReader.open(0, run.chain(0), pytest.fail).blocks())
    assert [int(s) for block in blocks for s in block.numbers["sweep"]] == list(range(30))


def test_a_full_segment_is_closed_and_the_next_begun(tmp_path, monkeypatch):
    monkeypatch.setattr("wfibp.posterior.chain_writer.SEGMENT_DRAWS", 4)
    assert SEGMENT_DRAWS > 4
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(10)]
    run = write_run(tmp_path / "run", clock, [draws], commit_every=1)
    reader = ChainReader.open(0, run.chain(0), pytest.fail)
    assert [block.num_draws for block in reader.blocks()] == [4, 4, 2]
    assert [block.first for block in reader.blocks()] == [0, 4, 8]
    assert [int(s) for block in reader.blocks() for s in block.numbers["sweep"]] == list(range(10))
    writer = ChainWriter(run.chain(0), pytest.fail)
    assert writer.num_draws == 10
    assert len(writer.buffer) == 2


@pytest.mark.parametrize("how", ["flip", "truncate", "remove"])
@pytest.mark.parametrize("what", ["checkpoint", "draws", "commit"])
def test_if_the_newest_commit_is_damaged_the_one_before_is_used_and_that_is_said(tmp_path, what, how):
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(6)]
    run = write_run(tmp_path / "run", clock, [draws], commit_every=2)
    damage(sorted(run.chain(0).glob(f"{what}-*"))[-1], how)
    said = []
    writer = ChainWriter(run.chain(0), said.append)
    assert writer.num_draws == 4
    assert [draw.numbers["sweep"] for draw in writer.buffer] == [0, 1, 2, 3]
    state, _ = writer.restore(clock, State)
    assert state.sweep == 4
    if (what, how) == ("commit", "remove"):
        assert said == []  # as if it had never been
    else:
        assert len(said) == 1
        assert "the commit before it is used, of sweep 4" in said[0]
        assert f"{what}-" in said[0]


def test_after_a_fall_back_the_damaged_files_are_gone_and_the_chain_goes_on(tmp_path):
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(6)]
    run = write_run(tmp_path / "run", clock, [draws], commit_every=2)
    damage(run.chain(0) / "checkpoint-0000000006.npz", "flip")
    writer = ChainWriter(run.chain(0), lambda _: None)
    writer.append(draws[4])
    writer.write_commit(make_state(clock, 5), np.random.default_rng(0))
    reader = ChainReader.open(0, run.chain(0), pytest.fail)
    assert [int(s) for block in reader.blocks() for s in block.numbers["sweep"]] == [0, 1, 2, 3, 4]
    assert len(list(run.chain(0).glob("commit-*"))) == 2


def test_if_both_commits_are_damaged_the_error_says_so(tmp_path):
    clock = make_clock()
    run = write_run(tmp_path / "run", clock, [[make_draw(clock, [0], [[1.0, 0.0]])] * 3], commit_every=1)
    for path in run.chain(0).glob("checkpoint-*"):
        damage(path, "flip")
    with pytest.raises(DamagedRunError, match="no earlier commit is left"):
        ChainWriter(run.chain(0), pytest.fail)


def test_files_that_are_not_the_chain_s_own_are_left_alone_and_leftovers_removed(tmp_path):
    clock = make_clock()
    run = write_run(tmp_path / "run", clock, [[make_draw(clock, [0], [[1.0, 0.0]])] * 3], commit_every=1)
    (run.chain(0) / "notes.txt").write_text("mine")
    for leftover in ("draws-0000000000-0000000099.npz", "checkpoint-0000000099.npz", ".0a1b.tmp"):
        (run.chain(0) / leftover).write_bytes(b"half")
    writer = ChainWriter(run.chain(0), pytest.fail)
    assert writer.num_draws == 3
    names = {path.name for path in run.chain(0).iterdir()}
    assert "notes.txt" in names
    assert not {"draws-0000000000-0000000099.npz", "checkpoint-0000000099.npz", ".0a1b.tmp"} & names
