"""The way to the web where it leads through a proxy, which the environment names for all programs."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import socket
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from trailbook.errors import NotFetched
from trailbook.sources.addresses import connect


class Proxy:
    """A machine that asks others on our behalf. Whoever started the server chose it, so it may be anywhere."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme != "http" or not parts.hostname:
            raise NotFetched("The proxy that the environment names can't be used: its address must start with http://.")
        self._host, self._port = parts.hostname, parts.port or 80
        self.headers = _credentials(parts)

    def connection(self) -> socket.socket:
        return connect(self._host, self._port, allow_private=True)

    def tunnel(self, host: str, port: int) -> socket.socket:
        """A connection to the host itself, which the proxy passes on unseen."""
        way = self.connection()
        spelt = host.encode("idna").decode("ascii")
        place = f"[{spelt}]:{port}" if ":" in spelt else f"{spelt}:{port}"
        lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}", *(f"{name}: {it}" for name, it in self.headers.items())]
        way.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
        answer = http.client.HTTPResponse(way, method="CONNECT")
        answer.begin()
        if answer.status != 200:
            way.close()
            raise NotFetched(f"The proxy {self._host} does not lead to {host}: {answer.status} {answer.reason}.")
        return way


def proxy_to(url: SplitResult) -> Proxy | None:
    """The one for this address; None if it is to be asked for at its host itself, as this machine always is."""
    proxies = getproxies()
    address = proxies.get(url.scheme) or proxies.get("all")
    host = url.hostname or ""
    if not address or _is_here(host) or proxy_bypass(host):
        return None
    return Proxy(address)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _credentials(parts: SplitResult) -> dict[str, str]:
    if parts.username is None:
        return {}
    given = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(given.encode()).decode()}"}
