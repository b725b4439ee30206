"""Spark starts with an archive of its classes, and also with a spoilt one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from trailbook.engine import Engine
from trailbook.engine.archive import make_archive
from trailbook.engine.embedded import archive_of
from trailbook.engine.java import find_java
from trailbook.settings import GIB, MIB, Settings


def select_one(data: Path) -> int:
    engine = Engine(Settings(data=data, engine_memory=GIB))
    engine.start()
    try:
        with engine.session() as spark:
            value: int = spark.sql("SELECT 1 AS x").toArrow()["x"][0].as_py()
            return value
    finally:
        engine.stop()


def test_an_archive_is_made_anew_and_a_cut_one_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    old = archive_of(find_java(""))
    old.parent.mkdir(parents=True)
    old.write_text("of another time")
    old.chmod(0o400)
    archive = make_archive(Settings(data=tmp_path / "data"))
    assert archive == old
    assert archive.stat().st_size > MIB
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]

    archive.chmod(0o600)
    os.truncate(archive, archive.stat().st_size // 2)
    assert select_one(tmp_path / "cut") == 1
