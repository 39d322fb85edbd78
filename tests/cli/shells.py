"""Real shells at a terminal of their own, in which keys are pressed."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = Path(sys.executable).parent
NEEDED = ("bash", "zsh", "fish", "man")
"""Programs that are needed; each is in the Debian package of its name, and `man` in man-db."""

PATIENCE = 60.0
"""Seconds after which a shell that says nothing is given up; none should ever take so long."""

STARTS: Mapping[str, Sequence[str]] = {
    "bash": ("bash", "--noprofile"),
    "zsh": ("zsh", "-d"),
    "fish": ("fish",),
}
_CONTROLS = re.compile(r"\x1b\[[0-9;?=>]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b\][^\a]*\a|\x1b[=>]")


def missing() -> str:
    """Say what is needed and is not here; "" if nothing is."""
    lacking = ["man-db" if name == "man" else name for name in NEEDED if shutil.which(name) is None]
    return f"no shells here: apt install {' '.join(lacking)}" if lacking else ""


class Shell:
    """A shell at a terminal; what it shows is without the name of its folder, which is in some prompts."""

    def __init__(self, file: int, folder: Path) -> None:
        self.file = file
        self.folder = str(folder)
        self.shown = ""

    def type(self, keys: str) -> None:
        """Press keys; what was shown before is forgotten."""
        self.shown = ""
        os.write(self.file, keys.encode())

    def shows(self, wanted: str) -> str:
        """Wait until something is shown, and return all that was."""
        while wanted not in self.shown:
            assert select.select([self.file], [], [], PATIENCE)[0], f"{wanted!r} is not in {self.shown!r}"
            try:
                read = os.read(self.file, 1 << 16)
            except OSError:
                raise AssertionError(f"the shell has ended; it showed {self.shown!r}") from None
            shown = _CONTROLS.sub("", self.shown + read.decode(errors="replace"))
            self.shown = shown.replace(self.folder, "")
        return self.shown


@contextmanager
def a_shell(name: str, home: Path, folder: Path) -> Iterator[Shell]:
    """Start a shell of somebody whose home this is, in a folder, and wait until it is ready."""
    process, file = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(STARTS[name][0], [*STARTS[name]], surroundings(home))
    try:
        shell = Shell(file, folder)
        shell.type("echo rea''dy\r")
        shell.shows("ready")
        yield shell
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(file)


def surroundings(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has just come in."""
    path = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])
    return {"HOME": str(home), "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8", "COLUMNS": "120"}


if __name__ == "__main__":
    sys.exit(missing() or None)
