"""Hostile tables: CSV and TSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from verification.adversary.odd_values import COLUMNS, TEXTS, TIMES, Case, Chooser

ENCODINGS = (
    "utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "shift_jis", "utf-7",
)  # fmt: skip
DOORS = ("table", "table", "measurements", "command", "command measurements", "papers")
_WIDE = dict.fromkeys(f"c{j}" for j in range(10_000))  # the columns of a wide table
NUMBERS = ("1", "2.5", "-3", "", "nan", "1e400", "1e308", "9" * 400, "x", "1,5", "true", "0x1", "1_000", "٣")


def delimited(choose: Chooser, folder: Path) -> Case:
    """Odd headers, cells, quotes, encodings, line ends and endings."""
    ending = choose.one_of((".csv", ".csv", ".tsv", ".tab", ".CSV", ".csv.gz", ".tsv.gz"))
    content = _rows_as_text(choose).encode(choose.one_of(ENCODINGS), "replace")
    if choose.chance(0.3):
        content = choose.damage(content)
    if ending.endswith(".gz"):
        content = choose.compress(content)
    path = folder / f"table{ending}"
    path.write_bytes(content)
    return _case(choose, path)


def _rows_as_text(choose: Chooser) -> str:
    odd = choose.one_of((0.0, 0.1, 0.5))
    header = _header(choose, odd)
    written = io.StringIO()
    quoting = choose.one_of((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(
        written,
        delimiter=choose.one_of(",,,;\t|:"),
        quoting=quoting,
        lineterminator=choose.one_of(("\n", "\r\n", "\r", "\n\n", "\u2028")),
    )
    if not choose.chance(0.05):
        writer.writerow(header)
    for _ in range(choose.number(0, 12)):
        row = [_cell(choose, name, odd) for name in header]
        writer.writerow(row[: choose.number(0, len(row))] if choose.chance(odd / 5) else row)
    text = written.getvalue()
    return text.replace('"', "", 1) if choose.chance(odd / 2) else text


def _header(choose: Chooser, odd: float) -> list[str]:
    if not choose.chance(odd):
        return ["date", "text", "a"]
    if choose.chance(0.05):
        return list(_WIDE)
    return [choose.one_of(COLUMNS) for _ in range(choose.number(1, 5))]


def _cell(choose: Chooser, name: str, odd: float) -> str:
    if name in _WIDE:
        return "1"
    if name in ("date", "year", "Date", "created_at"):
        return choose.time(odd)
    if name in ("a", "1994", "index"):
        return choose.one_of(NUMBERS) if choose.chance(odd) else str(choose.number(0, 9))
    return choose.text(odd)


def json_lines(choose: Chooser, folder: Path) -> Case:
    """Odd numbers, nestings, halves of characters, keys; and lines that are no JSON."""
    odd = choose.one_of((0.0, 0.1, 0.5))
    lines = [_json_line(choose, odd) for _ in range(choose.number(0, 12))]
    content = choose.one_of(("\n", "\r\n", "\n\n")).join(lines).encode(choose.one_of(ENCODINGS), "replace")
    ending = choose.one_of((".jsonl", ".jsonl", ".ndjson", ".jsonl.gz"))
    if choose.chance(0.2):
        content = choose.damage(content)
    path = folder / f"lines{ending}"
    path.write_bytes(choose.compress(content) if ending.endswith(".gz") else content)
    return _case(choose, path)


RAW_VALUES = (
    "null", "true", "[]", "{}", '["war"]', '{"a": 1}', "NaN", "Infinity", "-Infinity", "-1e400", "1e400", "9" * 300,
    "9" * 5000, "-" + "9" * 309, '"\\ud800"', '"war \\udfff peace"', '"\\u0000"', '"\\ud83d\\ude00"', "1.5", "1994",
    "0.1e-400", "[" * 2000 + "]" * 2000, "[" * 100_000, "'war'", "undefined", '"war', "1994-05-02", '"\\x41"',
)  # fmt: skip


def _json_line(choose: Chooser, odd: float) -> str:
    if choose.chance(odd / 5):
        return choose.one_of(("", "[]", "1", '"text"', "null", "{", "war", "{}", '{"a":1}{"a":1}', "// no", "\x00"))
    keys = ["date", "text", "a"]
    if choose.chance(odd):
        keys = [choose.one_of((*COLUMNS, "\ud800", "text\udc00")) for _ in range(choose.number(0, 4))]
    parts = []
    for key in keys:
        raw = choose.one_of(RAW_VALUES) if choose.chance(odd) else json.dumps(_cell(choose, key, odd))
        parts.append(f"{json.dumps(key)}: {raw}")
    return "{" + ", ".join(parts) + "}"


def parquet(choose: Chooser, folder: Path) -> Case:
    """Every type of column, extreme values, and damaged bytes."""
    num_rows = choose.one_of((0, 1, 3, 8))
    columns = {
        "text": pa.array([choose.sentence() for _ in range(num_rows)], pa.string()),
        "date": pa.array([choose.number(1990, 1999) for _ in range(num_rows)], pa.int64()),
    }
    for name in ("text", "date", "a", choose.one_of(COLUMNS)):
        if choose.chance(0.4):
            columns[name] = _column(choose, num_rows)
    if choose.chance(0.05):
        columns = {}
    table = pa.table(list(columns.values()), names=list(columns)) if columns else pa.table({})
    if choose.chance(0.05) and columns:
        table = table.append_column("text", columns["date"])
    path = folder / choose.one_of(("table.parquet", "table.pq"))
    pq.write_table(table, path, compression=choose.one_of(("snappy", "gzip", "zstd", "none")))
    if choose.chance(0.4):
        path.write_bytes(choose.damage(path.read_bytes()))
    return _case(choose, path)


def _column(choose: Chooser, num_rows: int) -> Any:
    values, kind = choose.one_of(_COLUMNS)
    return pa.array([choose.one_of(values) for _ in range(num_rows)], kind)


_EXTREMES = (0, 1, -1, 2**63 - 1, -(2**63), 10**15, -(10**15), None)
_SECONDS = (0, 1, -1, 10**15, -(10**15), None)  # Parquet has milliseconds
_COLUMNS = (
    *((_EXTREMES, pa.timestamp(unit)) for unit in ("ms", "us", "ns")),
    (_SECONDS, pa.timestamp("s")),
    (_EXTREMES, pa.timestamp("us", "Nowhere/Land")),
    (_SECONDS, pa.timestamp("s", "Europe/Berlin")),
    *((_EXTREMES, pa.duration(unit)) for unit in ("s", "ns")),
    (_EXTREMES, pa.int64()),
    ((2**64 - 1, 0, None), pa.uint64()),
    ((0, 2**31 - 1, -(2**31), None), pa.date32()),
    ((0, 86_400_000, None), pa.date64()),
    ((0, 1, None), pa.time32("s")),
    ((1.0, float("nan"), float("inf"), 1e308, None), pa.float64()),
    ((Decimal("1.5"), Decimal("9" * 30), None), pa.decimal128(38, 5)),
    ((b"war", b"\xff\xfe", None), pa.binary()),
    ((b"war", b"abc"), pa.binary(3)),
    ((True, False, None), pa.bool_()),
    ((["war"], [], None), pa.list_(pa.string())),
    (({"b": 1}, None), pa.struct([("b", pa.int64())])),
    (([("k", 1)], None), pa.map_(pa.string(), pa.int64())),
    ((None,), pa.null()),
    (tuple(t for t in TEXTS if len(t) < 1000), pa.large_string()),
    (tuple(t for t in TIMES if len(t) < 1000), pa.string()),
    (("war", "peace", None), pa.dictionary(pa.int8(), pa.string())),
    ((date(1994, 5, 2), date(9999, 12, 31), date(1, 1, 1), None), pa.date32()),
)


def _case(choose: Chooser, path: Path) -> Case:
    options: dict[str, Any] = {}
    if choose.chance(0.3):
        options = {"text": "text", "time": "date"}
    if choose.chance(0.3):
        options["on_bad_dates"] = "drop"
    if choose.chance(0.2):
        options["resolution"] = choose.one_of(("day", "week", "month", "quarter", "year", 5.0, 1e-310, 1e300))
    return Case(choose.one_of(DOORS), path, options, (path,))
