"""Addresses of this machine and its network are told from those of others, however they are written."""

from __future__ import annotations

import pytest

from trailbook.errors import AddressRefused
from trailbook.sources.addresses import connect


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "0.0.0.0",
        "10.0.0.7",
        "172.16.3.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "fec0::1",
        "ff0e::1",
        "::7f00:1",
        "::ffff:0:7f00:1",
        "64:ff9b:1::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
    ],
)
def test_private_addresses_are_refused_before_anybody_is_asked(host: str) -> None:
    with pytest.raises(AddressRefused, match=r"\(setting fetch; any allows it\)"):
        connect(host, 80, allow_private=False)
