"""What a run depends on besides its spec and its reads: software versions, and files outside the store."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from trailbook.model.base import Digest, digest_of
from trailbook.settings import Settings

# Raised when the same run would be stored differently, so that results of older releases are not taken for new ones.
CODEC_VERSION = 1
PACKAGES = ("pyspark", "pyarrow", "pandas", "polars", "numpy")


def environment_digest(settings: Settings) -> Digest:
    """The same for two runs only if nothing known to matter differs."""
    packages = {name: version(name) for name in PACKAGES}
    return digest_of(CODEC_VERSION, platform.python_version(), packages, settings.spark)


def file_digest(path: str) -> str | None:
    """SHA-256 of a file's bytes as they are now; None if it can't be read."""
    try:
        stat = os.stat(path)
        return _digest(path, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    except OSError:
        return None


@lru_cache(maxsize=1024)
def _digest(path: str, *_signs_of_change: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
