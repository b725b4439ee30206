"""Building an environment: aside, and put in place once it is complete."""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from trailbook.errors import BadPackages
from trailbook.kernels.environments.folders import ASIDE, interpreter_of, is_there, size_of, write_record
from trailbook.kernels.environments.installed import canonical, installed, package_folders
from trailbook.kernels.environments.requirements import checked
from trailbook.kernels.environments.uv import Uv, UvFailed
from trailbook.model.packages import Environment, EnvironmentState

log = logging.getLogger(__name__)

FRESH_SECONDS = 10.0
"""For so long a failure is final, unless somebody asks to try again: many cells may need the same environment."""
TOLD = ("Resolved", "Downloading", "Building", "Prepared", "Installed")
"""What lines begin with that people want to see while they wait."""


class Build:
    """One attempt, in a thread of its own."""

    def __init__(
        self, target: Path, wanted: Environment, on_change: Callable[[], None], *, allow_urls: bool, sandboxed: bool
    ) -> None:
        """`on_change` is called by that thread whenever there is another step, and at the end."""
        self.wanted = wanted
        self.step = "Starting"
        self.problem: str | None = None
        self._target = target
        self._on_change = on_change
        self._allow_urls = allow_urls
        self._sandboxed = sandboxed
        target.parent.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=ASIDE, dir=target.parent))
        self._uv = Uv(self._folder, self._hear)
        self._ended = threading.Event()
        self._ended_at = 0.0
        threading.Thread(target=self._run, name="environment", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        return self._ended.is_set()

    @property
    def has_just_failed(self) -> bool:
        return self.problem is not None and time.monotonic() - self._ended_at < FRESH_SECONDS

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it has ended by then."""
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        self._uv.stop("Building it was cancelled.")

    def _run(self) -> None:
        try:
            self._build()
        except (UvFailed, BadPackages) as failure:
            self.problem = str(failure)
        except Exception as failure:
            log.exception("an environment could not be built")
            self.problem = f"{type(failure).__name__}: {failure}"
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._ended_at = time.monotonic()
            self._ended.set()
            self._on_change()

    def _build(self) -> None:
        self._tell("Making a virtual environment")
        made = self._folder / "environment"
        self._uv.run("venv", "--quiet", "--relocatable", "--no-project", "--python", sys.executable, str(made))
        packages = next(made.glob("lib/python*/site-packages"))
        if lines := _missing(self.wanted.packages.locked):
            self._install(made, checked(lines, allow_urls=self._allow_urls))
            if self._sandboxed:
                self._compile(packages)
        (packages / "_trailbook_own.pth").write_text("\n".join(package_folders()) + "\n", "utf-8")
        write_record(made, self.wanted.model_copy(update={"state": EnvironmentState.READY, "size": size_of(made)}))
        self._put_in_place(made)

    def _install(self, made: Path, lines: Sequence[str]) -> None:
        self._tell(f"Installing {len(lines)} package{'' if len(lines) == 1 else 's'}")
        wanted = self._folder / "locked.txt"
        wanted.write_text("\n".join(lines) + "\n", "utf-8")
        options = ["--no-deps", *(["--no-build"] if self._sandboxed else [])]
        self._uv.run("pip", "install", "--python", str(interpreter_of(made)), *options, "--requirement", str(wanted))

    def _compile(self, packages: Path) -> None:
        """In a sandbox every run would have to do it again, since it can't write there."""
        self._tell("Compiling")
        # By this interpreter: that of the environment would run what the packages do at each start.
        command = [sys.executable, "-I", "-m", "compileall", "-q", "-j", "0", "-x", r"/tests?/", str(packages)]
        with suppress(UvFailed):
            self._uv.call(command)

    def _put_in_place(self, made: Path) -> None:
        self._uv.check_stopped()
        try:
            made.rename(self._target)
        except OSError:
            # Another process was quicker.
            if not is_there(self._target):
                raise

    def _hear(self, line: str) -> None:
        if line.startswith(TOLD):
            self._tell(line)

    def _tell(self, step: str) -> None:
        self.step = step
        self._on_change()


def _missing(locked: Sequence[str]) -> list[str]:
    """The lines that the packages behind an environment do not fulfil already."""
    return [line for line in locked if not _is_installed(line)]


def _is_installed(line: str) -> bool:
    name, equals, version = line.partition("==")
    return bool(equals) and installed().get(canonical(name)) == version
