"""The command line: verbs, their options, and what they print; the work is done elsewhere."""

from __future__ import annotations

import gc
import os
import sys

from pbem import __version__
from pbem.cli.pipes import patient
from pbem.cli.verbs import help_page


def main() -> None:
    """Run the command line and end with its exit code.

    Loading modules makes much that stays. To look through it for rubbish a dozen times, as Python does by
    itself, took a tenth of a short command, and once more at the end a seventh.
    """
    gc.set_threshold(100_000, 10, 10)
    printed, said = patient(sys.stdout, 1), patient(sys.stderr, 2)
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
