"""Spark and the server exchange datasets as files, so both must see the same folder."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.errors import CellFailed, EngineError

if TYPE_CHECKING:
    from trailbook.engine.engine import Engine


def check_shared_root(engine: Engine, root: Path) -> None:
    """Refuse a Spark that doesn't read under `root` what was written there just now."""
    word = secrets.token_hex(8)
    probe = root / f"probe-{word}"
    probe.write_text(word, "ascii")
    try:
        with engine.session() as spark:
            seen = spark.read.text(f"file://{probe}").toArrow().column(0).to_pylist()
    except CellFailed as error:
        raise EngineError(_refusal(root, error.message)) from error
    finally:
        probe.unlink()
    if seen != [word]:
        raise EngineError(_refusal(root, f"It read {seen} where {word} was written."))


def _refusal(root: Path, reason: str) -> str:
    return (
        f"This Spark does not see the files under {root} that Trailbook writes. {reason}"
        " Put the data directory on storage that both mount at the same path, or use the embedded Spark."
    )
