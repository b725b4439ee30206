from __future__ import annotations

import threading
from pathlib import Path

from tests.engine.queries import endless
from trailbook.engine import Engine
from trailbook.engine.config import QUERY_TASKS, TASK_SLOTS
from trailbook.engine.errors import spark_errors
from trailbook.engine.sessions import report_progress
from trailbook.errors import CellCancelled


def test_a_long_query_does_not_starve_a_short_one(engine: Engine, tmp_path: Path) -> None:
    small = str(tmp_path / "small")
    with engine.session() as spark:
        spark.range(1000).write.parquet(small)

    running = threading.Event()
    endings: list[type[Exception]] = []
    with engine.session() as long:
        report_progress(long, lambda done, total: running.set())

        def hold_the_engine() -> None:
            try:
                with spark_errors():
                    endless(long).collect()
            except CellCancelled as error:
                endings.append(type(error))

        thread = threading.Thread(target=hold_the_engine)
        thread.start()
        try:
            assert running.wait(60)
            with engine.session() as short:
                assert short.read.parquet(small).count() == 1000
            assert thread.is_alive()
        finally:
            long.interruptAll()
            thread.join()
    assert endings == [CellCancelled]


def test_a_query_is_cut_into_fewer_tasks_than_there_are_slots(engine: Engine) -> None:
    with engine.session() as spark:
        frame = spark.sql("SELECT spark_partition_id() AS p FROM range(100000) DISTRIBUTE BY id % 1000")
        widest = frame.distinct().count()
    assert widest <= QUERY_TASKS < TASK_SLOTS
