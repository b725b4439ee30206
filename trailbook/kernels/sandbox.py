"""Runs a cell in a sandbox made by bubblewrap: without network, with a read-only system and what it is given."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import trailbook
from trailbook.errors import BadSetting
from trailbook.kernels.enclosure import GIVEN, HOME, EnclosedZygote, Enclosure, harmless_variables, spellings
from trailbook.kernels.environments.folders import interpreter_of
from trailbook.kernels.forking import BOOTSTRAP, PACKAGE_ROOT

PROGRAM = "bwrap"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
_CONFIGURATION = ("alternatives", "fonts", "ld.so.cache", "localtime", "mime.types", "ssl/certs", "timezone")
_APART = ("--unshare-user", "--unshare-all", "--cap-drop", "ALL", "--die-with-parent")
_OWN = ("--proc", "/proc", "--dev", "/dev")
_FONTS = f"{HOME}/.cache/matplotlib"
_FIRST_PROCESS = "1"
_INFO_PIECE = 4096


@dataclass(frozen=True)
class Sandbox(Enclosure):
    """What the sandboxes of all runs have in common.

    `hidden` are folders that none may see. The environment they run in and the notebook's own folder, `home`, all may.
    """

    hidden: tuple[Path, ...]
    environment: Path | None = None
    home: Path | None = None

    @property
    def _interpreter(self) -> str:
        return str(interpreter_of(self.environment)) if self.environment else sys.executable

    def check(self) -> None:
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

    def _started(self, scratch: Path, temporary: Path, modules: list[str]) -> EnclosedZygote:
        return _SandboxedZygote(self._command(scratch, temporary), modules, self._interpreter)

    def _command(self, scratch: Path, temporary: Path) -> list[str]:
        """Mounts are made from the top of the tree down, so that a later one may hide or open part of an earlier."""
        mounts: dict[str, tuple[str, ...]] = {path: ("--ro-bind-try", path, path) for path in _readable()}
        mounts |= {path: ("--tmpfs", path) for folder in self.hidden for path in spellings(folder)}
        for shown in filter(None, (self.environment, self.home)):
            mounts |= {path: ("--ro-bind", path, path) for path in spellings(shown)}
        mounts[HOME] = ("--bind", str(temporary), HOME)
        mounts |= {f"{_FONTS}/{path.name}": ("--ro-bind", str(path), f"{_FONTS}/{path.name}") for path in _font_lists()}
        mounts |= {path: ("--bind", path, path) for path in spellings(scratch)}
        mounts |= {path: ("--ro-bind", path, path) for path in spellings(scratch / GIVEN)}
        ordered = [word for _, mount in sorted(mounts.items()) for word in mount]
        return [PROGRAM, *_APART, *_OWN, *ordered, "--chdir", str(scratch)]


class _SandboxedZygote(EnclosedZygote):
    def __init__(self, command: list[str], modules: list[str], interpreter: str) -> None:
        self._command = command
        self._modules = modules
        self._interpreter = interpreter
        super().__init__()

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


def _environment() -> dict[str, str]:
    return {**harmless_variables(), "PATH": os.environ.get("PATH", os.defpath)}
