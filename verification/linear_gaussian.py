"""The paper's section 5: are features, their objects and their paths recovered, and is their number found?

    python -m verification.linear_gaussian [--seed 1]

Figures 5 and 6 (three features, their number fixed) and 7 and 8 (four features, their number unknown, from one) at the
paper's size, with a table of what the paper shows, what comes out, and whether it holds. Takes a few minutes.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import linear_sum_assignment

from wfibp import DynamicFeatureModel, WrightFisher

RESULTS = Path(__file__).parent / "results"
NUM_OBJECTS, NUM_COLUMNS, NOISE = 50, 30, 0.5
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


@dataclass(frozen=True)
class Truth:
    """A data set and where it came from: times (T,), X (K, T), Z (K, N), A (K, D), O (N, D)."""

    times: np.ndarray
    frequencies: np.ndarray
    allocations: np.ndarray
    loadings: np.ndarray
    data: np.ndarray

    @property
    def object_times(self) -> np.ndarray:
        return np.repeat(self.times, NUM_OBJECTS)


@dataclass(frozen=True)
class Recovery:
    """What the draws say, the features in the order of the true ones."""

    allocations: np.ndarray  # (K, N) probability of Z = 1
    loadings: np.ndarray  # (K, D)
    mean: np.ndarray  # (K, T) of X
    sd: np.ndarray
    num_features: np.ndarray  # after every sweep


def simulate(num_features: int, num_times: int, gap: float, seed: int) -> Truth:
    """Binary features of length 30 that 50 objects a time have with probabilities that move as WF(1, 1)."""
    rng = np.random.default_rng(seed)
    times = gap * np.arange(num_times)
    frequencies = WrightFisher(1.0, 1.0).draw_path(rng.random(num_features), times, rng=rng)
    allocations = rng.random((num_features, num_times * NUM_OBJECTS)) < np.repeat(frequencies, NUM_OBJECTS, axis=1)
    loadings = (rng.random((num_features, NUM_COLUMNS)) < 0.5).astype(float)
    data = allocations.T @ loadings + NOISE * rng.standard_normal((allocations.shape[1], NUM_COLUMNS))
    return Truth(times, frequencies, allocations, loadings, data)


def recover(truth: Truth, model: DynamicFeatureModel, num_sweeps: int, num_warmup: int) -> Recovery:
    """Run one chain; features that are in every draw after the warm-up are matched with the true ones."""
    problem = model.check_data(truth.data, truth.object_times)
    chain = model.start_chain(problem, np.random.SeedSequence(model.seed))
    kept, num_features = [], []
    for state in chain.sweeps():
        num_features.append(state.num_features)
        if state.sweep > num_warmup:
            order = match(truth.loadings, state.loadings)
            kept.append((state.allocations[order], state.loadings[order], state.frequencies[order]))
        if state.sweep == num_sweeps:
            break
    z, a, x = (np.array(values, dtype=float) for values in zip(*kept, strict=True))
    return Recovery(z.mean(axis=0), a.mean(axis=0), x.mean(axis=0), x.std(axis=0), np.array(num_features))


def match(true: np.ndarray, found: np.ndarray) -> np.ndarray:
    """The found feature nearest to each true one; a missing one is stood in for by the first."""
    distance = ((true[:, None] - found[None]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(distance)
    order = np.zeros(len(true), np.int64)
    order[rows] = columns
    return order


def judge(truth: Truth, found: Recovery) -> dict[str, float]:
    """Share of Z right, distance of A, share of the true path within two posterior standard deviations."""
    return {
        "Z right": float(((found.allocations > 0.5) == truth.allocations).mean()),
        "|A - found| per entry": float(np.sqrt(((truth.loadings - found.loadings) ** 2).mean())),
        "paths within 2 sd": float((np.abs(truth.frequencies - found.mean) <= 2.0 * found.sd).mean()),
    }


def draw_recovery(truth: Truth, found: Recovery, path: Path) -> None:
    """Allocations at the last times, paths with bands, loadings, and the number of features against the sweep."""
    figure = Figure(figsize=(10.0, 7.0), layout="constrained")
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.1, 1.0))
    left, right = top.subfigures(1, 2)
    shown = slice(-5 * NUM_OBJECTS, None)
    for ax, z, name in zip(left.subplots(1, 2), (truth.allocations, found.allocations), ("true", "found"), strict=True):
        ax.imshow(z[:, shown].T, aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
        ax.set_title(f"Z, {name}", loc="left")
        ax.set_xlabel("feature")
        ax.set_ylabel("object, last five times" if name == "true" else "")
        ax.set_xticks(range(len(truth.loadings)))
    ax = right.subplots()
    for k, color in zip(range(len(truth.loadings)), COLORS, strict=False):
        for width, shade in ((2.0, 0.15), (1.0, 0.25)):
            band = found.mean[k] - width * found.sd[k], found.mean[k] + width * found.sd[k]
            ax.fill_between(truth.times, *band, color=color, alpha=shade, lw=0)
        ax.plot(truth.times, truth.frequencies[k], color=color, lw=1.5)
    ax.set(title="True paths, posterior mean ± 1, 2 sd", xlabel="time (diffusion units)", ylim=(0, 1))
    panels = bottom.subplots(1, 3)
    for ax, a, name in zip(panels, (truth.loadings, found.loadings), ("true", "found"), strict=False):
        ax.imshow(a, aspect="auto", cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
        ax.set(title=f"A, {name}", xlabel="column", ylabel="feature", yticks=range(len(a)))
    panels[2].plot(np.arange(1, found.num_features.size + 1), found.num_features, color=COLORS[0], lw=0.8)
    panels[2].axhline(len(truth.loadings), color=COLORS[1], lw=1.0, ls="--")
    panels[2].set(title="Number of features", xlabel="sweep", ylim=(0, None))
    figure.savefig(path, dpi=130)


def main() -> int:
    """Both experiments, the table, the pictures; 1 if something asked for does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    RESULTS.mkdir(exist_ok=True)
    fixed = simulate(3, 40, 0.01, seed)
    model = DynamicFeatureModel(num_features=3, alpha=3.0, beta=1.0, noise_scale=NOISE, num_warmup=200, seed=seed)
    found = recover(fixed, model, 2000, 200)
    draw_recovery(fixed, found, RESULTS / "linear-gaussian.png")
    rows = judge(fixed, found)
    held = [rows["Z right"] >= 0.97, rows["|A - found| per entry"] < 0.1, rows["paths within 2 sd"] >= 0.9]
    asked = ("at least 0.97", "below 0.1", "at least 0.90")
    for (name, value), rule, ok in zip(rows.items(), asked, held, strict=True):
        print(
            f"3 features, fixed        {name:<24}{value:8.4f}   {rule:<16}{'holds' if ok else 'FALLS SHORT'}",
            flush=True,
        )
    free = simulate(4, 6, 0.1, seed)
    unbounded = DynamicFeatureModel(noise_scale=NOISE, num_warmup=700, seed=seed)
    found = recover(free, unbounded, 3300, 2000)
    draw_recovery(free, found, RESULTS / "linear-gaussian-infinite.png")
    mode = int(np.bincount(found.num_features[700:]).argmax())
    held.append(mode == 4)
    verdict = "holds" if mode == 4 else "FALLS SHORT"
    print(f"4 features, number free  {'mode of K from sweep 700':<24}{mode:8d}   {'4':<16}{verdict}")
    for name, value in judge(free, found).items():
        print(f"4 features, number free  {name:<24}{value:8.4f}")
    print(f"drawn in {RESULTS}")
    return 0 if all(held) else 1


if __name__ == "__main__":
    raise SystemExit(main())
