"""Fetches a file from elsewhere into a file here: http(s), S3, Hadoop, or the CSV of a Google Sheet."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import string
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from trailbook.errors import AddressRefused, CellCancelled, NotFetched, TooLarge
from trailbook.sources.addresses import connect, require_public_if_known
from trailbook.sources.places import file_name, place_of
from trailbook.sources.proxies import Proxy, proxy_to
from trailbook.sources.s3 import IDLE_SECONDS, open_s3, s3_said

if TYPE_CHECKING:
    from trailbook.sources.hadoop import HadoopFile

MOST_REDIRECTS = 5
CHUNK = 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class Terms:
    """What may be fetched: with `allow_private` from anywhere, and with `anonymously` without the server's own keys.

    With `may_be_cut`, of a file that has more than `most_bytes` the beginning is enough.
    """

    most_bytes: int
    allow_private: bool = False
    anonymously: bool = False
    may_be_cut: bool = False


@dataclass(frozen=True)
class Fetched:
    """A file that is here now, and where it came from."""

    path: Path
    name: str
    url: str
    size: int
    etag: str | None
    time: datetime

    @property
    def told(self) -> str:
        """In a sentence, but for its digest."""
        tag = f", ETag {self.etag}" if self.etag else ""
        return f"fetched from {self.url} at {self.time:%Y-%m-%d %H:%M:%S} UTC, {self.size:,} bytes{tag}"


class Fetch:
    """One file on its way. May be stopped from another thread."""

    def __init__(self, url: str, terms: Terms, on_progress: Callable[[int, int | None], None]) -> None:
        self._place = place_of(url)
        self._terms = terms
        self._on_progress = on_progress
        self._stopped = threading.Event()
        self._socket: socket.socket | None = None
        self._hadoop: HadoopFile | None = None
        self.hosts: set[str] = set()
        """Who was asked, with or without success."""

    def stop(self) -> None:
        """End it now, whatever it waits for."""
        self._stopped.set()
        with suppress(OSError):
            if self._socket:
                self._socket.shutdown(socket.SHUT_RDWR)
        if self._hadoop:
            self._hadoop.stop()

    def to_file(self, target: Path) -> Fetched:
        try:
            if self._place.is_hadoop:
                return self._from_hadoop(target)
            return self._from_s3(target) if self._place.is_s3 else self._from_web(target)
        except (OSError, http.client.HTTPException) as error:
            self._check_stopped()
            raise NotFetched(f"{self._place.shown} could not be fetched: {_said(error)}.") from error

    def _check_stopped(self) -> None:
        if self._stopped.is_set():
            raise CellCancelled("The fetch was stopped.")

    def _from_web(self, target: Path) -> Fetched:
        url = self._place.url
        for _ in range(MOST_REDIRECTS + 1):
            self._check_stopped()
            with self._asked(urlsplit(url)) as response:
                if response.status not in _REDIRECTS:
                    return self._received(response, url, target)
                url = _redirected(url, response)
        raise NotFetched(f"{self._place.shown} leads from address to address, more than {MOST_REDIRECTS} times.")

    @contextmanager
    def _asked(self, url: SplitResult) -> Iterator[http.client.HTTPResponse]:
        self.hosts.add(url.netloc)
        proxy = proxy_to(url)
        self._socket = self._connected(url, proxy)
        with self._socket, closing(http.client.HTTPConnection(url.netloc)) as connection:
            # It may have been stopped before there was a connection to end.
            self._check_stopped()
            connection.sock = self._socket
            wanted = (url.path or "/") + (f"?{url.query}" if url.query else "")
            headers = {"Accept-Encoding": "identity", "User-Agent": "trailbook"}
            if proxy and not _is_secure(url):
                wanted, headers = f"{url.scheme}://{url.netloc}{wanted}", headers | proxy.headers
            connection.request("GET", quote(wanted, safe=string.punctuation), headers=headers)
            yield connection.getresponse()

    def _connected(self, url: SplitResult, proxy: Proxy | None) -> socket.socket:
        """To the host, or to the proxy that asks it; if it is secured, the proxy can't look in."""
        host, port = url.hostname or "", url.port or (443 if _is_secure(url) else 80)
        allow_private = self._terms.allow_private
        if proxy is None:
            plain = connect(host, port, allow_private=allow_private)
        else:
            if not allow_private:
                require_public_if_known(host, port)
            plain = proxy.tunnel(host, port) if _is_secure(url) else proxy.connection()
        plain.settimeout(IDLE_SECONDS)
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host) if _is_secure(url) else plain

    def _received(self, response: http.client.HTTPResponse, url: str, target: Path) -> Fetched:
        if response.status != 200:
            said = f"{response.status} {response.reason}".strip()
            raise NotFetched(f"{self._place.shown} was not given: the server answered {said}.")
        if (encoding := response.headers.get("Content-Encoding", "identity")) != "identity":
            raise NotFetched(f"{self._place.shown} comes packed ({encoding}), though that was not asked for.")
        given = response.headers.get("Content-Length", "")
        total = int(given) if re.fullmatch("[0-9]{1,18}", given) else None
        size = self._copied(response, target, total)
        if total is not None and size != total and not self._is_enough(size):
            raise NotFetched(f"{self._place.shown} broke off after {size:,} of {total:,} bytes.")
        name = self._place.name or file_name(url, response.headers.get_content_type())
        return Fetched(target, name, self._place.url, size, response.headers.get("ETag"), datetime.now(UTC))

    def _copied(self, source: IO[bytes] | http.client.HTTPResponse, target: Path, total: int | None) -> int:
        size = 0
        with target.open("xb") as file:
            self._check_size(total or 0)
            while not self._is_enough(size) and (piece := source.read(CHUNK)):
                self._check_stopped()
                size += len(piece)
                self._check_size(size)
                file.write(piece)
                self._on_progress(size, total)
        # A connection that was ended looks like one that came to its end.
        self._check_stopped()
        return size

    def _is_enough(self, size: int) -> bool:
        return self._terms.may_be_cut and size >= self._terms.most_bytes

    def _check_size(self, size: int) -> None:
        if size > (most := self._terms.most_bytes) and not self._terms.may_be_cut:
            raise TooLarge(f"{self._place.shown} has more than {most:,} bytes (setting upload_limit).")

    def _from_s3(self, target: Path) -> Fetched:
        from pyarrow.fs import FileType

        store = open_s3(anonymously=self._terms.anonymously)
        self.hosts.add(f"s3://{urlsplit(self._place.url).netloc}")
        found = store.get_file_info(self._place.key)
        if found.type is not FileType.File:
            raise NotFetched(f"There is no file {self._place.shown}, or it may not be read.")
        with store.open_input_stream(self._place.key) as stream:
            etag = (stream.metadata() or {}).get("ETag")
            size = self._copied(stream, target, found.size)
        tag = etag.decode("ascii", "replace") if etag else None
        return Fetched(target, self._place.name, self._place.url, size, tag, datetime.now(UTC))

    def _from_hadoop(self, target: Path) -> Fetched:
        from trailbook.sources.hadoop import HadoopFile

        if not self._terms.allow_private:
            raise AddressRefused(
                f"{self._place.shown} can't be fetched: a Hadoop file system sends its readers on to other machines,"
                " which may be of this network (setting fetch; any allows it)."
            )
        self.hosts.add(urlsplit(self._place.url).netloc)
        with TemporaryDirectory(dir=target.parent) as scratch:
            file = HadoopFile(self._place.url, Path(scratch), anonymously=self._terms.anonymously)
            self._hadoop = file
            total = file.size()
            self._check_stopped()
            try:
                size = self._copied(file.open(), target, total)
            except BaseException:
                file.stop()
                raise
            if self._is_enough(size):
                file.stop()
            else:
                file.close()
        return Fetched(target, self._place.name, self._place.url, size, None, datetime.now(UTC))


def _is_secure(url: SplitResult) -> bool:
    return url.scheme == "https"


def _said(error: OSError | http.client.HTTPException) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate can't be trusted, {error.verify_message}"
        case ssl.SSLError():
            return f"it does not speak https as it should, {(error.reason or str(error)).lower().replace('_', ' ')}"
        case OSError():
            return s3_said(error) or type(error).__name__
    return str(error) or type(error).__name__


def _redirected(url: str, response: http.client.HTTPResponse) -> str:
    """Where the answer leads; only to what could have been asked for at first."""
    # The bytes of the answer come as characters.
    given = quote((response.headers.get("Location") or "").encode("latin-1"), safe=string.punctuation)
    try:
        target = urljoin(url, given)
    except ValueError as error:
        raise AddressRefused(f"{url} leads to {given}, which is no address: {error}.") from error
    place = place_of(target)
    if place.is_s3 or place.is_hadoop:
        raise AddressRefused(f"{url} leads to {target}, which is no address of the web.")
    return target
