"""Addresses mean what people mean by them, or are refused with a reason."""

from __future__ import annotations

import pytest

from trailbook.errors import AddressRefused
from trailbook.sources.places import Place, file_name, place_of

SHEET = "https://docs.google.com/spreadsheets/d/1aB-c_9"


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://example.org/a.csv?x=1#top", Place("https://example.org/a.csv?x=1")),
        (f"{SHEET}/edit?usp=sharing", Place(f"{SHEET}/export?format=csv", "sheet.csv")),
        (f"{SHEET}/edit#gid=42", Place(f"{SHEET}/export?format=csv&gid=42", "sheet.csv")),
        (f"{SHEET}/edit?gid=7#gid=42", Place(f"{SHEET}/export?format=csv&gid=42", "sheet.csv")),
        ("s3://bucket/a/b%20c.parquet", Place("s3://bucket/a/b%20c.parquet", "b%20c.parquet", "bucket/a/b c.parquet")),
    ],
)
def test_what_an_address_means(url: str, place: Place) -> None:
    assert place_of(url) == place


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file:///etc/passwd", "starts with https://, http://, s3:// or hdfs://"),
        ("/etc/passwd", "starts with https://"),
        ("https:///a.csv", "and a host"),
        ("https://ann:secret@example.org/a.csv", "has a password or a name in it"),
        ("http://example.org:port/", "is no address"),
        ("http://[::1/", "is no address"),
        ("http://example.org/a b", "write blanks in it as %20"),
        ("http://example.org/a\r\nHost: b", "is no address"),
        ("s3://bucket", "write s3://bucket/path"),
        ("s3://bucket/a.csv?endpoint_override=localhost", "write s3://bucket/path"),
    ],
)
def test_what_can_not_be_used_is_refused_with_a_reason(url: str, said: str) -> None:
    with pytest.raises(AddressRefused, match=said) as refused:
        place_of(url)
    assert "secret" not in refused.value.message


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://example.org/a.csv", "text/plain", "a.csv"),
        ("https://example.org/a%20b.PARQUET", "binary/octet-stream", "a b.PARQUET"),
        ("https://example.org/data", "text/tab-separated-values", "data.csv"),
        ("https://example.org/", "application/x-ndjson", "file.json"),
        ("https://example.org/page", "text/html", "page"),
    ],
)
def test_what_a_file_is_called(url: str, media_type: str, name: str) -> None:
    assert file_name(url, media_type) == name
