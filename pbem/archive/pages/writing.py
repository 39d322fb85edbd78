"""Writing a site: only files that changed, each by one rename, and what is no longer made is removed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pbem.store.disk import Disk

FRESH: Final = ".new"
"""Where new files wait for their names; what a killed run left there is removed by the next, at its end."""


class Writer:
    """Collects files of a site in a folder of their own, and puts all of them in their places at once."""

    def __init__(self, disk: Disk, out: Path) -> None:
        self.disk = disk
        self.out = out
        self.fresh = out / FRESH
        self.written: list[tuple[Path, Path]] = []

    def write(self, name: str, data: bytes) -> None:
        """Write a file that waits for its name, unless it stands in its place already."""
        path = self.out / name
        with contextlib.suppress(OSError):
            if not path.is_symlink() and path.read_bytes() == data:
                return
        if not self.written:
            self.disk.make_folder(self.fresh)
        waiting = self.fresh / str(len(self.written))
        self.disk.write(waiting, data)
        self.written.append((waiting, path))

    def place(self) -> int:
        """Make durable what was written, and give every file its name. Returns how many there were."""
        placed, self.written = self.written, []
        folders = sorted({path.parent for _, path in placed})
        for folder in folders:
            self.disk.make_folder(folder)
        if placed:
            self.disk.sync_tree(self.out)
        for waiting, path in placed:
            self.disk.rename(waiting, path)
        for folder in folders:
            self.disk.sync_names(folder)
        return len(placed)

    def remove(self, names: Iterable[str]) -> int:
        """Remove files, and folders that are empty then. Returns how many there were."""
        paths = [self.out / name for name in sorted(names)]
        present = [path for path in paths if path.is_file() or path.is_symlink()]
        for path in present:
            self.disk.remove(path)
        for folder in {path.parent for path in paths} - {self.out}:
            with contextlib.suppress(OSError):
                folder.rmdir()
        return len(present)

    def finish(self) -> None:
        """Remove the folder of what waited."""
        if self.fresh.is_dir():
            self.disk.remove_tree(self.fresh)
