"""Trailbook's own code on the machines of a remote Spark, where it is not installed."""

from __future__ import annotations

import zipfile
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import trailbook

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


def ship(session: SparkSession) -> None:
    """Have Python code that runs in this session's tasks find the package."""
    session.addArtifacts(str(_packed()), pyfile=True)


@cache
def _packed() -> Path:
    """The package in one file, made once."""
    package = Path(trailbook.__file__).parent
    target = Path(mkdtemp(prefix="trailbook-")) / "trailbook.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for module in sorted(package.rglob("*.py")):
            archive.write(module, module.relative_to(package.parent))
    return target
