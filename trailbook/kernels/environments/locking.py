"""What requirements mean today: each package with the one version of it, down to the last dependency."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from trailbook.errors import BadPackages
from trailbook.kernels.environments.folders import ASIDE
from trailbook.kernels.environments.installed import installed
from trailbook.kernels.environments.requirements import checked, needs_of_cells
from trailbook.kernels.environments.uv import Uv, UvFailed
from trailbook.model.packages import Packages
from trailbook.store.files import digest_of_file

MOST_SECONDS = 120
"""What finding versions may take: somebody waits for it."""


def lock(
    place: Path, wanted: Sequence[str], before: Packages, *, allow_urls: bool = False, sandboxed: bool = False
) -> Packages:
    """Prefers the versions that were locked before, and those that Trailbook runs with, so that little is installed.

    `place` is a folder that nobody else can write to: uv looks for its settings there, and in the folders above.
    `sandboxed` is whether packages must be there ready-made: building one runs what it brings outside of any sandbox.
    """
    asked = tuple(dict.fromkeys(text.strip() for text in wanted))
    requirements = checked(asked, allow_urls=allow_urls)
    place.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=ASIDE, dir=place) as name:
        folder = Path(name)
        _write(folder / "wanted.txt", requirements)
        _write(folder / "locked.txt", _preferred(before))
        _compile(folder, needs_of_cells(), sandboxed)
        lines = (folder / "locked.txt").read_text("utf-8").splitlines()
    return Packages(wanted=asked, locked=tuple(_sealed(line) for line in lines if line.strip()))


def _compile(folder: Path, needs: Sequence[str], sandboxed: bool) -> None:
    """What the output file holds before are the versions that it prefers."""
    _write(folder / "needed.txt", needs)
    uv = Uv(folder)
    alarm = threading.Timer(MOST_SECONDS, uv.stop, [f"Finding them took longer than {MOST_SECONDS} seconds."])
    alarm.start()
    options = ["--no-header", "--no-annotate", *(["--no-build"] if sandboxed else [])]
    try:
        uv.run(
            *("pip", "compile", "wanted.txt", "--constraint", "needed.txt", "--output-file", "locked.txt"),
            *("--python", sys.executable, *options),
        )
    except UvFailed as failure:
        text = f"No versions of the packages could be found that fit together:\n{failure}"
        named = set(re.findall(r"[\w.-]+(?=[<>=~!])", str(failure)))
        clashing = [need for need in needs if re.split("[<>=~!]", need)[0] in named]
        own = f"\nTrailbook itself needs {', '.join(clashing)}." if clashing else ""
        raise BadPackages(text + own, package=None, output=str(failure)) from failure
    finally:
        alarm.cancel()


def _preferred(before: Packages) -> list[str]:
    known = {line.partition("==")[0] for line in before.locked}
    own = [f"{name}=={version}" for name, version in installed().items() if name not in known]
    return [*own, *before.locked]


def _sealed(line: str) -> str:
    """A file by its path may hold something else tomorrow: then it is not installed."""
    _, _, url = line.partition(" @ ")
    parts = urlsplit(url.strip())
    path = Path(unquote(parts.path))
    if parts.scheme != "file" or parts.fragment or not path.is_file():
        return line.strip()
    return f"{line.strip()}#sha256={digest_of_file(path)}"


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", "utf-8")
