"""`make setup` has an archive of Spark's classes made; Spark starts with a spoilt one as well."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from trailbook.engine import Engine
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


def test_the_archive_of_the_set_up_is_whole_and_a_cut_one_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = find_java("")
    archive = archive_of(java)
    assert archive.stat().st_size > MIB
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]

    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    cut = archive_of(java)
    cut.parent.mkdir(parents=True)
    shutil.copy(archive, cut)
    os.truncate(cut, archive.stat().st_size // 2)
    assert select_one(tmp_path / "data") == 1
