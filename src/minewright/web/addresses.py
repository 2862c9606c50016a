"""Where requests come from: what counts as one address, and which of them are proxies."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

HOUSE: Final = 64
"""Bits of an IPv6 address that all machines of a household share: it has any number of them."""


@lru_cache(maxsize=4_096)
def house(address: str) -> str:
    """Give what is counted as one address: all of an IPv6 household are one."""
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
    """Read an address or a network such as 10.0.0.0/8; raises ValueError if it is neither."""
    return ip_network(text)


def stands_in(address: str, networks: tuple[Network, ...]) -> bool:
    """Tell whether an address is in one of the networks."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)
