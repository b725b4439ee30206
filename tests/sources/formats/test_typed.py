"""Formats whose files say which types they hold: Parquet, ORC and Avro."""

from __future__ import annotations

import io
import random
import zlib
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

from tests.sources.formats.reading import Reader
from trailbook.errors import CellFailed


def parquet(table: pa.Table, **options: Any) -> bytes:
    target = io.BytesIO()
    pq.write_table(table, target, **options)
    return target.getvalue()


def as_orc(table: pa.Table, **options: Any) -> bytes:
    target = io.BytesIO()
    orc.write_table(table, target, **options)
    return target.getvalue()


def avro(fields: list[Any], records: list[dict[str, Any]], **options: Any) -> bytes:
    target = io.BytesIO()
    fastavro.writer(target, {"type": "record", "name": "R", "fields": fields}, records, **options)
    return target.getvalue()


MIDNIGHT = datetime(2020, 1, 1, tzinfo=UTC)
TYPES: list[tuple[pa.DataType, Any, str, Any]] = [
    (pa.uint64(), 2**64 - 1, "decimal(20,0)", Decimal(2**64 - 1)),
    (pa.uint8(), 255, "smallint", 255),
    (pa.decimal128(10, 2), Decimal("1.50"), "decimal(10,2)", Decimal("1.50")),
    (pa.decimal256(60, 2), Decimal("1.50"), "string", "1.50"),
    (pa.timestamp("ms", "Europe/Zurich"), MIDNIGHT, "timestamp", MIDNIGHT),
    (pa.timestamp("us"), datetime(2020, 1, 1), "timestamp_ntz", datetime(2020, 1, 1)),
    (pa.time64("us"), time(1, 2, 3), "string", "01:02:03"),
    (pa.dictionary(pa.int32(), pa.string()), "a", "string", "a"),
    (pa.large_list(pa.uint16()), [1, None], "array<int>", [1, None]),
    (pa.list_(pa.int8(), 2), [1, 2], "array<tinyint>", [1, 2]),
    (pa.map_(pa.string(), pa.uint32()), [("a", 1)], "map<string, bigint>", [("a", 1)]),
    (pa.struct([("x", pa.date32()), ("X", pa.binary(2))]), {"x": date(2020, 1, 1), "X": b"ab"},
     "struct<`x`: date, `X_2`: binary>", {"x": date(2020, 1, 1), "X_2": b"ab"}),
    (pa.null(), None, "string", None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "spelt", "expected"), TYPES, ids=lambda each: str(each)[:30])
def test_types_of_parquet_become_those_of_spark(
    read: Reader, kind: pa.DataType, value: object, spelt: str, expected: object
) -> None:
    loaded = read("parquet", parquet(pa.table({"a": pa.array([None, value, value], kind)})))
    assert loaded.columns == {"a": spelt}
    assert loaded.rows == [(None,), (expected,), (expected,)]
    assert loaded.problems == {}


def test_nanoseconds_go_down_to_the_microsecond_before_and_it_is_said(read: Reader) -> None:
    times = pa.array([-1, 1_999, None], pa.timestamp("ns"))
    nested = pa.array([[-1], [], None], pa.list_(pa.timestamp("ns")))
    loaded = read("parquet", parquet(pa.table({"a": times, "b": nested})))
    before = datetime(1969, 12, 31, 23, 59, 59, 999_999)
    assert loaded.rows == [(before, [before]), (datetime(1970, 1, 1, 0, 0, 0, 1), []), (None, None)]
    assert "a is timestamp[ns] in the file" in loaded.guessed
    assert list(loaded.problems) == [1, 2]
    assert 'record 2: a: "1970-01-01 00:00:00.000001999" was cut to microseconds' in loaded.problems[2]
    assert "record 1: b: " in loaded.problems[1]


def test_whole_microseconds_and_times_of_day_are_told_apart_from_nanoseconds(read: Reader) -> None:
    table = pa.table({"a": pa.array([1_000, None], pa.timestamp("ns")), "b": pa.array([1_000, 1_001], pa.time64("ns"))})
    assert read("parquet", parquet(table)).problems == {2: "record 2: b: 00:00:00.000001001 was cut to microseconds"}


def test_times_in_the_old_way_of_parquet_do_not_begin_anew(read: Reader) -> None:
    times = [datetime(9999, 12, 31), datetime(1, 1, 1), datetime(2020, 1, 1, 0, 0, 0, 7)]
    table = pa.table({"a": pa.array(times, pa.timestamp("us"))})
    loaded = read("parquet", parquet(table, use_deprecated_int96_timestamps=True))
    assert loaded.rows == [(time,) for time in times]
    assert "a is INT96 in the file" in loaded.guessed


def test_durations_are_numbers_of_microseconds_and_it_is_said(read: Reader) -> None:
    table = pa.table({"a": pa.array([-1, 2_000], pa.duration("ns")), "b": pa.array([1, None], pa.duration("s"))})
    loaded = read("parquet", parquet(table))
    assert loaded.rows == [(-1, 1_000_000), (2, None)]
    assert "a is duration[ns] in the file and was read as microseconds (bigint)" in loaded.guessed


def test_a_time_beyond_sparks_calendar_is_null_and_told(read: Reader) -> None:
    loaded = read("parquet", parquet(pa.table({"a": pa.array([0, 2**62], pa.timestamp("ms"))})))
    assert loaded.rows == [(datetime(1970, 1, 1),), (None,)]
    assert str(2**62) in loaded.problems[2]


def test_names_that_are_empty_or_alike_are_changed_and_said(read: Reader) -> None:
    columns = [pa.array([number]) for number in range(3)]
    loaded = read("parquet", parquet(pa.Table.from_arrays(columns, names=["a", "", "A"])))
    assert list(loaded.columns) == ["a", "column_2", "A_2"]
    assert "'A' was changed to A_2" in loaded.guessed


def test_a_damaged_column_is_null_in_its_row_group_and_the_rest_is_read(read: Reader) -> None:
    table = pa.table({"a": range(30), "b": [{"x": str(number), "y": number} for number in range(30)]})
    content = bytearray(parquet(table, row_group_size=10, compression="zstd", use_dictionary=False))
    chunk = pq.ParquetFile(io.BytesIO(content)).metadata.row_group(1).column(0)
    start = chunk.data_page_offset
    content[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    loaded = read("parquet", bytes(content))
    assert [row[0] for row in loaded.rows] == [*range(10), *[None] * 10, *range(20, 30)]
    assert [row[1]["y"] for row in loaded.rows] == [*range(30)]
    assert loaded.problems.keys() == {*range(11, 21)}
    assert loaded.problems[11].startswith("records 11–20: damaged, so NULL: a (")


def test_damage_is_found_in_columns_with_dots_in_their_names(read: Reader) -> None:
    table = pa.table({"a.b": [1, 2], "s": [{"x": 1, "y": [2]}] * 2, "a.c": [3, 4]})
    content = bytearray(parquet(table, write_page_checksum=True, use_dictionary=False, compression="none"))
    content[content.index((3).to_bytes(8, "little") + (4).to_bytes(8, "little"))] ^= 1
    loaded = read("parquet", bytes(content))
    assert loaded.rows == [(1, {"x": 1, "y": [2]}, None), (2, {"x": 1, "y": [2]}, None)]
    assert "damaged, so NULL: a.c (" in loaded.problems[1]


@pytest.mark.parametrize("format", ["parquet", "orc", "avro"])
@pytest.mark.parametrize("content", [b"", b"hello", b"PAR1", b"ORC" * 20, b"Obj\x01" + b"\xff" * 20])
def test_what_is_another_format_or_cut_off_is_refused(read: Reader, format: str, content: bytes) -> None:
    with pytest.raises(CellFailed):
        read(format, content)


def test_too_many_columns_are_refused(read: Reader) -> None:
    with pytest.raises(CellFailed, match="11,000 columns"):
        read("parquet", parquet(pa.table({f"c{number}": [1] for number in range(11_000)})))


def test_orc_keeps_its_types(read: Reader) -> None:
    moment = datetime(2020, 1, 1, 12)
    table = pa.table({"a": [1, None], "b": [[{"x": "é"}], []], "c": pa.array([moment, None], pa.timestamp("ns"))})
    loaded = read("orc", as_orc(table))
    assert loaded.columns == {"a": "bigint", "b": "array<struct<`x`: string>>", "c": "timestamp_ntz"}
    assert loaded.rows == [(1, [{"x": "é"}], moment), (None, [], None)]


def test_a_column_of_orc_that_can_not_be_read_does_not_cost_the_others(read: Reader) -> None:
    times = pa.array([datetime(9999, 12, 31), datetime(2020, 1, 1)], pa.timestamp("us"))
    loaded = read("orc", as_orc(pa.table({"a.b": times, "a": [1, 2]})))
    assert loaded.rows == [(None, 1), (None, 2)]
    assert "stripe 1 of 1 is damaged or beyond what can be read, in a.b (" in loaded.problems[1]
    assert (len(loaded.problems), loaded.lost) == (2, [])


def test_lists_that_spark_does_not_have_are_text_and_told(read: Reader) -> None:
    views = pa.array([[1, 2], None], pa.list_view(pa.int32()))
    loaded = read("parquet", parquet(pa.table({"a": views})))
    assert loaded.rows == [("[1, 2]",), (None,)]
    assert "a is list_view<" in loaded.guessed


def test_each_null_that_a_time_beyond_reach_costs_in_orc_is_told_with_its_reason(read: Reader) -> None:
    noise = random.Random(0)
    times = [datetime(9999, 12, 31), *[datetime(2020, 1, 1)] * 59_999]
    table = pa.table({"a": [noise.random() for _ in times], "at": pa.array(times, pa.timestamp("us"))})
    loaded = read("orc", as_orc(table, stripe_size=100_000))
    lost = [line for line, (_, at) in enumerate(loaded.rows, 1) if at is None]
    assert 0 < len(lost) < len(times)
    assert [*loaded.problems] == lost
    assert all("beyond what can be read, in at (ORC timestamp" in problem for problem in loaded.problems.values())


def test_a_damaged_stripe_of_orc_is_lost_and_the_rest_is_read(read: Reader) -> None:
    noise = random.Random(0)
    table = pa.table({"a": range(60_000), "b": [noise.random() for _ in range(60_000)]})
    content = bytearray(as_orc(table, stripe_size=100_000, compression="zlib"))
    content[4:5_000] = b"\xff" * 4_996
    loaded = read("orc", bytes(content))
    assert loaded.lost[0].startswith("stripe 1 of ")
    assert loaded.rows[-1][0] == 59_999


AVRO: list[tuple[Any, Any, str, Any]] = [
    (["null", "long"], 5, "bigint", 5),
    (["int", "double"], 1.5, "double", 1.5),
    (["null", "int", "string"], 5, "string", "5"),
    ({"type": "enum", "name": "E", "symbols": ["A", "B"]}, "B", "string", "B"),
    ({"type": "fixed", "name": "F", "size": 2}, b"ab", "binary", b"ab"),
    ({"type": "map", "values": "int"}, {"a": 1}, "map<string, int>", [("a", 1)]),
    ({"type": "array", "items": ["null", "string"]}, ["a", None], "array<string>", ["a", None]),
    ({"type": "int", "logicalType": "date"}, date(2020, 1, 1), "date", date(2020, 1, 1)),
    ({"type": "long", "logicalType": "timestamp-millis"}, MIDNIGHT, "timestamp", MIDNIGHT),
    ({"type": "long", "logicalType": "local-timestamp-micros"}, datetime(2020, 1, 1), "timestamp_ntz",
     datetime(2020, 1, 1)),
    ({"type": "int", "logicalType": "time-millis"}, time(1, 2), "string", "01:02:00"),
    ({"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}, Decimal("1.50"), "decimal(9,2)",
     Decimal("1.50")),
    ({"type": "string", "logicalType": "uuid"}, UUID(int=7), "string", str(UUID(int=7))),
    ({"type": "record", "name": "T", "fields": [{"name": "x", "type": "int"}, {"name": "t", "type": ["null", "T"]}]},
     {"x": 1, "t": {"x": 2, "t": None}}, "struct<`x`: int, `t`: string>", {"x": 1, "t": '{"x": 2, "t": null}'}),
    (["null", "R"], {"a": None}, "string", '{"a": null}'),
    ({"type": "array", "logicalType": "map", "items": "int"}, [1], "array<int>", [1]),
    ({"type": "string", "logicalType": "date"}, "x", "string", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "spelt", "expected"), AVRO, ids=lambda each: str(each)[:30])
def test_types_of_avro_become_those_of_spark(
    read: Reader, schema: Any, value: Any, spelt: str, expected: object
) -> None:
    loaded = read("avro", avro([{"name": "a", "type": schema}], [{"a": value}, {"a": value}]))
    assert loaded.columns == {"a": spelt}
    assert loaded.rows == [(expected,), (expected,)]


def test_a_type_of_avro_may_be_used_again_by_its_name(read: Reader) -> None:
    amount = {"type": "fixed", "name": "F", "size": 4, "logicalType": "decimal", "precision": 9, "scale": 2}
    fields = [{"name": "a", "type": amount}, {"name": "b", "type": ["null", "F"]}]
    loaded = read("avro", avro(fields, [{"a": Decimal("1.50"), "b": Decimal("2.50")}]))
    assert loaded.rows == [(Decimal("1.50"), Decimal("2.50"))]


def test_a_decimal_of_avro_without_its_digits_is_refused(read: Reader) -> None:
    content = avro([{"name": "a", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9}}], [])
    with pytest.raises(CellFailed, match="precision"):
        read("avro", content.replace(b'"precision"', b'"proposals"'))


NUMBERS = [{"n": number} for number in range(3_000)]
NUMBER = [{"name": "n", "type": "int"}]


@pytest.mark.parametrize("codec", ["null", "deflate", "bzip2", "xz"])
def test_avro_however_it_is_packed(read: Reader, codec: str) -> None:
    loaded = read("avro", avro(NUMBER, NUMBERS, codec=codec, sync_interval=500))
    assert loaded.rows == [(number,) for number in range(3_000)]


@pytest.mark.parametrize("codec", ["snappy", "zstd"])
def test_avro_packed_by_what_arrow_can_unpack(read: Reader, codec: str) -> None:
    plain = avro(NUMBER, NUMBERS[:1], codec="null", sync_marker=b"m" * 16)
    block = plain.split(b"m" * 16)[1][2:]
    name = {"snappy": b"snappy", "zstd": b"zstandard"}[codec]
    packed = bytes(pa.compress(block, codec, asbytes=True)) + (
        zlib.crc32(block).to_bytes(4, "big") if codec == "snappy" else b""
    )
    header = plain.split(b"m" * 16)[0].replace(b"\x08null", bytes([2 * len(name)]) + name)
    content = header + b"m" * 16 + bytes([2, 2 * len(packed)]) + packed + b"m" * 16
    assert read("avro", content).rows == [(0,)]


def test_a_damaged_block_of_avro_is_lost_and_the_rest_is_read(read: Reader) -> None:
    content = bytearray(avro(NUMBER, NUMBERS, codec="deflate", sync_interval=500, sync_marker=b"m" * 16))
    middle = content.index(b"m" * 16, len(content) // 2) + 16
    content[middle + 4 : middle + 40] = b"\xff" * 36
    loaded = read("avro", bytes(content))
    assert len(loaded.lost) == 1
    assert f"block at byte {middle}" in loaded.lost[0]
    assert loaded.rows[0] == (0,)
    assert loaded.rows[-1] == (2_999,)


def test_avro_that_is_cut_off_is_read_as_far_as_it_goes(read: Reader) -> None:
    loaded = read("avro", avro(NUMBER, NUMBERS, sync_interval=500)[:-30])
    assert loaded.rows[-2:] != [(2_998,), (2_999,)]
    assert "the file ends in it" in str(loaded.lost)


def test_records_that_a_block_of_avro_does_not_count_are_told(read: Reader) -> None:
    content = bytearray(avro(NUMBER, NUMBERS[:10], codec="null", sync_marker=b"m" * 16))
    content[content.index(b"m" * 16) + 16] = 4
    loaded = read("avro", bytes(content))
    assert loaded.rows == [(0,), (1,)]
    assert "it says that it has 2 records, but 8 bytes follow them" in str(loaded.lost)


def test_a_block_that_claims_to_have_no_end_is_a_problem(read: Reader) -> None:
    mark = b"m" * 16
    header = avro(NUMBER, NUMBERS[:1], codec="null", sync_marker=mark).split(mark)[0] + mark
    loaded = read("avro", header + b"\xfe\xff\xff\xff\xff\xff\xff\xff\x7f\x02\x00" + mark)
    assert "records" in str(loaded.lost)
    assert loaded.rows == []


def test_values_that_are_no_records_are_refused(read: Reader) -> None:
    target = io.BytesIO()
    fastavro.writer(target, "int", [1, 2])
    with pytest.raises(CellFailed, match="no records but 'int'"):
        read("avro", target.getvalue())
