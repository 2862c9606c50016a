"""Files of other programs, as a page sends them."""

import zlib
from typing import Annotated, Final, NamedTuple

from fastapi import Body, Depends, Header, HTTPException, Query

from minewright.formats import FormatError, Loaded, read
from minewright.messages import quote
from minewright.web.server.bounds import check_size
from minewright.web.shared.deadline import Deadline

MAX_BYTES: Final = 4_000_000
"""The most bytes of a file once unpacked; text replays are the largest."""
IMAGES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
"""How images begin: somebody may well drop a screenshot on the page."""


class _Sent(NamedTuple):
    """A file as it was sent."""

    data: bytes
    name: str
    encoding: str

    def read(self, deadline: Deadline) -> Loaded:
        """Return what is in it; refuse what cannot be read or is too large for this server."""
        try:
            content = _unpack(self.data, self.encoding.lower())
            if content.startswith(IMAGES):
                raise FormatError("this looks like an image, not a game file")
            loaded = read(content, self.name, bounds=deadline.bounds())
        except FormatError as error:
            raise HTTPException(422, str(error)) from None
        check_size((loaded.replay or loaded.position).topology.shape, deadline.settings.max_cells)
        return loaded


def _sent(
    data: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    name: Annotated[str, Query(max_length=300, description="The file's name, if any.")] = "",
    content_encoding: Annotated[str, Header(description="gzip, or nothing.")] = "",
) -> _Sent:
    return _Sent(data, name, content_encoding)


Sent = Annotated[_Sent, Depends(_sent)]
"""A dependency: the file in the body of a request."""


def _unpack(data: bytes, packed: str) -> bytes:
    """Return the bytes of a file, unpacked if it was sent as gzip."""
    if not data:
        raise FormatError("the file is empty")
    if packed in ("", "identity"):
        return data
    if packed != "gzip":
        raise FormatError(f"{quote(packed)} is not supported; send the file as gzip or as it is")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise FormatError("this is not gzip; send the file as it is") from None
    if unpacker.unconsumed_tail:
        raise FormatError(f"the file has more than {MAX_BYTES:,} bytes, too many for a game")
    if not unpacker.eof:
        raise FormatError("the file was cut off: it ends too early")
    return found
