"""`pbem-spool` keeps a mail durably and says so, or says 75; it is quick because it loads next to nothing."""

from __future__ import annotations

import io
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.mail.arrivals import spool
from pbem.mail.arrivals.intake import KEPT_BYTES
from pbem.text.mail.headers import MAX_BYTES
from tests.homes import a_home, top

RAW = b"Subject: orders\r\n\r\nplay: N2\r\n\xff\x00"


def run(*words: str, raw: bytes = RAW) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a mail server does."""
    program = [sys.executable, "-I", spool.__file__, *words]
    return subprocess.run(program, input=raw, capture_output=True, check=False)


def spooled(home: Path) -> list[Path]:
    return sorted((home / "mail" / "spool" / "new").iterdir())


def test_a_mail_is_kept_with_its_envelope_for_its_owner_only(tmp_path: Path) -> None:
    home = top(a_home(tmp_path))

    ended = run("--home", str(home), "ann@example.test", "host+rose-1.x@pbem.test")

    assert (ended.returncode, ended.stderr) == (0, b"")
    (path,) = spooled(home)
    head, _, raw = path.read_bytes().partition(b"\n")
    assert raw == RAW
    assert head.split(b" ")[1:] == [
        b"ann@example.test".hex().encode(),
        b"host+rose-1.x@pbem.test".hex().encode(),
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list((home / "mail" / "spool" / "tmp").iterdir()) == []


def test_the_home_can_come_from_the_environment_and_a_bounce_has_no_sender(tmp_path: Path) -> None:
    home = top(a_home(tmp_path))
    program = "from pbem.mail.arrivals.spool import main; raise SystemExit(main())"
    surroundings = {**os.environ, "PBEM_HOME": str(home)}

    ended = subprocess.run(
        [sys.executable, "-c", program, "", "host@pbem.test"], input=RAW, env=surroundings, check=False
    )

    assert ended.returncode == 0
    assert spooled(home)[0].read_bytes().split(b" ")[1] == b"-"


@pytest.mark.parametrize(
    "words", [(), ("one",), ("one", "two", "three"), ("--home",), ("--home", "/nowhere", "a", "b")]
)
def test_any_doubt_is_75_so_that_the_server_keeps_the_mail(tmp_path: Path, words: tuple[str, ...]) -> None:
    ended = run(*words)

    assert ended.returncode == 75
    assert ended.stderr.startswith(b"pbem-spool: ")
    assert ended.stderr.count(b"\n") == 1


def test_a_full_disk_is_75_and_leaves_nothing_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = top(a_home(tmp_path))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr("sys.argv", ["pbem-spool", "--home", str(home), "a@b", "host@pbem.test"])
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RAW)))

    assert spool.main() == 75
    new = home / "mail" / "spool" / "new"
    assert not new.exists() or list(new.iterdir()) == []


def test_a_signal_in_the_middle_is_75(tmp_path: Path) -> None:
    home = top(a_home(tmp_path))
    words = [sys.executable, "-I", spool.__file__, "--home", str(home), "a@b", "host@pbem.test"]
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored in the background
    try:
        program = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, heard)
    with program:
        assert program.stdin
        program.stdin.write(b"Subject: half")
        program.stdin.flush()
        while not list(home.glob("mail/spool/tmp/*")):
            assert program.poll() is None

        program.send_signal(signal.SIGINT)

        program.stdin.close()
        assert program.wait() == 75
    assert spooled(home) == []


def test_a_mail_that_is_too_big_is_cut_one_byte_behind_what_is_read(tmp_path: Path) -> None:
    home = top(a_home(tmp_path))

    ended = run("--home", str(home), "a@b", "host@pbem.test", raw=b"x" * (3 * MAX_BYTES))

    assert ended.returncode == 0
    assert spool.MOST_BYTES == MAX_BYTES, "of the program and of the reader"
    assert len(spooled(home)[0].read_bytes().partition(b"\n")[2]) == KEPT_BYTES


def test_a_mail_is_durable_before_it_has_its_name_and_the_name_before_the_server_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = top(a_home(tmp_path))
    steps: list[str] = []
    real = os.fsync, os.rename

    def fsync(handle: int) -> None:
        steps.append(f"fsync {Path(f'/proc/self/fd/{handle}').readlink().parent.name}")
        real[0](handle)

    def rename(old: str, new: str) -> None:
        steps.append("rename")
        real[1](old, new)

    monkeypatch.setattr("os.fsync", fsync)
    monkeypatch.setattr("os.rename", rename)

    spool.keep(str(home), "a@b", "host@pbem.test", io.BytesIO(RAW).read, 5)

    assert steps[-3:] == ["fsync tmp", "rename", "fsync spool"], "the mail, its name, the folder of names"


def test_nothing_is_planted_in_its_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = top(a_home(tmp_path))
    target = tmp_path / "target"
    monkeypatch.setattr("os.urandom", bytes)
    monkeypatch.setattr("os.getpid", lambda: 7)
    (home / "mail" / "spool" / "tmp").mkdir(parents=True)
    (home / "mail" / "spool" / "tmp" / f"{5:020d}.7.{bytes(6).hex()}").symlink_to(target)

    with pytest.raises(FileExistsError):
        spool.keep(str(home), "a@b", "host@pbem.test", lambda _most: b"", 5)

    assert not target.exists()


def test_it_loads_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import pbem.mail.arrivals.spool\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )

    ended = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)

    loaded = {name for name in ended.stdout.split() if not name.startswith("pbem")}
    assert loaded <= {"__future__", "os", "sys", "time", "stat", "posixpath", "genericpath"}
