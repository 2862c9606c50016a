"""Where requests come from, and what counts as one address."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

HOUSE: Final = 64
"""Bits of an IPv6 address that all machines in a household share."""


@lru_cache(maxsize=4_096)
def house(address: str) -> str:
    """Return what an address counts as: an IPv6 household counts as one."""
    try:
        found = ip_address(address)
    except ValueError:
        return "?"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Network((int(found) >> HOUSE << HOUSE, HOUSE)))
    return str(found)


def read_network(text: str) -> Network:
    """Parse an address or a network such as 10.0.0.0/8; raise ValueError if it is neither."""
    return ip_network(text)
