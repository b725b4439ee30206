"""All environments of a data directory: which there are, which are being built, and who runs in them."""

from __future__ import annotations

import platform
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.errors import BadPackages, EnvironmentFailed, EnvironmentInUse, NotFound
from trailbook.kernels.environments.folders import is_there, note_use, read_record, records, remove, sweep
from trailbook.kernels.environments.installed import installed
from trailbook.kernels.environments.zygotes import Zygotes
from trailbook.kernels.zygote import Zygote
from trailbook.model.base import Digest, digest_of
from trailbook.model.packages import NO_PACKAGES, Environment, EnvironmentState, Packages
from trailbook.settings import CONTAINER, PROCESS, Settings

if TYPE_CHECKING:
    # Few notebooks name packages, and none should wait for what only those need.
    from trailbook.kernels.environments.building import Build

TICK_SECONDS = 0.2
IN_THE_IMAGE = (
    "Cells run in containers, with the packages of their image and no others: "
    "have {} put into the image (setting container_image), and leave this notebook without packages of its own."
)


@dataclass(frozen=True)
class Lease:
    """What a run needs of its environment; the folder is None for that of Trailbook itself."""

    zygote: Zygote
    folder: Path | None = None


class Environments:
    """Builds them when they are needed, and keeps an interpreter ready for each that was used of late."""

    def __init__(
        self, settings: Settings, own: Zygote, on_change: Callable[[Environment], None] = lambda _: None
    ) -> None:
        """`own` is forked for notebooks that name no packages; `on_change` is told how each comes along."""
        self._folder = settings.environments_folder
        self._allow_urls = settings.package_urls
        self._sandboxed = settings.isolation != PROCESS
        self._contained = settings.isolation == CONTAINER
        self._own = own
        self._on_change = on_change
        self._zygotes = Zygotes()
        self._lock = threading.Lock()
        self._builds: dict[Digest, Build] = {}
        sweep(self._folder)

    def lock(self, wanted: Sequence[str], before: Packages = NO_PACKAGES) -> Packages:
        """What the wanted packages mean now. Raises BadPackages."""
        if not wanted:
            return NO_PACKAGES
        if self._contained:
            raise BadPackages(IN_THE_IMAGE.format(", ".join(wanted)), package=None, output=None)
        from trailbook.kernels.environments.locking import lock

        return lock(self._folder, wanted, before, allow_urls=self._allow_urls, sandboxed=self._sandboxed)

    def start(self, packages: Packages) -> None:
        """Have it built, unless it is there; once more, if that failed."""
        if packages.locked and not self._contained:
            self._start(packages, again=True)

    @contextmanager
    def lease(self, packages: Packages, on_step: Callable[[str], None]) -> Iterator[Lease]:
        """Wait until it is built, and have it as long as needed. `on_step` may raise, to wait no longer."""
        if not packages.locked:
            yield Lease(self._own)
            return
        if self._contained:
            raise EnvironmentFailed(IN_THE_IMAGE.format(", ".join(packages.wanted)))
        self._await(packages, on_step)
        folder = self._folder / digest_of_environment(packages)
        note_use(folder)
        with self._zygotes.lease(folder) as zygote:
            yield Lease(zygote, folder)

    def about(self, packages: Packages) -> Environment | None:
        """How the environment of a notebook stands, if it has one of its own."""
        return self._about(_absent(packages)) if packages.locked else None

    def all(self) -> list[Environment]:
        """Those that are built, and those that are being built or could not be."""
        with self._lock:
            wanted = [build.wanted for build in self._builds.values()]
        built = records(self._folder)
        others = [self._about(one) for one in wanted if one.digest not in {other.digest for other in built}]
        return [*built, *(one for one in others if one.state is not EnvironmentState.ABSENT)]

    def cancel(self, digest: Digest) -> Environment:
        """Stop building it."""
        with self._lock:
            build = self._builds.get(digest)
        if build is None:
            raise NotFound(f"No environment {digest} is being built.", what="environment", id=digest)
        build.cancel()
        build.wait()
        return self._about(build.wanted)

    def delete(self, digest: Digest) -> None:
        """Its folder; it is built again when a cell needs it."""
        folder = self._folder / digest
        if not is_there(folder):
            raise NotFound(f"There is no environment {digest}.", what="environment", id=digest)
        if not self._zygotes.retire(folder):
            raise EnvironmentInUse("Cells run in this environment. Cancel them first, or wait for their end.")
        remove(folder)

    def close(self) -> None:
        with self._lock:
            builds = list(self._builds.values())
        for build in builds:
            build.cancel()
        for build in builds:
            build.wait()
        self._zygotes.close()

    def _start(self, packages: Packages, *, again: bool) -> Build | None:
        """The attempt that builds it; None if it is there."""
        wanted = _absent(packages)
        with self._lock:
            if is_there(self._folder / wanted.digest):
                return None
            build = self._builds.get(wanted.digest)
            if build is None or (build.has_ended and (again or not build.has_just_failed)):
                build = self._builds[wanted.digest] = self._build(wanted)
            return build

    def _build(self, wanted: Environment) -> Build:
        from trailbook.kernels.environments.building import Build

        return Build(
            self._folder / wanted.digest,
            wanted,
            lambda: self._on_change(self._about(wanted)),
            allow_urls=self._allow_urls,
            sandboxed=self._sandboxed,
        )

    def _await(self, packages: Packages, on_step: Callable[[str], None]) -> None:
        """Those that wait for an attempt share its end."""
        build = self._start(packages, again=False)
        while build and not build.wait(TICK_SECONDS):
            on_step(build.step)
        if build and build.problem:
            raise EnvironmentFailed(f"The packages of this notebook could not be installed:\n{build.problem}")

    def _about(self, wanted: Environment) -> Environment:
        with self._lock:
            build = self._builds.get(wanted.digest)
        if ready := read_record(self._folder / wanted.digest):
            # Others may have come to the same packages by other names.
            return ready.model_copy(update={"packages": wanted.packages})
        if build and not build.has_ended:
            return wanted.model_copy(update={"state": EnvironmentState.BUILDING, "step": build.step})
        if build and build.problem:
            return wanted.model_copy(update={"state": EnvironmentState.FAILED, "problem": build.problem})
        return wanted


def _absent(packages: Packages) -> Environment:
    digest, python = digest_of_environment(packages), platform.python_version()
    return Environment(digest=digest, packages=packages, python=python, state=EnvironmentState.ABSENT)


def digest_of_environment(packages: Packages) -> Digest:
    """Other packages of Trailbook's own behind it make it another one."""
    return digest_of(sys.implementation.cache_tag, platform.python_version(), dict(installed()), packages.locked)
