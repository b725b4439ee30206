"""Describing datasets and reading pages of them."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from trailbook.engine.engine import Engine
from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.errors import Dropped, Invalid, StoreDamaged
from trailbook.model.artifacts import Column, Doubt
from trailbook.store.masks import PHANTOMS, form_file, mark_coarsely, mask_columns
from trailbook.store.parquet import PageReader, describe, part_starts
from trailbook.store.sparktypes import of_arrow

SQL_TYPES = {
    "cast(1 AS byte)": "tinyint",
    "cast(1 AS short)": "smallint",
    "1": "int",
    "1L": "bigint",
    "cast(1 AS float)": "float",
    "1D": "double",
    "1.50BD": "decimal(3,2)",
    "'a'": "string",
    "X'00'": "binary",
    "true": "boolean",
    "date'2020-01-01'": "date",
    "timestamp'2020-01-01 00:00:00'": "timestamp",
    "timestamp_ntz'2020-01-01 00:00:00'": "timestamp_ntz",
    "array(1)": "array<int>",
    "map('a', 1L)": "map<string,bigint>",
    "named_struct('x', 1, 'y', array('q'))": "struct<x:int,y:array<string>>",
    "'a' COLLATE UTF8_LCASE": "string collate UTF8_LCASE",
    "array(named_struct('x', map('a', 'b' COLLATE UNICODE)))": "array<struct<x:map<string,string collate UNICODE>>>",
}

ARROW_TYPES = {
    pa.uint64(): "decimal(20,0)",
    pa.decimal128(10, 2): "decimal(10,2)",
    pa.large_string(): "string",
    pa.dictionary(pa.int32(), pa.string()): "string",
    pa.timestamp("us"): "timestamp_ntz",
    pa.timestamp("us", tz="UTC"): "timestamp",
    pa.list_(pa.struct([("a", pa.int8())])): "array<struct<a:tinyint>>",
    pa.map_(pa.string(), pa.float32()): "map<string,float>",
    pa.null(): "void",
    pa.binary(4): "binary",
    pa.duration("us"): "bigint",
}


def write_parts(directory: Path, tables: list[pa.Table], row_group_size: int) -> None:
    for i, table in enumerate(tables):
        pq.write_table(table, directory / f"part-{i:05}.parquet", row_group_size=row_group_size)


def test_a_dataset_that_spark_wrote_has_sparks_types_and_small_row_groups(engine: Engine, tmp_path: Path) -> None:
    columns = ", ".join(f"{sql} AS `c {i}`" for i, sql in enumerate(SQL_TYPES))
    with engine.session() as session:
        frame = session.sql(f"SELECT id, {columns} FROM range(0, 100000, 1, 1)")
        frame.write.options(**PARQUET_WRITE_OPTIONS).parquet(str(tmp_path / "data"))
    described = describe(tmp_path / "data")
    assert described.rows == 100_000
    assert [column.type for column in described.columns] == ["bigint", *SQL_TYPES.values()]
    assert [column.name for column in described.columns][1:] == [f"c {i}" for i in range(len(SQL_TYPES))]
    [part] = (tmp_path / "data").glob("*.parquet")
    assert pq.read_metadata(part).row_group(0).num_rows <= 65_536
    page = PageReader().read(tmp_path / "data", 70_000, 3)
    assert page["id"].to_pylist() == [70_000, 70_001, 70_002]


@pytest.mark.parametrize(("arrow", "spark"), ARROW_TYPES.items(), ids=str)
def test_arrows_types_have_sparks_names(arrow: pa.DataType, spark: str) -> None:
    assert of_arrow(arrow) == spark


def test_a_dataset_that_arrow_wrote_is_described_from_its_footer(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("a.b `c` 🏞", pa.int32(), nullable=False), pa.field("s", pa.large_string())])
    write_parts(tmp_path, [pa.table([[1, 2], ["x", None]], schema=schema)] * 3, row_group_size=1)
    columns = (Column(name="a.b `c` 🏞", type="int", nullable=False), Column(name="s", type="string"))
    described = describe(tmp_path)
    assert (described.columns, described.rows, described.doubt) == (columns, 6, Doubt())


def test_the_doubts_of_a_dataset_are_counted(tmp_path: Path) -> None:
    width = 70
    data = {f"c{i}": [i, i, i] for i in range(width)}
    first, second = mask_columns(width)
    bits = {"c0": 1 << 1, "c60": 1 << 61, "c61": 1 << 0, "c69": 1 << 8}
    masks = {first: [bits["c0"] | 1, bits["c60"], bits["c60"] | 1], second: [bits["c61"], 0, bits["c69"]]}
    write_parts(tmp_path, [pa.table({**data, **masks})] * 2, row_group_size=2)
    (tmp_path / PHANTOMS).mkdir()
    write_parts(tmp_path / PHANTOMS, [pa.table({**data, first: [0, 1, 0], second: [0, 0, 0]})], row_group_size=2)
    described = describe(tmp_path)
    assert [column.name for column in described.columns] == list(data)
    assert described.doubt == Doubt(values={"c0": 2, "c60": 4, "c61": 2, "c69": 2}, rows=4, phantoms=3, open=True)


def test_rows_with_marks_are_found_in_either_direction(tmp_path: Path) -> None:
    masks = [0] * 100
    marked = [0, 7, 8, 41, 99, 107, 108, 141, 199]
    for row in marked[:5]:
        masks[row] = 2
    table = pa.table({"a": range(100), "__mask": pa.array(masks, pa.int64())})
    write_parts(tmp_path, [table.replace_schema_metadata(), table.set_column(1, "__mask", [[0, *masks[1:]]])], 10)
    reader = PageReader()
    for row in range(-1, 201):
        after, before = [other for other in marked if other > row], [other for other in marked if other < row]
        assert reader.next_marked(tmp_path, row, backwards=False) == min(after, default=None)
        assert reader.next_marked(tmp_path, row, backwards=True) == max(before, default=None)


def test_all_of_a_dataset_that_was_marked_coarsely_is_in_doubt(tmp_path: Path) -> None:
    write_parts(tmp_path, [pa.table({"a": [1, 2]})], row_group_size=2)
    mark_coarsely(tmp_path)
    assert describe(tmp_path).doubt == Doubt(values={"a": 2}, rows=2, open=True, coarse=True)


def test_the_same_data_is_known_whatever_is_in_doubt_of_it(tmp_path: Path) -> None:
    def data(name: str, **columns: Any) -> str:
        (tmp_path / name).mkdir()
        write_parts(tmp_path / name, [pa.table(columns)] * 2, row_group_size=3)
        return describe(tmp_path / name).data

    values: dict[str, list[Any]] = {"a": [1, 2, 3, 4], "b": [["x"], None, [], ["y", None]]}
    assert data("plain", **values) == data("masked", **values, __mask=[0, 1, 2, 3])
    others = [
        data("value", a=[1, 2, 3, 5], b=values["b"]),
        data("order", **{name: column[::-1] for name, column in values.items()}),
        data("name", a=values["a"], c=values["b"]),
        data("type", a=pa.array(values["a"], pa.int32()), b=values["b"]),
        data("time", a=pa.array(values["a"], pa.timestamp("us", "UTC")), b=values["b"]),
        data("zone", a=pa.array(values["a"], pa.timestamp("us", "Asia/Tokyo")), b=values["b"]),
        data("less", a=values["a"]),
    ]
    assert describe(tmp_path / "plain").data not in others
    assert len(set(others)) == len(others)


def test_part_files_are_told_with_the_position_of_their_first_row(tmp_path: Path) -> None:
    write_parts(tmp_path, [pa.table({"a": [1] * n}) for n in (3, 0, 4)], row_group_size=2)
    assert part_starts(tmp_path) == {"part-00000.parquet": 0, "part-00001.parquet": 3, "part-00002.parquet": 3}


@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    group=st.integers(1, 7),
    offset=st.integers(0, 90),
    limit=st.integers(0, 90),
)
def test_any_page_is_the_slice_of_the_whole(
    tmp_path: Path, parts: list[int], group: int, offset: int, limit: int
) -> None:
    shutil.rmtree(tmp_path / "data", ignore_errors=True)
    (tmp_path / "data").mkdir()
    starts = [sum(parts[:i]) for i in range(len(parts))]
    tables = [
        pa.table({"v": list(range(start, start + n)), "nested": [[{"x": str(i)}] for i in range(n)]})
        if n
        else pa.schema({"v": pa.int64(), "nested": pa.list_(pa.struct([("x", pa.string())]))}).empty_table()
        for start, n in zip(starts, parts, strict=True)
    ]
    write_parts(tmp_path / "data", tables, group)
    page = PageReader().read(tmp_path / "data", offset, limit)
    assert page["v"].to_pylist() == list(range(sum(parts)))[offset : offset + limit]
    assert page.column_names == ["v", "nested"]


def test_one_reader_serves_many_threads_and_more_datasets_than_it_remembers(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / str(i)).mkdir()
        write_parts(tmp_path / str(i), [pa.table({"v": list(range(i, i + 1000))})], 100)
    reader = PageReader(remembered=2)

    def first_of_page(n: int) -> int:
        return int(reader.read(tmp_path / str(n % 5), n, 10)["v"][0].as_py())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(first_of_page, range(200))) == [n + n % 5 for n in range(200)]


def test_a_dataset_whose_files_are_gone_is_dropped_also_if_its_footer_is_remembered(tmp_path: Path) -> None:
    reader, directory = PageReader(), tmp_path / "data"
    directory.mkdir()
    write_parts(directory, [pa.table({"v": [1]})], 10)
    reader.read(directory, 0, 1)
    shutil.rmtree(directory)
    for call in (lambda: reader.read(directory, 0, 1), lambda: describe(directory)):
        with pytest.raises(Dropped, match="data"):
            call()


def test_a_file_that_is_not_parquet_is_damage(tmp_path: Path) -> None:
    (tmp_path / "part-00000.parquet").write_bytes(b"not parquet")
    with pytest.raises(StoreDamaged):
        describe(tmp_path)


@pytest.mark.parametrize(("offset", "limit"), [(-1, 1), (0, -1)])
def test_a_page_before_the_first_row_is_refused(tmp_path: Path, offset: int, limit: int) -> None:
    with pytest.raises(Invalid, match="-1"):
        PageReader().read(tmp_path, offset, limit)


def test_the_form_that_a_frame_had_is_part_of_the_data(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "part-00000.parquet")
    plain = describe(tmp_path)
    form = tmp_path / form_file("pandas")
    found = []
    for content in (b"one", b"two", b"one"):
        form.write_bytes(content)
        found.append(describe(tmp_path).data)
    assert found[0] == found[2]
    assert len({plain.data, *found}) == 3
    mark_coarsely(tmp_path)
    assert describe(tmp_path).data == found[0]
