"""Spark inside a Python cell."""

from __future__ import annotations

import datetime as dt
import threading
import time

import pyarrow as pa
import pytest

from tests.kernels.conftest import Bench
from trailbook.engine import Engine
from trailbook.errors import CellCancelled

SALES = pa.table({"item": ["pen", "ink"], "n": [1, 2], "at": pa.array([1, 2], pa.timestamp("us", "UTC"))})
ENDLESS = "spark.sql('SELECT count(*) FROM range(1000000000000) WHERE hash(id) % 7 = 3').show()"


def test_frames_are_read_and_written_by_spark_and_reads_are_recorded(bench: Bench, engine: Engine) -> None:
    code = (
        "from pyspark.sql import functions as F\n"
        "more = tb.dataset('sales').spark().withColumn('m', F.col('n') + 1).orderBy('n')\n"
        "total = spark.sql('SELECT sum(n) AS total, NULL AS nothing FROM Sales')\nsame = spark.table('same')"
    )
    datasets = dict.fromkeys(("sales", "same", "untouched"), bench.dataset(SALES))
    run = bench.run(code, datasets, spark_url=engine.url)
    assert run.writes["more"].to_pylist()[1] == {
        "item": "ink",
        "n": 2,
        "at": dt.datetime(1970, 1, 1, 0, 0, 0, 2, dt.UTC),
        "m": 3,
    }
    assert run.writes["total"].to_pylist() == [{"total": 3, "nothing": None}]
    assert run.writes["total"].schema.types == [pa.int64(), pa.string()]
    assert run.reads == {"sales", "same"}
    assert run.notes == ["total: columns of types that only Spark knows are stored as text: nothing."]


def test_names_that_sql_can_not_tell_apart_are_refused(bench: Bench, engine: Engine) -> None:
    datasets = {"Sales": bench.dataset(SALES), "sales": bench.dataset(SALES.slice(1)), "other": bench.dataset(SALES)}
    for code in ("spark.sql('SELECT * FROM sales')", "spark.table('SALES')"):
        run = bench.run(code, datasets, spark_url=engine.url)
        assert run.error.message.startswith("Sales and sales are one name to SQL")
        assert run.reads == {"Sales", "sales"}
    code = "x = spark.sql('SELECT n AS sales FROM other')\ny = tb.dataset('sales').spark()"
    run = bench.run(code, datasets, spark_url=engine.url)
    assert (run.writes["x"].num_rows, run.writes["y"].num_rows) == (2, 1)


def test_a_query_meets_what_the_cell_saved_and_the_views_it_made(bench: Bench, engine: Engine) -> None:
    code = (
        "tb.save('sales', spark.range(7))\n"
        "spark.range(5).createOrReplaceTempView('other')\n"
        "print(spark.sql('SELECT * FROM sales').count(), spark.table('other').count())\n"
        "print(sorted(t.name for t in spark.catalog.listTables()))\n"
    )
    datasets = dict.fromkeys(("sales", "other", "third"), bench.dataset(SALES))
    run = bench.run(code, datasets, spark_url=engine.url)
    assert run.text() == "7 5\n['other', 'sales', 'third']\n"


def test_a_table_never_changes_under_the_frames_that_read_it(bench: Bench, engine: Engine) -> None:
    code = "spark.table('sales')\ntb.save('sales', spark.range(7))\nspark.sql('SELECT * FROM sales')"
    run = bench.run(code, {"sales": bench.dataset(SALES)}, spark_url=engine.url)
    assert run.error.message.startswith("sales was a table before this cell saved it anew.")
    assert run.error.line == 3


def test_no_dataset_is_read_without_being_counted(bench: Bench, engine: Engine) -> None:
    code = "spark.range(3).where('id IN (SELECT n FROM sales)').count()"
    run = bench.run(code, {"sales": bench.dataset(SALES)}, spark_url=engine.url)
    assert run.error.message == (
        "The table or view `sales` cannot be found."
        " Name it to spark.table or spark.sql first: only then is the dataset sales a table."
    )


def test_functions_of_the_cell_run_in_spark_and_its_frames_are_shown(bench: Bench, engine: Engine) -> None:
    code = (
        "from pyspark.sql import SparkSession\nfrom pyspark.sql.functions import udf\nstep = 10\n"
        "@udf('int')\ndef add(x): return x + step\n"
        "_frame = SparkSession.builder.getOrCreate().range(3).select(add('id').alias('x'))\n_frame"
    )
    (shown,) = bench.run(code, spark_url=engine.url).shown
    assert "<td>12</td>" in str(shown)


def test_errors_of_spark_are_readable(bench: Bench, engine: Engine) -> None:
    unknown = bench.run("\nspark.sql('SELECT * FROM nowhere')", spark_url=engine.url).error
    assert (unknown.message, unknown.line) == ("The table or view `nowhere` cannot be found.", 2)
    gone = bench.run("spark.table('gone').show()", {}, {"gone": "its cell failed"}, spark_url=engine.url).error
    assert gone.message == "gone can't be read: its cell failed"


def test_a_query_ends_when_its_cell_is_cancelled(bench: Bench, engine: Engine) -> None:
    attempt = bench.prepare(f"spark\nprint('now')\n{ENDLESS}", spark_url=engine.url)

    def cancel() -> None:
        while not attempt.messages:
            time.sleep(0.05)
        attempt.python.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(CellCancelled):
        attempt.run()
