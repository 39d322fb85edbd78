"""Writing a site: only files that changed, each by one rename, and what is no longer made is removed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from pbem.edge.files import Disk


class Writer:
    """Collects files of a site beside the old ones, and puts all of them in their places at once."""

    def __init__(self, disk: Disk, out: Path) -> None:
        self.disk = disk
        self.out = out
        self.written: list[Path] = []
        self.folders: set[Path] = set()

    def write(self, name: str, data: bytes) -> None:
        """Write a file beside its place, unless it stands there already."""
        path = self.out / name
        with contextlib.suppress(OSError):
            if not path.is_symlink() and path.read_bytes() == data:
                return
        if path.parent not in self.folders:
            self.disk.make_folder(path.parent)
            self.folders.add(path.parent)
        self.disk.write(_beside(path), data)
        self.written.append(path)

    def clear(self, folder: Path) -> None:
        """Remove what a killed run left beside the files of a folder."""
        for trace in sorted(folder.glob(".*.tmp")):
            self.disk.remove(trace)

    def place(self) -> int:
        """Make durable what was written, and give every file its name. Returns how many there were."""
        placed, folders = self.written, sorted({path.parent for path in self.written})
        if placed:
            self.disk.sync_tree(self.out)
        for path in placed:
            self.disk.rename(_beside(path), path)
        for folder in folders:
            self.disk.sync_names(folder)
        self.written = []
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


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.tmp")
