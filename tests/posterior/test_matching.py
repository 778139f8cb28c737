"""Features of different chains that are one and the same are found to be, whatever their ids."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from wfibp.posterior import matching
from wfibp.posterior.matching import CLOSE, Chunk, distances_between, match_features, merge_within_chain

TRUTH = 3.0 * np.eye(4, 6) + 0.5


def noisy_draw(clock, ids, which, rng):
    return make_draw(clock, ids, TRUTH[which] + 0.3 * rng.normal(size=(len(which), TRUTH.shape[1])))


def test_permuted_ids_over_chains_are_matched_to_the_truth(tmp_path):
    rng, clock = np.random.default_rng(1), make_clock()
    permutations = [rng.permutation(4) for _ in range(3)]
    chains = [[noisy_draw(clock, range(4), permutation, rng) for _ in range(50)] for permutation in permutations]
    posterior = make_posterior(tmp_path / "run", clock, chains)
    assert len(posterior.matching) == 4
    assert (posterior.features["share"] == 1.0).all()
    for members, mean in zip(posterior.features["ids"], posterior.mean("loadings"), strict=True):
        truths = {int(permutations[chain][identity]) for chain, identity in members}
        assert len(truths) == 1
        np.testing.assert_allclose(mean, TRUTH[truths.pop()], atol=6.0 * 0.3 / np.sqrt(150))


def test_a_feature_born_again_under_another_id_is_one_feature(tmp_path):
    rng, clock = np.random.default_rng(2), make_clock()
    draws = [noisy_draw(clock, [0, 5] if s < 30 else [0, 8], [0, 1], rng) for s in range(60)]
    posterior = make_posterior(tmp_path / "run", clock, [draws])
    assert sorted(posterior.features["ids"]) == [((0, 0),), ((0, 5), (0, 8))]
    assert (posterior.features["share"] == 1.0).all()


def test_two_alike_features_of_the_same_draw_stay_two(tmp_path):
    rng, clock = np.random.default_rng(3), make_clock()
    draws = [noisy_draw(clock, [0, 1], [2, 2], rng) for _ in range(30)]
    assert len(make_posterior(tmp_path / "run", clock, [draws, draws]).matching) == 2


def test_what_one_chain_alone_has_stays_on_its_own(tmp_path):
    rng, clock = np.random.default_rng(4), make_clock()
    both = [noisy_draw(clock, [0, 1], [0, 3], rng) for _ in range(40)]
    one = [noisy_draw(clock, [7], [0], rng) for _ in range(40)]
    features = make_posterior(tmp_path / "run", clock, [one, both]).features
    assert features["share"].tolist() == [1.0, 0.5]
    assert features["ids"].tolist() == [((0, 7), (1, 0)), ((1, 1),)]


def test_features_in_few_draws_are_not_listed_and_sizes_order_equal_shares(tmp_path):
    clock = make_clock()
    small, large = np.zeros((2, 12), np.bool_)
    small[0], large[:5] = True, True
    rare = make_draw(clock, [0, 1, 2], TRUTH[:3], allocations=np.stack([small, large, small]))
    usual = make_draw(clock, [0, 1], TRUTH[:2], allocations=np.stack([small, large]))
    features = make_posterior(tmp_path / "run", clock, [[rare, *[usual] * 99]]).features
    assert features["ids"].tolist() == [((0, 1),), ((0, 0),)]
    assert features["size"].tolist() == [5.0, 1.0]


def test_draws_without_any_feature_are_no_obstacle(tmp_path):
    clock = make_clock()
    posterior = make_posterior(tmp_path / "run", clock, [[make_draw(clock, [], [])] * 5] * 2)
    assert len(posterior.matching) == 0
    assert posterior.num_features_distribution().to_dict() == {0: 1.0}
    assert posterior.popularity().empty
    assert posterior.lifetimes().empty
    assert posterior.allocations().shape == (12, 0)
    assert posterior.mean("loadings").shape == (0, 2)
    assert posterior.forecast([2.0]).per_object["listed"].tolist() == [0.0]
    assert "0 listed features" in repr(posterior)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ([1, 0], [1, 0], 0.0),
        ([1, 0], [-1, 0], 1.0),
        ([1, 0], [0, 1], 0.5**0.5),
        ([0, 0], [0, 0], 0.0),
        ([3, 0], [1, 0], 0.5),
    ],
)
def test_distances_run_from_equal_to_opposite(a, b, distance):
    chunks = [Chunk([], 1, np.array([mean], float), 1.0) for mean in (a, b)]
    assert distances_between(chunks[:1], chunks[1:])[0, 0] == pytest.approx(distance)


def test_up_to_scale_features_of_one_direction_are_one_however_long(tmp_path):
    rng, clock = np.random.default_rng(5), make_clock()
    lengths = [scale * rng.uniform(0.8, 1.2, size=20) for scale in (1.0, 9.0)]
    chains = [[make_draw(clock, [0], [length * TRUTH[0]]) for length in row] for row in lengths]
    posterior = make_posterior(tmp_path / "run", clock, chains)
    assert len(match_features(posterior._chains, "loadings")) == 2
    assert len(match_features(posterior._chains, "loadings", up_to_scale=True)) == 1


def merge_one_by_one(chunks, present):
    """The plain twin of `merge_within_chain`: every distance again from the means as they are."""
    merged, taken = [], []
    for p in sorted(range(len(chunks)), key=lambda p: -chunks[p].num_draws):
        free = [g for g in range(len(merged)) if not (taken[g] & present[p]).any()]
        distances = distances_between([chunks[p]], [merged[g] for g in free])[0]
        if distances.size and distances.min() < CLOSE:
            nearest = free[int(distances.argmin())]
            merged[nearest].absorb(chunks[p])
            taken[nearest] = taken[nearest] | present[p]
        else:
            merged.append(chunks[p])
            taken.append(present[p])
    return merged


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("seed", range(3))
def test_ids_are_merged_as_they_are_one_by_one(kind, seed):
    rng = np.random.default_rng(seed)
    means = TRUTH[rng.integers(0, 4, 40)] + 0.8 * rng.normal(size=(40, 6))
    present = rng.random((40, 30)) < 0.08
    present[:, 0] |= ~present.any(axis=1)
    one, other = (
        [Chunk([(0, p)], int(present[p].sum()), kind(means[[p]]), float(p)) for p in range(40)] for _ in range(2)
    )
    found, expected = merge_within_chain(one, present), merge_one_by_one(other, present)
    assert [chunk.members for chunk in found] == [chunk.members for chunk in expected]
    assert 4 <= len(found) < 35
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(matching.to_dense(a.mean), matching.to_dense(b.mean))
        assert (a.num_draws, a.size) == (b.num_draws, pytest.approx(b.size))


def test_sparse_parameters_are_matched_as_dense_ones(tmp_path):
    rng, clock = np.random.default_rng(6), make_clock()
    chains = [[noisy_draw(clock, range(4), rng.permutation(4), rng) for _ in range(1)] * 10 for _ in range(2)]
    dense = make_posterior(tmp_path / "dense", clock, chains)
    for draw in {id(draw): draw for chain in chains for draw in chain}.values():
        draw.rows["loadings"] = sparse.csr_array(draw.rows["loadings"])
    thin = make_posterior(tmp_path / "sparse", clock, chains)
    assert thin.features["ids"].tolist() == dense.features["ids"].tolist()
    np.testing.assert_allclose(thin.mean("loadings"), dense.mean("loadings"))
    for up_to_scale in (False, True):
        one, other = (match_features(p._chains, "loadings", up_to_scale=up_to_scale) for p in (thin, dense))
        assert [chunk.members for chunk in one.chunks] == [chunk.members for chunk in other.chunks]


def test_of_very_many_ids_those_in_most_draws_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(matching, "MOST_PIECES", 2)
    clock = make_clock()
    draws = [make_draw(clock, [0, 1], TRUTH[:2])] * 8 + [make_draw(clock, [0, 2], TRUTH[[0, 2]])] * 2
    assert make_posterior(tmp_path / "run", clock, [draws]).features["ids"].tolist() == [((0, 0),), ((0, 1),)]
