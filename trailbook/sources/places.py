"""Addresses of files, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from trailbook.errors import AddressRefused
from trailbook.sources.formats.format import FORMATS

_SHEET = re.compile(r"/spreadsheets/d/([\w-]+)")
_TAB = re.compile(r"gid=\d+")
_HADOOP = "hdfs://"
_PATTERN = re.compile(r"[*?\[\]{}\\]")
_PACKED = (".gz", ".bz2", ".zst", ".zip")


@dataclass(frozen=True)
class Place:
    """Where a file is. Its `name` is empty if only the server can tell the format; `key` is bucket and path on S3.

    In a Hadoop file system, the address is as its shell has it.
    """

    url: str
    name: str = ""
    key: str = ""

    @property
    def is_s3(self) -> bool:
        return bool(self.key)

    @property
    def is_hadoop(self) -> bool:
        return self.url.startswith(_HADOOP)

    @property
    def shown(self) -> str:
        """Without the part that may hold secrets."""
        return self.url.partition("?")[0]


def place_of(url: str) -> Place:
    """What an address means, or why it can't be used."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise AddressRefused(f"{url!r} is no address: {error}.") from error
    if not url.isprintable() or " " in url:
        raise AddressRefused(f"{url!r} is no address: write blanks in it as %20.")
    if not url.startswith(("http://", "https://", "s3://", _HADOOP)) or not host:
        raise AddressRefused(
            f"{url!r} is no address of data: it starts with https://, http://, s3:// or hdfs://, and a host."
        )
    if "@" in parts.netloc:
        raise AddressRefused(f"The address at {host} has a password or a name in it, and addresses are recorded.")
    if parts.scheme == "s3":
        return _on_s3(url)
    if url.startswith(_HADOOP):
        return _in_hadoop(url)
    if host == "docs.google.com" and (sheet := _SHEET.match(parts.path)):
        tab = _TAB.search(parts.fragment) or _TAB.search(parts.query)
        wanted = f"format=csv&{tab[0]}" if tab else "format=csv"
        return Place(f"https://{host}/spreadsheets/d/{sheet[1]}/export?{wanted}", "sheet.csv")
    return Place(url.partition("#")[0])


def _on_s3(url: str) -> Place:
    parts = urlsplit(url)
    key = parts.path.strip("/")
    if parts.query or not key:
        raise AddressRefused(f"{url!r} is no file on S3: write s3://bucket/path, and nothing after it.")
    return Place(url, PurePosixPath(key).name, f"{parts.netloc}/{unquote(key)}")


def _in_hadoop(url: str) -> Place:
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.query or parts.fragment or not path.strip("/") or _PATTERN.search(path):
        raise AddressRefused(f"{url!r} is no file of Hadoop: write hdfs://host:port/path, without patterns.")
    return Place(f"{parts.scheme}://{parts.netloc}{path}", PurePosixPath(path).name)


def file_name(url: str, media_type: str) -> str:
    """What the file is called, with an ending that tells its format if that is known."""
    name = PurePosixPath(unquote(urlsplit(url).path)).name or "file"
    known = tuple(ending for _, format in FORMATS for ending in format.extensions)
    if name.lower().endswith((*known, *_PACKED)):
        return name
    endings = {type: format.extensions[0] for _, format in FORMATS for type in format.media_types}
    return name + endings.get(media_type, "")
