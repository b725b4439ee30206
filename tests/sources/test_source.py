"""The format of a file is told from its name, or it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.errors import CellFailed, NotFound
from trailbook.sources.source import SOURCES, SourceFile, source_for


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.csv", "csv"), ("A.TSV", "csv"), ("a.b.jsonl", "jsonl"), ("a.json", "jsonl"), ("a.pq", "parquet")],
)
def test_auto_goes_by_the_name(name: str, format: str) -> None:
    assert source_for("auto", SourceFile(Path("x"), name)) is SOURCES.get(format)


@pytest.mark.parametrize("name", ["a.xlsx", "csv", ""])
def test_a_name_that_tells_nothing_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(CellFailed, match=r"\.csv, \.tsv.*Choose a format"):
        source_for("auto", SourceFile(Path("x"), name))


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match="csv, jsonl, parquet"):
        source_for("excel", SourceFile(Path("x"), "a.xlsx"))
