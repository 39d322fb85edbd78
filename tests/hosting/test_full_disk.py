"""A disk that is full at twelve sizes: one clear error, and a second try that comes to the same."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.edge.faults import image_of, lay_out
from tests.homes import top
from tests.hosting.verbs import BY_MAIL, CASES, state_of, words
from tests.mail.disturbed import Shell

pytestmark = pytest.mark.kills

GATE = 3
BESIDES = 96 << 10
"""What the journal needs while it is written, and gives back."""
SIZES = 12
VERBS = {**CASES, **BY_MAIL}


WHOLE = 192 << 20


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a disk of its own."""
    folder = tmp_path_factory.mktemp("small")
    if not mount(folder, f"size={WHOLE}"):
        pytest.skip("only root can make a small disk; every write is failed in test_stopped.py all the same")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def mount(folder: Path, options: str) -> bool:
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return not subprocess.run(words, capture_output=True, check=False).returncode


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    found = Shell(tmp_path_factory.getbasetemp())
    yield found
    found.close()


def free(disk: Path) -> int:
    found = os.statvfs(disk)
    return found.f_bavail * found.f_frsize


@contextlib.contextmanager
def left_free(disk: Path, size: int) -> Iterator[None]:
    """Let a disk have so many bytes free, and not more."""
    found = os.statvfs(disk)
    used = (found.f_blocks - found.f_bfree) * found.f_frsize
    assert mount(disk, f"remount,size={used + size}")
    yield
    assert mount(disk, f"remount,size={WHOLE}")


@pytest.mark.parametrize("name", VERBS)
def test_a_full_disk_is_told_and_the_verb_can_be_given_again(
    name: str, small: Path, tmp_path: Path, shell: Shell
) -> None:
    case = VERBS[name]
    home, said = lay_out(case.before(), small / "home"), tmp_path / "said"
    case.prepare(home)
    ready, room, as_it_was = image_of(top(home)), free(small), state_of(home)
    assert shell.give(words(case, home), said=said)[0] == 0, said.read_text(encoding="utf-8")
    written = max(0, room - free(small)) + BESIDES
    whole = state_of(home)
    refused, seen = 0, set[int]()

    for size in range(0, written, written // SIZES + 1):
        lay_out(ready, top(home))
        with left_free(small, size):
            code, _ = shell.give(words(case, home), said=said)
        told, left = said.read_text(encoding="utf-8"), image_of(top(home))

        place = f"{size} of {written} bytes, exit {code}: {told}"
        assert code in (0, 1, GATE), place
        if code:
            refused += 1
            expected = ["disk: 0 MB are free"] if code == GATE else ["full", "No space left"]
            assert any(one in told for one in expected), place
            assert "Traceback" not in told and "None" not in told, place
        if code and hash(frozenset(left.items())) not in seen:  # what was left before was tried before
            seen.add(hash(frozenset(left.items())))
            assert not case.alone or state_of(home) == as_it_was, place
            again = shell.give(words(case, home), said=said)[0]
            assert again in (0, case.done), f"{place}\n{said.read_text(encoding='utf-8')}"
            assert state_of(home) == whole, place
        elif not code:
            assert state_of(home) == whole, place
    assert refused or name in ("init", "reopen"), "folders alone, and files that go, take no room"
