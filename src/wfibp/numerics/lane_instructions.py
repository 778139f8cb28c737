"""The vector instructions behind `lanes`, written out for LLVM; the plain functions there say what each does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

WIDTH = 16  # lanes: as many singles as the widest registers of today's processors hold
ROW_STEP = 2 * WIDTH  # two sums run side by side, so that neither waits for the other
CACHE_LINE = 64  # bytes

_SINGLE, _INT32, _INT64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)
_VECTOR, _WHOLE = ir.VectorType(_SINGLE, WIDTH), ir.VectorType(_INT32, WIDTH)
_ZEROS = ir.Constant(_VECTOR, [0.0] * WIDTH)
_FAST = ("reassoc", "contract", "nsz")


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return context.make_array(kind)(context, builder, array).data


def _row(context: Any, builder: Any, kind: Any, rows: Any, number: Any) -> tuple[Any, Any]:
    """Where a row begins, and its length."""
    array = context.make_array(kind)(context, builder, rows)
    length = cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.mul(number, length)]), length


def _place(builder: Any, begin: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(begin, [offset]), _VECTOR.as_pointer())


def _load(builder: Any, begin: Any, offset: Any) -> Any:
    return builder.load(_place(builder, begin, offset), align=4)


def _store(builder: Any, vector: Any, begin: Any, offset: Any) -> None:
    builder.store(vector, _place(builder, begin, offset), align=4)


def _shuffle(builder: Any, vector: Any, other: Any, order: Sequence[int]) -> Any:
    return builder.shuffle_vector(vector, other, ir.Constant(ir.VectorType(_INT32, len(order)), list(order)))


def _everywhere(builder: Any, value: Any, kind: Any = _VECTOR) -> Any:
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_INT32, 0))
    return _shuffle(builder, one, one, [0] * WIDTH)


def _is_lane(builder: Any, lane: Any) -> Any:
    """A mask of one lane."""
    wanted = _everywhere(builder, builder.trunc(lane, _INT32), _WHOLE)
    return builder.icmp_signed("==", wanted, ir.Constant(_WHOLE, list(range(WIDTH))))


def _only(builder: Any, lane: Any, value: Any) -> Any:
    """The value in one lane, 0 in the others."""
    return builder.select(_is_lane(builder, lane), _everywhere(builder, value), _ZEROS)


def _sum_lanes(builder: Any, vector: Any) -> Any:
    half = WIDTH // 2
    while half >= 1:
        upper = _shuffle(builder, vector, vector, range(half, 2 * half))
        vector = builder.fadd(_shuffle(builder, vector, vector, range(half)), upper, flags=_FAST)
        half //= 2
    return builder.extract_element(vector, ir.Constant(_INT32, 0))


def _running_sums(builder: Any, vector: Any) -> Any:
    shift = 1
    while shift < WIDTH:
        vector = builder.fadd(vector, _shifted(builder, vector, shift))
        shift *= 2
    return vector


def _shifted(builder: Any, vector: Any, shift: int) -> Any:
    """Every lane moves up; zeros come in."""
    return _shuffle(builder, vector, _ZEROS, [WIDTH] * shift + list(range(WIDTH - shift)))


@intrinsic
def fetch_row(typing: Any, rows: Any, number: Any) -> Any:
    """A row is asked for, line by line."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, length = _row(context, builder, signature.args[0], *arguments)
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, _INT32, _INT32, _INT32])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        how = [ir.Constant(_INT32, value) for value in (0, 3, 1)]  # to read, to keep, data
        step = ir.Constant(_INT64, CACHE_LINE // 4)
        with cgutils.for_range_slice(builder, ir.Constant(_INT64, 0), length, step, _INT64) as (offset, _):
            builder.call(prefetch, [builder.bitcast(builder.gep(row, [offset]), byte), *how])
        return context.get_dummy_value()

    return types.void(rows, types.uintp), generate


@intrinsic
def fold_row(typing: Any, rows: Any, number: Any, shift: Any, scale: Any, lanes: Any) -> Any:
    """Two vectors of the row at a time into two running sums."""
    if rows.layout != "C":
        raise TypingError("rows have to lie one after the other in memory")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, length = _row(context, builder, signature.args[0], *arguments[:2])
        shifts = _everywhere(builder, arguments[2])
        scales, sums = (_data(context, builder, signature.args[j], arguments[j]) for j in (3, 4))
        parts = [cgutils.alloca_once_value(builder, _ZEROS) for _ in range(2)]
        step = ir.Constant(_INT64, ROW_STEP)
        with cgutils.for_range_slice(builder, ir.Constant(_INT64, 0), length, step, _INT64) as (begin, _):
            for number, part in enumerate(parts):
                offset = builder.add(begin, ir.Constant(_INT64, number * WIDTH))
                shifted = builder.fadd(_load(builder, row, offset), shifts)
                product = builder.fmul(shifted, _load(builder, scales, offset), flags=_FAST)
                builder.store(builder.fadd(product, builder.load(part), flags=_FAST), part)
        both = builder.fadd(*(builder.load(part) for part in parts), flags=_FAST)
        _store(builder, both, sums, ir.Constant(_INT64, 0))
        return _sum_lanes(builder, both)

    return types.float32(rows, types.uintp, types.float32, scale, lanes), generate


@intrinsic
def find_lane(typing: Any, lanes: Any, less: Any, by: Any, left: Any) -> Any:
    """Running sums in four steps; lanes that end before `left` are counted.

    The sums are rounded each in its own way and may fall by a trifle where a lane is empty: what is left is then 0, for
    below 0 it would fall on an entry that has no weight.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sizes = _load(builder, _data(context, builder, signature.args[0], arguments[0]), ir.Constant(_INT64, 0))
        ends = _running_sums(builder, builder.fsub(sizes, _only(builder, *arguments[1:3])))
        passed = builder.fcmp_ordered("<=", ends, _everywhere(builder, arguments[3]))
        lane = builder.zext(builder.ctpop(builder.bitcast(passed, ir.IntType(WIDTH))), _INT64)
        begins = cgutils.alloca_once(builder, _VECTOR)
        builder.store(_shifted(builder, ends, 1), begins)
        inside = builder.and_(lane, ir.Constant(_INT64, WIDTH - 1))
        begin = builder.load(builder.gep(builder.bitcast(begins, _SINGLE.as_pointer()), [inside]))
        far, none = builder.fsub(arguments[3], begin), ir.Constant(_SINGLE, 0.0)
        far = builder.select(builder.fcmp_ordered(">", far, none), far, none)
        return context.make_tuple(builder, signature.return_type, [lane, far])

    result = types.Tuple((types.uintp, types.float32))
    return result(lanes, types.uintp, types.float32, types.float32), generate


@intrinsic
def add_to_lanes(typing: Any, lanes: Any, first: Any, to_first: Any, second: Any, to_second: Any) -> Any:
    """Each number is added as a vector that is 0 elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin, zero = _data(context, builder, signature.args[0], arguments[0]), ir.Constant(_INT64, 0)
        sums = _load(builder, begin, zero)
        for pair in (arguments[1:3], arguments[3:5]):
            sums = builder.fadd(sums, _only(builder, *pair))
        _store(builder, sums, begin, zero)
        return context.get_dummy_value()

    return types.void(lanes, types.uintp, types.float32, types.uintp, types.float32), generate


@intrinsic
def set_entry(typing: Any, row: Any, k: Any, value: Any) -> Any:
    """The vector that holds the entry is read, changed and written."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin = _data(context, builder, signature.args[0], arguments[0])
        offset = builder.and_(arguments[1], ir.Constant(_INT64, -WIDTH))
        lane = builder.and_(arguments[1], ir.Constant(_INT64, WIDTH - 1))
        old, new = _load(builder, begin, offset), _everywhere(builder, arguments[2])
        _store(builder, builder.select(_is_lane(builder, lane), new, old), begin, offset)
        return context.get_dummy_value()

    return types.void(row, types.uintp, types.float32), generate
