"""One POST over HTTPS to a public address. Redirects are not followed.

The very address that is connected to is checked. Checking the name beforehand would not do: a moment later it may
resolve to another address, such as that of a service inside the host's own network.
"""

from __future__ import annotations

import socket
import ssl
from http.client import HTTPSConnection
from ipaddress import ip_address
from urllib.parse import urlsplit

TIMEOUT = 10  # seconds


class PrivateAddress(OSError):
    """The name leads to an address that is not public."""


class PublicConnection(HTTPSConnection):
    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(where[0]) for *_, where in found]
        if not all(map(is_public, addresses)):
            raise PrivateAddress
        plain = socket.create_connection((addresses[0], self.port), self.timeout)
        try:
            self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise


def is_public(address: str) -> bool:
    """Return whether an address is that of a machine on the open internet.

    >>> [is_public(each) for each in ("93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1")]
    [True, False, False, False, False, False]
    >>> is_public("::ffff:10.0.0.1"), is_public("224.0.0.1"), is_public("2606:2800:220:1::1")
    (False, False, True)
    """
    found = ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    if mapped is not None:
        found = mapped
    return found.is_global and not found.is_multicast


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a body and return the status of the answer, whose contents are ignored."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise ValueError
    connection = PublicConnection(parts.hostname, parts.port or 443, timeout=TIMEOUT)
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path or "/", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()
