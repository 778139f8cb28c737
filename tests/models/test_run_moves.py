"""What the updates of a run did: kept with its chains, summed on after a resumption, shown to arviz."""

from __future__ import annotations

import pandas as pd

from tests.models.test_running import run_small
from wfibp.models.running import resume_chains
from wfibp.posterior import Posterior
from wfibp.posterior.arrays import encode_signed, read_signed
from wfibp.posterior.run_folder import read_run


def test_the_moves_of_a_run_are_kept_and_a_resumption_goes_on_with_their_sums(tmp_path):
    run_small(tmp_path / "long", num_draws=22, num_chains=2)
    run_small(tmp_path / "short", num_draws=15, num_chains=2)
    resume_chains(tmp_path / "short", more_draws=7, num_workers=1)
    long, short = (Posterior.load(tmp_path / name).moves() for name in ("long", "short"))
    counted = ["chain", "phase", "move", "tried", "accepted", "acceptance_rate"]
    pd.testing.assert_frame_equal(short[counted], long[counted])
    assert (short["seconds"] >= 0.0).all()
    sampling = long[(long["phase"] == "sampling") & (long["chain"] == 0)].set_index("move")
    assert sampling.loc["allocations", "tried"] == 22 * 2
    assert sampling.loc["beta", "accepted"] == sampling.loc["beta", "tried"] == 22 * 2  # by slice sampling


def test_a_run_made_before_moves_were_kept_is_read_and_resumed(tmp_path):
    run = read_run(run_small(tmp_path / "run"))
    for path in run.chain(0).glob("commit-*.json"):
        content = read_signed(path)
        del content["moves"]
        path.write_bytes(encode_signed(content))
    posterior = Posterior.load(run.path)
    assert posterior.moves().empty
    assert "sample_stats" not in posterior.to_arviz().groups()
    resume_chains(run.path, more_draws=3, num_workers=1)
    moves = Posterior.load(run.path).moves().set_index(["phase", "move"])
    assert moves.loc[("sampling", "allocations"), "tried"] == 6


def test_arviz_has_the_moves_after_the_warm_up_by_chain(tmp_path):
    posterior = Posterior.load(run_small(tmp_path / "run", num_chains=2))
    stats, moves = posterior.to_arviz().sample_stats, posterior.moves()
    assert stats["acceptance_rate"].dims == ("chain", "move")
    expected = moves[(moves["chain"] == 1) & (moves["phase"] == "sampling") & (moves["move"] == "beta")].iloc[0]
    assert float(stats["acceptance_rate"].sel(chain=1, move="beta")) == expected["acceptance_rate"]
    assert float(stats["seconds"].sel(chain=1, move="beta")) == expected["seconds"]
