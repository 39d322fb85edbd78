"""The command line: verbs, their options, and what they print; the work is done elsewhere."""

from __future__ import annotations

import gc
import sys

from pbem import __version__
from pbem.cli.verbs import help_page


def main() -> None:
    """Run the command line and end with its exit code.

    Loading modules makes much that stays. To look through it for rubbish a dozen times, as Python does by
    itself, took a tenth of a short command.
    """
    gc.set_threshold(100_000, 10, 10)
    sys.exit(run_command(sys.argv[1:]))


def run_command(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 done, 1 wrong input, 2 usage, 3 gate, 4 our fault."""
    if arguments in (["--help"], ["-h"], ["--version"]):
        try:
            said = f"pbem, version {__version__}" if arguments == ["--version"] else help_page()
            print(said, flush=True)
        except BrokenPipeError:
            sys.stdout = None  # the reader has left; nothing more can be said to it
        return 0
    from pbem.cli.commands import run

    return run(arguments)
