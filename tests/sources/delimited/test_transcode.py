"""Text in any encoding becomes UTF-8, and what can't is told."""

from __future__ import annotations

import io

import pytest

from trailbook.sources.delimited.transcode import Replaced, transcoded

TEXT = "id,naïve\n1,日本語\n" * 20_000


def to_utf8(data: bytes, encoding: str) -> tuple[str, Replaced]:
    target = io.BytesIO()
    replaced = transcoded(io.BytesIO(data), target, encoding)
    return target.getvalue().decode(), replaced


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "gb18030", "iso2022_jp_2"])
def test_text_is_copied_whole(encoding: str) -> None:
    assert to_utf8(TEXT.encode(encoding), encoding) == (TEXT, Replaced(0, ()))


@pytest.mark.parametrize(
    ("data", "encoding", "places"),
    [
        (b"a\0\x00\xd8b\0", "utf-16-le", (2,)),
        (b"\xff\xfea\0b\0c", "utf-16", (6,)),
        (b"\x82\xa0\xff\x82\xa2\xfd", "shift_jis", (2, 5)),
        ("あ".encode("shift_jis") * 40_000 + b"\xff,\xff", "shift_jis", (80_000, 80_002)),
        (b"x" * 65_535 + b"\x82\xffy", "shift_jis", (65_535, 65_536)),
    ],
)
def test_what_can_t_be_decoded_is_replaced_and_told(data: bytes, encoding: str, places: tuple[int, ...]) -> None:
    assert to_utf8(data, encoding) == (data.decode(encoding, "replace"), Replaced(len(places), places))
