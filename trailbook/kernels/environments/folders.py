"""What is on disk of an environment: a folder that is there as a whole, or not at all."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from trailbook.model.packages import Environment

RECORD = "environment.json"
"""The file in it that tells what it is; changed whenever it is used."""
ASIDE = ".building-"
"""What the names of folders begin with that are not in place yet, or any more."""
DAY = 86_400
UNUSED_DAYS = 60
"""An environment that no cell has run in for so long is deleted."""


def interpreter_of(environment: Path) -> Path:
    return environment / "bin" / "python"


def is_there(environment: Path) -> bool:
    return (environment / RECORD).exists()


def note_use(environment: Path) -> None:
    with suppress(OSError):
        os.utime(environment / RECORD)


def write_record(folder: Path, environment: Environment) -> None:
    (folder / RECORD).write_text(environment.model_dump_json(), "utf-8")


def read_record(folder: Path) -> Environment | None:
    """None if there is no environment."""
    path = folder / RECORD
    try:
        found = Environment.model_validate_json(path.read_bytes())
        return found.model_copy(update={"used": datetime.fromtimestamp(path.stat().st_mtime, UTC)})
    except (OSError, ValueError):
        return None


def records(folder: Path) -> list[Environment]:
    """Of all environments in the folder."""
    found = (read_record(path.parent) for path in sorted(folder.glob(f"[0-9a-f]*/{RECORD}")))
    return [environment for environment in found if environment]


def size_of(folder: Path) -> int:
    """In bytes, links not followed."""
    return sum(
        os.lstat(os.path.join(directory, name)).st_size for directory, _, names in os.walk(folder) for name in names
    )


def remove(environment: Path) -> None:
    aside = environment.with_name(f"{ASIDE}{environment.name}")
    with suppress(OSError):
        environment.rename(aside)
        shutil.rmtree(aside)


def sweep(folder: Path) -> None:
    """Delete what builds left that were killed, and what nobody uses; others may be at work in the same folder."""
    for left in folder.glob(f"{ASIDE}*"):
        if _age(left) > DAY:
            shutil.rmtree(left, ignore_errors=True)
    for record in folder.glob(f"[0-9a-f]*/{RECORD}"):
        if _age(record) > UNUSED_DAYS * DAY:
            remove(record.parent)


def _age(path: Path) -> float:
    """Seconds since it was changed; nothing if it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
