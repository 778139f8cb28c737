"""Running one chain to its end, or until it is stopped, with its draws and checkpoints going to disk."""

from __future__ import annotations

import copy
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg  # noqa: F401 - its BLAS must be loaded before threads are limited
from threadpoolctl import threadpool_limits

from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import MoveSums
from wfibp.inference.setup import Chain
from wfibp.models.dataset import Dataset
from wfibp.models.plan import Plan
from wfibp.models.time_limit import TimeLimit, WarmupClock
from wfibp.numerics.compilation import watch_compilation
from wfibp.posterior.chain_writer import ChainWriter
from wfibp.posterior.checkpoints import settle
from wfibp.posterior.commits import Say
from wfibp.posterior.draw_records import record_draw
from wfibp.posterior.errors import ChainError, RunError
from wfibp.posterior.run_folder import RunFolder

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel

CHECKPOINT_SECONDS = 20.0  # at most this much work is lost to a kill
REPORT_SECONDS = 0.2

CompileListener = Callable[[int, str], None]  # chain, and the kernel that is compiled, or "" when that is done
Progress = Callable[[int, int, int, dict[str, Any]], None]  # chain, sweep, total, what is worth showing


@dataclass(frozen=True)
class Reporting:
    """Whom a running chain listens to and talks to."""

    should_stop: Callable[[], bool]
    on_progress: Progress
    say: Say
    checkpoint_seconds: float = CHECKPOINT_SECONDS
    limit: TimeLimit | None = None
    on_compile: CompileListener = lambda chain, kernel: None
    on_stop: Callable[[], None] = lambda: None  # when Ctrl-C has come and the sweep is still to be finished

    def limit_for(self, num_rounds: int) -> TimeLimit | None:
        """The limit of the chains that run now, when so many rounds are to come, this one included."""
        return None if self.limit is None else self.limit.shared_by(num_rounds)


def stored_dataset(run: RunFolder) -> Dataset:
    """What the run is about, from its folder."""
    clock, order, arrays = run.read_data()
    return Dataset(clock=clock, arrays=arrays, order=order)


def run_chain(
    run: RunFolder,
    model: DynamicModel,
    dataset: Dataset,
    number: int,
    reporting: Reporting,
    likelihood: Likelihood[Any] | None = None,
) -> bool:
    """Take the chain on from where it was; True when it is at its end, False when it was stopped.

    `likelihood`: that of the model and dataset, where it has been made before.
    One thread for linear algebra: with more, the last bits of a product would depend on how many there are.
    """
    folder = run.chain(number)
    with run.locked_chain(number), threadpool_limits(1):
        writer = ChainWriter(folder, reporting.say, run.origin(number))
        plan = Plan.of(run, writer.commits[0] if writer.commits else None)
        if writer.commits and writer.commits[0].sweep >= plan.total:
            return True
        try:
            with watch_compilation(partial(reporting.on_compile, number)):
                planned = with_warmup(model, plan.num_warmup)
                chain = planned.start_chain(dataset, seed_of_chain(run, number), likelihood)
                restore_chain(chain, dataset, writer)
                return ChainRun(chain, model, dataset, writer, plan, number, reporting).sweep_on()
        except RunError:
            raise
        except Exception as error:
            kept = f"its draws up to sweep {writer.commits[0].sweep} are kept" if writer.commits else "no draw is kept"
            message = f"chain {number} stopped: {type(error).__name__}: {error}; {kept} in {folder}"
            raise ChainError(message, traceback.format_exc()) from error


def seed_of_chain(run: RunFolder, number: int) -> np.random.SeedSequence:
    """Of each chain its own."""
    return np.random.SeedSequence(int(run.provenance["entropy"])).spawn(run.num_chains)[number]


def restore_chain(chain: Chain[Any], dataset: Dataset, writer: ChainWriter) -> None:
    """Take the chain to where the last commit left it; without a commit it stays at its first state."""
    restored = writer.restore(dataset.clock, type(chain.state))
    if restored is not None:
        chain.state, chain.rng.bit_generator.state = restored
        chain.moves = MoveSums(writer.moves)
    settle(chain.state)


def with_warmup(model: DynamicModel, num_warmup: int) -> DynamicModel:
    """The same model with a warm-up of this length."""
    other = copy.copy(model)
    other.num_warmup = num_warmup
    return other


@dataclass
class ChainRun:
    """A chain on its way."""

    chain: Chain[Any]
    model: DynamicModel
    dataset: Dataset
    writer: ChainWriter
    plan: Plan
    number: int
    reporting: Reporting

    def sweep_on(self) -> bool:
        """Sweep, keep, commit, report, in this order, until the end or a stop."""
        chain, limit = self.chain, self.reporting.limit
        committed = reported = time.monotonic()
        clock = WarmupClock(limit, chain.state.sweep, self.model.warmup_parts) if limit else None
        sweeps = chain.sweeps()
        while chain.state.sweep < self.plan.total:
            shorter = clock.shorten(self.plan, chain.state.sweep) if clock else None
            if shorter is not None:
                self._take(shorter)
                sweeps = chain.sweeps()
            state = next(sweeps)
            settle(state)
            if self.plan.keeps(state.sweep):
                self.writer.append(record_draw(state, chain.likelihood))
            now, at_end, stopped = time.monotonic(), state.sweep == self.plan.total, self._should_stop()
            if at_end or stopped or self._should_commit(now - committed):
                self.writer.write_commit(state, chain.rng, chain.moves.totals)
                committed = now
            if at_end or now - reported >= REPORT_SECONDS:
                self._report()
                reported = now
            if stopped and not at_end:
                return False
        return True

    def _take(self, plan: Plan) -> None:
        """From here on, sweep as a chain does that had this plan from the beginning."""
        self.plan = plan
        self.writer.shorten(plan.num_warmup, plan.thin)
        self.chain.updates = with_warmup(self.model, plan.num_warmup).updates_of(self.chain, self.dataset)

    def _should_stop(self) -> bool:
        limit = self.reporting.limit
        return self.reporting.should_stop() or (limit is not None and limit.is_over)

    def _should_commit(self, seconds_since: float) -> bool:
        return self.writer.is_full or seconds_since >= self.reporting.checkpoint_seconds

    def _report(self) -> None:
        state, likelihood = self.chain.state, self.chain.likelihood
        seen = {
            "num_features": state.num_features,
            "log_likelihood": likelihood.log_likelihood(state),
            "num_warmup": self.plan.num_warmup,
        }
        self.reporting.on_progress(self.number, state.sweep, self.plan.total, seen)
