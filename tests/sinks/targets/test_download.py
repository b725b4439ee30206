"""A download is written no faster than it is taken, and ends when nobody takes it."""

from __future__ import annotations

import threading

import pytest

from trailbook.sinks.targets.download import END, PIECE, WAITING, Download, PipeTarget

ENOUGH = 60.0


def poured(written: list[int], pieces: int) -> Download:
    """A download of so many pieces, which notes those that were written."""

    def write(target: PipeTarget, stopped: threading.Event) -> None:
        with target.opened() as file:
            for number in range(pieces):
                file.write(bytes([number % 256]) * PIECE)
                written.append(number)

    return Download("a.csv", write)


def test_all_bytes_come_in_order_and_then_the_end() -> None:
    download = poured([], 20)
    pieces = list(iter(lambda: download.take(ENOUGH), END))
    assert b"".join(filter(None, pieces)) == b"".join(bytes([number]) * PIECE for number in range(20))
    download.close()


def test_whoever_writes_waits_and_stops_when_it_is_closed() -> None:
    written: list[int] = []
    download = poured(written, 1000)
    assert download.take(ENOUGH) == bytes(PIECE)
    download.close()
    assert len(written) <= WAITING + 2


def test_little_is_handed_on_at_the_end() -> None:
    def write(target: PipeTarget, stopped: threading.Event) -> None:
        with target.opened() as file:
            file.write(b"a")
            file.write(b"b")

    download = Download("a.csv", write)
    assert [download.take(ENOUGH), download.take(ENOUGH)] == [b"ab", END]
    download.close()


def test_a_failure_is_raised_where_it_is_taken() -> None:
    def write(target: PipeTarget, stopped: threading.Event) -> None:
        raise ZeroDivisionError

    download = Download("a.csv", write)
    with pytest.raises(ZeroDivisionError):
        download.take(ENOUGH)
    download.close()


def test_nothing_yet_is_told_apart_from_the_end() -> None:
    go_on = threading.Event()

    def write(target: PipeTarget, stopped: threading.Event) -> None:
        go_on.wait(ENOUGH)

    download = Download("a.csv", write)
    assert download.take(0.01) is None
    go_on.set()
    assert download.take(ENOUGH) == END
    download.close()
