from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

import trailbook
from trailbook.engine import Engine, config, embedded
from trailbook.errors import BadSetting, EngineUnavailable
from trailbook.settings import GIB, Settings


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


HABITS = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "America/New_York",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.legacy.timeParserPolicy": "EXCEPTION",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
}


def test_a_remote_with_habits_of_its_own_answers_as_any_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "spark_properties", lambda folder: {**config.spark_properties(folder), **HABITS})
    cluster = Engine(replace(settings, engine_memory=GIB))
    cluster.start()
    try:
        with trailbook.connect(remote=cluster.url()) as db:
            db.create("r", [{"Day": "31.3.2026", "time": "2026-03-01 12:00:00", "n": "x"}])
            query = db.sql(
                "SELECT to_date(day, 'yyyy-MM-dd') AS d, CAST(TIME AS timestamp) AS t, CAST(n AS int) AS n FROM R"
            )
            result = query.fetch()
            assert result.table.to_pylist() == [{"d": None, "t": datetime(2026, 3, 1, 12, tzinfo=UTC), "n": None}]
            assert result.marked.to_pylist() == [{"d": True, "t": False, "n": True}]
            assert db.spark.sql('SELECT DAY, "a" FROM R').first() == ("31.3.2026", "a")
    finally:
        cluster.stop()


def test_what_a_remote_refuses_is_raised_and_not_printed_as_well(
    engine: Engine, capfd: pytest.CaptureFixture[str]
) -> None:
    program = (
        "import sys, trailbook\n"
        "with trailbook.connect(remote=sys.argv[1]) as db:\n"
        "    try: db.sql('SELECT no_such_function(1) AS a').fetch()\n"
        "    except trailbook.TrailbookError as error: print(error)\n"
    )
    subprocess.run([sys.executable, "-c", program, engine.url()], check=True)
    out, err = capfd.readouterr()
    assert "no_such_function" in out
    assert err == ""


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
