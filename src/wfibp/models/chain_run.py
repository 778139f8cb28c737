"""Running one chain to its end, or until it is stopped, with its draws and checkpoints going to disk."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg  # noqa: F401 - its BLAS must be loaded before threads are limited
from threadpoolctl import threadpool_limits

from wfibp.inference.moves import MoveSums
from wfibp.inference.setup import Chain
from wfibp.models.data import Problem
from wfibp.posterior.chain_writer import ChainWriter
from wfibp.posterior.checkpoints import settle
from wfibp.posterior.commits import Say
from wfibp.posterior.draws import record_draw
from wfibp.posterior.errors import ChainError, RunError
from wfibp.posterior.run_folder import RunFolder

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

CHECKPOINT_SECONDS = 20.0  # at most this much work is lost to a kill
REPORT_SECONDS = 0.2

Progress = Callable[[int, int, int, dict[str, Any]], None]  # chain, sweep, total, what is worth showing


@dataclass(frozen=True)
class Plan:
    """Which sweeps there are and which are kept."""

    num_warmup: int
    num_draws: int
    thin: int

    @classmethod
    def of(cls, run: RunFolder) -> Plan:
        """As the provenance has it."""
        settings = run.provenance["settings"]
        return cls(settings["num_warmup"], run.provenance["num_draws"], settings["thin"])

    @property
    def total(self) -> int:
        """Sweeps in all."""
        return self.num_warmup + self.num_draws * self.thin

    def keeps(self, sweep: int) -> bool:
        """Whether the draw after this sweep is kept."""
        return sweep > self.num_warmup and (sweep - self.num_warmup) % self.thin == 0


@dataclass(frozen=True)
class Reporting:
    """Whom a running chain listens to and talks to."""

    should_stop: Callable[[], bool]
    on_progress: Progress
    say: Say
    checkpoint_seconds: float = CHECKPOINT_SECONDS


def stored_problem(run: RunFolder) -> Problem:
    """What the run is about, from its folder."""
    clock, order, arrays = run.read_data()
    return Problem(clock=clock, arrays=arrays, order=order)


def run_chain(run: RunFolder, model: DynamicModel, problem: Problem, number: int, reporting: Reporting) -> bool:
    """Take the chain on from where it was; True when it is at its end, False when it was stopped.

    One thread for linear algebra: with more, the last bits of a product would depend on how many there are.
    """
    folder = run.chain(number)
    with run.locked_chain(number), threadpool_limits(1):
        writer = ChainWriter(folder, reporting.say, run.origin(number))
        plan = Plan.of(run)
        if writer.commits and writer.commits[0].sweep >= plan.total:
            return True
        try:
            chain = take_up_chain(run, model, problem, number, writer)
            return sweep_on(chain, writer, plan, number, reporting)
        except RunError:
            raise
        except Exception as error:
            kept = f"its draws up to sweep {writer.commits[0].sweep} are kept" if writer.commits else "no draw is kept"
            message = f"chain {number} stopped: {type(error).__name__}: {error}; {kept} in {folder}"
            raise ChainError(message, traceback.format_exc()) from error


def take_up_chain(
    run: RunFolder, model: DynamicModel, problem: Problem, number: int, writer: ChainWriter
) -> Chain[Any]:
    """The chain as the last commit left it, or at its first state."""
    seeds = np.random.SeedSequence(int(run.provenance["entropy"])).spawn(run.num_chains)
    chain = model.start_chain(problem, seeds[number])
    restored = writer.restore(problem.clock, type(chain.state))
    if restored is not None:
        chain.state, chain.rng.bit_generator.state = restored
        chain.moves = MoveSums(writer.moves)
    settle(chain.state)
    return chain


def sweep_on(chain: Chain[Any], writer: ChainWriter, plan: Plan, number: int, reporting: Reporting) -> bool:
    """Sweep, keep, commit, report, in this order, until the end or a stop."""
    committed = reported = time.monotonic()
    sweeps = chain.sweeps()
    while chain.state.sweep < plan.total:
        state = next(sweeps)
        settle(state)
        if plan.keeps(state.sweep):
            writer.append(record_draw(state, chain.likelihood))
        now, at_end, stopped = time.monotonic(), state.sweep == plan.total, reporting.should_stop()
        if at_end or stopped or writer.is_full or now - committed >= reporting.checkpoint_seconds:
            writer.write_commit(state, chain.rng, chain.moves.totals)
            committed = now
        if at_end or now - reported >= REPORT_SECONDS:
            seen = {"num_features": state.num_features, "log_likelihood": chain.likelihood.log_likelihood(state)}
            reporting.on_progress(number, state.sweep, plan.total, seen)
            reported = now
        if stopped and not at_end:
            return False
    return True
