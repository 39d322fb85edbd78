"""The guide to hosting many games does what it says, on a real server with TLS, passwords and roles."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psycopg
import pytest
import yaml

from pbem.host.office.status import FIGURES
from tests.docs.blocks import Block, blocks, matches
from tests.docs.test_guides import MANY
from tests.farm.network import free_port
from tests.mail.stack import PATIENCE, wait_for
from tests.store.pgserver import USER, Server

pytestmark = pytest.mark.postgres

PASSWORD: Final = "correct-horse"
_NAMED: Final = re.compile(r"(?:#|--) (/[\w./@-]+)\n")
_DELIVER: Final = """
import smtplib, sys
with smtplib.LMTP("127.0.0.1", int(sys.argv[1])) as door:
    door.sendmail(sys.argv[2], [sys.argv[3]], sys.stdin.buffer.read().replace(b"\\n", b"\\r\\n"))
"""


@dataclass
class Machines:
    """All machines of the guide in one: a server of its own, and programs in place of systemd's."""

    server: Server
    place: Path
    port: int = field(default_factory=free_port)
    settings: str = ""
    dumped: str = ""
    programs: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def words(self, text: str) -> str:
        """Return what is typed here in place of what the guide says: the table of all that differs."""
        etc = f"{self.place}/etc"
        postfix = f"-c {etc}/postfix"
        table = {
            "apt-get install -y": "true",
            "adduser --system --group --home /srv/pbem --shell /bin/sh pbem": "true",
            "python3 -m venv /opt/pbem": f"test -x {sys.prefix}/bin/python",
            "/opt/pbem/bin/pip install --upgrade": "true",
            "/opt/pbem/bin/pip install '.[postgres,lmtp]'": "python -c 'import procrastinate, aiosmtpd'",
            "/opt/pbem": sys.prefix,
            "/srv/pbem": str(self.place),
            "/var/lib": str(self.place),
            "/etc/": f"{etc}/",
            "-o pbem -m": "-m",
            "chown postgres": "chown postgres" if os.geteuid() == 0 else "true",
            "runuser -u postgres -- ": "",
            "systemctl restart postgresql": "true",
            "systemctl": "true",
            "postconf -": f"postconf {postfix} -" if _has_postfix() else "true -",
            "postfix check && postfix reload": f"postfix {postfix} check" if _has_postfix() else "true",
            "| sendmail -f": f"| python {self.place}/deliver.py {self.port}",
            "journalctl -u 'pbem-worker@*' -o cat": f"cat {self.place}/pbem-worker@*.log",
            "lmtp --port 2424": f"lmtp --port {self.port}",
            "smtp: {server: 127.0.0.1}": "sendmail: /bin/true",
            "local    all              postgres                           peer": "local all all trust",
            "192.0.2.0/24": "127.0.0.1/32",
            "db.example.org:5432": f"localhost:{self.server.port}",
            "@db.example.org/pbem": f"@localhost:{self.server.port}/pbem",
            "db.example.org": "localhost",
            ":PASSWORD": f":{PASSWORD}",
        }
        for said, here in table.items():
            text = text.replace(said, here)
        return text

    def does(self, block: Block) -> None:
        """Do what a block says."""
        if block.kind == "console":
            for typed, printed in _typed(block):
                self.types(typed, printed, block)
        else:
            named = _NAMED.match(block.text)
            assert named, f"{MANY.name}:{block.line}: a file's first line names it"
            file = Path(self.words(named[1]))
            file.parent.mkdir(parents=True, exist_ok=True)
            text = self.words(block.text)
            file.write_text(text.replace("\n-- ", "\n", 1) if block.kind == "sql" else text, encoding="utf-8")
            if file.suffix in (".service", ".timer"):
                self.is_a_unit(file)

    def types(self, typed: str, printed: str, block: Block) -> None:
        """Type a command, and look at what it prints and how it ends."""
        if typed.startswith("set -a; . "):
            self.settings = f"{self.words(typed)}; "
            return
        if units := re.match(r"systemctl (start|stop|enable --now|restart) (.*)", typed):
            self.controls(units[1].split()[0], shlex.split(units[2]))
        is_told = re.search(r"\[exit (\d+)\]\n$", printed)
        expected = self.words(printed[: is_told.start()] if is_told else printed)
        code, said = self.shell(self.words(typed))
        if "pg_dump" in typed:
            self.dumped = self.words(typed)
        elif "pg_restore" in typed and "differ" in said:  # a worker was slow, and wrote after the dump
            again = "dropdb pbem_drill; createdb --owner=pbem_owner pbem_drill"
            code, said = self.shell(f"{again}; {self.dumped}; {self.words(typed)}")
        if "journalctl" in typed:
            wait_for(lambda: matches(expected, self.shell(self.words(typed))[1]), f"{typed}\n{expected}")
            return
        assert code == (int(is_told[1]) if is_told else 0), (
            f"{MANY.name}:{block.line}: {typed}\n{said}\n{self.logs()}"
        )
        assert matches(expected, said), (
            f"{MANY.name}:{block.line}: {typed}\nexpected:\n{expected}\nprinted:\n{said}\n{self.logs()}"
        )

    def shell(self, words: str) -> tuple[int, str]:
        """Type something; where a password is asked for, give it."""
        ran = subprocess.run(
            ["sh", "-c", f"{self.settings}{words}"],
            cwd=self.place,
            env=self.surroundings,
            input=f"{PASSWORD}\n{PASSWORD}\n" if "--pwprompt" in words else "",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
            start_new_session=True,  # no terminal, at which a password would be asked for
        )
        return ran.returncode, ran.stdout

    @property
    def surroundings(self) -> dict[str, str]:
        """The settings of a shell of the administrator of the server."""
        return {
            "PATH": f"{sys.prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(self.place),
            "GNUPGHOME": str(self.place / "gnupg"),
            "PGHOST": str(self.server.folder),
            "PGPORT": str(self.server.port),
            "PGUSER": USER,
        }

    # --- what systemd does

    def is_a_unit(self, file: Path) -> None:
        """See that systemd takes a unit."""
        if shutil.which("systemd-analyze"):
            name = file.name.replace("@.", "@1.")
            ran = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", str(file.with_name(name))],
                capture_output=True,
                text=True,
                check=False,
            )
            about = [line for line in ran.stderr.splitlines() if file.stem in line or "pbem" in line]
            assert (ran.returncode, about) == (0, []), ran.stderr
        parts = re.findall(r"^\[(\w+)\]$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert parts[0] == "Unit"

    def controls(self, verb: str, units: list[str]) -> None:
        """Start or stop the programs of units."""
        for unit in units:
            if unit == "postgresql":
                self.restart_server()
            elif verb == "stop":
                for name in [one for one in self.programs if re.fullmatch(unit.replace("*", ".*"), one)]:
                    self.stops(name)
            elif not unit.endswith(".timer"):
                self.starts(unit)

    def starts(self, unit: str) -> None:
        """Start what a unit names, with its settings."""
        name, _, _ = unit.partition("@")
        file = self.place / "etc" / "systemd" / "system" / f"{name}{'@' if '@' in unit else ''}.service"
        told = file.read_text(encoding="utf-8")
        command, settings = (
            re.search("^ExecStart=(.*)$", told, re.M),
            re.search("^Env.*File=(.*)$", told, re.M),
        )
        assert command and settings
        log = self.place / f"{unit}.log"
        words = f"set -a; . {settings[1]}; exec {command[1]}"
        before = log.read_text(encoding="utf-8") if log.exists() else ""
        with log.open("ab") as journal:
            self.programs[unit] = subprocess.Popen(
                ["sh", "-c", words], cwd="/", env=self.surroundings, stdout=journal, stderr=journal
            )
        ready = "takes mail in" if "door" in unit else "pbem works."
        wait_for(
            lambda: ready in log.read_text(encoding="utf-8").removeprefix(before),  # of an earlier start
            f"{unit}\n{log.read_text(encoding='utf-8')}",
        )

    def stops(self, unit: str) -> None:
        """Stop it as systemd does."""
        program = self.programs.pop(unit)
        program.terminate()
        assert program.wait(PATIENCE) == 0

    def restart_server(self) -> None:
        """Let the server read the guide's files, in place of those that it began with."""
        etc = self.place / "etc" / "postgresql" / "15" / "main"
        self.server.include(etc / "conf.d", etc / "pg_hba.conf")

    def logs(self) -> str:
        """Return what the programs have said."""
        return "\n".join(f"{log.name}: {log.read_text(encoding='utf-8')}" for log in self.place.glob("*.log"))


def _typed(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a block, and what each prints."""
    parts = re.split(r"^[#$] (.*)\n", block.text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def _has_postfix() -> bool:
    return shutil.which("postconf", path="/usr/sbin:/usr/bin") is not None and os.geteuid() == 0


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    """Return the guide's machines after all of it was typed, up to the chapter on upgrades."""
    place = Path("/tmp") / f"many.{os.getpid()}"
    place.mkdir()
    place.chmod(0o755)
    (place / "gnupg").mkdir(mode=0o700)
    (place / "etc" / "postgresql" / "15" / "main" / "conf.d").mkdir(parents=True)  # the package makes it
    (place / "deliver.py").write_text(_DELIVER, encoding="utf-8")
    if _has_postfix():
        shutil.copytree("/etc/postfix", place / "etc" / "postfix", symlinks=True)
        (place / "etc" / "postfix" / "main.cf").write_text("compatibility_level = 3.6\n", encoding="utf-8")
    server = Server()
    found = Machines(server, place)
    try:
        for block in _until("When pbem is upgraded"):
            found.does(block)
        yield found
    finally:
        for program in found.programs.values():
            program.kill()
            program.wait()
        subprocess.run(["gpgconf", "--homedir", str(place / "gnupg"), "--kill", "all"], check=False)
        server.close()
        shutil.rmtree(place, ignore_errors=True)


def _line_of(title: str) -> int:
    text = MANY.read_text(encoding="utf-8")
    return text.count("\n", 0, text.index(f"\n## {title}\n"))


def _until(title: str) -> list[Block]:
    """Return the blocks before a chapter."""
    return [block for block in blocks(MANY) if block.line < _line_of(title)]


def _between(title: str, end: str) -> list[Block]:
    """Return the blocks of chapters, from one to before another."""
    last = _line_of(end) if end else 1 << 20
    return [block for block in blocks(MANY) if _line_of(title) < block.line < last]


def test_a_home_is_set_up_upgraded_lost_and_restored_as_the_guide_says(machines: Machines) -> None:
    for block in _between("When pbem is upgraded", ""):
        machines.does(block)

    assert set(machines.programs) == {"pbem-worker@1", "pbem-worker@2", "pbem-door"}
    assert all(one.poll() is None for one in machines.programs.values())


def test_nobody_comes_in_without_tls_or_with_another_role(machines: Machines) -> None:
    where = f"host=127.0.0.1 port={machines.server.port} password={PASSWORD}"

    for refused in ("user=pbem_worker dbname=pbem sslmode=disable", "user=pbem dbname=pbem sslmode=require"):
        with pytest.raises(psycopg.OperationalError, match=r"pg_hba\.conf"):
            psycopg.connect(f"{where} {refused}")
    with pytest.raises(psycopg.OperationalError, match=r"pg_hba\.conf"):
        psycopg.connect(f"{where} user=pbem_door dbname=postgres sslmode=require")


def test_a_server_with_another_certificate_is_told_nothing(machines: Machines) -> None:
    other = machines.place / "other.crt"
    made = f"openssl req -new -x509 -nodes -subj /CN=localhost -keyout /dev/null -out {other}"
    subprocess.run(made.split(), check=True, capture_output=True)
    where = f"postgresql://pbem_door@localhost:{machines.server.port}/pbem"

    with pytest.raises(psycopg.OperationalError, match="certificate verify failed"):
        psycopg.connect(f"{where}?sslmode=verify-full&sslrootcert={other}", password=PASSWORD)


@pytest.fixture
def door(machines: Machines) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Return a connection of somebody who broke into a door."""
    words = f"host=localhost port={machines.server.port} user=pbem_door dbname=pbem"
    with psycopg.connect(words, password=PASSWORD, sslmode="require", autocommit=True) as found:
        yield found


def test_a_door_sees_the_settings_and_no_other_file(
    door: psycopg.Connection[tuple[object, ...]], machines: Machines
) -> None:
    assert door.execute("SELECT name FROM files").fetchall() == [("home.yaml",)]
    with psycopg.connect(
        f"host={machines.server.folder} port={machines.server.port} user={USER} dbname=pbem"
    ) as all_:
        names = [name for (name,) in all_.execute("SELECT name FROM files").fetchall()]
    assert {"games/tea/secret.json", "games/tea/game.yaml"} < set(names)
    assert any(name.startswith("mail/raw/") for name in names), "a mail came in by the door"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM intake",
        "SELECT recipient FROM intake",
        "SELECT rcpt FROM outbox",
        "SELECT value FROM game_notes",
        "SELECT detail FROM acts",
        "SELECT words FROM tellings",
        "SELECT turn FROM turns",
        "SELECT args FROM procrastinate_jobs",
        "UPDATE files SET data = ''",
        "UPDATE intake SET state = 'new'",
        "UPDATE procrastinate_jobs SET status = 'todo'",
        "DELETE FROM files",
        "DELETE FROM procrastinate_jobs",
        "INSERT INTO games (game) VALUES ('x')",
        "INSERT INTO files (name, data, packed) VALUES ('orders/tea/red.yaml', '', false)",
        "INSERT INTO files (name, data, packed) VALUES ('home.yaml', '', false) "
        "ON CONFLICT (name) DO UPDATE SET data = excluded.data",
        "ALTER TABLE files DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE mine (x int)",
    ],
)
def test_a_door_may_not(door: psycopg.Connection[tuple[object, ...]], sql: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        door.execute(sql.encode())


@pytest.mark.parametrize("sql", ["CREATE TABLE mine (x int)", "DROP TABLE acts", "TRUNCATE acts"])
def test_a_worker_changes_no_table(machines: Machines, sql: str) -> None:
    words = f"host=localhost port={machines.server.port} user=pbem_worker dbname=pbem sslmode=require"
    with (
        psycopg.connect(words, password=PASSWORD) as worker,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        worker.execute(sql.encode())


def test_a_mail_that_is_brought_twice_is_taken_in_twice_by_a_door(machines: Machines) -> None:
    """The bytes of the first time are there, and a door may not read or replace them."""
    with smtplib.LMTP("127.0.0.1", machines.port) as line:
        for recipient in ("host+a@pbem.example", "host+b@pbem.example", "host+a@pbem.example"):
            assert line.sendmail("eve@example.org", [recipient], b"Subject: the same\r\n\r\nHello.\r\n") == {}


def test_the_alarms_name_figures_that_there_are() -> None:
    (alarms,) = [block for block in blocks(MANY) if "groups:" in block.text]
    rules = yaml.safe_load(alarms.text)["groups"][0]["rules"]

    named = {name for rule in rules for name in re.findall(r"pbem_([a-z_]+)", rule["expr"])}
    assert len(rules) == len({rule["alert"] for rule in rules})
    assert named <= FIGURES.keys()


def test_the_figures_are_written_by_the_timers_unit(machines: Machines) -> None:
    unit = machines.place / "etc" / "systemd" / "system" / "pbem-metrics.service"
    command = re.search("^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    assert command

    code, said = machines.shell(
        f". {machines.place}/etc/pbem/worker.env; export PBEM_HOME PGPASSFILE; {command[1]}"
    )

    assert (code, said) == (0, "")
    assert "\npbem_games 1\n" in (machines.place / "pbem.prom").read_text(encoding="utf-8")
