"""How far can a run be trusted, in plain words, and should it go on?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from wfibp.corpus.phrasing import plural, thousands
from wfibp.posterior import Posterior
from wfibp.report.description import describe

# Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), "Rank-normalization, folding, and localization".
GOOD_R_HAT, GOOD_ESS = 1.01, 400.0
FAIR_R_HAT, FAIR_ESS = 1.05, 100.0  # enough for a first look: means off by a tenth of their spread
FAR_APART = 1.2  # chains that differ so much sit in different places, and more draws alone may not bring them together
STUCK = 100.0  # chains that each stay at a value of their own
MOST_TIMES_LONGER = 10.0  # further ahead the rates below say little
FEWEST_DRAWS = 4  # a chain, for the diagnostics to be defined
NOT_JUDGED = "num_features"  # it counts features of single objects, which come and go; established ones are judged


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the diagnostics of a run say.

    level: "good", "fair" (enough for a first look) or "poor"; headline: the same in one sentence; sentences: why;
    more_draws: by how many draws per chain the run should go on, 0 if it need not; table: the numbers behind it all.
    """

    level: str
    headline: str
    sentences: tuple[str, ...]
    more_draws: int
    table: pd.DataFrame

    @property
    def run_longer(self) -> bool:
        """Whether the run should go on."""
        return self.more_draws > 0

    def __str__(self) -> str:
        return " ".join((self.headline, *self.sentences))


@dataclass(frozen=True)
class Worst:
    """The worst of the diagnostics and the numbers they belong to; R-hat is NaN with one chain."""

    r_hat: float
    least_converged: str
    ess: float
    least_mixed: str

    @property
    def level(self) -> str:
        """One chain alone cannot be good: nothing tells that another would have gone elsewhere."""
        if self.r_hat <= GOOD_R_HAT and self.ess >= GOOD_ESS:
            return "good"
        agrees = math.isnan(self.r_hat) or self.r_hat <= FAIR_R_HAT
        return "fair" if agrees and self.ess >= FAIR_ESS else "poor"


HEADLINES = {
    "good": "The results can be trusted.",
    "fair": "The results are good enough for a first look, not yet for publication.",
    "poor": "The results cannot be trusted yet.",
}


STILL_WARMING_UP = "The chains are still warming up: this is where they are now, not a result."
GO_ON = "Let the run continue, or continue it where it was stopped (wfibp resume)."


def verdict(posterior: Posterior) -> Verdict:
    """The verdict on the draws made so far."""
    table = posterior.summary()
    if posterior.is_warmup:
        return Verdict("poor", STILL_WARMING_UP, (_where_it_is(posterior), GO_ON), 0, table)
    begun = _what_was_drawn(posterior)
    if posterior.num_draws < FEWEST_DRAWS:
        few = f"That is too few to judge convergence: at least {FEWEST_DRAWS} draws per chain are needed."
        longer = max(int(GOOD_ESS), int(posterior.provenance["num_draws"])) - posterior.num_draws
        return Verdict("poor", HEADLINES["poor"], (begun, few, _advice(longer, math.nan)), longer, table)
    moving = table[table["sd"] > 0.0].drop(index=NOT_JUDGED, errors="ignore")
    if moving.empty:
        return Verdict("good", HEADLINES["good"], (begun, "Every number was held fixed."), 0, table)
    named = moving.rename(index=lambda name: describe(posterior).name_number(str(name)))
    worst = find_worst(named, posterior.num_chains)
    more = draws_wanted(worst, posterior.num_draws)
    sentences = (
        begun,
        _about_agreement(worst, posterior),
        _about_features(posterior),
        _about_size(worst),
        _advice(more, worst.r_hat),
    )
    return Verdict(worst.level, HEADLINES[worst.level], tuple(filter(None, sentences)), more, table)


def find_worst(moving: pd.DataFrame, num_chains: int) -> Worst:
    """Over the numbers that move; one that moves between chains but in none of them has no R-hat, and is worst."""
    ess = moving[["ess_bulk", "ess_tail"]].min(axis=1).fillna(0.0)
    r_hat = moving["r_hat"].fillna(np.inf) if num_chains > 1 else moving["r_hat"]
    return Worst(float(r_hat.max()), str(r_hat.fillna(0.0).idxmax()), float(ess.min()), str(ess.idxmin()))


def draws_wanted(worst: Worst, num_draws: int) -> int:
    """Further draws per chain until R-hat and the effective sample size are good, 0 if they are.

    The effective sample size grows as the draws do, and R-hat² − 1 falls as their inverse.
    """
    by_size = GOOD_ESS / max(worst.ess, 1.0)
    by_agreement = (worst.r_hat**2 - 1.0) / (GOOD_R_HAT**2 - 1.0) if worst.r_hat > GOOD_R_HAT else 1.0
    times_longer = min(max(by_size, by_agreement, 1.0), MOST_TIMES_LONGER)
    return round_up(math.ceil((times_longer - 1.0) * num_draws))


def round_up(number: int) -> int:
    """The next number with one digit and zeros: 137 becomes 200."""
    if number <= 10:
        return number
    unit = 10 ** (len(str(number)) - 1)
    return -(-number // unit) * unit


def _what_was_drawn(posterior: Posterior) -> str:
    planned, lengths = posterior.settings.get("num_warmup", 0), posterior.progress["num_warmup"]
    chains = "One chain made" if posterior.num_chains == 1 else f"{posterior.num_chains} chains made"
    each = "" if posterior.num_chains == 1 else " each"
    warmup = f" after {plural(planned, 'sweep')} of warm-up" if planned else ""
    cut = ""
    if (lengths < planned).any():
        warmup = f" after {' and '.join(map(str, dict.fromkeys(lengths)))} sweeps of warm-up"
        cut = f" A limit on the time made the warm-up shorter than the {thousands(planned)} sweeps planned."
    unfinished = posterior.num_draws < posterior.provenance["num_draws"]
    of = f" of the {thousands(posterior.provenance['num_draws'])} wanted" if unfinished else ""
    return f"{chains} {plural(posterior.num_draws, 'draw')}{each}{of}{warmup}.{cut}"


def _where_it_is(posterior: Posterior) -> str:
    rows = posterior.progress.to_dict("records")
    places = [
        f"chain {row['chain']} is after sweep {row['sweep']} of {row['num_warmup']} of its warm-up" for row in rows
    ]
    said = "; ".join(places)
    return f"{said[0].upper()}{said[1:]}."


def _about_agreement(worst: Worst, posterior: Posterior) -> str:
    if posterior.num_chains == 1:
        return "With one chain it is unknown whether another would have found the same; run two or more."
    named = worst.least_converged
    if worst.r_hat <= GOOD_R_HAT:
        return f"The chains agree: R-hat is at most {worst.r_hat:.3f} (for {named}), and up to {GOOD_R_HAT} is good."
    if worst.r_hat > STUCK:
        return f"The chains disagree: each is stuck at its own value of {named} ({_values(posterior, named)})."
    how = "nearly agree" if worst.r_hat <= FAIR_R_HAT else "do not agree yet"
    return f"The chains {how}: R-hat reaches {worst.r_hat:.2f} (for {named}), and up to {GOOD_R_HAT} is good."


def _values(posterior: Posterior, named: str) -> str:
    """The mean in each chain of the number that a sentence names so."""
    table = posterior.numbers()
    name = next(name for name in map(str, table) if describe(posterior).name_number(name) == named)
    return " and ".join(f"{mean:.4g}" for mean in table.groupby("chain")[name].mean())


def _about_features(posterior: Posterior) -> str:
    """In how many chains the established features were found; chains may agree on numbers and not on features."""
    established = posterior.features[posterior.features["established"]]
    if posterior.num_chains == 1 or not len(established):
        return ""
    in_chains = [len({chain for chain, _ in ids}) for ids in established["ids"]]
    num_everywhere = sum(number == posterior.num_chains for number in in_chains)
    noun = f"established {describe(posterior).noun}"
    if num_everywhere == len(in_chains):
        return f"Every {noun} that is listed was found by every chain."
    verb = "was" if num_everywhere == 1 else "were"
    return f"{num_everywhere} of {plural(len(in_chains), f'listed {noun}')} {verb} found by every chain."


def _about_size(worst: Worst) -> str:
    enough = "enough" if worst.ess >= GOOD_ESS else f"less than the {GOOD_ESS:.0f} wanted"
    size = thousands(int(worst.ess))
    return f"The effective sample size is at least {size} (for {worst.least_mixed}), {enough}."


def _advice(more: int, r_hat: float) -> str:
    if more == 0:
        return "There is no need to run longer."
    warmup = " or fit again with a longer warm-up," if r_hat > FAR_APART else ""
    return f"To fix that, resume with about {thousands(more)} more draws per chain,{warmup} and look again."
