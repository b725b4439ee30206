"""Data from elsewhere becomes a dataset without passing through the cell, if the settings allow that."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from tests.cells.conftest import Desk
from tests.sources.web import CSV, Web
from trailbook.cells.fetched import create
from trailbook.errors import AddressRefused, CellCancelled, CellFailed, TrailbookError
from trailbook.kernels.names import Wanted
from trailbook.model.runs import NoteMessage

ROWS = [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]


def wanted(url: str, format: str = "auto", **options: str) -> Wanted:
    return Wanted("rates", url, format, options)


def test_a_cell_creates_datasets_of_all_formats_and_reads_them(open_desk: Desk, web: Web) -> None:
    context = open_desk.context()
    code = f"""
rates = tb.create("rates", url={web.url("/rates.csv")!r})
print(rates.rows)
del rates
tb.create("tabs", url={web.url("/rates.tsv")!r})
tb.create("objects", url={web.url("/lines.jsonl")!r})
try:
    tb.create("nothing", url={web.url("/nothing.csv").replace("127.0.0.1", "localhost")!r})
except OSError as error:
    print(error)
print(list(tabs.columns))
"""
    open_desk.run(context, "python", code=code)
    assert open_desk.rows(context, "tabs") == open_desk.rows(context, "rates") == ROWS
    assert open_desk.rows(context, "objects") == [{"id": 1}, {"id": 2}]
    assert "nothing" not in context.writes
    assert context.outside.network == (f"127.0.0.1:{web.server_port}", f"localhost:{web.server_port}")
    assert not context.outside.is_repeatable


def test_where_it_came_from_is_told_and_the_file_is_kept(open_desk: Desk, web: Web) -> None:
    context = open_desk.context()
    open_desk.run(context, "python", code=f"tb.create('rates', url={web.url('/rates.csv')!r})\nNone")
    (kept,) = (artifact for artifact, _ in context.made if artifact.kind == "file")
    assert open_desk.files.path(kept.id).read_bytes() == CSV
    note = next(message.text for message in open_desk.said if isinstance(message, NoteMessage))
    for part in (web.url("/rates.csv"), "20 bytes", 'ETag "v1"', f"SHA-256 {kept.id}", "What is there may change"):
        assert part in note


def test_what_is_elsewhere_may_be_refused_by_a_setting(desk: Desk, web: Web) -> None:
    for fetch, isolation, said in (
        ("", "process", "an address of this machine or its network"),
        ("public", "sandbox", "an address of this machine or its network"),
        ("none", "process", r"Nothing may be fetched \(setting fetch"),
        ("", "sandbox", r"Nothing may be fetched from a sandbox \(setting fetch"),
    ):
        desk.settings = replace(desk.settings, fetch=fetch, isolation=isolation)
        with pytest.raises(AddressRefused, match=said):
            create(desk.context(), wanted(web.url("/rates.csv")), threading.Event())
    assert web.asked == []


def test_what_can_not_be_read_is_refused_by_its_name(open_desk: Desk, web: Web) -> None:
    for one, error, said in (
        (wanted(web.url("/endless")), TrailbookError, "more than 1,000 bytes"),
        (wanted(web.url("/rates.csv"), "parquet"), CellFailed, r"rates\.csv is no Parquet file"),
        (wanted(web.url("/rates.csv"), "xls"), TrailbookError, "xls"),
        (wanted(web.url("/rates.csv"), delimiter="||"), TrailbookError, r"one ASCII character"),
    ):
        open_desk.settings = replace(open_desk.settings, upload_limit=1000)
        with pytest.raises(error, match=said):
            create(open_desk.context(), one, threading.Event())


@pytest.mark.parametrize("path", ["/silent", "/endless"])
def test_cancelling_the_cell_ends_the_fetch(open_desk: Desk, web: Web, path: str) -> None:
    context = open_desk.context()

    def cancel() -> None:
        while not web.asked:
            pass
        context.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(CellCancelled):
        open_desk.run(context, "python", code=f"tb.create('x', url={web.url(path)!r})")
    thread.join()


def test_the_fetch_ends_with_its_cell(open_desk: Desk, web: Web) -> None:
    over = threading.Event()
    over.set()
    with pytest.raises(CellCancelled, match="The fetch was stopped"):
        create(open_desk.context(), wanted(web.url("/silent")), over)
