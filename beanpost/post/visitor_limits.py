"""Rate limit for visitors who have not signed in: requests for letters to any address, and attempts at league codes.

It stores only a keyed fingerprint of the network address and the hour or day, for a day.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.db.models import F

from beanpost.play.tickets import make_fingerprint
from beanpost.post.models import VisitorHour

KEPT = timedelta(days=1)
LARGER = (24, 48)  # bits of the networks that a hosting company gives to one customer


def count(purpose: str, address: str, *, most: int, now: datetime) -> bool:
    """Count one more request, or return False if the visitor has reached the hourly limit."""
    return count_key(build_visitor_key(purpose, address, now), most, now)


def count_network(purpose: str, address: str, *, most: int, now: datetime) -> bool:
    """Count one more request, or return False if the visitor's larger network has reached the daily limit."""
    network = find_network(address, *LARGER)
    return count_key(make_fingerprint("asking", purpose, network, f"{now:%y%m%d}"), most, now)


def count_key(visitor: str, most: int, now: datetime) -> bool:
    row, is_new = VisitorHour.objects.get_or_create(visitor=visitor, defaults={"letters": 1, "began_at": now})
    # The condition is part of the update, so that two concurrent requests cannot both pass the limit.
    return is_new or bool(VisitorHour.objects.filter(pk=row.pk, letters__lt=most).update(letters=F("letters") + 1))


def is_reached(purpose: str, address: str, *, most: int, now: datetime) -> bool:
    """Return whether the visitor has reached the hourly limit."""
    return VisitorHour.objects.filter(visitor=build_visitor_key(purpose, address, now), letters__gte=most).exists()


def build_visitor_key(purpose: str, address: str, now: datetime) -> str:
    """Return the fingerprint of a visitor's network in this hour."""
    return make_fingerprint("asking", purpose, find_network(address), f"{now:%y%m%d%H}")


def find_network(address: str, v4: int = 32, v6: int = 64) -> str:
    """Return the network of an address. A household has 2**64 IPv6 addresses and counts as one visitor.

    >>> find_network("192.0.2.7"), find_network("2001:db8::7:1"), find_network("unix")
    ('192.0.2.7/32', '2001:db8::/64', 'unix')
    >>> find_network("192.0.2.7", *LARGER), find_network("2001:db8:0:9::1", *LARGER)
    ('192.0.2.0/24', '2001:db8::/48')
    >>> find_network("::ffff:192.0.2.7")
    '192.0.2.7/32'
    """
    try:
        found = ip_address(address.removeprefix("::ffff:"))  # a socket for IPv6 puts that before an IPv4 address
    except ValueError:  # a request through a Unix socket has no address
        return address
    return str(ip_network(f"{found}/{v6 if isinstance(found, IPv6Address) else v4}", strict=False))
