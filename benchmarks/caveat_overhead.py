"""What caveats cost: marked queries against the same queries on the same data without marks, side by side.

TPC-H at scale 1 with 2 % of the values of every column that is no key in doubt (`ratios`, `geomean`, `worst`), the same
without any doubt (`clean`), and one query at growing doubt and size (`growth`). Plain is the original text on Parquet
without masks; results are fetched whole, in turn, and the best of the rounds counts: ROUNDS of them, fewer of slow
queries. SCALE=0.1 has a quick look. The last line is JSON.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Scan
from trailbook.algebra.spark_sql import to_sql
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import TableDoubt, data
from trailbook.engine import Engine
from trailbook.settings import GIB, Settings
from trailbook.store.masks import MASK
from trailbook.store.parquet import describe

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

QUERIES = Path(__file__).parents[1] / "tests" / "algebra" / "tpch"
ROUNDS, LEAST_ROUNDS = int(os.environ.get("ROUNDS", "5")), 2
ENOUGH = 15.0
"""Seconds of one query after which the least rounds will do."""
DOUBTFUL = 0.02
ROW_GROUP = 65536
KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "nation": (frozenset({"n_nationkey"}), frozenset({"n_regionkey"})),
    "region": (frozenset({"r_regionkey"}), frozenset()),
    "supplier": (frozenset({"s_suppkey"}), frozenset({"s_nationkey"})),
    "part": (frozenset({"p_partkey"}), frozenset()),
    "partsupp": (frozenset({"ps_partkey", "ps_suppkey"}), frozenset()),
    "customer": (frozenset({"c_custkey"}), frozenset({"c_nationkey"})),
    "orders": (frozenset({"o_orderkey"}), frozenset({"o_custkey"})),
    "lineitem": (frozenset({"l_orderkey", "l_linenumber"}), frozenset({"l_partkey", "l_suppkey"})),
}
"""The key of each table, and its references to keys of others: columns that are not in doubt."""
SUMMARY = """
SELECT l_returnflag, sum(l_quantity) AS quantity, avg(l_extendedprice) AS price, count(*) AS n
FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY l_returnflag"""


class Tables:
    """Tables with and without masks, as views of two sessions."""

    def __init__(self, plain: SparkSession, marked: SparkSession) -> None:
        self.plain, self.marked = plain, marked
        self.scope: dict[str, Scan] = {}
        self.doubts: dict[str, TableDoubt] = {}

    def add(self, name: str, table: pa.Table, share: float, directory: Path) -> None:
        """A table with this share of the values in doubt."""
        key, references = KEYS[name]
        doubtful = [column for column in table.column_names if column not in key | references]
        random, mask = np.random.default_rng(7), np.zeros(table.num_rows, np.int64)
        for index, column in enumerate(table.column_names):
            if column in doubtful:
                mask |= np.where(random.random(table.num_rows) < share, np.int64(2) << index, 0)
        masked = table.append_column(pa.field(MASK, pa.int64(), nullable=False), pa.array(mask))
        for session, rows, kind in ((self.plain, table, "plain"), (self.marked, masked, "marked")):
            path = directory / kind / name
            path.mkdir(parents=True, exist_ok=True)
            pq.write_table(rows, path / "part.parquet", row_group_size=ROW_GROUP, compression="zstd")
            session.read.parquet(str(path)).createOrReplaceTempView(name)
        columns = describe(directory / "plain" / name).columns
        known = tuple(column.model_copy(update={"nullable": False}) for column in columns)
        self.scope[name] = Scan(name, known, (key,))
        self.doubts[name] = TableDoubt(frozenset(doubtful if share else ()))

    def seconds(self, text: str) -> tuple[float, ...]:
        """Of the plain query, of the marked one, and of the one that is followed where nothing is in doubt."""
        marked = self._instrumented(text, self.doubts)
        tracked = self._instrumented(text, {})
        return best(
            lambda: self.plain.sql(text).toArrow(),
            lambda: self.marked.sql(marked).toArrow(),
            lambda: self.plain.sql(tracked).toArrow(),
        )

    def _instrumented(self, text: str, doubts: Mapping[str, TableDoubt]) -> str:
        return to_sql(data(instrument(bind(text, self.scope), doubts)))


def best(*actions: Callable[[], object]) -> tuple[float, ...]:
    """The best time of each, taken in turn."""
    times: list[tuple[float, ...]] = []
    while len(times) < ROUNDS and (len(times) < LEAST_ROUNDS or sum(map(sum, times)) < ENOUGH):
        times.append(tuple(map(_seconds, actions)))
    return tuple(map(min, zip(*times, strict=True)))


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))


def tpch(directory: Path, scale: float) -> dict[str, pa.Table]:
    command = [str(Path(sys.executable).parent / "tpchgen-cli"), "parquet", "-s", str(scale), "-o", str(directory)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {name: pq.read_table(directory / f"{name}.parquet") for name in KEYS}


def overhead(tables: Tables) -> dict[str, object]:
    ratios, clean = {}, {}
    for path in sorted(QUERIES.glob("q*.sql")):
        plain, marked, tracked = tables.seconds(path.read_text())
        ratios[path.stem], clean[path.stem] = round(marked / plain, 3), round(tracked / plain, 3)
        print(f"{path.stem}: {plain:.2f} s, marked {ratios[path.stem]}, clean {clean[path.stem]}", flush=True)
    return {
        "ratios": ratios,
        "geomean": round(geomean(ratios.values()), 3),
        "worst": dict(sorted(ratios.items(), key=lambda item: -item[1])[:5]),
        "clean": clean,
        "clean_geomean": round(geomean(clean.values()), 3),
    }


def growth(tables: Tables, lineitem: pa.Table, directory: Path) -> dict[str, float]:
    """One query with more and more in doubt, and on ten times the rows."""
    found = {}
    key, _ = KEYS["lineitem"]
    looked_at = lineitem.select([name for name in lineitem.column_names if name in key or name in SUMMARY])
    for name, rows in (("1x", looked_at.slice(0, lineitem.num_rows // 10)), ("10x", looked_at)):
        for percent in (0, 1, 10, 50):
            tables.add("lineitem", rows, percent / 100, directory / f"{name}-{percent}")
            plain, marked, _ = tables.seconds(SUMMARY)
            found[f"{name} {percent}%"] = round(marked / plain, 3)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        engine = Engine(Settings(data=directory / "engine", engine_memory=6 * GIB))
        engine.start()
        try:
            with engine.session() as plain, engine.session() as marked:
                tables = Tables(plain, marked)
                generated = tpch(directory / "tpch", float(os.environ.get("SCALE", "1")))
                for name, table in generated.items():
                    tables.add(name, table, DOUBTFUL, directory)
                figures = overhead(tables)
                figures["growth"] = growth(tables, generated["lineitem"], directory)
        finally:
            engine.stop()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
