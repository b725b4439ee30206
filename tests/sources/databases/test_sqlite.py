"""A file of SQLite is the one that was looked at, or none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from trailbook.errors import NotFetched
from trailbook.sources.databases import sqlite

connect: Callable[..., sqlite3.Connection] = sqlite3.connect


def database(path: Path, text: str) -> Path:
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT ? AS a", [text])
    return path


@pytest.fixture
def public(tmp_path: Path) -> Path:
    return database(tmp_path / "public.db", "public")


@pytest.fixture
def swap(tmp_path: Path, public: Path) -> Callable[[], None]:
    """Puts a link to another database in the place of the public one."""
    secret = database(tmp_path / "secret.db", "secret")

    def swap() -> None:
        public.rename(tmp_path / "moved.db")
        public.symlink_to(secret)

    return swap


def rows(path: Path) -> list[Any]:
    with sqlite.asked(path, "SELECT * FROM t") as answer:
        return [row for some in answer.rows for row in some]


def test_the_file_itself_is_read(public: Path) -> None:
    assert rows(public) == [["public"]]


def test_a_link_in_its_place_is_not_followed(public: Path, swap: Callable[[], None]) -> None:
    swap()
    with pytest.raises(NotFetched, match=r"Unable to open public\.db: Too many levels of symbolic links"):
        rows(public)


def test_a_link_that_comes_between_is_noticed(
    public: Path, swap: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*args: Any, **options: Any) -> sqlite3.Connection:
        swap()
        return connect(*args, **options)

    monkeypatch.setattr(sqlite3, "connect", late)
    with pytest.raises(NotFetched, match=r"public\.db was replaced while it was opened"):
        rows(public)
