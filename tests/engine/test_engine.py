from __future__ import annotations

import subprocess
import sys
import threading

import psutil
import pytest

from tests.engine.queries import endless
from trailbook.engine import Engine, EngineState
from trailbook.engine.errors import spark_errors
from trailbook.engine.sessions import close_session, open_session, report_progress
from trailbook.errors import CellCancelled, CellFailed, EngineUnavailable
from trailbook.settings import Settings


def test_importing_the_engine_loads_neither_pyspark_nor_pandas_nor_grpc() -> None:
    code = "import sys, trailbook.engine; print([m for m in ('pyspark', 'pandas', 'grpc') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_an_engine_that_was_not_started_says_so(settings: Settings) -> None:
    with pytest.raises(EngineUnavailable, match="not started"):
        Engine(settings).url()


def test_an_engine_that_still_starts_after_the_wait_says_so(settings: Settings) -> None:
    engine = Engine(settings)
    engine.start()
    try:
        with pytest.raises(EngineUnavailable, match="is starting"):
            engine.url(wait=0)
    finally:
        engine.stop()
    assert engine.status.state is EngineState.STOPPED
    engine.stop()


def test_a_query_runs(engine: Engine) -> None:
    with engine.session() as spark:
        assert spark.sql("SELECT sum(id) AS s FROM range(101)").toArrow().to_pylist() == [{"s": 5050}]
    assert engine.status.state is EngineState.READY


def test_sessions_see_nothing_of_each_other(engine: Engine) -> None:
    with engine.session() as one, engine.session() as other:
        one.sql("SELECT 1 AS x").createOrReplaceTempView("mine")
        one.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
        assert not other.catalog.tableExists("mine")
        assert other.conf.get("spark.sql.session.timeZone") == "UTC"


def test_a_session_is_gone_from_the_server_at_exit(engine: Engine) -> None:
    with engine.session() as spark:
        spark.sql("SELECT 1").collect()
    again = open_session(f"{engine.url()};session_id={spark.session_id}")
    try:
        with pytest.raises(Exception, match="Session was closed"):
            again.sql("SELECT 1").collect()
    finally:
        close_session(again)


def test_a_query_tells_its_progress_and_is_interrupted_from_another_thread(engine: Engine) -> None:
    running = threading.Event()
    progress: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        progress.append((done, total))
        running.set()

    def interrupt() -> None:
        running.wait()
        spark.interruptAll()

    with engine.session() as spark:
        report_progress(spark, note)
        threading.Thread(target=interrupt).start()
        with pytest.raises(CellCancelled), spark_errors():
            endless(spark).collect()
    assert all(0 <= done < total for done, total in progress)


def test_a_session_is_usable_after_an_error(engine: Engine) -> None:
    with engine.session() as spark:
        with pytest.raises(Exception, match="nosuch"):
            spark.table("nosuch").collect()
        assert spark.range(3).count() == 3


def test_a_lease_gives_another_process_a_session_that_ends_with_it(engine: Engine) -> None:
    code = (
        "import sys; from pyspark.sql.connect.session import SparkSession;"
        "print(SparkSession(connection=sys.argv[1]).range(7).count())"
    )
    with engine.lease() as url:
        answer = subprocess.check_output([sys.executable, "-W", "ignore", "-c", code, url], text=True)
        assert answer.strip() == "7"
    again = open_session(url)
    try:
        with pytest.raises(Exception, match="Session was closed"):
            again.range(7).count()
    finally:
        close_session(again)


def test_a_wrong_token_is_refused(engine: Engine) -> None:
    stranger = open_session(engine.url().replace("token=", "token=not"))
    try:
        with pytest.raises(Exception, match="Invalid authentication token"):
            stranger.range(1).count()
    finally:
        close_session(stranger)


def test_integer_overflow_is_an_error_not_a_wrong_number(engine: Engine) -> None:
    with pytest.raises(CellFailed, match="overflow"), engine.session() as spark:
        spark.sql("SELECT 2147483647 + id FROM (SELECT cast(1 AS int) AS id)").collect()


def test_deeply_nested_queries_run(engine: Engine) -> None:
    nested = "SELECT 1 AS x"
    for level in range(300):
        nested = f"SELECT * FROM ({nested}) AS t{level}"
    chain = ", ".join(f"c{i} AS (SELECT x + 1 AS x FROM c{i - 1})" for i in range(1, 105))
    with engine.session() as spark:
        assert spark.sql(nested).collect()[0].x == 1
        assert spark.sql(f"WITH c0 AS (SELECT 0 AS x), {chain} SELECT * FROM c104").collect()[0].x == 104


def test_other_users_of_the_machine_do_not_see_the_token(engine: Engine) -> None:
    token = engine.url().rpartition("token=")[2]
    arguments = [" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True)]
    assert any("SparkConnectServer" in line for line in arguments)
    assert not any(token in line for line in arguments)
