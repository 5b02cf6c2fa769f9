"""One POST over HTTPS to a public address. Redirects are not followed.

The very address that is connected to is checked. Checking the name beforehand would not do: a moment later it may
resolve to another address, such as that of a service inside the host's own network.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from http.client import HTTPSConnection
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Timer
from urllib.parse import urlsplit

TIMEOUT = 10  # seconds for each step: connect, agree on a key, wait for the next bytes
MAX_SECONDS = 20  # seconds for a whole call: a server may send one byte now and then
MAX_ADDRESSES = 3  # addresses to try, if a name has several
PORT = 443
FIRST_FREE_PORT = 1024  # from here on, people run services of their own
UNICAST = IPv6Network("2000::/3")  # all public IPv6 addresses; the rest is local, or stands for an IPv4 address


class PrivateAddress(OSError):
    """The name leads to an address that is not public."""


class PublicConnection(HTTPSConnection):
    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
        if not all(map(is_public, addresses)):
            raise PrivateAddress
        plain = self.connect_to_first(addresses[:MAX_ADDRESSES])
        try:
            self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise

    def connect_to_first(self, addresses: list[str]) -> socket.socket:
        """Connect to the first address that answers: some may be IPv6 addresses, which not every host can reach."""
        *others, last = addresses
        for address in others:
            with suppress(OSError):
                return socket.create_connection((address, self.port), self.timeout)
        return socket.create_connection((last, self.port), self.timeout)

    def abort(self) -> None:
        """End a call that takes too long. Its reader gets an error."""
        if self.sock:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def is_public(address: str) -> bool:
    """Return whether an address is that of a machine on the open internet.

    >>> [is_public(each) for each in ("93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1")]
    [True, False, False, False, False, False]
    >>> is_public("2606:2800:220:1::1"), is_public("224.0.0.1"), is_public("fec0::1")
    (True, False, False)

    IPv6 addresses that stand for an IPv4 address are refused, whichever it is:

    >>> [is_public(each) for each in ("::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::")]
    [False, False, False, False]
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and (found not in UNICAST or found.sixtofour or found.teredo):
        return False
    return found.is_global and not found.is_multicast


def check_url(url: str) -> None:
    """Raise ValueError for a URL that we never call: credentials in it, or the port of another kind of service."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc:
        raise ValueError
    if (port := parts.port or PORT) != PORT and port < FIRST_FREE_PORT:
        raise ValueError


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a body and return the status of the answer, whose contents are ignored."""
    check_url(url)
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = PublicConnection(parts.hostname, parts.port or PORT, timeout=TIMEOUT)
    limit = Timer(MAX_SECONDS, connection.abort)
    limit.daemon = True
    limit.start()
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path or "/", body, headers)
        return connection.getresponse().status
    finally:
        limit.cancel()
        connection.close()
