"""Which machines may be asked for data: what a name stands for is checked before connecting to it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress

from trailbook.errors import AddressRefused, NotFetched

CONNECT_SECONDS = 10.0

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_WORLD = ipaddress.ip_network("2000::/3")
"""Where all addresses of the newer kind are that belong to somebody in the world."""


def connect(host: str, port: int, *, allow_private: bool) -> socket.socket:
    """A connection to the host, if all that its name stands for may be asked.

    A name that is looked up twice may stand for something else the second time, so it is looked up once.
    """
    found = _looked_up(host, port)
    if not allow_private:
        for address in found:
            _check(host, address)
    return _connected(host, port, found)


def require_public_if_known(host: str, port: int) -> None:
    """Refuse a host of this network that a proxy is to be asked for; names that only the proxy knows are its affair."""
    with suppress(NotFetched):
        for address in _looked_up(host, port):
            _check(host, address)


def _looked_up(host: str, port: int) -> list[str]:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotFetched(f"There is no machine called {host}: {getattr(error, 'strerror', None) or error}.") from error
    # The zone of a link-local address is no part of it.
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def _check(host: str, text: str) -> None:
    for address in _meanings(ipaddress.ip_address(text.partition("%")[0])):
        if not _is_public(address):
            shown = host if host == text else f"{host} ({text})"
            raise AddressRefused(
                f"{shown} is an address of this machine or its network, which may not be asked"
                " (setting fetch; any allows it)."
            )


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _NAT64:
        return address.is_global and address in _WORLD
    return address.is_global and not address.is_multicast


def _meanings(address: Address) -> Iterator[Address]:
    """The address, and those of the older kind that may be reached through it."""
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        yield from (one for one in inner if one is not None)
        if address in _NAT64:
            yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def _connected(host: str, port: int, addresses: list[str]) -> socket.socket:
    error: OSError | None = None
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=CONNECT_SECONDS)
        except OSError as failure:
            error = failure
    raise NotFetched(f"{host} does not answer: {getattr(error, 'strerror', None) or error}.") from error
