"""Whether cells can run with what an image has: its Python, and the packages that Trailbook's code in there uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailbook.errors import BadSetting
from trailbook.kernels.environments.requirements import CELLS_NEED, OWN

if TYPE_CHECKING:
    from packaging.requirements import Requirement

OLDEST_PYTHON = (3, 11)
OPTIONAL = frozenset({"matplotlib", "polars"})
"""Used only where a cell does."""
UNUSED = frozenset({"pyspark"})
PROBE = """
import json, socket, sys
from importlib.metadata import PackageNotFoundError, version
def found(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None
open("work/probe", "w").close()
told = {"python": sys.version_info[:2], "packages": {name: found(name) for name in sys.argv[2:]}}
door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
door.connect(sys.argv[1])
door.send(json.dumps(told).encode())
"""
"""Run by whatever Python the image has, however old."""


@dataclass(frozen=True)
class Equipment:
    """What an image has; None is the version of what it has not."""

    python: tuple[int, int]
    packages: Mapping[str, str | None]


def asked_for() -> list[str]:
    """The names of the packages to look for."""
    return [one.name for one in _needs()]


def require_fit(image: Equipment) -> None:
    """Raises BadSetting, with all that is wrong with it."""
    problems = [text for one in _needs() if (text := _problem(one, image.packages.get(one.name)))]
    if image.python < OLDEST_PYTHON:
        problems.insert(0, f"Python is {_dotted(image.python)}, and must be {_dotted(OLDEST_PYTHON)} or newer")
    if problems:
        raise BadSetting(f"Cells can't run in the image (setting container_image): {'; '.join(problems)}.")


def _needs() -> list[Requirement]:
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    known = map(Requirement, requires(OWN) or ())
    return [one for one in known if one.name in CELLS_NEED and one.name not in UNUSED]


def _problem(need: Requirement, version: str | None) -> str:
    if version is None:
        return "" if need.name in OPTIONAL else f"{need.name} is missing, and must be {need.specifier}"
    fits = need.specifier.contains(version, prereleases=True)
    return "" if fits else f"{need.name} is {version}, and must be {need.specifier}"


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
