"""Runs a cell in a sandbox made by bubblewrap: without network, with a read-only system and what it is given.

All paths inside are those outside, as far as they are there at all.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import trailbook
from trailbook.errors import BadSetting, CellFailed
from trailbook.kernels.environments.folders import interpreter_of
from trailbook.kernels.forking import BOOTSTRAP, PACKAGE_ROOT, Forked, PlainZygote, child_environment
from trailbook.kernels.modules import package_of
from trailbook.kernels.names import Given, GivenDataset, GivenValue
from trailbook.kernels.zygote import LIBRARIES
from trailbook.settings import SANDBOX, Settings

PROGRAM = "bwrap"
GIVEN = "given"
"""The folder below scratch that only the host can write to."""
NO_SPARK = (
    "a cell in the sandbox has none, since what Spark runs for it would run outside. "
    "Query the data in a SQL cell, or start the server with isolation = process."
)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
_CONFIGURATION = ("alternatives", "fonts", "ld.so.cache", "localtime", "mime.types", "ssl/certs", "timezone")
_APART = ("--unshare-user", "--unshare-all", "--cap-drop", "ALL", "--die-with-parent")
_OWN = ("--proc", "/proc", "--dev", "/dev")
_PASSED_ON = frozenset({"LANG", "MPLBACKEND", "PATH", "PYTHONHASHSEED", "SPARK_CONNECT_MODE_ENABLED", "TZ"})
_HOME = "/tmp"
_FONTS = "/tmp/.cache/matplotlib"
_FIRST_PROCESS = "1"
_INFO_PIECE = 4096


@dataclass(frozen=True)
class Sandbox:
    """What the sandboxes of all runs have in common.

    `hidden` are folders that none may see. The environment they run in and the notebook's own folder, `home`, all may.
    """

    hidden: tuple[Path, ...]
    environment: Path | None = None
    home: Path | None = None

    @property
    def _interpreter(self) -> str:
        return str(interpreter_of(self.environment)) if self.environment else sys.executable

    def fork(self, directory: Path, temporary: Path, descriptors: list[int], modules: Collection[str]) -> Forked:
        """A fresh process in a fresh sandbox; see `Zygote.fork`."""
        scratch = directory.parent
        (scratch / GIVEN).mkdir()
        # Loaded before the cell's code starts, none of what they open has to be watched.
        loaded = [name for name in LIBRARIES if package_of(name) in set(map(package_of, modules))]
        zygote = _SandboxedZygote(self._command(scratch, temporary), loaded, self._interpreter)
        # The host takes it for the work directory by its real path.
        request = {"directory": str(directory.resolve()), "temporary": str(temporary), "modules": sorted(modules)}
        forked = zygote.fork(request, descriptors)
        if forked is None:
            raise CellFailed("No sandbox could be started for this cell (setting isolation).")
        return forked

    def admit(self, given: Given, scratch: Path) -> Given:
        """The same, where the run can read it, and nobody can change it."""
        match given:
            case GivenDataset(_, path):
                return replace(given, path=_linked(path, scratch))
            case GivenValue(_, Path() as path):
                return replace(given, source=_linked(path, scratch))
        return given

    def check(self) -> None:
        """Make sure, before anybody needs it, that there can be one."""
        if shutil.which(PROGRAM) is None:
            raise BadSetting(
                f"isolation = sandbox needs {PROGRAM}, which is not installed. "
                "Install the package bubblewrap, or use isolation = process."
            )
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder).resolve()
            for name in ("tmp", "work", GIVEN):
                (scratch / name).mkdir()
            command = [*self._command(scratch, scratch / "tmp"), "--", self._interpreter, "-c", "import trailbook"]
            tried = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
        if tried.returncode:
            raise BadSetting(f"isolation = sandbox can't be used here: {tried.stderr.strip() or tried.returncode}.")

    def _command(self, scratch: Path, temporary: Path) -> list[str]:
        """Mounts are made from the top of the tree down, so that a later one may hide or open part of an earlier."""
        mounts: dict[str, tuple[str, ...]] = {path: ("--ro-bind-try", path, path) for path in _readable()}
        mounts |= {path: ("--tmpfs", path) for folder in self.hidden for path in _spellings(folder)}
        for shown in filter(None, (self.environment, self.home)):
            mounts |= {path: ("--ro-bind", path, path) for path in _spellings(shown)}
        mounts[_HOME] = ("--bind", str(temporary), _HOME)
        mounts |= {f"{_FONTS}/{path.name}": ("--ro-bind", str(path), f"{_FONTS}/{path.name}") for path in _font_lists()}
        mounts |= {path: ("--bind", path, path) for path in _spellings(scratch)}
        mounts |= {path: ("--ro-bind", path, path) for path in _spellings(scratch / GIVEN)}
        ordered = [word for _, mount in sorted(mounts.items()) for word in mount]
        return [PROGRAM, *_APART, *_OWN, *ordered, "--chdir", str(scratch)]


def sandbox_of(settings: Settings, environment: Path | None = None) -> Sandbox | None:
    """None if cells are to run without."""
    if settings.isolation != SANDBOX:
        return None
    return Sandbox((settings.data,), environment, Path(settings.home) if settings.home else None)


class _SandboxedZygote(PlainZygote):
    """In a sandbox of its own, with which it ends."""

    _init: int | None = None

    def __init__(self, command: list[str], modules: list[str], interpreter: str) -> None:
        self._command = command
        self._modules = modules
        super().__init__(interpreter)

    def signal(self, pid: int, number: int) -> None:
        """Numbers of processes mean something else inside; what is to end at once must not be asked to."""
        if number == signal.SIGKILL:
            self.close()
        else:
            self._send({"signal": number, "pid": pid})

    def reap(self, pid: int) -> None:
        """Wait for the end of all that was started in the sandbox."""
        self.close()
        with self._changed:
            self._changed.wait_for(lambda: self.is_gone)

    def _start(self) -> None:
        told, tell = os.pipe()
        with self._theirs, open(told, "rb", buffering=0) as info:
            arguments = [PACKAGE_ROOT, str(self._theirs.fileno()), _FIRST_PROCESS, *self._modules]
            self._process = subprocess.Popen(
                [*self._command, "--info-fd", str(tell), "--", self._interpreter, "-P", "-c", BOOTSTRAP, *arguments],
                # Nothing of the server's own: code inside can get at what this process has open.
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[self._theirs.fileno(), tell],
                env=_environment(),
                start_new_session=True,
            )
            os.close(tell)
            with suppress(ValueError, ProcessLookupError):
                self._init = os.pidfd_open(_read_info(info)["child-pid"])

    def _end(self) -> None:
        if self._init is not None:
            # The kernel ends all others with the first process, before that counts as ended.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            select.select([self._init], [], [])
            os.close(self._init)
        super()._end()


def _read_info(pipe: IO[bytes]) -> dict[str, int]:
    """It comes in pieces, and who writes it must not find the pipe closed."""
    text = b""
    while not text.rstrip().endswith(b"}") and (piece := pipe.read(_INFO_PIECE)):
        text += piece
    info: dict[str, int] = json.loads(text)
    return info


def _readable() -> set[str]:
    """The system, and Python with its packages."""
    packages = {folder for folder in sys.path if folder.endswith("-packages")}
    prefixes = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)}
    configuration = {f"/etc/{name}" for name in _CONFIGURATION}
    return {*_SYSTEM, *configuration, *prefixes, *packages, str(Path(trailbook.__file__).resolve().parent)}


def _font_lists() -> Iterable[Path]:
    """What Matplotlib found out about the fonts of this machine, which takes it seconds."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (cache / "matplotlib").glob("fontlist-*.json")


def _spellings(path: Path) -> set[str]:
    """As it is called, and as it is called once all links are followed."""
    return {str(path), str(path.resolve())}


def _environment() -> dict[str, str]:
    """Variables of which it is known that they hold no secrets."""
    passed = {
        name: value
        for name, value in child_environment().items()
        if name in _PASSED_ON or name.startswith(("LC_", "JE_")) or name.endswith("_NUM_THREADS")
    }
    return {**passed, "HOME": _HOME, "USER": "cell"}


def _linked(path: Path, scratch: Path) -> Path:
    target = Path(tempfile.mkdtemp(dir=scratch / GIVEN)) / path.name
    if path.is_dir():
        shutil.copytree(path, target, copy_function=os.link)
    else:
        os.link(path, target)
    return target
