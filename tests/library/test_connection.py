from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import trailbook
from trailbook.engine import Engine
from trailbook.errors import BadSetting, EngineUnavailable


def test_a_program_gets_a_spark_of_its_own_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    table = pa.table({"a": [1, 2, 3, 4, 5, 6], "b": ["x", "x", "y", "y", "z", "z"]})
    with trailbook.connect(engine_memory="1g") as db:
        db.create(
            "r",
            table,
            caveats=[trailbook.Caveat("typed by hand", row=3, column="a"), trailbook.Caveat("seen twice", row=5)],
        )
        q = db.sql("SELECT b, sum(a) AS s FROM r GROUP BY b")
        out = q.fetch()
        assert sorted(zip(*out.table.to_pydict().values(), strict=True)) == [("x", 3), ("y", 7), ("z", 11)]
        assert sorted(out.marked.column("s").to_pylist()) == [False, True, True]
        assert out.row_marked == [False, False, False]
        assert out.rows_may_be_missing is False
        row = out.table.column("b").to_pylist().index("y")
        assert [(c.message, c.cell, c.count) for c in q.caveats(row=row, column="s")] == [("typed by hand", "r", 1)]
        assert q.spark().columns == ["b", "s", "__mask"]
        assert "GROUP BY" in q.sql_text()
    assert not list(tmp_path.iterdir())


def test_a_remote_spark_is_used(engine: Engine) -> None:
    with trailbook.connect(remote=engine.url()) as db:
        db.create("r", [{"a": 1}, {"a": 2}], [trailbook.Caveat("typed by hand", row=1, column="a")])
        result = db.sql("SELECT a FROM r").fetch()
    assert result.table.to_pylist() == [{"a": 1}, {"a": 2}]
    assert result.marked.to_pylist() == [{"a": False}, {"a": True}]


def test_a_remote_that_is_none_is_refused() -> None:
    with pytest.raises(BadSetting, match="such as sc://host:15002"):
        trailbook.connect(remote="localhost:15002")


def test_a_remote_that_does_not_answer_is_told_by_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailbook.engine.remote.CONNECT_SECONDS", 0.2)
    with (
        trailbook.connect(remote="sc://localhost:1") as db,
        pytest.raises(EngineUnavailable, match="sc://localhost:1 can't be reached"),
    ):
        db.sql("SELECT 1 AS a").fetch()
