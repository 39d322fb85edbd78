"""Faults for tests: homes as images, and disks that work in small steps and fail at one of them."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from unittest import mock

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import NOTE
from pbem.store.disk import Disk
from tests.homes import home_at, top


class PowerCut(BaseException):
    """The program ends here; no handler of the program's own errors may see it."""


class Entry(NamedTuple):
    """A file or folder; the content of a folder is None. Private: nobody but the owner may read it."""

    data: bytes | None
    private: bool


Image: TypeAlias = dict[str, Entry]


def image_of(folder: Path) -> Image:
    """Return everything that lies below a folder."""
    return {
        str(path.relative_to(folder)): Entry(None, private=False)
        if path.is_dir()
        else Entry(path.read_bytes(), not stat.S_IMODE(path.stat().st_mode) & 0o077)
        for path in folder.rglob("*")
    }


def lay_out(image: Image, folder: Path) -> Home:
    """Make a folder hold just what an image holds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in sorted(image):
        data, private = image[name]
        if data is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(data)
            if private:
                (folder / name).chmod(0o600)
    return home_at(folder)


def committed(image: Image) -> Image:
    """Return the files that count: all but the traces of a crash, and the note of a turn, which may lag.

    If it ran ahead, `pbem status` would tell of a lost turn.
    """

    def is_trace(name: str) -> bool:
        return any(part.startswith(".") and part.endswith(".tmp") for part in name.split("/"))

    return {
        name: entry
        for name, entry in image.items()
        if entry.data is not None and not (".tmp" in name and is_trace(name)) and NOTE not in name
    }


def differences(found: Image, expected: Image) -> list[str]:
    """Return the names in which two images differ."""
    return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))


@dataclass(frozen=True, slots=True)
class Step:
    """The smallest thing that a disk does; `data` is a file's whole content after the step."""

    kind: Literal["mkdir", "create", "fill", "remove", "rename", "sync_file", "sync_tree", "sync_names"]
    path: Path
    data: bytes = b""
    to: Path = Path()
    private: bool = False


class SteppedDisk(Disk):
    """The real disk in small steps, so that writes tear and removals stop half-way."""

    def step(self, step: Step) -> None:
        raise NotImplementedError

    def make_folder(self, path: Path, mode: int = 0o755) -> None:
        for folder in reversed([path, *path.parents]):
            if not folder.exists():
                self.step(Step("mkdir", folder))
                super().make_folder(folder, mode)

    def write(self, path: Path, data: bytes, mode: int = 0o644, *, fresh: bool = False) -> None:
        self.step(Step("create", path, private=not mode & 0o077))
        super().write(path, b"", mode, fresh=fresh)
        for part in (data[: len(data) // 2], data):
            self.step(Step("fill", path, part))
            super().write(path, part, mode)

    def sync_file(self, path: Path) -> None:
        self.step(Step("sync_file", path))
        super().sync_file(path)

    def sync_tree(self, folder: Path) -> None:
        self.step(Step("sync_tree", folder))
        super().sync_tree(folder)

    def sync_names(self, folder: Path) -> None:
        self.step(Step("sync_names", folder))
        super().sync_names(folder)

    def rename(self, old: Path, new: Path) -> None:
        self.step(Step("rename", old, to=new))
        super().rename(old, new)

    def remove(self, path: Path) -> None:
        self.step(Step("remove", path))
        super().remove(path)

    def remove_tree(self, folder: Path) -> None:
        for path in sorted(folder.rglob("*"), reverse=True):
            self.step(Step("remove", path))
            path.rmdir() if path.is_dir() else path.unlink()
        self.step(Step("remove", folder))
        super().remove_tree(folder)


class Recorder(SteppedDisk):
    """A disk that keeps a journal below one folder, fails before a chosen step, and syncs nothing for real.

    Attributes:
        journal: The steps done, their paths relative to the folder.
    """

    def __init__(self, root: Path, cut: int | None = None, fault: BaseException | None = None) -> None:
        self.root = root
        self.cut = cut
        self.fault = fault or PowerCut()
        self.journal: list[Step] = []

    def step(self, step: Step) -> None:
        if len(self.journal) == self.cut:
            raise self.fault
        to = step.to.relative_to(self.root) if step.kind == "rename" else step.to
        path = step.path.relative_to(self.root)
        self.journal.append(Step(step.kind, path, step.data, to, step.private))

    def sync_file(self, path: Path) -> None:
        self.step(Step("sync_file", path))

    def sync_tree(self, folder: Path) -> None:
        self.step(Step("sync_tree", folder))

    def sync_names(self, folder: Path) -> None:
        self.step(Step("sync_names", folder))


def on(disk: Disk, home: Home) -> Home:
    """Return a home behind another disk."""
    return home_at(top(home), disk)


class Stopper(SteppedDisk):
    """The real disk, which does something of the test's before the n-th step and at no other."""

    def __init__(self, at: int, act: Callable[[], object]) -> None:
        self.left = at
        self.act = act

    def step(self, step: Step) -> None:
        if self.left == 0:
            self.act()
        self.left -= 1


def kill_self() -> None:
    """Die as a program dies of `kill -9`."""
    os.kill(os.getpid(), signal.SIGKILL)


def say_and_wait(word: str) -> None:
    """Tell the test on standard output how far this program is, and wait for its line."""
    print(word, flush=True)
    sys.stdin.readline()


def command(act: Callable[[], object], at: int, arguments: list[str]) -> int:
    """Run the real command line on a disk that calls `act` before step `at`, from 0."""
    disk = Stopper(at, act)  # one for all that the command does
    with mock.patch("pbem.store.disk.Disk", lambda: disk):
        return run_command(arguments)


def tell_waiting(wait: Callable[[float], None], seconds: float) -> None:
    """Tell the test that this program waits, and wait."""
    print("waiting", flush=True)
    wait(seconds)


def main() -> None:
    """Run a command line that is disturbed, as a program of its own: MODE AT ARGUMENTS..."""
    mode, at, *arguments = sys.argv[1:]
    acts: dict[str, Callable[[], object]] = {
        "kill": kill_self,
        "pause": functools.partial(say_and_wait, "paused"),
    }
    if mode == "wait":
        mock.patch("time.sleep", functools.partial(tell_waiting, time.sleep)).start()
    sys.exit(command(acts.get(mode, kill_self), int(at), arguments))
