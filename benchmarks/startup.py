"""How soon Trailbook answers: the first HTTP answer, the first SQL result, and pages of a million rows.

The last line is JSON. `http_seconds` and `sql_seconds` count from the start of the process with an empty data
directory. Page latency is over HTTP at random offsets, as Arrow and as JSON; `spark_page_ms` is the same page asked of
Spark, which is what one would use instead.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.server import Api, Server
from trailbook.engine import Engine
from trailbook.settings import GIB, Settings

ROWS = 1_000_000
PAGE = 200
STARTS = 3
ARROW = "application/vnd.apache.arrow.stream"
QUERY = f"""
SELECT id, id % 97 AS k, rand(7) AS x, cast(id * 1.5 AS decimal(18, 2)) AS amount, concat('name-', id % 1000) AS name,
       timestamp_seconds(1700000000 + id) AS t, date_add(DATE'2024-01-01', cast(id % 366 AS int)) AS d,
       id % 2 = 0 AS even, md5(cast(id AS string)) AS hash, cast(id AS float) AS f
FROM range({ROWS})"""


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def start_and_query(data: Path) -> tuple[float, float, Server, Api]:
    start = time.perf_counter()
    server = Server(data)
    api = Api(server.url)
    api.get("/status")
    http = time.perf_counter() - start
    notebook = api.project()
    notebook.result(notebook.add("sql", query="SELECT 1 AS x"))
    return http, time.perf_counter() - start, server, api


def pages(api: Api) -> dict[str, float]:
    notebook = api.project()
    cell = notebook.settled(notebook.add("sql", query=QUERY))
    path = f"/artifacts/{cell['outputs'][0]['artifact']['id']}/rows"
    chance = random.Random(7)

    def latencies(accept: str, tries: int = 200) -> list[float]:
        def ask() -> None:
            place = {"offset": chance.randrange(ROWS - PAGE), "limit": PAGE}
            api.http.get(path, params=place, headers={"Accept": accept}).raise_for_status()

        return sorted(1000 * seconds(ask) for _ in range(tries))

    first = latencies(ARROW, 1)[0]
    arrow, plain = latencies(ARROW), latencies("application/json")
    return {
        "first_page_ms": first,
        "page_median_ms": statistics.median(arrow),
        "page_p95_ms": arrow[int(len(arrow) * 0.95)],
        "json_page_median_ms": statistics.median(plain),
    }


def spark_page(data: Path) -> float:
    """The same page, asked of Spark."""
    engine = Engine(Settings(data=data, engine_memory=GIB))
    engine.start()
    try:
        with engine.session() as session:
            target = str(data / "million")
            session.sql(QUERY).write.parquet(target)
            chance = random.Random(7)
            frame = session.read.parquet(target)

            def ask() -> None:
                frame.offset(chance.randrange(ROWS - PAGE)).limit(PAGE).toArrow()

            return statistics.median(1000 * seconds(ask) for _ in range(9))
    finally:
        engine.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured = []
        for i in range(STARTS):
            http, sql, server, api = start_and_query(Path(folder) / str(i))
            measured.append((http, sql))
            figures = pages(api) if i == STARTS - 1 else {}
            server.stop()
        figures["spark_page_ms"] = spark_page(Path(folder) / "spark")
    figures["http_seconds"] = statistics.median(http for http, _ in measured)
    figures["sql_seconds"] = statistics.median(sql for _, sql in measured)
    print(json.dumps({"benchmark": "startup", **{name: round(value, 3) for name, value in figures.items()}}))


if __name__ == "__main__":
    main()
