"""What is written comes back as it was, to the last bit, and only data are ever read."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw
from wfibp.inference.state import DERIVED, State, stored_as
from wfibp.posterior.arrays import decode_arrays, decode_signed, encode_arrays, encode_signed
from wfibp.posterior.checkpoints import pack_checkpoint, settle, unpack_checkpoint
from wfibp.posterior.draw_records import Block, pack_draws, record_draw, unpack_allocations
from wfibp.posterior.errors import DamagedRunError


@dataclass(kw_only=True)
class AState(State):
    """A state with parameters of all kinds."""

    feature_parameters: ClassVar[tuple[str, ...]] = ("loadings",)

    loadings: np.ndarray
    noise_scale: float
    words: np.ndarray
    name: str = "a text"
    flag: bool = True
    nothing: None = None
    renamed: np.ndarray = field(metadata=stored_as("other"))
    derived: object = field(default=None, metadata=DERIVED)


def a_state() -> AState:
    rng = np.random.default_rng(3)
    clock = make_clock()
    return AState(
        clock,
        alpha=np.float64(1.0) / 3.0,
        beta=2.0,
        time_scale=0.1,
        allocations=rng.random((2, 12)) < 0.5,
        frequencies=rng.random((2, 1, 3))[:, 0],
        feature_ids=np.array([4, 7]),
        slice_levels=rng.random(3),
        next_id=9,
        sweep=31,
        step_sizes={"beta": 0.3},
        loadings=np.asfortranarray(rng.normal(size=(2, 5))),
        noise_scale=np.float64(0.7),
        words=rng.integers(0, 9, 6).astype(np.int32),
        renamed=np.arange(4.0),
    )


def test_a_checkpoint_gives_the_state_and_the_generator_back_to_the_last_bit():
    state, rng = a_state(), np.random.default_rng(5)
    rng.random(3)
    rng.integers(0, 10, dtype=np.uint32)  # leaves half a word in the generator
    settle(state)
    stored = decode_arrays(encode_arrays(pack_checkpoint(state, rng)))
    restored, generator = unpack_checkpoint(stored, state.clock, AState)
    again = np.random.default_rng(0)
    again.bit_generator.state = generator
    assert again.integers(0, 10, 5, dtype=np.uint32).tolist() == rng.integers(0, 10, 5, dtype=np.uint32).tolist()
    for item in fields(AState):
        value, other = getattr(state, item.name), getattr(restored, item.name)
        if item.name != "clock":
            assert type(other) is type(value)
            np.testing.assert_array_equal(other, value)
        if isinstance(value, np.ndarray):
            assert other.dtype == value.dtype
            assert other.strides == value.strides


def test_a_checkpoint_has_the_names_that_older_runs_have():
    state = a_state()
    state.derived = "left out"
    stored = pack_checkpoint(state, np.random.default_rng(0))
    assert {name for name in stored if name.startswith("parameter.")} == {
        "parameter.loadings",
        "parameter.words",
        "parameter.other",
    }


def test_settling_changes_the_form_of_a_state_and_no_value():
    state, before = a_state(), a_state()
    state.words = np.arange(20.0)[::2]
    settle(state)
    assert type(state.alpha) is float
    assert type(state.noise_scale) is float
    assert state.words.flags.c_contiguous
    assert state.loadings.flags.f_contiguous
    np.testing.assert_array_equal(state.frequencies, before.frequencies)
    assert state.alpha == before.alpha


def test_a_parameter_that_is_neither_number_nor_array_is_refused():
    state = a_state()
    state.noise_scale = {"a": 1}
    with pytest.raises(TypeError, match="'noise_scale' must be a number or an array, got dict"):
        pack_checkpoint(state, np.random.default_rng(0))


def test_draws_come_back_from_a_block_as_they_were_with_any_number_of_features():
    clock, rng = make_clock(num_objects=3), np.random.default_rng(1)
    draws = []
    for num_features in (2, 0, 5, 1):
        allocations = rng.random((num_features, 9)) < 0.5
        x = rng.random((num_features, 3))
        draws.append(make_draw(clock, range(num_features), rng.normal(size=(num_features, 2)), x, allocations))
    block = Block.unpack(decode_arrays(encode_arrays(pack_draws(draws))))
    for draw, again in zip(draws, block.draws(), strict=True):
        assert again.numbers == draw.numbers
        for name, rows in draw.rows.items():
            np.testing.assert_array_equal(again.rows[name], rows)
    assert block.draw_of_row.tolist() == [0, 0, 2, 2, 2, 2, 2, 3]
    packed = block.rows["allocations"]
    np.testing.assert_array_equal(np.packbits(unpack_allocations(packed, 9), axis=1), packed)


def test_an_array_of_objects_is_neither_written_nor_read():
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        encode_arrays({"evil": np.array([print], dtype=object)})
    buffer = io.BytesIO()
    np.savez(buffer, evil=np.array([print], dtype=object))
    with pytest.raises(DamagedRunError):
        decode_arrays(buffer.getvalue())
    with pytest.raises(DamagedRunError):
        decode_arrays(pickle.dumps({"evil": 1}))


@pytest.mark.parametrize("change", [b"", b"{}", b'{"digest": "0", "content": {}}', b"[1]", b"\xff\xfe"])
def test_json_that_was_not_written_by_us_is_refused(change: bytes):
    with pytest.raises(DamagedRunError):
        decode_signed(change)


def test_json_with_one_number_changed_is_refused():
    encoded = encode_signed({"alpha": 1.5, "name": "x"})
    assert decode_signed(encoded) == {"alpha": 1.5, "name": "x"}
    with pytest.raises(DamagedRunError):
        decode_signed(encoded.replace(b"1.5", b"1.6"))


class Recorded:
    """As much of a likelihood as a record needs."""

    def __init__(self, record, allocations=None):
        self.record = lambda state: record
        self.dense_allocations = lambda state: state.allocations if allocations is None else allocations

    def log_likelihood(self, state):
        return -1.5


def test_what_is_kept_of_a_draw_is_a_copy_with_the_likelihood_s_own_names():
    state = a_state()
    draw = record_draw(state, Recorded({"noise_scale": np.float64(0.5), "loadings": state.loadings}))
    assert draw.numbers["sweep"] == 31
    assert draw.numbers["num_features"] == 2
    assert draw.numbers["mu"] == 0.0
    assert (draw.numbers["log_likelihood"], draw.numbers["noise_scale"]) == (-1.5, 0.5)
    np.testing.assert_array_equal(draw.rows["counts"], state.counts)
    np.testing.assert_array_equal(unpack_allocations(draw.rows["allocations"], 12), state.allocations)
    before = draw.rows["loadings"].copy()
    state.loadings[:] = 0.0
    state.frequencies[:] = 0.0
    np.testing.assert_array_equal(draw.rows["loadings"], before)
    assert (draw.rows["frequencies"] > 0.0).all()


def test_a_likelihood_that_keeps_z_sparsely_says_it_densely():
    state, dense = a_state(), np.arange(24).reshape(2, 12) % 3 == 0
    draw = record_draw(state, Recorded({}, dense))
    np.testing.assert_array_equal(unpack_allocations(draw.rows["allocations"], 12), dense)


def test_a_record_without_one_row_per_feature_is_refused():
    with pytest.raises(TypeError, match="'odds' must be a number or have one row for each of the 2 features"):
        record_draw(a_state(), Recorded({"odds": np.zeros(12)}))
