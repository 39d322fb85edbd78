"""The command line: verbs, their options, and what they print; the work is done elsewhere."""

from __future__ import annotations

import gc
import io
import os
import sys

from pbem import __version__
from pbem.cli.verbs import help_page

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import TextIO


class _PipeFile(io.FileIO):
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


class TolerantStream(io.TextIOWrapper):
    """A stream that stops nothing: what becomes of what is printed never decides what is done."""

    def __init__(self, stream: TextIO) -> None:
        """Print where another stream does."""
        self._unread = _PipeFile(stream.fileno(), "wb", closefd=False)
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


def make_tolerant_stream(stream: TextIO | None, number: int) -> TolerantStream:
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
    return TolerantStream(stream)


def main() -> None:
    """Run the command line and end with its exit code.

    Loading modules makes much that stays. To look through it for rubbish a dozen times, as Python does by
    itself, took a tenth of a short command, and once more at the end a seventh.
    """
    gc.set_threshold(100_000, 10, 10)
    printed, said = make_tolerant_stream(sys.stdout, 1), make_tolerant_stream(sys.stderr, 2)
    sys.stdout, sys.stderr = printed, said
    code = run_command(sys.argv[1:])
    printed.flush()
    if printed.wrong is not None:
        if not code:
            print(f"pbem: what was printed could not be written: {printed.wrong.strerror}.", file=sys.stderr)
        code = code or 1
    said.flush()
    gc.freeze()
    sys.exit(code)


def run_command(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 done, 1 wrong input, 2 usage, 3 gate, 4 our fault."""
    asked = arguments in (["--help"], ["-h"], ["help"], ["--version"])
    if asked and "_PBEM_COMPLETE" not in os.environ:
        said = f"pbem, version {__version__}" if arguments == ["--version"] else help_page()
        print(said)
        return 0
    from pbem.cli.commands import run

    return run(arguments)
