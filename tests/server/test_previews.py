"""A look at a file before it is loaded. Files from outside may mean harm: the server stays well, and says why."""

from __future__ import annotations

import gzip
import io
import json
import socket
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sources.web import serving
from tests.support.server import NO_ENGINE, TOKEN, Api, Notebook, code_of, eventually, running_server
from trailbook.settings import MIB
from trailbook.sources.formats.format import MOST_COLUMNS

MESSY = (
    b"id;amount;day;note\n"
    + b"".join(b"%d;%d,50;%02d/03/2024;n%d\n" % (i, i, i % 28 + 1, i) for i in range(1, 60))
    + b"60;n/a;31/31/2024;x\n61;1,50\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readable")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("previews")


@pytest.fixture(scope="module")
def book(data: Path, folder: Path) -> Iterator[Notebook]:
    """On a server without Spark, which a look does not need."""
    with running_server(data, *NO_ENGINE, "--folders", str(folder), "--fetch", "any") as server:
        api = Api(server.url)
        yield api.project()
        api.close()


def look(book: Notebook, **asked: Any) -> Any:
    return book.api.post(f"/projects/{book.project}/previews", asked)


def look_at(book: Notebook, name: str, content: bytes, **said: Any) -> Any:
    return look(book, file=book.upload(name, content), file_name=name, **said)


def refusal(book: Notebook, **asked: Any) -> tuple[int, str, str]:
    answer = book.api.http.post(f"/projects/{book.project}/previews", json=asked)
    return (*code_of(answer), answer.json()["message"])


def refused(book: Notebook, name: str, content: bytes, **said: Any) -> str:
    status, code, message = refusal(book, file=book.upload(name, content), file_name=name, **said)
    assert (status, code) == (422, "not_previewed")
    return message


def zipped(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def test_what_was_found_out_is_told_with_the_first_rows_and_their_doubts(book: Notebook) -> None:
    seen = look_at(book, "sales.csv", MESSY)
    assert seen["format"] == "csv"
    assert seen["options"] == {
        "delimiter": ";", "quote": '"', "escape": "", "comment": "", "encoding": "utf-8", "header": True,
    }  # fmt: skip
    assert {column["name"]: column["type"] for column in seen["columns"]} == {
        "id": "int", "amount": "decimal(18,2)", "day": "date", "note": "string",
    }  # fmt: skip
    assert seen["columns"][2]["formats"] == ["d/M/yyyy"]
    assert seen["rows"][0] == {"line": 2, "values": ["1", "1.50", "2024-03-02", "n1"], "marks": []}
    [bad, short] = seen["rows"][-2:]
    assert bad["values"] == ["60", None, None, "x"]
    assert [(mark["column"], mark["why"]) for mark in bad["marks"]] == [
        (2, "'n/a' stands for a missing value"),
        (3, "'31/31/2024' is not a date"),
    ]
    assert short["marks"][0]["column"] == 0
    assert "2 values instead of 4" in short["marks"][0]["why"]
    assert [(problem["line"], problem["is_left_out"]) for problem in seen["problems"]] == [(1, True), (62, False)]
    assert (seen["problem_count"], seen["records"], seen["is_whole"]) == (2, 61, True)


def test_what_is_said_goes_before_what_is_found_out(book: Notebook) -> None:
    types = {"column_1": {"type": "string"}, "gone": {"type": "int"}}
    seen = look_at(book, "sales.csv", b"1;2,5\n3;4,5\n", options={"delimiter": ",", "header": False}, types=types)
    assert [column["type"] for column in seen["columns"]] == ["string", "int"]
    assert seen["rows"][0]["values"] == ["1;2", "5"]
    assert seen["problem_count"] == 0


def test_other_formats_are_looked_at_too(book: Notebook) -> None:
    table = pa.table({"a": [1, None], "b": [[1], [2]]})
    target = io.BytesIO()
    pq.write_table(table, target)
    parquet = look_at(book, "t.parquet", target.getvalue())
    assert [(column["type"], column["is_text"]) for column in parquet["columns"]] == [
        ("bigint", False),
        ("array<bigint>", False),
    ]
    assert [row["values"] for row in parquet["rows"]] == [["1", "[1]"], [None, "[2]"]]
    lines = look_at(book, "t.jsonl", b'{"a": 1}\n{"a": \n{"a": 2}\n')
    assert (lines["options"]["form"], lines["problem_count"], lines["records"]) == ("lines", 1, 3)


def test_what_can_not_be_read_of_a_document_is_told(book: Notebook) -> None:
    seen = look_at(book, "cut.json", b'[{"a": 1}, {"a": 2},')
    assert "the file ends before the array does" in seen["cut_off"]
    assert (seen["records"], seen["problem_count"], seen["left_out"], seen["problems"]) == (2, 0, 0, [])


def test_of_an_archive_the_files_are_listed_and_one_is_looked_at(book: Notebook) -> None:
    content = zipped(**{"a.csv": b"x,y\n1,2\n", "b.csv": b"z\n3\n"})
    seen = look_at(book, "all.zip", content)
    assert ([member["name"] for member in seen["members"]], seen["format"], seen["rows"]) == (
        ["a.csv", "b.csv"],
        "",
        [],
    )
    seen = look_at(book, "all.zip", content, member="a.csv")
    assert (seen["format"], len(seen["members"]), seen["rows"][0]["values"]) == ("csv", 2, ["1", "2"])


def test_a_large_file_is_looked_at_in_no_time(book: Notebook, folder: Path) -> None:
    path = folder / "large.csv"
    with path.open("wb") as file:
        file.write(b"id,name\n")
        for start in range(0, 2_000_000, 1000):
            file.write(b"".join(b"%d,some name\n" % number for number in range(start, start + 1000)))
    packed = folder / "large.csv.gz"
    with gzip.open(packed, "wb", compresslevel=1) as out:
        out.write(path.read_bytes())
    look(book, path=str(path))
    for one in (path, packed):
        begun = time.monotonic()
        seen = look(book, path=str(one))
        assert time.monotonic() - begun < 2
        assert (seen["records"], seen["is_whole"], seen["problem_count"]) == (1000 - seen["problem_count"], False, 1)


def test_of_a_file_elsewhere_the_beginning_is_fetched_and_nothing_shown_that_is_cut(book: Notebook) -> None:
    with serving() as web:
        web.pages["/data.csv"] = b"id,name\n" + b"".join(b"%d,%s\n" % (number, b"n" * 10_000) for number in range(1000))
        seen = look(book, url=web.url("/data.csv"))
        endless = look(book, url=web.url("/endless"), format="csv")
    assert (endless["records"], endless["is_whole"]) == (1000, False)
    assert not seen["is_whole"]
    assert {len(row["values"][1]) for row in seen["rows"]} == {301}
    assert seen["problem_count"] == 1


def test_a_file_that_can_not_be_read_without_its_end_says_so(book: Notebook) -> None:
    target = io.BytesIO()
    pq.write_table(pa.table({"a": pa.array(range(2_000_000))}), target, compression="none", use_dictionary=False)
    with serving() as web:
        web.pages.update({"/t.parquet": target.getvalue(), "/t.zip": zipped(a=b"x") + bytes(5 * MIB)})
        for page in web.pages:
            assert "before all of it is here" in refusal(book, url=web.url(page))[2]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6" + bytes(range(256)) * 20, "is no text"),
        ("wide.csv", b"1," * MOST_COLUMNS + b"\n", f"{MOST_COLUMNS:,} can be loaded"),
        ("empty.csv", b"", "empty"),
        ("broken.parquet", b"PAR1" + b"\0" * 100, "no Parquet file"),
        ("bomb.xml", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x><y>&b;</y><y/></x>', "bomb.xml"),
    ],
)
def test_what_can_not_be_read_says_why(book: Notebook, name: str, content: bytes, message: str) -> None:
    assert message in refused(book, name, content)


def test_options_that_make_no_sense_are_told(book: Notebook) -> None:
    assert "delimiter is one ASCII character" in refused(book, "a.csv", b"a,b\n", options={"delimiter": ";;"})
    assert "has no option sheet" in refused(book, "a.csv", b"a,b\n", options={"sheet": "x"})
    assert "There is no format" in refused(book, "a.csv", b"a,b\n", format="xls")
    assert refusal(book, path="a", types={"a": {"type": "money"}})[:2] == (422, "invalid")


def test_half_a_character_is_refused(book: Notebook) -> None:
    file = book.upload("a.csv", b"a,b\n")
    body = json.dumps({"file": file, "file_name": "\ud800.csv"})
    answer = book.api.http.post(f"/projects/{book.project}/previews", content=body)
    assert code_of(answer) == (422, "invalid")


def test_one_line_of_a_hundred_megabytes_shows_its_start(book: Notebook, folder: Path) -> None:
    path = folder / "line.csv"
    path.write_bytes(b"x" * 100 * MIB)
    seen = look(book, path=str(path))
    assert (len(seen["rows"]), len(seen["rows"][0]["values"][0])) == (1, 301)


def test_of_many_columns_the_first_are_shown(book: Notebook) -> None:
    line = b",".join(b"%d" % number for number in range(MOST_COLUMNS)) + b"\n"
    seen = look_at(book, "wide.csv", line * 100)
    assert (len(seen["columns"]), seen["more_columns"], seen["is_whole"]) == (100, MOST_COLUMNS - 100, False)
    assert seen["rows"][0]["values"][:3] == ["0", "1", "2"]


def test_a_bomb_is_not_unpacked(book: Notebook, data: Path) -> None:
    bomb = zipped(**{"bomb.csv": b"0" * 500 * MIB})
    seen = look_at(book, "bomb.zip", bomb)
    assert (len(seen["rows"]), seen["is_whole"]) == (1, False)
    assert not list((data / "staging").iterdir())


@pytest.mark.parametrize("path", ["/etc/passwd", "{folder}/../secret", "{folder}/link"])
def test_paths_outside_the_folders_are_refused(book: Notebook, folder: Path, path: str) -> None:
    (folder.parent / "secret").write_text("a,b\n1,2\n")
    link = folder / "link"
    link.unlink(missing_ok=True)
    link.symlink_to(folder.parent / "secret")
    assert refusal(book, path=path.format(folder=folder))[:2] == (403, "path_refused")


@pytest.mark.parametrize("path", ["a\0b", "~nobody-here/a.csv", "x" * 5000], ids=["NUL", "nobody", "long"])
def test_paths_that_are_none_are_refused(book: Notebook, path: str) -> None:
    assert refusal(book, path=path)[0] in (403, 422)


@pytest.mark.parametrize("source", [{}, {"path": "a", "url": "https://x.org/a"}])
def test_a_look_is_at_one_file(book: Notebook, source: dict[str, str]) -> None:
    assert refusal(book, **source)[:2] == (422, "invalid")


def test_a_file_or_folder_that_is_not_there_is_told(book: Notebook, folder: Path) -> None:
    assert refusal(book, path=str(folder))[1:] == ("not_previewed", f"{folder} is a folder. Name a file in it.")
    assert refusal(book, file="0" * 64, file_name="gone.csv")[1:] == ("not_previewed", "There is no file gone.csv.")


def test_when_the_request_goes_away_so_does_the_look(book: Notebook, data: Path) -> None:
    with serving() as web:
        body = json.dumps({"url": web.url("/silent")}).encode()
        url = book.api.http.base_url
        head = (
            f"POST {url.path}projects/{book.project}/previews HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection((url.host, url.port or 80)) as connection:
            connection.sendall(head.encode() + body)
            eventually(lambda: list((data / "staging").iterdir()), bool)
        eventually(lambda: list((data / "staging").iterdir()), lambda staged: not staged, seconds=10)


def test_formats_come_with_the_schemas_of_their_options(book: Notebook) -> None:
    known = book.api.get("/sources")
    csv = next(format for format in known["formats"] if format["name"] == "csv")
    assert csv["title"] == "CSV"
    assert set(csv["options"]["properties"]) == {"delimiter", "quote", "escape", "comment", "encoding", "header"}
    types = {one["type"]: one["formats"] for one in known["types"]}
    assert types["string"] == []
    assert "d/M/yyyy" in types["date"]


def test_a_preview_says_what_the_load_then_does(notebook: Notebook) -> None:
    """Values, marks and reasons are those of the dataset."""
    texts = ["1,234.5", "12", "n/a", "", "x", "1e3", "007", "3/4/2024", "31/12/2024", "3.5.99", "2024-05-06",
             "Mar 3, 2024", "2024-01-02T03:04:05Z", "2/3/24 4:05 pm", "yes", "no", "50 %", "$3.20", "1.234,5",
             "-999"]  # fmt: skip
    kinds = ["int", "double", "decimal(18,2)", "boolean", "date", "timestamp"]
    content = ",".join(f"c{number}" for number in range(len(kinds))) + "\n"
    content += "".join(",".join(f'"{text}"' for _ in kinds) + "\n" for text in texts)
    file = notebook.upload("all.csv", content.encode())
    types = {f"c{number}": {"type": kind} for number, kind in enumerate(kinds)}
    said = {"file": file, "file_name": "all.csv", "options": {"header": True}, "types": types}
    seen = look(notebook, **said)
    cell = notebook.settled(notebook.add("load", name="loaded", **said))
    page = notebook.api.get(f"/artifacts/{cell['outputs'][0]['artifact']['id']}/rows")
    for text, row, values, marks in zip(texts, seen["rows"], page["rows"], page["marks"], strict=True):
        assert [mark["column"] for mark in row["marks"]] == marks, text
        assert [value is None for value in row["values"]] == [value is None for value in values], text
