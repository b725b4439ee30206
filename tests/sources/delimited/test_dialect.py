"""A dialect that makes no sense is refused."""

from __future__ import annotations

from typing import Any

import pytest

from trailbook.errors import BadParameters
from trailbook.sources.delimited.dialect import Dialect


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ({"delimiter": ""}, "The delimiter is one ASCII character and no line end, not ''"),
        ({"delimiter": "||"}, "not '||'"),
        ({"quote": "\n"}, "The quote is one ASCII character"),
        ({"comment": "§"}, "The comment is one ASCII character"),
        ({"delimiter": '"'}, "can't be both delimiter and quote"),
        ({"encoding": "klingon"}, "There is no encoding 'klingon'; utf-8"),
        ({"encoding": "rot13"}, "'rot13' is no encoding of text"),
        ({"encoding": "punycode"}, "'punycode' is no encoding of text"),
    ],
)
def test_nonsense_is_refused(marks: dict[str, Any], said: str) -> None:
    with pytest.raises(BadParameters) as refused:
        Dialect(**marks)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("encoding", "is_in_place"),
    [
        *((name, True) for name in ("UTF8", "utf-8-sig", "latin-1", "cp1252", "koi8-r", "mac-roman", "cp437")),
        *((name, False) for name in ("utf-16", "utf-32-le", "utf-7", "cp037", "cp932", "euc_jp", "gb18030", "big5")),
        *((name, False) for name in ("iso2022_jp", "iso2022_kr", "hz", "unicode_escape", "raw_unicode_escape")),
    ],
)
def test_supersets_of_ascii_are_read_in_place(encoding: str, is_in_place: bool) -> None:
    assert Dialect(encoding=encoding).is_in_place is is_in_place
