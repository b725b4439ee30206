"""Where a program starts."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from trailbook.engine import Engine
from trailbook.library.database import Database
from trailbook.settings import load_settings


def connect(
    remote: str | None = None,
    *,
    engine_memory: int | str | None = None,
    engine_wait: float | None = None,
    java: str | None = None,
) -> Database:
    """An empty database on a Spark of its own, or on a `remote` one (`sc://host:port`).

    Spark starts in the background; the first table or query waits for it. What is not given here comes from the
    environment and the configuration file, as for the app.
    """
    with ExitStack() as resources:
        folder = Path(resources.enter_context(TemporaryDirectory(prefix="trailbook-", ignore_cleanup_errors=True)))
        settings = load_settings(
            {
                "data": folder,
                "spark": remote,
                "engine_memory": engine_memory,
                "engine_wait": engine_wait,
                "java": java,
            }
        )
        engine = Engine(settings)
        resources.callback(engine.stop)
        engine.start()
        # A remote Spark does not see the files of this machine.
        return Database(engine, None if settings.spark else folder, resources.pop_all(), settings)
