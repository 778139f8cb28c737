"""Running the chains of a model into a folder, and continuing a run that was stopped."""

from __future__ import annotations

import json
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from wfibp import checks
from wfibp.inference.likelihood import Likelihood
from wfibp.models.chain_run import CHECKPOINT_SECONDS, Progress, Reporting, run_chain, stored_dataset
from wfibp.models.dataset import Dataset
from wfibp.models.pace import Work
from wfibp.models.plan import Plan
from wfibp.models.pool import Pool
from wfibp.models.provenance import changed_versions, describe_run, rebuild_model
from wfibp.models.registry import is_built_in
from wfibp.models.time_limit import TimeLimit
from wfibp.parameters import ParameterError, ParameterTypeError
from wfibp.posterior import Posterior
from wfibp.posterior.errors import RunInterrupted, RunWarning
from wfibp.posterior.run_folder import RunData, RunFolder, existing_run, new_run

if TYPE_CHECKING:
    from wfibp.models.base import DynamicModel


class Executor(Protocol):
    """Where chains are computed: called with a run on disk, it takes these chains of it to their ends, or raises."""

    def __call__(self, run: RunFolder, chains: Sequence[int], reporting: Reporting) -> None:
        """Run the chains, wherever that is; `wfibp.models.chain_run.run_chain` runs one."""
        ...


def run_chains(
    model: DynamicModel,
    dataset: Dataset,
    directory: str | Path,
    on_progress: Progress | None = None,
    *,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    notes: dict[str, Any] | None = None,
    limit: TimeLimit | None = None,
    executor: Executor | None = None,
) -> None:
    """Run all chains of the model into a new folder; under a `limit` with a shorter warm-up, and draws until it ends.

    `on_progress(chain, sweep, total, seen)` hears of each chain at most five times a second, and at its end. `notes`
    are plain JSON, kept with the provenance of the run: the command that made it, how its data were read. A listener
    with the methods `starting(work, plan)`, `compiling(chain, kernel)` and `stopping()` hears of what there is to do
    once everything is checked, of kernels that are compiled, and of Ctrl-C, too.
    """
    _check_callables(on_progress, executor)
    num_workers, likelihood = count_workers(model, model.num_workers), model.likelihood(dataset)
    provenance = {**describe_run(model, likelihood), **_check_notes(notes)}
    compute = executor or _local_executor(num_workers, ThisProcess(model, dataset, likelihood))
    work = Work.of(dataset, model.num_chains, num_workers, limit)
    _say_start(on_progress, work, Plan(model.num_warmup, model.num_draws, model.thin))
    with new_run(directory, provenance, RunData(dataset.clock, dataset.order, dataset.arrays)) as run:
        compute(run, range(run.num_chains), _reporting(on_progress, checkpoint_seconds, limit))


def resume_chains(
    directory: str | Path,
    more_draws: int = 0,
    on_progress: Progress | None = None,
    num_workers: int | None = None,
    *,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    limit: TimeLimit | None = None,
    executor: Executor | None = None,
) -> None:
    """Continue a run that was stopped, by `more_draws` draws per chain beyond what was asked for until now.

    Its draws are those of a run that was never stopped, bit for bit; a warm-up that a limit made shorter stays so.
    """
    _check_callables(on_progress, executor)
    more = checks.whole_number("more_draws", more_draws)
    with existing_run(directory) as run:
        model, dataset = rebuild_model(run.provenance), stored_dataset(run)
        workers = count_workers(model, num_workers)
        compute = executor or _local_executor(workers, ThisProcess(model, dataset))
        reporting = _reporting(on_progress, checkpoint_seconds, limit)
        if changes := changed_versions(run.provenance):
            reporting.say(f"the run was begun with other versions ({changes}): the last bits of its draws may differ")
        if more:
            run = run.amend(num_draws=run.provenance["num_draws"] + more)
        _say_start(on_progress, Work.of(dataset, run.num_chains, workers, limit), Plan.of(run))
        compute(run, range(run.num_chains), reporting)


def resume(
    directory: str | Path,
    more_draws: int = 0,
    *,
    num_workers: int | None = None,
    max_time: float | str | TimeLimit | None = None,
    on_progress: Progress | None = None,
    executor: Executor | None = None,
) -> Posterior:
    """Continue a stopped run, or a finished one by more draws.

    The draws are those of a run that was never stopped, bit for bit.

    Parameters
    ----------
    directory : str or Path
        The folder of the run.
    more_draws : int, default=0
        Draws per chain beyond those asked for until now.
    num_workers : int, default=None
        Processes that run chains; None is one per chain and core.
    max_time : float or str, default=None
        Longest time that this may take, in seconds or as a text such as "10m"; the run stops after it with the draws it
        has.
    on_progress : callable, default=None
        Called as on_progress(chain, sweep, total, seen) while the chains run, in place of the progress bars.
    executor : callable, default=None
        What computes the chains, called as executor(run, chains, reporting); None is processes of this machine,
        `num_workers` at a time.

    Returns
    -------
    Posterior
        All draws of the run.

    Examples
    --------
    >>> import wfibp
    >>> model = wfibp.DynamicFeatureModel(num_draws=10, num_warmup=10, num_chains=1, seed=1, output="run")
    >>> model.fit([[0.1, 2.0], [1.9, 0.2]]).posterior_.num_draws
    10
    >>> wfibp.resume("run", more_draws=5).num_draws
    15
    """
    from wfibp.models.progress import show_progress

    limit = TimeLimit.of("max_time", max_time)
    with show_progress(on_progress, verbose=True) as listener:
        resume_chains(directory, more_draws, listener, num_workers, limit=limit, executor=executor)
    return Posterior.load(directory)


def _local_executor(num_workers: int, here: ThisProcess) -> Executor:
    """Processes of their own for the chains, or this one."""
    if num_workers == 1:
        return here
    return lambda run, chains, reporting: Pool(run, num_workers, reporting).run_all(chains)


@dataclass(frozen=True)
class ThisProcess:
    """Runs chains here, one after another, with one likelihood for all of them."""

    model: DynamicModel
    dataset: Dataset
    likelihood: Likelihood[Any] | None = None

    def __call__(self, run: RunFolder, chains: Sequence[int], reporting: Reporting) -> None:
        """Until the last is at its end, or Ctrl-C has come and the sweep is finished."""
        likelihood = self.model.likelihood(self.dataset) if self.likelihood is None else self.likelihood
        with _catching_interrupts(reporting.on_stop) as stop:
            for place, number in enumerate(chains):
                limit = reporting.limit_for(len(chains) - place)
                listening = replace(reporting, should_stop=stop.is_set, limit=limit)
                run_chain(run, self.model, self.dataset, number, listening, likelihood)
                if stop.is_set():
                    raise RunInterrupted(run.path)


def count_processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_workers(model: DynamicModel, wanted: int | None) -> int:
    """One for each chain and core, unless told otherwise; a class of the user's own runs in this process."""
    asked = count_processors() if wanted is None else checks.whole_number("num_workers", wanted, at_least=1)
    if not is_built_in(model):
        if wanted is not None and asked > 1:
            raise ParameterError(
                "num_workers",
                f"must be 1 for {type(model).__name__}, got {asked}: another process could not find a class that is "
                "not part of wfibp",
            )
        return 1
    return min(asked, model.num_chains)


def _check_callables(on_progress: Any, executor: Any) -> None:
    for name, value in (("on_progress", on_progress), ("executor", executor)):
        if value is not None and not callable(value):
            raise ParameterTypeError(name, f"must be a function or None, got {checks.shown(value)}")


def _check_notes(notes: Any) -> dict[str, Any]:
    """Nothing, or what JSON can hold."""
    if notes is None:
        return {}
    try:
        json.dumps(checks.instance("notes", notes, dict, "give names with plain values"), allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        if isinstance(error, ParameterTypeError):
            raise
        raise ParameterError(
            "notes", f"must be names with values that JSON can hold, got {checks.shown(notes)}"
        ) from None
    return dict(notes)


def _reporting(on_progress: Progress | None, checkpoint_seconds: float, limit: TimeLimit | None) -> Reporting:
    on_compile = getattr(on_progress, "compiling", _ignore)
    on_stop = getattr(on_progress, "stopping", _ignore)
    return Reporting(lambda: False, on_progress or _ignore, _warn, checkpoint_seconds, limit, on_compile, on_stop)


def _say_start(on_progress: Progress | None, work: Work, plan: Plan) -> None:
    getattr(on_progress, "starting", _ignore)(work, plan)


def _ignore(*_: Any) -> None:
    return


def _warn(text: str) -> None:
    warnings.warn(text, RunWarning, stacklevel=2)


@contextmanager
def _catching_interrupts(on_stop: Callable[[], None]) -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, so that the sweep can be finished; the second one interrupts as ever."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.getsignal(signal.SIGINT)

    def note(*_: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)
        with suppress(RuntimeError):  # something was being printed at this very moment
            on_stop()

    signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
