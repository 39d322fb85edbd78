"""A reader who leaves stops nothing: what is printed after that is forgotten, and the verb goes on."""

from __future__ import annotations

import io

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import TextIO


class _Unread(io.FileIO):
    """A file that forgets what nobody reads."""

    def write(self, data: object) -> int:
        """Write, or forget what is written if the other end of the pipe was closed."""
        assert isinstance(data, bytes | bytearray | memoryview)
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(data)


def patient(stream: TextIO | None) -> TextIO | None:
    """Return a stream that prints where this one does, and does not mind when its reader leaves.

    Args:
        stream: Standard output or standard error; None if it was closed, which then stays so.
    """
    if stream is None:
        return None
    raw = _Unread(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
    )
