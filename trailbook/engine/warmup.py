"""The first query of a fresh JVM takes seconds, the next one a fraction: so the first one is ours."""

from __future__ import annotations

import logging
from pathlib import Path

from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.engine.sessions import close_session, open_session

logger = logging.getLogger(__name__)


def warm_up(url: str, folder: Path) -> None:
    """Take the ways that users' queries take: a shuffle, a write, a read, rows to Arrow."""
    session = open_session(url)
    path = str(folder / "warmup.parquet")
    try:
        session.sql("SELECT id % 3 AS k, count(*) AS n FROM range(100) GROUP BY 1 ORDER BY 2").write.options(
            **PARQUET_WRITE_OPTIONS
        ).parquet(path)
        session.read.parquet(path).createOrReplaceTempView("warm")
        session.sql("SELECT k, sum(n) AS n FROM warm GROUP BY k LIMIT 2").toArrow()
    except Exception as error:
        # A slow first query is no reason to say more than this.
        logger.debug("The engine could not be warmed up: %s", error)
    finally:
        close_session(session)
