"""Packed files: what is in them, and what may come of them."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from trailbook.errors import CellFailed, Invalid, TooLarge
from trailbook.sources.formats.packed import Member, members, packing_of, unpacked

MOST = 1_000_000_000
DATA = "".join(f"{number},{random.Random(number).random()}\n" for number in range(20_000)).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": lambda data: bz2.compress(data, 1),
    "zst": lambda data: bytes(pa.compress(data, "zstd")),
    "zip": lambda data: zipped({"folder/data.csv": data}),
}
PACKED = {ending: pack(DATA) for ending, pack in PACKERS.items()}


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    return tmp_path / "packed"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "target"


@pytest.mark.parametrize("ending", PACKED)
def test_what_was_packed_comes_out(packed: Path, target: Path, ending: str) -> None:
    packed.write_bytes(PACKED[ending])
    assert packing_of(packed) == ending
    [member] = unpacked(packed, f"data.csv.{ending}", target, MOST)
    assert member == Member("folder/data.csv" if ending == "zip" else "data.csv", len(DATA), target)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("ending", PACKED)
def test_no_more_is_unpacked_than_is_enough(packed: Path, target: Path, ending: str) -> None:
    packed.write_bytes(PACKED[ending])
    [member] = unpacked(packed, f"data.{ending}", target, MOST, first_bytes=1)
    assert (member.is_cut, member.problem) == (True, None)
    assert DATA.startswith(target.read_bytes())


def test_several_files_packed_one_after_the_other_are_one(packed: Path, target: Path) -> None:
    for pack in (gzip.compress, bz2.compress):
        packed.write_bytes(pack(b"a\n") + pack(b"b\n"))
        [member] = unpacked(packed, "x", target, MOST)
        assert (target.read_bytes(), member.problem) == (b"a\nb\n", None)


@pytest.mark.parametrize("ending", ["gz", "bz2", "zst"])
def test_what_is_cut_off_is_unpacked_as_far_as_it_goes(packed: Path, target: Path, ending: str) -> None:
    packed.write_bytes(PACKED[ending][:-1_000])
    [member] = unpacked(packed, f"data.{ending}", target, MOST)
    assert member.problem
    assert f"data.{ending} is cut off or damaged after {member.size:,} bytes" in member.problem
    assert DATA.startswith(target.read_bytes())
    # Blocks of bzip2 are all there or not at all; the others come to within the last of theirs.
    assert member.size > (0 if ending == "bz2" else len(DATA) // 3)


@pytest.mark.parametrize("place", [0, 4, 40], ids=["its mark", "its block", "what is packed"])
def test_a_second_stream_that_is_damaged_is_told(packed: Path, target: Path, place: int) -> None:
    first, second = bz2.compress(b"a,b\n1,2\n"), bytearray(bz2.compress(DATA[:1000]))
    second[place] ^= 1
    packed.write_bytes(first + second)
    [member] = unpacked(packed, "data.bz2", target, MOST)
    assert target.read_bytes() == b"a,b\n1,2\n"
    assert "data.bz2 is cut off or damaged after 8 bytes" in str(member.problem)


def test_a_checksum_that_differs_is_told(packed: Path, target: Path) -> None:
    packed.write_bytes(PACKED["gz"][:-8] + b"\0" * 8)
    [member] = unpacked(packed, "data.gz", target, MOST)
    assert target.read_bytes() == DATA
    assert "CRC" in str(member.problem)


def test_one_of_several_members_is_chosen_by_name(packed: Path, target: Path) -> None:
    packed.write_bytes(zipped({"a.csv": b"1", "b/c.csv": b"22", "__MACOSX/._a.csv": b"x", "b/.DS_Store": b"y"}))
    assert members(packed, "x.zip") == [Member("a.csv", 1), Member("b/c.csv", 2)]
    assert unpacked(packed, "x.zip", target, MOST) == members(packed, "x.zip")
    assert not target.exists()
    assert unpacked(packed, "x.zip", target, MOST, "b/c.csv")[1] == Member("b/c.csv", 2, target)
    assert target.read_bytes() == b"22"
    with pytest.raises(Invalid, match=r"'d\.csv'.*a\.csv, b/c\.csv"):
        unpacked(packed, "x.zip", target, MOST, "d.csv")


@pytest.mark.parametrize("name", ["../../evil.csv", "/etc/evil.csv", "C:\\evil.csv"])
def test_names_in_archives_never_become_paths(packed: Path, target: Path, name: str) -> None:
    packed.write_bytes(zipped({name: b"1"}))
    [member] = unpacked(packed, "x.zip", target, MOST)
    assert (member.path, target.read_bytes()) == (target, b"1")
    assert {each.name for each in target.parent.iterdir()} == {"packed", "target"}


def test_more_than_is_allowed_is_refused(packed: Path, target: Path) -> None:
    packed.write_bytes(PACKED["gz"])
    with pytest.raises(TooLarge, match=r"data\.gz.*1,000 bytes are allowed"):
        unpacked(packed, "data.gz", target, 1_000)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_bomb_is_refused(packed: Path, target: Path, pack: Callable[[bytes], bytes]) -> None:
    packed.write_bytes(pack(bytes(80_000_000)))
    with pytest.raises(TooLarge, match="times its size"):
        unpacked(packed, "x", target, MOST)


def test_a_password_is_refused(packed: Path, target: Path) -> None:
    content = bytearray(zipped({"a": b"1"}))
    for place in (content.index(b"PK\x03\x04") + 6, content.index(b"PK\x01\x02") + 8):
        content[place] |= 1
    packed.write_bytes(content)
    with pytest.raises(CellFailed, match=r"a in x\.zip has a password"):
        unpacked(packed, "x.zip", target, MOST)


def test_workbooks_and_plain_files_are_not_packed(packed: Path) -> None:
    for content in (b"a,b\n", b"", zipped({"[Content_Types].xml": b"", "xl/workbook.xml": b""})):
        packed.write_bytes(content)
        assert packing_of(packed) is None
    with pytest.raises(Invalid, match=r"x\.csv is not packed"):
        members(packed, "x.csv")


@pytest.mark.parametrize("content", [b"PK\x03\x04 and no more", PACKED["zip"][:-30], zipped({})])
def test_an_archive_without_its_end_or_without_files_is_refused(packed: Path, content: bytes) -> None:
    packed.write_bytes(content)
    with pytest.raises(CellFailed, match=r"x\.zip"):
        members(packed, "x.zip")


def test_what_can_not_be_unpacked_at_all_is_refused(packed: Path, target: Path) -> None:
    packed.write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(CellFailed, match=r"x\.gz can't be unpacked"):
        unpacked(packed, "x.gz", target, MOST)
