"""Looks at files end: when they are done, when nobody waits any more, or when they take too long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.support.server import eventually
from trailbook.cells.previews import process
from trailbook.cells.previews.looker import Looker
from trailbook.cells.previews.model import Wanted
from trailbook.errors import CellCancelled, NotPreviewed


@pytest.fixture(scope="module")
def looker() -> Iterator[Looker]:
    looker = Looker()
    looker.start()
    yield looker
    looker.close()


def wanted(path: Path, content: bytes | None = None, **said: object) -> Wanted:
    if content is not None:
        path.write_bytes(content)
    return Wanted(path=path, name=path.name, folder=path.parent, **said)  # type: ignore[arg-type]


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A file whose reader waits for ever."""
    path = tmp_path / "endless.csv"
    os.mkfifo(path)
    return path


def looks_of(looker: Looker) -> list[psutil.Process]:
    assert looker._process
    return psutil.Process(looker._process.pid).children()


def test_many_looks_at_once(looker: Looker, tmp_path: Path) -> None:
    asked = [wanted(tmp_path / f"{number}.csv", b"a,b\n1,%d\n" % number) for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda each: looker.look(each).answer(), asked))
    assert [one.rows[0].values for one in seen] == [("1", str(number)) for number in range(8)]
    eventually(lambda: looks_of(looker), lambda left: not left, seconds=10)


def test_a_look_that_nobody_waits_for_ends_at_once(looker: Looker, endless: Path) -> None:
    look = looker.look(wanted(endless))
    start = time.monotonic()
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(look.answer)
        # Before, it is not sure that it has begun.
        eventually(lambda: looks_of(looker), lambda looks: any(one.status() == "sleeping" for one in looks), seconds=10)
        threading.Timer(0.2, look.stop).start()
        with pytest.raises(CellCancelled):
            answer.result(10)
    eventually(lambda: looks_of(looker), lambda left: not left, seconds=10)
    assert time.monotonic() - start < process.SECONDS


def test_a_look_that_takes_too_long_is_ended(looker: Looker, endless: Path) -> None:
    with pytest.raises(NotPreviewed, match=r"endless\.csv takes too long for a preview, or too much memory"):
        looker.look(wanted(endless)).answer()


def test_a_process_that_is_gone_is_started_again(looker: Looker, tmp_path: Path) -> None:
    asked = wanted(tmp_path / "a.csv", b"a,b\n1,2\n")
    assert looker._process
    looker._process.kill()
    looker._process.wait()
    assert looker.look(asked).answer().records == 1


def test_a_file_that_is_gone_is_told(looker: Looker, tmp_path: Path) -> None:
    with pytest.raises(NotPreviewed, match=r"gone\.csv can't be read: No such file"):
        looker.look(wanted(tmp_path / "gone.csv")).answer()
