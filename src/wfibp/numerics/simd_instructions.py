"""The vector instructions behind `lanes`, written out for LLVM; the plain functions there say what each does.

A row is read in vectors of 16 lanes, the first, fifth, ninth … of them into the first of four sums, and so on: entry k
adds to lane k mod 16 of sum ⌊k/16⌋ mod 4. Slots count the sums of the first lane, then of the second … The ends of all
slots are four vectors again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, register_model

WIDTH = 16  # lanes: as many singles as the widest registers of today's processors hold
PARTS = 4  # sums side by side, so that none waits for another
NUM_SLOTS = WIDTH * PARTS
CACHE_LINE = 64  # bytes

_SINGLE, _INT32, _INT64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)
_VECTOR, _WHOLE = ir.VectorType(_SINGLE, WIDTH), ir.VectorType(_INT32, WIDTH)
_VECTORS = ir.LiteralStructType([_VECTOR] * PARTS)
_ZEROS = ir.Constant(_VECTOR, [0.0] * WIDTH)
_FAST = ("reassoc", "contract", "nsz")


class EndsType(types.Type):  # type: ignore[misc]
    """Ends, as kernels know them."""

    def __init__(self) -> None:
        super().__init__(name="Ends")


@register_model(EndsType)
class _EndsModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: EndsType) -> None:
        super().__init__(manager, kind, _VECTORS)


_ENDS = EndsType()


def _whole(value: int) -> Any:
    return ir.Constant(_INT64, value)


def _pack(builder: Any, vectors: Sequence[Any]) -> Any:
    packed = ir.Constant(_VECTORS, ir.Undefined)
    for part, vector in enumerate(vectors):
        packed = builder.insert_value(packed, vector, part)
    return packed


def _unpack(builder: Any, ends: Any) -> list[Any]:
    return [builder.extract_value(ends, part) for part in range(PARTS)]


def _row(context: Any, builder: Any, kind: Any, rows: Any, number: Any) -> tuple[Any, Any]:
    """Where a row begins, and its length."""
    array = context.make_array(kind)(context, builder, rows)
    length = cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.mul(number, length)]), length


def _place(builder: Any, begin: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(begin, [offset]), _VECTOR.as_pointer())


def _load(builder: Any, begin: Any, offset: Any) -> Any:
    return builder.load(_place(builder, begin, offset), align=4)


def _shuffle(builder: Any, vector: Any, other: Any, order: Sequence[int]) -> Any:
    return builder.shuffle_vector(vector, other, ir.Constant(ir.VectorType(_INT32, len(order)), list(order)))


def _everywhere(builder: Any, value: Any, kind: Any = _VECTOR) -> Any:
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_INT32, 0))
    return _shuffle(builder, one, one, [0] * WIDTH)


def _added_from(builder: Any, vector: Any, slot: Any, value: Any, part: int) -> Any:
    """A part of the ends, with the value added where it counts this slot, or one after it."""
    slots = ir.Constant(_WHOLE, [PARTS * lane + part for lane in range(WIDTH)])
    counted = builder.icmp_signed("<=", _everywhere(builder, builder.trunc(slot, _INT32), _WHOLE), slots)
    return builder.select(counted, builder.fadd(vector, _everywhere(builder, value)), vector)


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
        with cgutils.for_range_slice(builder, _whole(0), length, _whole(CACHE_LINE // 4), _INT64) as (offset, _):
            builder.call(prefetch, [builder.bitcast(builder.gep(row, [offset]), byte), *how])
        return context.get_dummy_value()

    return types.void(rows, types.uintp), generate


@intrinsic
def fold_row(typing: Any, rows: Any, number: Any, shift: Any, scale: Any) -> Any:
    """Four vectors of the row at a time into four sums, then the one to three that remain."""
    if rows.layout != "C":
        raise TypingError("rows have to lie one after the other in memory")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, length = _row(context, builder, signature.args[0], *arguments[:2])
        shifts = _everywhere(builder, arguments[2])
        scales = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        sums = [cgutils.alloca_once_value(builder, _ZEROS) for _ in range(PARTS)]

        def add(begin: Any, part: int) -> None:
            offset = builder.add(begin, _whole(part * WIDTH))
            shifted = builder.fadd(_load(builder, row, offset), shifts)
            product = builder.fmul(shifted, _load(builder, scales, offset), flags=_FAST)
            builder.store(builder.fadd(product, builder.load(sums[part]), flags=_FAST), sums[part])

        end = builder.and_(length, _whole(-NUM_SLOTS))
        with cgutils.for_range_slice(builder, _whole(0), end, _whole(NUM_SLOTS), _INT64) as (begin, _):
            for part in range(PARTS):
                add(begin, part)
        for part in range(PARTS - 1):
            with builder.if_then(builder.icmp_signed("<", builder.add(end, _whole(part * WIDTH)), length)):
                add(end, part)
        return _pack(builder, _ends_of(builder, [builder.load(one) for one in sums]))

    return _ENDS(rows, types.uintp, types.float32, scale), generate


def _ends_of(builder: Any, sums: Sequence[Any]) -> list[Any]:
    within = [sums[0]]
    for one in sums[1:]:
        within.append(builder.fadd(within[-1], one))
    before = _shifted(builder, _running_sums(builder, within[-1]), 1)
    return [builder.fadd(before, one) for one in within]


@intrinsic
def sum_of(typing: Any, ends: Any) -> Any:
    """The last end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(_unpack(builder, arguments[0])[-1], ir.Constant(_INT32, WIDTH - 1))

    return types.float32(ends), generate


def _larger(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


@intrinsic
def find_slot(typing: Any, ends: Any, less: Any, by: Any, left: Any) -> Any:
    """Ends that do not lie beyond `left` are counted; the largest of them is where the slot begins."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, less, by, left = arguments
        slot, begins, lefts = _whole(0), _ZEROS, _everywhere(builder, left)
        for part, vector in enumerate(_unpack(builder, arguments[0])):
            ends_here = _added_from(builder, vector, less, builder.fneg(by), part)
            passed = builder.fcmp_ordered("<=", ends_here, lefts)
            number = builder.ctpop(builder.bitcast(passed, ir.IntType(WIDTH)))
            slot = builder.add(slot, builder.zext(number, _INT64))
            begins = _larger(builder, begins, builder.select(passed, ends_here, _ZEROS))
        half = WIDTH // 2
        while half >= 1:
            upper = _shuffle(builder, begins, begins, range(half, 2 * half))
            begins = _larger(builder, _shuffle(builder, begins, begins, range(half)), upper)
            half //= 2
        begin = builder.extract_element(begins, ir.Constant(_INT32, 0))
        return context.make_tuple(builder, signature.return_type, [slot, builder.fsub(left, begin)])

    result = types.Tuple((types.uintp, types.float32))
    return result(ends, types.uintp, types.float32, types.float32), generate


@intrinsic
def shift_ends(typing: Any, ends: Any, first: Any, to_first: Any, second: Any, to_second: Any) -> Any:
    """Each number is added as vectors that are 0 before its slot."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shifted = []
        for part, vector in enumerate(_unpack(builder, arguments[0])):
            for slot, value in (arguments[1:3], arguments[3:5]):
                vector = _added_from(builder, vector, slot, value, part)
            shifted.append(vector)
        return _pack(builder, shifted)

    return _ENDS(ends, types.uintp, types.float32, types.uintp, types.float32), generate
