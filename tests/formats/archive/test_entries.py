"""Entries of an archive that mean harm are refused before any of them is unpacked."""

from __future__ import annotations

import stat
import struct
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from tests.formats.archive.refusing import refuse
from tests.formats.archive.rivers import imported
from tests.formats.archive.tampering import Tampered
from tests.store.notebook import Notebook
from trailbook.errors import BadArchive, TooLarge, TrailbookError
from trailbook.formats.archive import entries, layout
from trailbook.formats.archive.entries import Limits

NAMES = [
    "/etc/passwd",
    "../outside",
    "artifacts/../../outside",
    f"artifacts/{'0' * 64}/../x",
    "artifacts\\..\\outside",
    "C:\\outside",
    "C:/outside",
    "records/runs.jsonl/",
    "records/others.jsonl",
    "artifacts/",
    f"artifacts/{'A' * 64}",
    f"artifacts/{'0' * 64}/deep/er",
    f"artifacts/{'0' * 64}/_phantoms",
    "manifest.json\n",
    "Manifest.json",
    "",
]


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_is_only_called_as_entries_are(archive: bytes, elsewhere: Notebook, name: str) -> None:
    tampered = Tampered(archive)
    tampered.add(name)
    refuse(elsewhere, tampered.packed(), "no entry of an archive has such a name")


def test_a_name_that_ends_in_the_middle_is_refused(archive: bytes, elsewhere: Notebook) -> None:
    packed = Tampered(archive).packed().replace(b"manifest.json", b"manifest\0json")
    refuse(elsewhere, packed, "manifest\ufffdjson")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR])
def test_links_devices_and_pipes_are_refused(archive: bytes, elsewhere: Notebook, kind: int) -> None:
    tampered = Tampered(archive)
    name = f"artifacts/{'0' * 64}"
    tampered.add(name, b"/etc/passwd", kind | 0o777)
    refuse(elsewhere, tampered.packed(), f"{name}: it is not a plain file")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.add("manifest.json", b"{}")
    refuse(elsewhere, tampered.packed(), "manifest.json: there are two entries")


def directory_patched(archive: bytes, name: str, place: int, format: str, value: int) -> bytes:
    """The archive with one field of the directory's record of an entry replaced."""
    content = bytearray(archive)
    start = content.rindex(b"PK\x01\x02", 0, content.rindex(name.encode()))
    struct.pack_into(format, content, start + place, value)
    return bytes(content)


@pytest.mark.parametrize(
    ("place", "format", "value", "expected"),
    [
        (8, "<H", 1, "it is encrypted"),
        (8, "<H", 0x2000, "it is encrypted"),
        (10, "<H", 99, "it is compressed by method 99"),
        (20, "<I", 5, "has two sizes"),
        (24, "<I", 5, "has two sizes"),
        (24, "<I", 2**32 - 2, "has two sizes"),
        (24, "<I", 2**32 - 1, "has two sizes"),
        (16, "<I", 1, "it is damaged"),
        (42, "<I", 2**31, "overlaps"),
        (42, "<I", 1, "overlaps"),
    ],
)
def test_what_the_directory_says_must_be_so(
    archive: bytes, elsewhere: Notebook, place: int, format: str, value: int, expected: str
) -> None:
    tampered = Tampered(archive)
    refuse(elsewhere, directory_patched(tampered.packed(), tampered.file, place, format, value), expected)


def test_entries_that_share_bytes_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    packed = Tampered(archive).packed()
    with ZipFile(BytesIO(packed)) as zip:
        first, second = zip.infolist()[:2]
    overlapping = directory_patched(packed, second.filename, 42, "<I", first.header_offset)
    refuse(elsewhere, overlapping, "overlaps")


def test_other_methods_than_deflate_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.method = ZIP_BZIP2
    refuse(elsewhere, tampered.packed(), "manifest.json: it is compressed by method 12")


def test_an_archive_that_was_packed_anew_is_the_same(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.method = ZIP_DEFLATED
    assert imported(elsewhere.store, tampered.packed(), elsewhere.person).name == "Rivers"


def test_a_bomb_is_refused_before_it_is_unpacked(
    archive: bytes, elsewhere: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    tampered = Tampered(archive)
    tampered.method = ZIP_DEFLATED
    tampered.entries[tampered.file] = bytes(2_000_000)
    packed = tampered.packed()
    monkeypatch.setattr(entries, "ALWAYS_ALLOWED", 1000)
    monkeypatch.setattr("zipfile.ZipFile.open", lambda *_: pytest.fail("something was unpacked"))
    for limits, setting in ((Limits(10**6, 10**6), "archive_limit"), (Limits(10**9, 10), "archive_ratio")):
        with pytest.raises(TooLarge, match=setting):
            imported(elsewhere.store, packed, elsewhere.person, limits)


def test_an_entry_gives_no_more_than_it_declares(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.method = ZIP_DEFLATED
    tampered.entries[tampered.file] = bytes(2_000_000)
    packed = directory_patched(tampered.packed(), tampered.file, 24, "<I", 100)
    refuse(elsewhere, packed, f"{tampered.file}: it is damaged (Bad CRC-32")


@pytest.mark.parametrize(
    ("limit", "value", "error", "expected"),
    [
        ("MOST_ENTRIES", 5, TooLarge, "entries; 5 are allowed"),
        ("LARGEST_RECORDS", 100, TooLarge, "bytes of records; 100 are allowed"),
        ("MOST_RECORDS", 5, TooLarge, "more than 5 records"),
        ("LONGEST_LINE", 100, BadArchive, "line 1: it is longer than 100 bytes"),
    ],
)
def test_there_is_an_end_to_everything(
    archive: bytes,
    elsewhere: Notebook,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: int,
    error: type[TrailbookError],
    expected: str,
) -> None:
    monkeypatch.setattr(layout, limit, value)
    refuse(elsewhere, archive, expected, error)


def test_a_directory_without_end_is_not_read(
    archive: bytes, elsewhere: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "LARGEST_DIRECTORY", 200)
    refuse(elsewhere, archive, "its directory is too long")


@pytest.mark.parametrize("length", [0, 1, 100, -1, -30, -200])
def test_half_an_archive_is_none(archive: bytes, elsewhere: Notebook, length: int) -> None:
    refuse(elsewhere, archive[:length], "it is damaged")


@pytest.mark.parametrize("name", ["manifest.json", *layout.RECORD_ENTRIES])
def test_no_part_may_be_missing(archive: bytes, elsewhere: Notebook, name: str) -> None:
    tampered = Tampered(archive)
    del tampered.entries[name]
    refuse(elsewhere, tampered.packed(), f"{name}: it is missing")


def test_an_archive_has_no_other_sizes_than_it_has_bytes(archive: bytes, elsewhere: Notebook) -> None:
    """A large size stands in a field of its own, which can say anything."""
    tampered = Tampered(archive)
    tampered.large = tampered.file
    packed = tampered.packed()
    size = struct.pack("<Q", len(tampered.entries[tampered.file]))
    for lie in (0, 2**40, 2**63, 2**64 - 1):
        with pytest.raises((BadArchive, TooLarge)):
            imported(elsewhere.store, packed.replace(size, struct.pack("<Q", lie)), elsewhere.person)
