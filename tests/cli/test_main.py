"""Commands say in one line what is wrong, and in their exit code that something is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import trailbook
from tests.support.server import NO_ENGINE, Api, running_server
from trailbook.cli.main import main

COMMANDS = ("serve", "doctor", "gc", "settings")


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("gc", "--drop", port="1")` is `TRAILBOOK_PORT=1 trailbook gc --drop`."""

    def command(*arguments: str, **environ: str) -> Outcome:
        for name, value in environ.items():
            monkeypatch.setenv(f"TRAILBOOK_{name.upper()}", value)
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        return Outcome(code, *capfd.readouterr())

    return command


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A data directory that a server has left, and the id of a file in it."""
    data = tmp_path_factory.mktemp("store")
    with running_server(data, *NO_ENGINE) as server:
        api = Api(server.url)
        file = api.project().upload("x.csv", b"a\n1\n")
        api.close()
    return data, file


def test_the_version_is_told() -> None:
    command = [sys.executable, "-m", "trailbook.cli.main", "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (0, f"trailbook {trailbook.__version__}\n")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_explains_itself(run: Run, command: str) -> None:
    answer = run(*command.split(), "--help")
    assert answer.returncode == 0
    assert "--data" in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frobnicate"], "choose from"),
        (["serve", "--prot", "80"], "--prot"),
        (["serve", "--port", "http"], "port = 'http' (from --port) is not a value of type int"),
        (["serve", "--port", "70000"], "from 0 to 65535"),
        (["serve", "--auth", "maybe"], "one of token, password, none"),
        (["serve", "--auth", "password"], "Set TRAILBOOK_PASSWORD"),
        (["serve", "--database", "mysql://x/y"], "postgresql://"),
        (["serve", "--data", "/dev/null/x"], "/dev/null/x"),
        (["doctor", "--data", "/no/such/place"], "There is no store in /no/such/place"),
        (["gc", "--data", "/no/such/place"], "There is no store in /no/such/place"),
        (["gc", "--frob"], "--frob"),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    answer = run(*arguments, data=str(tmp_path / "data"))
    assert (answer.returncode, answer.stdout) == (1, "")
    (line,) = answer.stderr.splitlines()
    assert line.startswith("trailbook")
    assert message in line


def test_settings_are_listed_with_their_source_and_without_secrets(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "trailbook.toml"
    file.write_text("port = 1234\nperson = 'Ada'\n")
    answer = run("settings", "--token", "hush", "--port", "99", password="hush", config=str(file))
    assert answer.returncode == 0
    assert "hush" not in answer.stdout
    assert "token = (hidden)" in answer.stdout
    assert "port = 99\n" in answer.stdout
    assert "[--port]" in answer.stdout
    assert "[TRAILBOOK_PASSWORD]" in answer.stdout
    assert f"[{file}]" in answer.stdout
    assert "[default]" in answer.stdout


def test_secrets_inside_of_urls_are_not_listed(run: Run) -> None:
    answer = run("settings", database="postgresql://me:hush@host/name", spark="sc://host:1/;token=hush;user_id=me")
    assert "hush" not in answer.stdout
    assert "postgresql://me:…@host/name" in answer.stdout
    assert "sc://host:1/;token=…;user_id=me" in answer.stdout


def test_a_whole_store_passes(run: Run, store: tuple[Path, str]) -> None:
    for arguments in (["doctor"], ["doctor", "--deep"], ["gc", "--dry-run"], ["gc"]):
        answer = run(*arguments, "--data", str(store[0]))
        assert answer.returncode == 0, answer.stderr
        assert answer.stderr == ""


def test_a_damaged_store_does_not(run: Run, store: tuple[Path, str]) -> None:
    data, file = store
    path = data / "artifacts" / file[:2] / file
    path.chmod(0o644)
    path.write_bytes(b"a\n2\n")
    shallow, deep = run("doctor", "--data", str(data)), run("doctor", "--deep", "--data", str(data))
    assert shallow.returncode == 0
    assert deep.returncode == 2
    assert f"damaged: the files of artifact {file}" in deep.stdout
    path.unlink()
    gone = run("doctor", "--data", str(data))
    assert gone.returncode == 2
    assert f"missing: the files of artifact {file}" in gone.stdout


def test_a_database_that_is_none_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "trailbook.db").write_bytes(b"not a database, but long enough to look like one" * 100)
    for arguments in (["doctor"], ["gc"], ["serve", "--no-browser", *NO_ENGINE]):
        answer = run(*arguments, "--data", str(tmp_path))
        assert answer.returncode == 1
        (line,) = answer.stderr.splitlines()
        assert "damaged" in line
