"""An image that has nothing of its own: the system and the Python of this machine are put into it, read-only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guards import BADGE

SKIP = "no container can be started on this machine"
FOLDERS = ("dev", "etc", "proc", "run", "sys", "tmp", "usr", "var")
LABEL = "trailbook.tests"
"""On each image, with the name of the first that its tests made."""
LINKS = ("bin", "lib", "lib64", "sbin")


def podman(*words: str) -> subprocess.CompletedProcess[str]:
    # Without root's rights, the first call leaves a process behind that is Podman's own, and no test's.
    environment = {name: value for name, value in os.environ.items() if name != BADGE}
    return subprocess.run(["podman", *words], capture_output=True, text=True, check=False, env=environment)


def add_image(folder: Path, name: str, *changes: str) -> str:
    """Make an image with such lines of a Containerfile. Returns its name."""
    archive = folder / f"{uuid.uuid4().hex}.tar"
    with tarfile.open(archive, "w") as tar:
        for inner in FOLDERS:
            entry = tarfile.TarInfo(inner)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(entry)
        for link in LINKS:
            entry = tarfile.TarInfo(link)
            entry.type, entry.linkname = tarfile.SYMTYPE, f"usr/{link}"
            tar.addfile(entry)
    own = (f"ENV PATH={sys.prefix}/bin:/usr/bin", f"LABEL {LABEL}={name.partition(':')[0]}")
    made = podman("import", "--quiet", *(f"--change={change}" for change in (*own, *changes)), str(archive), name)
    assert made.returncode == 0, made.stderr
    return name


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of an image in which cells can run."""
    folder = tmp_path_factory.mktemp("image")
    name = f"trailbook-test-{uuid.uuid4().hex}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTAINERS_CONF", str(_configured(folder)))
        add_image(folder, name)
        try:
            if podman("run", "--rm", "--network=none", "--read-only", name, "true").returncode:
                pytest.skip(SKIP)
            yield name
        finally:
            podman("rmi", "--force", *podman("images", "--quiet", f"--filter=label={LABEL}={name}").stdout.split())


def containers_of(image: str) -> list[str]:
    """All that there are, running or not, by the names of their images."""
    return [line for line in podman("ps", "--all", "--format={{.Image}}").stdout.split() if image in line]


def _configured(folder: Path) -> Path:
    """Not more than who runs the tests may ask for, whatever the machine's own configuration says."""
    python = {sys.prefix, sys.base_prefix, *(path for path in sys.path if path.endswith("-packages"))}
    volumes = [f"{path}:{path}:ro" for path in ("/usr", *sorted(python)) if not path.startswith("/usr/")]
    runtime = f'runtime = "{runc}"' if (runc := shutil.which("runc")) else ""
    configuration = folder / "containers.conf"
    configuration.write_text(
        f"[containers]\nvolumes = {json.dumps(volumes)}\n"
        f'default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n[engine]\n{runtime}\n'
    )
    return configuration
