"""Whoever installs the wheel gets the whole app, without Node, Java or this source tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.guards import BADGE
from tests.support.server import TOKEN, Api
from trailbook import __version__

ROOT = Path(__file__).parent.parent
ABSENT = ("java", "node", "npm", "npx")

# Spark is installed a second time here.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from the source distribution, as an installer makes it."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with the wheel and what it needs, and nothing else."""
    venv = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(venv / "bin" / "python")]
    # pip's cache has Spark's wheel since `make setup`; compiling all modules would take longer than starting once.
    install = [*pip, "install", "--no-compile"]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements.lock"], check=True)
    subprocess.run([*install, "--no-deps", wheel], check=True)
    subprocess.run([*pip, "check"], check=True)
    return venv / "bin"


@pytest.fixture
def bare_environment(commands: Path, tmp_path: Path) -> dict[str, str]:
    """A user's environment in which no java and no node can be found."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for program in Path("/bin").iterdir():
        if program.name not in ABSENT:
            (programs / program.name).symlink_to(program)
    path = f"{commands}:{programs}"
    assert not any(shutil.which(name, path=path) for name in ABSENT)
    return {BADGE: os.environ[BADGE], "PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8"}


def test_the_wheel_contains_the_web_app_and_the_migrations(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        r"trailbook/server/static/index\.html",
        r"trailbook/server/static/assets/.+\.js",
        r"trailbook/store/migrations/versions/.+\.py",
    ):
        assert any(re.fullmatch(wanted, name) for name in names), f"{wanted} is not in {names}"


def test_the_wheel_contains_nothing_but_the_package(wheel: Path) -> None:
    folders = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert folders == {"trailbook", f"trailbook-{__version__}.dist-info"}


def test_the_installed_command_tells_its_version(commands: Path, bare_environment: dict[str, str]) -> None:
    answer = subprocess.run(
        [commands / "trailbook", "--version"], capture_output=True, text=True, check=True, env=bare_environment
    )
    assert answer.stdout == f"trailbook {__version__}\n"


@pytest.fixture
def url(commands: Path, bare_environment: dict[str, str]) -> Iterator[str]:
    """Where the installed app answers."""
    command = [str(commands / "trailbook"), "--no-browser", "--no-example", "--token", TOKEN]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=bare_environment
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.match(r"Trailbook is at (http://[^/]+)/", said)
    yield found[1] if found else pytest.fail(said + process.stdout.read())
    process.terminate()
    process.wait(timeout=60)


def test_the_installed_app_shows_its_page_and_runs_sql_and_python(url: str) -> None:
    page = httpx.get(url, trust_env=False).text
    scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
    assert scripts, page
    assert httpx.get(url + scripts[0], trust_env=False).is_success

    notebook = Api(url).project()
    notebook.add("sql", query="SELECT 20 AS n", name="numbers")
    notebook.add("python", code="more = numbers + 1")
    assert notebook.result(notebook.add("sql", query="SELECT 2 * n FROM more")) == [[42]]
