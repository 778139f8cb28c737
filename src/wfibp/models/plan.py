"""Which sweeps does a chain make, and which of them are kept?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wfibp.posterior.commits import Commit
from wfibp.posterior.run_folder import RunFolder


@dataclass(frozen=True)
class Plan:
    """Sweeps of warm-up, draws kept after them, and sweeps for each draw."""

    num_warmup: int
    num_draws: int
    thin: int

    @classmethod
    def of(cls, run: RunFolder, commit: Commit | None = None) -> Plan:
        """As the provenance has it, unless the chain has chosen a shorter one under a limit on its time."""
        settings = run.provenance["settings"]
        plan = cls(settings["num_warmup"], run.provenance["num_draws"], settings["thin"])
        if commit is None or commit.num_warmup is None:
            return plan
        return replace(plan, num_warmup=commit.num_warmup, thin=commit.thin or plan.thin)

    @property
    def total(self) -> int:
        """Sweeps in all."""
        return self.num_warmup + self.num_draws * self.thin

    def keeps(self, sweep: int) -> bool:
        """Whether the draw after this sweep is kept."""
        return sweep > self.num_warmup and (sweep - self.num_warmup) % self.thin == 0
