"""The guide to hosting by mail does what it says, on a real mail server."""

from __future__ import annotations

import email
import email.policy
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.docs.blocks import Block, matches, part
from tests.docs.test_guides import BY_MAIL
from tests.mail.authorizing import Authorizer
from tests.mail.stack import (
    CERTIFICATE,
    DOMAIN,
    PASSWORD,
    PATIENCE,
    PLAYERS,
    Stack,
    a_stack,
    wait_for,
)

pytestmark = pytest.mark.mailstack

USER = "nobody"
"""Stands for the guide's user pbem: one that every machine has."""

_NAMED = re.compile(r"# ([\w./-]+)\n")
_BARE = (
    "maillog_file=",
    "virtual_mailbox_domains=",
    "relay_domains=",
    "virtual_mailbox_maps=",
    "transport_maps=",
)
"""What is not set yet when Postfix was just installed: no log either, as that of a reload may hold it up."""


@dataclass
class Machine:
    """The guide's machine: a mail server of its own, and one of its players', who are elsewhere."""

    own: Stack
    players: Stack
    place: Path
    exported: str = ""
    oauth: str = ""
    service: subprocess.Popen[bytes] | None = None
    files: dict[str, Path] = field(default_factory=dict)

    def words(self, text: str) -> str:
        """Return what is typed here in place of what the guide says: the table of all that differs."""
        postfix = f"-c {self.own.folder}/pf"
        table = {
            "apt-get install -y postfix python3-venv cron": "dpkg-query --show postfix >/dev/null",
            "adduser --system --group --home /srv/pbem --shell /bin/sh pbem": f"chown {USER} /srv/pbem",
            "/usr/bin/python3 -m venv /opt/pbem": f"test -x {sys.prefix}/bin/python",
            "/opt/pbem/bin/pip install '.[lmtp,dns]'": "/opt/pbem/bin/python -c 'import pbem, aiosmtpd, dns'",
            "python3 -m venv pbem-env": f"mkdir pbem-env && ln -s {sys.prefix}/bin pbem-env/bin",
            "pbem-env/bin/pip install '../pbem[imap]'": f"{sys.prefix}/bin/python -c 'import imap_tools'",
            "pbem-env/bin/pip install '../pbem[imap,oauth]'": f"{sys.prefix}/bin/python -c 'import oauthlib'",
            "outlook.office365.com": f"localhost, port: {self.players.imaps}, security: tls",
            "smtp-mail.outlook.com": f"localhost, port: {self.players.submission}, security: starttls",
            "{provider: microsoft, client_id: 11111111-2222-3333-4444-555555555555}": self.oauth,
            "@outlook.com": f"@{DOMAIN}",
            "/opt/pbem": sys.prefix,
            "/srv/pbem": str(self.place),
            "postconf -": f"postconf {postfix} -",
            "postfix check": f"postfix {postfix} check",
            "postfix reload": f"postfix {postfix} reload",
            "postqueue -p": f"postqueue {postfix} -p",
            "| sendmail": f"| /usr/sbin/sendmail -C {self.own.folder}/pf",
            "server: 127.0.0.1}": f"server: 127.0.0.1, port: {self.own.smtp}}}",
            "imap.provider.example": f"localhost, port: {self.players.imaps}, security: tls",
            "smtp.provider.example": f"localhost, port: {self.players.submission}, security: starttls",
            "sleep 300; ": "",
            "sleep 2; journalctl -u pbem -o cat": f"cat {self.journal}",
            "journalctl -u 'postfix@-'": f"cat {self.players.folder}/postfix.log",
            "systemctl enable --now pbem": "true",
            "lmtp --answer": f"lmtp --answer --port {self.own.lmtp}",
            "127.0.0.1:2424": f"127.0.0.1:{self.own.lmtp}",
            "-o pbem -g pbem": f"-o {USER}",
            "chown pbem: ": f"chown {USER}: ",
            "id -u pbem": f"id -u {USER}",
            "id -g pbem": f"id -g {USER}",
            "* pbem ": f"* {USER} ",
            "User=pbem": f"User={USER}",
            "@example.org": f"@{PLAYERS}",
            "@provider.example": f"@{DOMAIN}",
        }
        for said, here in table.items():
            text = text.replace(said, here)
        return text

    def does(self, block: Block) -> None:
        """Do what a block says."""
        if block.kind == "console":
            for prompt, typed, printed in _typed(block):
                self.runs(prompt, typed, printed, block)
        elif block.kind == "mail":
            self.sends(block)
        else:
            named = _NAMED.match(block.text)
            assert named, f"{BY_MAIL.name}:{block.line}: a file's first line names it"
            file = self.place / self.words(named[1]).replace("/etc/", f"{self.place}/etc/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.words(block.text), encoding="utf-8")
            self.files[file.suffix or file.name] = file
            self.owns()

    def runs(self, prompt: str, typed: str, printed: str, block: Block) -> None:
        """Type a command as root or as the user of the games, and look at what it prints."""
        if "sleep 300" in typed:
            self.night_job()
        if "systemctl enable" in typed:
            self.start_service()
        if "sleep 2;" in typed:
            wait_for(
                lambda: b"mail " in self.journal.read_bytes().split(b"LMTP")[-1], "an answer of the service"
            )
        said = self.shell(self.exported + self.words(typed), root=prompt == "#")
        assert matches(self.words(printed), said), (
            f"{BY_MAIL.name}:{block.line}: {prompt} {typed}\nexpected:\n{printed}\nprinted:\n{said}"
        )
        if setting := re.search(r"export (\w+=\S+)", typed):
            self.exported += f"export {self.words(setting[1])}; "
        self.settle()

    def shell(self, words: str, *, root: bool = False) -> str:
        as_root = root or not _may_start()
        account = pwd.getpwnam("root" if as_root else USER)
        with tempfile.TemporaryFile(
            "w+"
        ) as said:  # no pipe: Postfix leaves programs running that would hold it
            ran = subprocess.run(
                ["sh", "-c", words],
                cwd=self.place,
                env={
                    "PATH": f"{sys.prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "HOME": str(self.place),
                    "SSL_CERT_FILE": str(self.place / "certificate"),
                },
                user=account.pw_uid,
                group=account.pw_gid,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                timeout=PATIENCE,
                check=False,
            )
            said.seek(0)
            told = said.read()
        assert ran.returncode == 0, f"{words}\n{told}"
        if as_root and not root:
            self.owns()
        return told

    def night_job(self) -> None:
        """Do what cron does with the guide's line."""
        line = self.files["pbem"].read_text(encoding="utf-8").splitlines()[-1]
        *when, user, command = line.split(maxsplit=6)
        assert (len(when), user) == (5, USER)
        assert "2>" not in command, "what goes wrong is for cron to send to MAILTO"
        assert self.shell(f"PATH=/usr/bin:/bin; {command}") == "", "cron sends no mail of a night like others"

    def start_service(self) -> None:
        """Do what systemd does with the guide's unit."""
        unit = self.files[".service"].read_text(encoding="utf-8")
        command = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)
        assert command and f"User={USER}\n" in unit
        with self.journal.open("wb") as journal:
            self.service = subprocess.Popen(
                command[1].split(),
                user=USER if _may_start() else None,
                cwd="/",
                stdout=journal,
                stderr=journal,
            )
        wait_for(lambda: b"takes mail in" in self.journal.read_bytes(), "the service")

    @property
    def journal(self) -> Path:
        """Where the service writes."""
        return self.own.folder / "service.log"

    def stop_service(self) -> None:
        """End it."""
        if self.service is not None:
            self.service.terminate()
            assert self.service.wait(PATIENCE) == 0
            self.service = None

    def owns(self) -> None:
        """Give all to the user of the games, where somebody else has written it."""
        for path in (self.place, *self.place.rglob("*")):
            shutil.chown(path, USER)

    def sends(self, block: Block) -> None:
        """Send a player's mail."""
        head, _, body = self.words(block.text).partition("\n\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        if fields["To"].startswith("("):
            fields["To"] = str(self.newest(fields["From"])["Reply-To"])
        told = "".join(f"{name}: {value}\n" for name, value in fields.items())
        mail = f"{told}Message-ID: <{block.line}@{PLAYERS}>\n\n{body}"
        self.own.deliver(fields["From"], fields["To"], mail.replace("\n", "\r\n").encode())
        self.settle()

    def newest(self, address: str) -> email.message.EmailMessage:
        """Return the newest mail that a player has got."""
        raw = self.players.letters(address)[-1]
        found = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(found, email.message.EmailMessage)
        return found

    def settle(self) -> None:
        self.own.settle()
        self.players.settle()


def _typed(block: Block) -> list[tuple[str, str, str]]:
    """Return the commands of a block: who types them, what, and what is printed."""
    parts = re.split(r"^([#$]) (.*)\n", block.text, flags=re.MULTILINE)
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def _may_start() -> bool:
    """Tell whether the user of the games may start the program where it is installed here."""
    try:
        ran = subprocess.run(
            [f"{sys.prefix}/bin/pbem", "--help"], user=USER, cwd="/", capture_output=True, check=False
        )
    except OSError:
        return False
    return ran.returncode == 0


@pytest.fixture
def place(stack: Stack) -> Iterator[Path]:
    """Return where the games live, with nothing left of tests before."""
    for address in (f"ann@{PLAYERS}", f"bob@{PLAYERS}", f"mary@{PLAYERS}", f"games@{DOMAIN}"):
        shutil.rmtree(stack.maildir(address), ignore_errors=True)
    place = Path("/tmp") / f"srv.{os.getpid()}"
    place.mkdir()
    try:
        certificate = CERTIFICATE.read_text(encoding="utf-8")
        (place / "certificate").write_text(
            certificate[certificate.index("-----BEGIN CERT") :], encoding="utf-8"
        )
        yield place
    finally:
        shutil.rmtree(place)


@pytest.fixture
def server(stack: Stack, place: Path) -> Iterator[Machine]:
    """Return a machine as it is when Postfix was just installed; mail for others goes to the players."""
    with a_stack() as own:
        for setting in (*_BARE, f"default_transport=smtp:[127.0.0.1]:{stack.smtp}"):
            own.set(setting)
        own.restart()
        machine = Machine(own, stack, place)
        try:
            yield machine
        finally:
            machine.stop_service()


def test_a_server_with_postfix_is_set_up_and_plays_as_the_guide_says(server: Machine) -> None:
    for block in part(BY_MAIL, "A server with Postfix"):
        server.does(block)


def test_a_computer_at_home_plays_by_a_mailbox_of_a_provider_as_the_guide_says(
    stack: Stack, place: Path
) -> None:
    home = Machine(stack, stack, place)
    for block in part(BY_MAIL, "At home, with a mailbox of a provider"):
        home.does(block)

    line = (place / "home" / "crontab").read_text(encoding="utf-8").splitlines()[-1]
    home.shell(line.split(maxsplit=5)[5])
    assert "tea: nothing to do" in (place / "pbem.log").read_text(encoding="utf-8")
    assert PASSWORD in (place / "home" / "password").read_text(encoding="utf-8")


def test_a_mailbox_that_wants_a_login_is_logged_in_to_and_watched_as_the_guide_says(
    oauth_stack: tuple[Authorizer, Stack], place: Path
) -> None:
    authorizer, stack = oauth_stack
    authorizer.user = f"games@{DOMAIN}"
    home = Machine(stack, stack, place, oauth=json.dumps(authorizer.settings()))
    for block in part(BY_MAIL, "A mailbox of Google or Microsoft"):
        if block.kind != "text":
            home.does(block)
