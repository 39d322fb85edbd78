"""Write anew what the commands of README.md and of the guides print.

Usage: python -m tests.docs.make_consoles [GUIDE...]

Lines that still fit stay as they are written, with their dots; look at the difference.
"""

from __future__ import annotations

import os
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path
from unittest import mock

from tests.docs import test_guides
from tests.docs.blocks import matches, part
from tests.homes import SHARED
from tests.warm import warm_program

_DOTS = "..."


def rewrite(expected: str, printed: str) -> str:
    """Return what a guide should show for a print: lines of before where they fit, and its left-out parts."""
    old, new = expected.splitlines(), printed.splitlines()
    dotted = [line for line in old if _DOTS in line and line.strip() != _DOTS]
    new = [next((one for one in dotted if matches(one, line)), line) for line in new]
    found: list[str] = []
    for _, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        was, now = old[start:end], new[first:last]
        gap = next((at for at, line in enumerate(was) if line.strip() == _DOTS), None)
        if gap is None:
            found += now
        else:
            after = min(len(was) - gap - 1, max(len(now) - gap, 0))
            found += [*now[:gap], was[gap], *now[len(now) - after :]]
    return "".join(f"{line}\n" for line in found)


def rewrite_guide(guide: Path, folder: Path) -> None:
    """Type the commands of a guide in an empty folder, and write down what they print."""
    text, place = guide.read_text(encoding="utf-8"), 0

    def replace(expected: str, printed: str, command: str) -> None:
        nonlocal text, place
        typed = command[command.index("$ ") :]
        place = text.index(f"{typed}\n{expected}", place) + len(typed) + 1
        if not matches(expected, printed):
            new = rewrite(expected, printed)
            assert matches(new, printed), f"{command}\nMend this by hand:\n{printed}"
            text = text[:place] + new + text[place + len(expected) :]

    with mock.patch.object(test_guides, "check_print", replace):
        if guide == test_guides.BY_MAIL:
            test_guides.type_commands(part(guide, test_guides.TRIAL), guide, folder, warm_program())
        else:
            test_guides.type_guide(guide, folder, warm_program)
    guide.write_text(text, encoding="utf-8")


def main() -> int:
    """Write the guides anew that are named, or all."""
    guides = [Path(name).resolve() for name in sys.argv[1:]] or test_guides.GUIDES
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {SHARED: folder}):
        for count, guide in enumerate(one for one in guides if one != test_guides.MANY):
            own = Path(folder) / f"guide-{count}"
            own.mkdir()
            rewrite_guide(guide, own)
    return 0


if __name__ == "__main__":
    sys.exit(main())
