"""A Load cell takes in files from here and elsewhere, each byte for byte, and says where they came from."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cells.conftest import Desk
from tests.sources.web import CSV, Web
from trailbook.cells.kind import parse
from trailbook.errors import AddressRefused, BadParameters, CellCancelled, CellFailed, NotFetched, TooLarge
from trailbook.model.notebook import Spec
from trailbook.model.runs import NoteMessage

ROWS = [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]
ID = hashlib.sha256(CSV).hexdigest()


def notes(desk: Desk) -> str:
    return "\n".join(message.text for message in desk.said if isinstance(message, NoteMessage))


def test_a_file_elsewhere_is_kept_and_its_origin_told(open_desk: Desk, web: Web) -> None:
    context = open_desk.context()
    url = web.url("/rates.csv")
    open_desk.run(context, "load", name="rates", url=url)
    assert open_desk.rows(context, "rates") == ROWS
    assert context.reads[f"captured:{url}"] == ID
    assert context.files.path(context.made[0][0].id).read_bytes() == CSV
    for part in (url, "20 bytes", 'ETag "v1"', f"SHA-256 {ID}", "What is there may change"):
        assert part in notes(open_desk)
    assert context.outside.network == (f"127.0.0.1:{web.server_port}",)
    assert not context.outside.is_repeatable


def test_a_failed_fetch_is_no_certain_result_either(open_desk: Desk, web: Web) -> None:
    for path, error, said in (
        ("/nothing.csv", NotFetched, "the server answered 404"),
        ("/to?/to?/nothing", NotFetched, "404"),
        ("/loop", NotFetched, "leads from address to address"),
    ):
        context = open_desk.context()
        with pytest.raises(error, match=said):
            open_desk.run(context, "load", name="rates", url=web.url(path))
        assert not context.outside.is_repeatable
        assert not context.writes


def test_addresses_of_this_machine_are_refused_by_default(desk: Desk, web: Web) -> None:
    port = web.server_port
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "2130706433", "0x7f.1", "0.0.0.0"):
        with pytest.raises(AddressRefused, match="this machine or its network"):
            desk.run(desk.context(), "load", name="a", url=f"http://{host}:{port}/rates.csv")
    assert web.asked == []


def test_what_is_too_large_is_refused(open_desk: Desk, web: Web) -> None:
    open_desk.settings = replace(open_desk.settings, upload_limit=1000)
    with pytest.raises(TooLarge, match="more than 1,000 bytes"):
        open_desk.run(open_desk.context(), "load", name="a", url=web.url("/endless"))


@pytest.mark.timeout(60)
def test_cancelling_ends_the_fetch(open_desk: Desk, web: Web) -> None:
    context = open_desk.context()

    def cancel() -> None:
        while not web.asked:
            pass
        context.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(CellCancelled):
        open_desk.run(context, "load", name="a", url=web.url("/silent"))
    thread.join()


def test_a_file_of_the_store_is_used_in_place(desk: Desk, tmp_path: Path) -> None:
    staged = desk.files.stage() / "file"
    staged.write_bytes(CSV)
    id = desk.files.adopt_file(staged).id
    for source in (
        {"url": f"http://127.0.0.1:1/api/artifacts/{id}/content"},
        {"path": str(desk.files.path(id))},
    ):
        context = desk.context()
        desk.run(context, "load", name="a", **source)
        assert desk.rows(context, "a") == ROWS
        assert id in context.reads.values()
        assert context.outside.is_repeatable
        assert [artifact.kind for artifact, _ in context.made] == ["dataset", "dataset"]


def test_an_artifact_that_is_not_in_the_store_is_fetched_as_any_other(desk: Desk) -> None:
    with pytest.raises(AddressRefused):
        desk.run(desk.context(), "load", name="a", url=f"http://127.0.0.1:1/artifacts/{'0' * 64}/content")


def test_a_name_like_an_artifact_is_only_a_name(desk: Desk, tmp_path: Path) -> None:
    staged = desk.files.stage() / "file"
    staged.write_bytes(b"secret\n1\n")
    id = desk.files.adopt_file(staged).id
    (tmp_path / id).write_bytes(CSV)
    context = desk.context()
    desk.run(context, "load", name="a", path=str(tmp_path / id))
    assert desk.rows(context, "a") == ROWS


def test_secrets_are_refused_before_they_are_recorded() -> None:
    for parameters in ({"url": "https://ann:secret@example.org/a"}, {"database": "postgresql://ann:secret@host/x"}):
        with pytest.raises(BadParameters, match="recorded") as refused:
            parse(Spec(kind="load", parameters={"name": "a", **parameters}))
        assert "secret" not in str(refused.value.details) + refused.value.message


def test_data_comes_from_one_place(desk: Desk) -> None:
    with pytest.raises(CellFailed, match="there are several: path, url"):
        desk.run(desk.context(), "load", name="a", path="/x.csv", url="https://example.org/x.csv")
    with pytest.raises(CellFailed, match="No data yet"):
        desk.run(desk.context(), "load", name="a")
