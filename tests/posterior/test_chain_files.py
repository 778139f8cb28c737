"""The files of a chain: few, sound, and never half of anything."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from tests.posterior.synthetic import damage, make_clock, make_draw, make_state, write_run
from wfibp.inference.state import State
from wfibp.posterior.arrays import decode_signed, encode_signed
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.chain_writer import SEGMENT_DRAWS, ChainWriter
from wfibp.posterior.errors import DamagedRunError


def test_a_chain_keeps_few_files_however_often_it_commits_and_all_draws(tmp_path):
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(30)]
    run = write_run(tmp_path / "run", clock, [draws], commit_every=1)
    names = sorted(path.name for path in run.chain(0).iterdir())
    assert len(names) == 8  # two commits, each with a checkpoint and its own last segment; the newest noted; the lock
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
    assert len(said) == 1
    assert "the commit before it is used, of sweep 4 with 4 draws" in said[0]
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


def six_draws(path):
    clock = make_clock()
    draws = [make_draw(clock, [s], [[s, 0.0]], sweep=s) for s in range(6)]
    return write_run(path, clock, [draws], commit_every=2)


@pytest.mark.parametrize("what", ["commit", "draws"])
def test_a_reader_says_which_commit_it_uses_if_that_is_not_the_newest(tmp_path, what):
    run = six_draws(tmp_path / "run")
    sorted(run.chain(0).glob(f"{what}-*"))[-1].unlink()
    said = []
    assert ChainReader.open(0, run.chain(0), said.append).num_draws == 4
    assert "is missing; the commit before it is used, of sweep 4 with 4 draws" in said[0]


def test_a_reader_needs_no_checkpoint(tmp_path):
    run = six_draws(tmp_path / "run")
    for path in run.chain(0).glob("checkpoint-*"):
        path.unlink()
    assert ChainReader.open(0, run.chain(0), pytest.fail).num_draws == 6


def test_in_a_run_without_a_note_of_the_newest_a_lonely_checkpoint_tells_of_a_deleted_commit(tmp_path):
    run = six_draws(tmp_path / "run")
    (run.chain(0) / "newest.json").unlink()
    assert ChainReader.open(0, run.chain(0), pytest.fail).num_draws == 6
    (run.chain(0) / "commit-0000000006.json").unlink()
    said = []
    assert ChainReader.open(0, run.chain(0), said.append).num_draws == 4
    assert "checkpoint-0000000006.npz is there without a commit" in said[0]
    assert ChainWriter(run.chain(0), lambda _: None).num_draws == 4
    assert (run.chain(0) / "newest.json").exists()


def test_if_all_commits_are_deleted_nothing_is_removed_and_the_error_says_what_is_whole(tmp_path):
    run = six_draws(tmp_path / "run")
    for path in run.chain(0).glob("commit-*"):
        path.unlink()
    before = sorted(run.chain(0).iterdir())
    with pytest.raises(DamagedRunError, match=r"whole are still checkpoint-0000000004.*again from its beginning"):
        ChainWriter(run.chain(0), pytest.fail)
    assert sorted(run.chain(0).iterdir()) == before


@pytest.mark.parametrize("content", [5, [1], "text", {}, {"sweep": 6}, {"sweep": "6", "segments": 3}, None])
@pytest.mark.parametrize("signed", [True, False])
def test_a_commit_that_is_json_but_not_ours_is_damage(tmp_path, content, signed):
    run = six_draws(tmp_path / "run")
    path = run.chain(0) / "commit-0000000006.json"
    path.write_bytes(encode_signed(content) if signed else json.dumps(content).encode())
    said = []
    assert ChainReader.open(0, run.chain(0), said.append).num_draws == 4
    assert f"{path} is damaged" in said[0]


def test_a_commit_under_the_name_of_another_is_damage(tmp_path):
    run = six_draws(tmp_path / "run")
    newest = run.chain(0) / "commit-0000000006.json"
    newest.write_bytes((run.chain(0) / "commit-0000000004.json").read_bytes())
    said = []
    assert ChainReader.open(0, run.chain(0), said.append).num_draws == 4
    assert "not the commit of its name" in said[0]


def test_a_commit_of_another_chain_is_damage_but_the_first_runs_did_not_note_theirs(tmp_path):
    clock = make_clock()
    writer = ChainWriter(tmp_path, pytest.fail, "mine")
    writer.append(make_draw(clock, [0], [[1.0, 0.0]]))
    writer.write_commit(make_state(clock, 1), np.random.default_rng(0))
    with pytest.raises(DamagedRunError, match="belongs to another chain or another run"):
        ChainReader.open(0, tmp_path, pytest.fail, "another")
    run = six_draws(tmp_path / "run")
    assert ChainReader.open(0, run.chain(0), pytest.fail, "any").num_draws == 6


def test_a_named_pipe_in_place_of_a_file_does_not_hang(tmp_path):
    run = six_draws(tmp_path / "run")
    newest = run.chain(0) / "commit-0000000006.json"
    newest.unlink()
    os.mkfifo(newest)
    said = []
    assert ChainReader.open(0, run.chain(0), said.append).num_draws == 4
    assert "not a regular file" in said[0]


def test_deeply_nested_json_is_damage(tmp_path):
    run = six_draws(tmp_path / "run")
    (run.chain(0) / "commit-0000000006.json").write_text("[" * 100_000)
    said = []
    ChainReader.open(0, run.chain(0), said.append)
    assert "not the JSON that was written" in said[0]


def test_a_reader_keeps_its_draws_while_the_chain_goes_on_and_replaces_their_file(tmp_path):
    run = six_draws(tmp_path / "run")
    reader = ChainReader.open(0, run.chain(0), pytest.fail)
    clock, writer = make_clock(), ChainWriter(run.chain(0), pytest.fail)
    for s in range(6, 9):
        writer.append(make_draw(clock, [s, s + 1], [[s, 0.0], [0.0, s]], sweep=s))
        writer.write_commit(make_state(clock, s + 1), np.random.default_rng(0))
    assert not (run.chain(0) / reader.commit.segments[0].file).exists()
    (block,) = reader.blocks()
    assert block.numbers["sweep"].tolist() == list(range(6))
    assert block.rows["loadings"].tolist() == [[s, 0.0] for s in range(6)]
    assert block.num_draws == 6


def test_a_run_from_before_origins_and_the_newest_were_noted_is_read_and_resumed(tmp_path):
    run = six_draws(tmp_path / "run")
    (run.chain(0) / "newest.json").unlink()
    for path in run.chain(0).glob("commit-*"):
        content = decode_signed(path.read_bytes())
        del content["origin"]
        path.write_bytes(encode_signed(content))
    assert ChainReader.open(0, run.chain(0), pytest.fail, run.origin(0)).num_draws == 6
    assert ChainWriter(run.chain(0), pytest.fail, run.origin(0)).num_draws == 6


def test_what_a_later_version_adds_to_a_commit_is_left_out(tmp_path):
    run = six_draws(tmp_path / "run")
    path = run.chain(0) / "commit-0000000006.json"
    path.write_bytes(encode_signed({**decode_signed(path.read_bytes()), "added later": [1]}))
    assert ChainReader.open(0, run.chain(0), pytest.fail).num_draws == 6
