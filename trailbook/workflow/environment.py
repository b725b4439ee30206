"""What a run depends on besides its spec and its reads: versions of software."""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from trailbook.cells.kind import uses_packages
from trailbook.engine.config import SESSION_SETTINGS
from trailbook.kernels.environments.installed import installed
from trailbook.model.base import Digest, digest_of
from trailbook.model.edits import CellEdit, SetPackages
from trailbook.model.notebook import Spec
from trailbook.model.packages import Packages
from trailbook.settings import CONTAINER, Settings

# Raised when the same run would be stored differently, so that results of older releases are not taken for new ones.
CODEC_VERSION = 4
OWN = "trailbook"


@dataclass(frozen=True)
class RunEnvironment:
    """`base` is the same for two runs only if nothing known to matter differs, but for the packages of a notebook."""

    base: Digest

    def of(self, spec: Spec, packages: Packages) -> Digest:
        """That of a run of the spec in a version with these packages."""
        return digest_of(self.base, packages.locked) if packages.locked and uses_packages(spec) else self.base


def run_environment(settings: Settings) -> RunEnvironment:
    """By settled settings, which name an image by what is in it."""
    packages = {name: version for name, version in installed().items() if name != OWN}
    # Not the whole URL of a remote Spark: the token in it may be another one tomorrow.
    spark = [urlsplit(settings.spark).netloc, SESSION_SETTINGS]
    isolation = (CONTAINER, settings.container_image) if settings.isolation == CONTAINER else settings.isolation
    facts = (CODEC_VERSION, platform.python_version(), packages, spark, time.tzname, isolation)
    return RunEnvironment(digest_of(*facts))


def foreseen_packages(change: CellEdit, before: Packages) -> Packages:
    """Those that a version will have after an edit; what they mean is not looked up."""
    if not isinstance(change, SetPackages) or change.packages == before.wanted:
        return before
    return Packages(wanted=change.packages, locked=change.packages)
