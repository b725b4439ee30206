"""How the embedded Spark is set up: one machine, many short queries, now and then a long one."""

from __future__ import annotations

import os
from pathlib import Path

QUERY_TASKS = max(4, os.cpu_count() or 1)
"""Tasks that one stage of a query is cut into."""

TASK_SLOTS = 8 * QUERY_TASKS
"""Tasks that run at once: far more than a query takes by itself, so that there is room for the next one.

Only a stage that its author cut finer than this (`repartition(200)`) takes all slots, until one of its tasks ends.
With 512 slots a short query beside 200 busy tasks still took over a minute on two (shared) cores.
"""

OPENED_PACKAGES = (
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)

FAIR_POOL = """<?xml version="1.0"?>
<allocations>
  <pool name="default">
    <schedulingMode>FAIR</schedulingMode>
  </pool>
</allocations>
"""

STARTED_LOGGER = "org.apache.spark.sql.connect.service.SparkConnectServer"

LOGGING = f"""\
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{{yyyy-MM-dd HH:mm:ss}} %p %c{{1}}: %m%n%ex
logger.started.name = {STARTED_LOGGER}
logger.started.level = info
# Errors of queries reach whoever asked; here they would only grow the log.
logger.answered.name = org.apache.spark.sql.connect.utils.ErrorUtils
logger.answered.level = off
"""


SESSION_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # Without it, an integer that overflows wraps silently.
    "spark.sql.ansi.enabled": "true",
    # Spark's default, 96 bits wide, is read back as nanoseconds without a time zone.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # The rest is how Spark comes. Clusters may have it otherwise, and would read queries in another way than Trailbook.
    "spark.sql.caseSensitive": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
}
"""What results depend on: the same on every Spark, so a remote one is told in each session."""


def write_config_files(folder: Path) -> None:
    """The files that Spark reads its scheduling pools and logging from."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fairscheduler.xml").write_text(FAIR_POOL, "utf-8")
    (folder / "log4j2.properties").write_text(LOGGING, "utf-8")


def spark_properties(folder: Path) -> dict[str, str]:
    """Spark's properties for a server that keeps its files under `folder`."""
    return {
        "spark.master": f"local[{TASK_SLOTS}]",
        "spark.app.name": "trailbook",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        # The kernel picks the port, so none can be taken; the server says which in its log.
        "spark.connect.grpc.binding.port": "0",
        "spark.ui.enabled": "false",
        "spark.local.dir": str(folder / "blocks"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        **SESSION_SETTINGS,
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.connect.serverStacktrace.enabled": "false",
        "spark.connect.progress.reportInterval": "500ms",
        # What a client that died left running.
        "spark.connect.execute.manager.detachedTimeout": "1m",
        "spark.sql.analyzer.maxIterations": "1000",
        "spark.sql.optimizer.maxIterations": "1000",
        **_parallelism(folder),
    }


def _parallelism(folder: Path) -> dict[str, str]:
    tasks = str(QUERY_TASKS)
    return {
        "spark.scheduler.mode": "FAIR",
        "spark.scheduler.allocation.file": str(folder / "conf" / "fairscheduler.xml"),
        "spark.default.parallelism": tasks,
        "spark.sql.shuffle.partitions": tasks,
        "spark.sql.leafNodeDefaultParallelism": tasks,
        "spark.sql.files.minPartitionNum": tasks,
        "spark.sql.files.maxPartitionNum": tasks,
    }
