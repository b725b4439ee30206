"""An archive of the classes that Spark loads: with one, Java maps them instead of reading, checking and linking each.

Spark then starts in about half the time, and so does its first query. An archive belongs to one Java and one
installation of Spark, so it lies in the Python environment. Java refuses one that does not fit, and goes on without.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from trailbook.engine.embedded import EmbeddedSpark, archive_of
from trailbook.engine.java import find_java
from trailbook.engine.warmup import warm_up
from trailbook.errors import EngineError
from trailbook.settings import GIB, Settings

WRITE_SECONDS = 300


def make_archive(settings: Settings) -> Path:
    """Run Spark through what queries do, and have Java write down what it loaded."""
    archive = archive_of(find_java(settings.java))
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(f"{archive.parent} can't be written to: {error.strerror}.") from error
    new = archive.with_suffix(".new")
    new.unlink(missing_ok=True)
    with TemporaryDirectory() as folder:
        training = replace(settings, data=Path(folder), engine_memory=min(settings.engine_memory, GIB))
        spark = EmbeddedSpark(training, write_archive=new)
        try:
            warm_up(spark.launch(threading.Event()), Path(folder) / "engine" / "tmp")
        finally:
            spark.close(WRITE_SECONDS)
    if not new.is_file():
        raise EngineError(f"This Java wrote no archive to {new}.")
    with new.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(new, archive)
    return archive
