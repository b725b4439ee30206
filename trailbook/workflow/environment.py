"""What a run depends on besides its spec and its reads: software versions, and files outside the store."""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import time
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from trailbook.engine.config import SESSION_SETTINGS
from trailbook.model.base import Digest, digest_of
from trailbook.settings import Settings

# Raised when the same run would be stored differently, so that results of older releases are not taken for new ones.
CODEC_VERSION = 2
CLOCK_SECONDS = 3.0
"""A file that changed less than this ago may change again without a sign: file systems' clocks are coarse."""
PACKAGES = ("pyspark", "pyarrow", "pandas", "polars", "numpy")


def environment_digest(settings: Settings) -> Digest:
    """The same for two runs only if nothing known to matter differs."""
    packages = {name: version(name) for name in PACKAGES}
    # Not the whole URL of a remote Spark: the token in it may be another one tomorrow.
    spark = [urlsplit(settings.spark).netloc, SESSION_SETTINGS]
    return digest_of(CODEC_VERSION, platform.python_version(), packages, spark, time.tzname)


def file_digest(path: str) -> str | None:
    """SHA-256 of a file's bytes as they are now; None if it can't be read."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return None
        if time.time() - max(found.st_mtime, found.st_ctime) < CLOCK_SECONDS:
            return _digest(path)
        return _remembered(path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    except OSError:
        return None


@lru_cache(maxsize=1024)
def _remembered(path: str, *_signs_of_change: int) -> str:
    return _digest(path)


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
