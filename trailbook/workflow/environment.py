"""What a run depends on besides its spec and its reads: versions of software."""

from __future__ import annotations

import platform
import time
from importlib.metadata import version
from urllib.parse import urlsplit

from trailbook.engine.config import SESSION_SETTINGS
from trailbook.model.base import Digest, digest_of
from trailbook.settings import Settings

# Raised when the same run would be stored differently, so that results of older releases are not taken for new ones.
CODEC_VERSION = 4
PACKAGES = ("pyspark", "pyarrow", "pandas", "polars", "numpy")


def environment_digest(settings: Settings) -> Digest:
    """The same for two runs only if nothing known to matter differs."""
    packages = {name: version(name) for name in PACKAGES}
    # Not the whole URL of a remote Spark: the token in it may be another one tomorrow.
    spark = [urlsplit(settings.spark).netloc, SESSION_SETTINGS]
    return digest_of(CODEC_VERSION, platform.python_version(), packages, spark, time.tzname, settings.isolation)
