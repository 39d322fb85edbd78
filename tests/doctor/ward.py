"""A home by mail in which all is well, with the servers around it; and how it is looked at and mended."""

from __future__ import annotations

import atexit
import contextlib
import datetime
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.office.watch import beat
from pbem.play.homes.home import Home
from pbem.text.strictyaml import dump
from tests.doctor.nameserver import Zone, a_name_server
from tests.homes import NOW, PATCHED, a_game, home_at, make_home, top
from tests.mail.homes import ADDRESS, TWO_BY_MAIL
from tests.mail.sink import Kept, Sink, a_sink, make_maildir

PASSWORD = "hush-hush"


@dataclass(frozen=True)
class Found:
    """What the doctor said: where something is wrong, what, and what mends it."""

    part: str
    text: str
    mend: str


@dataclass
class Ward:
    """A home by mail with the servers around it, at a moment."""

    home: Home
    sink: Sink
    zone: Zone
    mail: dict[str, Json]
    now: datetime.datetime = NOW

    @property
    def top(self) -> Path:
        return top(self.home)

    def file(self, name: str) -> Path:
        return self.top / name

    def write_settings(self, **more: Json) -> None:
        """Write a `home.yaml` in which all is well, but for what is given; None leaves something out."""
        gate = more.pop("gate", None)
        mail: dict[str, Json] = {
            name: value for name, value in (self.mail | more).items() if value is not None
        }
        value: dict[str, Json] = {"mail": mail, **({"gate": gate} if gate is not None else {})}
        self.file("home.yaml").write_text(dump(value), encoding="utf-8")

    def login(self, **more: Json) -> dict[str, Json]:
        """Return how the server for sending is reached."""
        return {"server": "127.0.0.1", "port": self.sink.port, **more}

    def found(self) -> list[Found]:
        """Look at the home, and return what is wrong; exit code and what is printed agree."""
        code, told = self.typed(f"doctor --json --dns 127.0.0.1:{self.zone.port}")
        findings = json.loads(told)["findings"]
        assert code == bool(findings), told
        return [Found(**one) for one in findings]

    def typed(self, words: str) -> tuple[int, str]:
        """Give a command of this program, at the moment of the ward."""
        out = io.StringIO()
        given = shlex.split(words, comments=True)
        home = [] if "--home" in given else ["--home", str(self.top)]
        now = [] if given[0] == "home" else ["--now", self.now.isoformat()]
        with contextlib.redirect_stdout(out):
            code = run_command([*given, *home, *now])
        return code, out.getvalue()

    def mend(self, command: str, answer: str = "", editor: str = "false") -> None:
        """Type what mends something; commands of this program run at the moment of the ward.

        Args:
            command: What the doctor said.
            answer: What is typed where it asks.
            editor: What an editor does with its file.
        """
        if command.startswith("pbem "):
            code, told = self.typed(command.removeprefix("pbem "))
            assert code == 0, told
            return
        ran = subprocess.run(
            ["sh", "-ec", command],
            input=answer,
            text=True,
            env={
                **os.environ,
                "EDITOR": editor,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            },
            capture_output=True,
            check=False,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stderr}"


@contextlib.contextmanager
def a_ward(path: Path) -> Iterator[Ward]:
    """Give a home by mail in which all is well: a dealt game, whose reports went out.

    Such a home is made once in each process and copied after that, unless the test may change the program.
    """
    made = None if PATCHED else _made()
    with _served(path) as ward:
        if made is None:
            _fill(ward)
        else:
            folder, mails = made
            shutil.copytree(folder, path, dirs_exist_ok=True)
            ward.sink.mails.extend(mails)
            ward.write_settings()
        yield ward


@cache
def _made() -> tuple[Path, list[Kept]]:
    """Return a folder to copy, and what was mailed from the home in it."""
    kept = tempfile.TemporaryDirectory(prefix="pbem-wards-")
    atexit.register(kept.cleanup)
    with _served(Path(kept.name)) as ward:
        _fill(ward)
    return Path(kept.name), ward.sink.mails


@contextlib.contextmanager
def _served(path: Path) -> Iterator[Ward]:
    """Start the servers around a home, and say where it will be."""

    def is_right(user: bytes, password: bytes) -> bool:
        return password == PASSWORD.encode()

    with a_sink(path / "mail" / "archive", login=is_right) as sink, a_name_server() as zone:
        ward = Ward(home_at(path / "home"), sink, zone, {})
        ward.mail = {
            "address": ADDRESS,
            "moderator": "mary@example.test",
            "maildir": str(path / "mail" / "host"),
            "smtp": ward.login(user="host", password_file="password"),
            "archive": str(path / "mail" / "archive"),
            "archive_address": "archive@pbem.test",
        }
        yield ward


def _fill(ward: Ward) -> None:
    """Make the home, deal its game and mail the reports."""
    make_home(ward.top)
    password = ward.file("password")
    password.touch(mode=0o600)
    password.write_text(PASSWORD, encoding="utf-8")
    make_maildir(ward.top.parent / "mail" / "host")
    ward.write_settings()
    a_game(ward.home, table=TWO_BY_MAIL)
    with ward.home.journal() as db:
        for hours in range(6, -1, -1):
            beat(db, NOW - datetime.timedelta(hours=hours), None, is_night=True)
    assert ward.typed("send")[0] == 0
