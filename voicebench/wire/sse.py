"""Server-sent events from bytes as they arrive, however a server cuts them."""

DONE = b"[DONE]"
"""The payload that ends a chat completion's stream."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class EventReader:
    """Puts pieces of a stream together to the data payloads of its events.

    Lines may end in LF, CR LF or CR, data may take several lines, and a piece may end anywhere, also within a
    character. Comments (how servers keep a connection alive) and other fields than data are left out.
    """

    def __init__(self) -> None:
        self._partial: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self._at_start = True

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the payloads of the events that a piece completes.

        Args:
            piece: The next bytes of the stream.
        """
        if not piece:
            return []
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
        self._after_cr = piece.endswith(b"\r")
        self._partial.append(piece)
        if b"\n" not in piece and b"\r" not in piece:
            return []
        lines = b"".join(self._partial).splitlines(keepends=True)
        self._partial = [] if lines[-1].endswith((b"\n", b"\r")) else [lines.pop()]
        return self._events(lines)

    def end(self) -> list[bytes]:
        """Return the payload of an event that the stream's end cuts short of its empty line."""
        lines = [b"".join(self._partial), b""]
        self._partial = []
        return self._events(lines)

    def _events(self, lines: list[bytes]) -> list[bytes]:
        found = []
        for line in lines:
            bare = line.rstrip(b"\r\n")
            if self._at_start:
                bare, self._at_start = bare.removeprefix(_BYTE_ORDER_MARK), False
            if bare.startswith(b"data:"):
                self._data.append(bare[5:].removeprefix(b" "))
            elif bare == b"data":
                self._data.append(b"")
            elif not bare and self._data:
                found.append(b"\n".join(self._data))
                self._data = []
        return found
