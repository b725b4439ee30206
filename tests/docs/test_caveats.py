"""The queries of docs/caveats.md give the results that the page shows, with these marks and for these reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.support.spark_answers import TINY
from trailbook import Caveat, Query
from trailbook.engine import Engine
from trailbook.library import Database

PAGE = (Path(__file__).parents[2] / "docs" / "caveats.md").read_text("utf-8")
LINES = r"((?:^\|.*\n)+)"
TABLES = re.findall(rf"^`(\w+)`:\n\n{LINES}", PAGE, re.MULTILINE)
EXAMPLES = re.findall(
    rf"^```sql\n([^`]*)```\n\n{LINES}(\nRows may be missing\.\n)?(?:\nWhy: (.*)\n)?", PAGE, re.MULTILINE
)
MARK, DOUBT = "?", "in doubt"


@pytest.fixture(scope="module")
def db(engine: Engine) -> Iterator[Database]:
    """A database with the tables of the page."""
    with Database(engine) as database:
        for key, value in TINY.items():
            database.spark.conf.set(key, value)
        for name, lines in TABLES:
            database.create(name, *_data(lines))
        yield database


def test_no_query_of_the_page_is_overlooked() -> None:
    assert len(EXAMPLES) == PAGE.count("```sql")


@pytest.mark.parametrize(
    ("query", "lines", "missing", "why"), EXAMPLES, ids=[" ".join(example[0].split()) for example in EXAMPLES]
)
def test_the_result_is_the_one_shown(db: Database, query: str, lines: str, missing: str, why: str) -> None:
    asked = db.sql(query)
    header, *rows = _cells(lines)
    assert sorted(_shown(asked, has_rows_in_doubt="" in header)) == sorted(rows)
    assert asked.fetch(limit=0).rows_may_be_missing == bool(missing)
    if why:
        assert {reason.message for reason in asked.caveats()} == set(re.findall("`(.*?)`", why))


def _cells(lines: str) -> list[list[str]]:
    """The header and the rows of a table."""
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]
    return [found[0], *found[2:]]


def _data(lines: str) -> tuple[pa.Table, list[Caveat]]:
    """A table of the page: columns of nothing but digits are numbers."""
    header, *rows = _cells(lines)
    columns = {name: [row[index].removesuffix(MARK) for row in rows] for index, name in enumerate(header)}
    typed = {
        name: [int(cell) for cell in cells] if all(map(str.isdigit, cells)) else cells
        for name, cells in columns.items()
    }
    cells = ((row, name, rows[row][index]) for row in range(len(rows)) for index, name in enumerate(header))
    return pa.table(typed), [Caveat("given", row, name) for row, name, cell in cells if cell.endswith(MARK)]


def _shown(query: Query, has_rows_in_doubt: bool) -> Iterator[list[str]]:
    """The rows of the result as the page writes them."""
    result = query.fetch()
    for index, row in enumerate(result.table.to_pylist()):
        cells = [_text(value) + MARK * result.is_marked(index, name) for name, value in row.items()]
        doubt = DOUBT if result.row_marked[index] else ""
        yield [*cells, doubt] if has_rows_in_doubt or doubt else cells


def _text(value: Any) -> str:
    return "NULL" if value is None else str(value)
