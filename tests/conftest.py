"""No test times anything; with CI set, examples are the same each time; a session makes the samples once.

Homes of tests lie in memory where there is room: their files are made and removed by the ten thousand.
A page of the same report is drawn once in each process, unless the test changes something of the program.
What was loaded to list the tests stays to the end, so Python's collector of garbage does not look at it.
"""

from __future__ import annotations

import gc
import os
import shutil
import socket
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from tests.drawnonce import draw_once
from tests.homes import PATCHED, SHARED

usual = settings.get_profile("ci" if os.environ.get("CI") else "default")
settings.register_profile("untimed", usual, deadline=None)
settings.load_profile("untimed")
draw_once()

socket.getfqdn = lambda name="": name or "localhost"  # smtplib asks for it, and a name server may be slow
os.environ.pop("PYTEST_ADDOPTS", None)  # meant for these tests, not for a pytest that one of them starts

MEMORY = Path("/dev/shm")
ROOM = 2 << 30


def has_room(folder: Path) -> bool:
    """Tell whether homes can lie here, and programs that tests install."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


if "TMPDIR" not in os.environ and has_room(MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a folder for the samples, before it starts processes that share it.

    Each process has its own folder for what is temporary: two sessions that end at once would remove the
    same link in one that they share. Its name is short, as a path of a socket has 108 bytes (unix(7)).
    """
    if SHARED not in os.environ:
        folder = os.environ[SHARED] = tempfile.mkdtemp(prefix="pbem-samples-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    own = os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.mkdtemp(prefix="t")  # for those that tests start
    config.add_cleanup(lambda: shutil.rmtree(own, ignore_errors=True))
    config.option.basetemp = config.option.basetemp or f"{own}/t"


def pytest_collection() -> None:
    """Collect no garbage while tests are listed: there is none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave out of each later collection what is there now, and look for garbage as seldom as the program."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note a test that may change something of the program: no game that it makes is kept, or copied."""
    PATCHED.clear()
    if "monkeypatch" in getattr(item, "fixturenames", ()):
        PATCHED.add(item.name)
