"""The discrete Wright–Fisher chain of a finite population, whose limit is the diffusion (paper: section 2.1).

Of G individuals, i carry the feature. A carrier's child loses it with probability β_G, another's gains it with
probability μ_G, and the next generation is a sample of G children:
    i' ~ Binomial(G, Ψ_i),   Ψ_i = [i(1 − β_G) + (G − i)μ_G]/G.
With μ_G = μ/(2G) and β_G = β/(2G), i/G after t·G generations tends to WF(μ, β) after time t.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Integers
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_binomial


class WrightFisherChain:
    """The discrete Wright–Fisher chain of a finite population, whose limit is the diffusion.

    Parameters
    ----------
    population : int
        G, the number of individuals in each generation.
    mutation : float, default=0.0
        μ_G, the probability that the child of an individual without the feature has it.
    back_mutation : float, default=0.0
        β_G, the probability that the child of a carrier does not have it.

    Examples
    --------
    >>> import wfibp
    >>> chain = wfibp.WrightFisherChain(population=100, mutation=0.0, back_mutation=0.005)
    >>> chain.draw_path([10, 50], num_generations=20, rng=1).shape
    (2, 21)
    """

    def __init__(self, population: int, mutation: float = 0.0, back_mutation: float = 0.0) -> None:
        self.population = checks.whole_number("population", population, at_least=1)
        self.mutation = float(checks.probabilities("mutation", checks.number("mutation", mutation)))
        self.back_mutation = float(checks.probabilities("back_mutation", checks.number("back_mutation", back_mutation)))

    def __repr__(self) -> str:
        rates = f"mutation={self.mutation:g}, back_mutation={self.back_mutation:g}"
        return f"WrightFisherChain(population={self.population}, {rates})"

    def draw_path(self, count0: ArrayLike, num_generations: int, rng: Any = None) -> Integers:
        """Draw the number of carriers in successive generations.

        Parameters
        ----------
        count0 : array_like of int
            Carriers in the first generation, at most `population`.
        num_generations : int
            Generations after the first.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of int, shape (…, num_generations + 1)
            One path per entry of `count0`, which it starts with.
        """
        start = checks.counts("count0", count0)
        if (start > self.population).any():
            raise ValueError(f"count0 must not exceed the population of {self.population}, got {start.max()}")
        num_generations = checks.whole_number("num_generations", num_generations)
        checks.room("the paths (…, num_generations + 1)", start.size, num_generations + 1)
        paths = np.empty((start.size, num_generations + 1), np.int64)
        paths[:, 0] = start.ravel()
        _fill_paths(self.population, self.mutation, self.back_mutation, paths, checks.generator(rng))
        return paths.reshape(*start.shape, num_generations + 1)


@kernel
def _fill_paths(
    population: int, mutation: float, back_mutation: float, paths: Integers, rng: np.random.Generator
) -> None:
    """Fill each row of `paths` from its first entry on."""
    for i in range(paths.shape[0]):
        for generation in range(1, paths.shape[1]):
            carriers = paths[i, generation - 1]
            share = carriers / population
            chance = share * (1.0 - back_mutation) + (1.0 - share) * mutation
            paths[i, generation] = draw_binomial(population, chance, rng)
