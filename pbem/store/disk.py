"""The one door to the disk: every write passes here, so that tests can cut the power at each of them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.store.errors import GateClosedError, Reason, WrongInput

_NO_LOCKS: Final = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
"""What a file system says that has no locks."""


class Disk:
    """Writes that a home is made of. Nothing is durable before it was synced."""

    def make_folder(self, path: Path, mode: int = 0o755) -> None:
        """Make a folder and those above it, all with this mode; one that is there stays as it is."""
        for above in reversed([one for one in path.parents if not one.exists()]):
            above.mkdir(mode=mode, exist_ok=True)
        path.mkdir(mode=mode, exist_ok=True)

    def write(self, path: Path, data: bytes, mode: int = 0o644, *, fresh: bool = False) -> None:
        """Write a new file; the folder must be there.

        Args:
            path: The file.
            data: Its content.
            mode: Who may read it.
            fresh: Nothing may be there of that name, not even a link.
        """
        more = os.O_EXCL | os.O_NOFOLLOW if fresh else 0
        try:
            with open(path, "wb", opener=lambda name, flags: os.open(name, flags | more, mode)) as file:
                file.write(data)
        except OSError as wrong:
            wrong.filename = wrong.filename or str(path)  # a full disk is told without a name
            raise

    def sync_file(self, path: Path) -> None:
        """Make a file's content durable."""
        _fsync(path)

    def sync_tree(self, folder: Path) -> None:
        """Make a folder and everything below it durable, with one call where the system has one."""
        if not _syncfs(folder):
            for path in sorted(folder.rglob("*"), reverse=True):
                _fsync(path)
            _fsync(folder)

    def sync_names(self, folder: Path) -> None:
        """Make the names in a folder durable: what was renamed, made or removed in it."""
        _fsync(folder)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file or folder its name; a file of that name is replaced in the same moment."""
        old.rename(new)

    def remove(self, path: Path) -> None:
        """Remove a file."""
        path.unlink()

    def remove_tree(self, folder: Path) -> None:
        """Remove a folder and everything below it."""
        shutil.rmtree(folder)


def replace_file(disk: Disk, path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace one file durably: the old content or the new one, never a part of it."""
    beside = path.with_name(f".{path.name}.tmp")
    disk.write(beside, data, mode)
    disk.sync_file(beside)
    disk.rename(beside, path)
    disk.sync_names(path.parent)


def exposure_error(path: Path) -> WrongInput | None:
    """Return that others than its owner can read a file or folder, with the way out; None if they cannot.

    Raises:
        OSError: It cannot be looked at.
    """
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if not mode & 0o077:
        return None
    wanted = "700" if stat.S_ISDIR(found.st_mode) else "600"
    return WrongInput(f"{path} can be read by others (mode {mode:04o}).", command=f"chmod {wanted} {path}")


def make_folders(disk: Disk, folder: Path, top: Path) -> None:
    """Make a folder below another and those between durable, also where who made them was killed."""
    if folder == top:
        return
    first = top / folder.relative_to(top).parts[0]
    is_new = not first.exists()
    disk.make_folder(folder, mode=0o700)
    while folder != first:
        folder = folder.parent
        disk.sync_names(folder)
    if is_new:
        disk.sync_names(top)


def remove_partial_files(disk: Disk, *folders: Path) -> None:
    """Remove the files that killed programs, or a full disk, have left half written in these folders.

    Whoever writes there must hold a lock, and the caller must hold it too: nobody is writing them now.
    """
    for folder in folders:
        for path in sorted(folder.glob(".*.tmp")) if folder.is_dir() else ():
            if path.is_file():
                disk.remove(path)


@contextlib.contextmanager
def hold_folder_lock(folder: Path, *, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold a folder's lock, so that two programs never change one game at the same time.

    The lock is on the folder itself and leaves nothing behind, also when the program is killed.

    Raises:
        GateClosedError: Another program held it all the while.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _acquire_lock(handle, folder, time.monotonic() + wait_seconds)
        yield
    finally:
        os.close(handle)


def _acquire_lock(handle: int, folder: Path, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                busy = Reason("locked", f"another pbem is at work on {folder.name}", can_override=False)
                raise GateClosedError((busy,)) from None
            time.sleep(0.02)
        except OSError as wrong:
            if wrong.errno not in _NO_LOCKS:
                raise
            hint = "Keep the home on a disk of this machine."
            raise WrongInput(f"the file system that holds {folder} has no locks.", hint) from None
        else:
            return


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _syncfs(folder: Path) -> bool:
    """Sync the file system that holds a folder (Linux); False where that cannot be done."""
    import ctypes

    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return False
    handle = os.open(folder, os.O_RDONLY)
    try:
        return bool(syncfs(handle) == 0)
    finally:
        os.close(handle)
