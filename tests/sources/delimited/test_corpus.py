"""Of no malformed file is a byte lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.sources.delimited.accountant import Account, account
from tests.sources.delimited.mutators import BASES, MUTATORS, corpus
from trailbook.sources.delimited.blocks import raw_schema, read_block
from trailbook.sources.delimited.detect import detect
from trailbook.sources.delimited.dialect import Dialect, Layout
from trailbook.sources.delimited.ranges import bounds, cut, scan_range
from trailbook.sources.delimited.read import read_range

CORPUS = dict(corpus())


@pytest.mark.parametrize("range_bytes", [300, 10_000_000])
def test_every_byte_is_data_or_syntax_or_told(range_bytes: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    problems = 0
    for name, data in CORPUS.items():
        path.write_bytes(data)
        layout = detect(data, is_whole=True).layout
        scans = [scan_range(path, *of, layout.dialect) for of in bounds(len(data), range_bytes)]
        parts = [read_range(path, each, layout) for each in cut(scans, layout.columns)]
        table = pa.concat_tables([raw_schema(layout.columns).empty_table(), *parts])
        found = account(data, layout.dialect, table.to_pylist())
        assert found.total == len(data), name
        problems += found.told > 0
    assert problems > 0.8 * len(CORPUS)


@pytest.mark.parametrize("lost", [{"c0": "1"}, {"c1": None}, {"__line": 2}, {"__problem": 'line 3, byte 8: x: "2,b"'}])
def test_the_accountant_misses_what_is_lost(lost: dict[str, Any]) -> None:
    data = b'1,"b"\n1,b\n12,b\n'
    rows = read_block(data, Layout(Dialect(), 2)).to_pylist()
    assert account(data, Dialect(), rows) == Account(data=7, syntax=8, told=0)
    with pytest.raises(AssertionError):
        account(data, Dialect(), [*rows[:2], rows[2] | lost])


def test_the_corpus_has_two_hundred_files() -> None:
    assert len(MUTATORS) >= 12
    assert len(CORPUS) >= 200
    assert len(set(CORPUS.values()) - set(BASES.values())) >= 200
