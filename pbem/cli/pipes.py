"""A reader who leaves stops nothing: what is printed after that is forgotten, and the verb goes on."""

from __future__ import annotations

import io
import os

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import TextIO


class _Unread(io.FileIO):
    """A file that forgets what nobody reads, and what cannot be written.

    Attributes:
        wrong: Why something could not be written; None if all was, or its reader had left.
    """

    wrong: OSError | None = None

    def write(self, data: object) -> int:
        """Write, or forget what is written if the other end of the pipe was closed or the disk is full."""
        assert isinstance(data, bytes | bytearray | memoryview)
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(data)
        except OSError as wrong:
            self.wrong = wrong
            return len(data)


class Patient(io.TextIOWrapper):
    """A stream that stops nothing: what becomes of what is printed never decides what is done."""

    def __init__(self, stream: TextIO) -> None:
        """Print where another stream does."""
        self._unread = _Unread(stream.fileno(), "wb", closefd=False)
        super().__init__(
            io.BufferedWriter(self._unread),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=bool(stream.line_buffering),
        )

    @property
    def wrong(self) -> OSError | None:
        """Why something that was printed could not be written; None if all was."""
        return self._unread.wrong


def patient(stream: TextIO | None, number: int) -> Patient:
    """Return a stream that prints where this one does, and does not mind when its reader leaves.

    Args:
        stream: Standard output or standard error; None if it was closed: then what is printed goes nowhere,
            and no file that is opened later gets its number.
        number: The number of its file.
    """
    if stream is None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)
        stream = open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    return Patient(stream)
