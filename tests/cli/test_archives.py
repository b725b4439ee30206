"""Whole projects are exported to a file and imported from one, also beside a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.formats.archive.rivers import Rivers
from trailbook.cli.main import main
from trailbook.settings import Settings
from trailbook.store import branches, projects
from trailbook.store.store import Store


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rivers]:
    """A project, and whoever is at work on it."""
    store = Store.open(Settings(data=tmp_path_factory.mktemp("data")))
    yield Rivers(store)
    store.close()


@pytest.fixture(autouse=True)
def set_up(rivers: Rivers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAILBOOK_DATA", str(rivers.store.files.staging.parent))


def test_a_project_goes_out_and_comes_in(rivers: Rivers, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.trailbook"
    assert main(["export", "Rivers", "-o", str(out)]) == 0
    assert main(["export", rivers.project, "--format", "trailbook", "-o", str(tmp_path / "by-id")]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["import", str(out), "--data", str(tmp_path / "other")]) == 0
    assert "Imported as the project Rivers, with its history" in capsys.readouterr().out
    other = Store.open(Settings(data=tmp_path / "other"))
    with other.reading() as tx:
        (project,) = projects.all(tx)
        assert [branch.name for branch in branches.of_project(tx, project.id)] == ["main", "other"]
    other.close()


def test_a_name_that_two_projects_have_means_neither(
    rivers: Rivers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.trailbook"
    assert main(["export", "Rivers", "-o", str(out)]) == 0
    monkeypatch.setenv("TRAILBOOK_DATA", str(tmp_path / "other"))
    for _ in range(2):
        assert main(["import", str(out)]) == 0
    ids = [line.split("(")[1][:16] for line in capsys.readouterr().out.splitlines()]
    said = f"There are 2 projects called Rivers. Say which one by its id: {', '.join(ids)}."
    for format in ("trailbook", "trail.md"):
        assert main(["export", "Rivers", "--format", format, "-o", str(tmp_path / "x")]) == 1
        assert said in capsys.readouterr().err
        assert main(["export", ids[0], "--format", format, "-o", str(tmp_path / "x")]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "Lakes", "-o", "lakes.trailbook"], "There is no project Lakes. Known: Rivers."),
        (["export", "Rivers", "--format", "trailbook"], "An archive is nothing for a terminal"),
        (["export", "Rivers", "-o", "/no/such/folder/x.trailbook"], "x.trailbook can't be written: No such file"),
        (["import", "no-such.trailbook"], "no-such.trailbook can't be read: No such file"),
        (["import", "/dev/null/x.trailbook"], "can't be read"),
    ],
)
def test_what_can_not_be_done_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


def test_an_archive_that_is_none_makes_no_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.trailbook").write_bytes(b"PK")
    assert main(["import", str(tmp_path / "none.trailbook"), "--data", str(tmp_path / "data")]) == 1
    assert "The archive is refused: it is damaged" in capsys.readouterr().err
