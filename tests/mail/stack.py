"""A real mail server on this machine only: Postfix takes mail, Dovecot keeps it and gives it by IMAP.

It lives in a temporary folder with ports of its own, so that several can run at once, and is surely stopped.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pwd
import random
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.mail.arrivals import spool

PROGRAMS = {
    "postfix": "postfix",
    "dovecot": "dovecot-imapd dovecot-lmtpd",
    "swaks": "swaks",
    "gpg": "gpg",
    "gpg-agent": "gpg-agent",
    "gpgv": "gpgv",
}
"""The programs that are needed, with the Debian packages that bring them."""

OWNER = "mail"
"""Whose the Maildirs are: a user that every Debian has."""

DOMAIN = "pbem.test"
PLAYERS = "example.test"
PASSWORD = "secret"
CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""For localhost, with its key, signed by itself; it guards nothing."""
PORTS = (10_000, 32_000)
"""From and to which a server takes one; Linux gives clients those from 32768 on."""
PATIENCE = 60.0
"""Seconds."""


def lacking_packages(*programs: str) -> list[str]:
    """Return the packages of those programs that are not installed here."""
    where = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    return [PROGRAMS[program] for program in programs if not shutil.which(program, path=where)]


def missing() -> str:
    """Say why there can be no such server here; "" if there can."""
    lacking = lacking_packages(*PROGRAMS)
    if not Path("/usr/lib/dovecot/lmtp").exists() and "dovecot-imapd dovecot-lmtpd" not in lacking:
        lacking.append("dovecot-lmtpd")
    if lacking:
        return f"no mail server here: apt install {' '.join(lacking)}"
    return "" if os.geteuid() == 0 else "no mail server here: only root can start one"


@dataclass(frozen=True)
class Stack:
    """A mail server that runs.

    Attributes:
        folder: Everything of it.
        smtp: Where it takes mail.
        imap: Where it gives it.
        lmtp: Where mail for the domain `lmtp.test` is handed over, should somebody listen there.
        imaps: Where it gives mail by TLS, as `localhost`.
        submission: Where it takes mail from those who log in, by STARTTLS, as `localhost`.
    """

    folder: Path
    smtp: int
    imap: int
    lmtp: int
    imaps: int
    submission: int

    def maildir(self, address: str) -> Path:
        """Return the Maildir of an address."""
        local, _, domain = address.partition("@")
        return self.folder / "mail" / domain / local

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a mail over as any mail program does."""
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=PATIENCE) as line:
            line.sendmail(sender, [recipient], raw)

    def letters(self, address: str) -> list[bytes]:
        """Return the mails of an address, in the order of their delivery."""
        folder = self.maildir(address)
        paths = [
            path for name in ("new", "cur") if (folder / name).is_dir() for path in (folder / name).iterdir()
        ]
        return [path.read_bytes() for path in sorted(paths, key=lambda path: path.name)]

    def waits(self, address: str) -> bool:
        """Tell whether a mail lies in the inbox of an address."""
        folder = self.maildir(address)
        return any(any((folder / name).iterdir()) for name in ("new", "cur"))

    def queue(self) -> list[str]:
        """Return what the server has taken and not delivered."""
        return [path.name for name in ("incoming", "active", "deferred") for path in self._spool(name)]

    def _spool(self, name: str) -> list[Path]:
        return [path for path in (self.folder / "spool" / name).rglob("*") if path.is_file()]

    def settle(self) -> None:
        """Wait until everything that was taken is delivered."""
        waiting = ("maildrop", "incoming", "active", "deferred")
        wait_for(lambda: not any(self._spool(name) for name in waiting * 2), self._state)

    def _state(self) -> str:
        log = self.folder / "postfix.log"
        return "the queue to be empty; the end of the log: " + log.read_text(encoding="utf-8")[-3000:]

    def postfix(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Give Postfix a command."""
        return _run("postfix", "-c", str(self.folder / "pf"), *words)

    def set(self, setting: str) -> None:
        """Change a setting of Postfix for good."""
        assert _run("postconf", "-c", str(self.folder / "pf"), "-e", setting).returncode == 0, setting

    def restart(self) -> None:
        """Stop Postfix, and start it again as it is set now."""
        self.postfix("stop")
        wait_for(lambda: self.postfix("start").returncode == 0, "Postfix to start again")
        wait_for(functools.partial(_listens, self.smtp), f"port {self.smtp}")

    def flush(self) -> None:
        """Let Postfix try again what waits."""
        _run("postqueue", "-c", str(self.folder / "pf"), "-f")


def python_of_owner() -> str:
    """Return a Python that the owner of the Maildirs may start; "" if there is none."""
    for program in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [program, "-I", "-c", "pass"], user=OWNER, check=True, cwd="/", capture_output=True
            )
            return program
    return ""


def wait_for(is_so: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, f"waited in vain for {what() if callable(what) else what}"
        time.sleep(0.02)


@contextlib.contextmanager
def a_stack(
    home: Path | None = None,
    doors: Sequence[int] = (),
    domains: Sequence[str] = (),
    introspection: str = "",
) -> Iterator[Stack]:
    """Start a mail server, and stop it for sure.

    Args:
        home: A home for whose spool mail to the domain `spool.test` is given to `pbem-spool`.
        doors: Ports of several that take mail for `lmtp.test`; each mail goes to one of them by chance, and
            to the others if that one does not take it.
        domains: Further domains of players.
        introspection: Where an authorization server says what a token is worth (RFC 7662): those who log in
            may show one in place of a password. "" for passwords only.
    """
    folder = Path(tempfile.mkdtemp(prefix="mailstack."))
    folder.chmod(0o755)
    ports = _free_ports(5)
    stack = Stack(folder, *ports)
    try:
        _lay_out(stack, home, doors, domains, introspection)
        _start(stack)
        yield stack
    finally:
        _stop(stack)
        shutil.rmtree(folder, ignore_errors=True)


def _free_ports(count: int) -> list[int]:
    """Return ports that are free and below those that clients are given, who could be quicker to take one."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(*PORTS)
        with contextlib.suppress(OSError), socket.socket() as place:
            place.bind(("127.0.0.1", port))
            found.append(port)
    return found


def _lay_out(
    stack: Stack, home: Path | None, doors: Sequence[int], domains: Sequence[str], introspection: str
) -> None:
    owner = pwd.getpwnam(OWNER)
    for name in ("pf", "spool", "data", "dv", "mail"):
        (stack.folder / name).mkdir()
    os.chown(stack.folder / "mail", owner.pw_uid, owner.pw_gid)
    shutil.chown(stack.folder / "data", "postfix")
    (stack.folder / "data").chmod(0o700)
    words = {
        "folder": stack.folder,
        "smtp": stack.smtp,
        "imap": stack.imap,
        "lmtp": stack.lmtp,
        "imaps": stack.imaps,
        "submission": stack.submission,
        "certificate": CERTIFICATE,
        "uid": owner.pw_uid,
        "gid": owner.pw_gid,
        "domain": DOMAIN,
        "players": ", ".join([PLAYERS, *domains]),
        "owner": OWNER,
        "password": PASSWORD,
        "python": python_of_owner() or sys.executable,
        "spool": stack.folder / "spool.py",
        "home": home or stack.folder,
    }
    shutil.copy(spool.__file__, stack.folder / "spool.py")
    main = MAIN.format(**words)
    if doors:
        places = [f"127.0.0.1:{port}" for port in doors]
        main += DOORS.format(
            places=", ".join(places), random=", ".join(f"lmtp:inet:{place}" for place in places)
        )
    (stack.folder / "pf" / "main.cf").write_text(main, encoding="utf-8")
    (stack.folder / "pf" / "master.cf").write_text(MASTER.format(**words), encoding="utf-8")
    dovecot = DOVECOT % words
    if introspection:
        (stack.folder / "dv" / "oauth2").write_text(OAUTH2 % introspection, encoding="utf-8")
        dovecot = dovecot.replace("passdb {", f"{TOKENS % words}passdb {{\n  mechanisms=plain login", 1)
    (stack.folder / "dv" / "dovecot.conf").write_text(dovecot, encoding="utf-8")


def _start(stack: Stack) -> None:
    dovecot = stack.folder / "dv" / "dovecot.conf"
    started = _run("dovecot", "-c", str(dovecot))
    assert started.returncode == 0, started.stdout + started.stderr
    started = stack.postfix("start")
    assert started.returncode == 0, started.stdout + started.stderr
    for port in (stack.smtp, stack.imap, stack.imaps, stack.submission):
        wait_for(functools.partial(_listens, port), f"port {port}")


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def _stop(stack: Stack) -> None:
    """Stop both, by the process ids that they wrote down, and what they started with them."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        stack.postfix("stop")
    for file in (stack.folder / "spool" / "pid" / "master.pid", stack.folder / "dv" / "run" / "master.pid"):
        with contextlib.suppress(OSError, ValueError):
            number = int(file.read_text(encoding="utf-8"))
            os.kill(number, signal.SIGTERM)
            until = time.monotonic() + 10
            while time.monotonic() < until:
                os.kill(number, 0)  # fails when it has ended
                time.sleep(0.02)
            os.killpg(os.getpgid(number), signal.SIGKILL)


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a program that may leave others running, which must not hold our pipes."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    with tempfile.TemporaryFile("w+") as said:
        ended = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "PATH": path},
        )
        said.seek(0)
        return subprocess.CompletedProcess(words, ended.returncode, said.read(), "")


MAIN = """compatibility_level=3.6
queue_directory={folder}/spool
data_directory={folder}/data
maillog_file={folder}/postfix.log
maillog_file_prefixes={folder}
myhostname=mx.{domain}
mydestination=
inet_interfaces=127.0.0.1
inet_protocols=ipv4
mynetworks=127.0.0.0/8
default_transport=error:no external mail
relay_transport=error:no relay
virtual_mailbox_domains={domain}, {players}
relay_domains=bounced.test, slow.test, spool.test, lmtp.test
relay_recipient_maps=
virtual_transport=lmtp:unix:{folder}/dv/lmtp
virtual_mailbox_maps=static:ok
transport_maps=inline:{{ {{ bounced.test = bouncing: }} {{ slow.test = slow: }}
  {{ spool.test = pbem: }} {{ lmtp.test = lmtp:inet:127.0.0.1:{lmtp} }} }}
pbem_destination_recipient_limit=1
recipient_delimiter=+
message_size_limit=4194304
smtpd_forbid_bare_newline=yes
smtpd_forbid_bare_newline_exclusions=
smtpd_recipient_restrictions=permit_mynetworks,reject
header_size_limit=65536
minimal_backoff_time=1s
maximal_backoff_time=2s
queue_run_delay=2s
smtpd_peername_lookup=no
smtputf8_enable=no
"""

DOORS = """transport_maps=pipemap:{{inline:{{ {{ lmtp.test = doors }} }}, randmap:{{ {random} }} }}
lmtp_fallback_relay={places}
lmtp_connect_timeout=3s
lmtp_lhlo_timeout=5s
lmtp_mail_timeout=5s
lmtp_rcpt_timeout=5s
lmtp_data_init_timeout=5s
lmtp_data_xfer_timeout=10s
lmtp_data_done_timeout=20s
lmtp_quit_timeout=3s
lmtp_rset_timeout=3s
"""
"""For mail that several doors take in; a line that says nothing is given up soon."""

MASTER = """127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt -o smtpd_tls_chain_files={certificate}
  -o smtpd_sasl_auth_enable=yes -o smtpd_sasl_type=dovecot -o smtpd_sasl_path={folder}/dv/auth
  -o mynetworks= -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
pickup   unix n - n 60 1 pickup
cleanup  unix n - n - 0 cleanup
qmgr     unix n - n 300 1 qmgr
rewrite  unix - - n - - trivial-rewrite
bounce   unix - - n - 0 bounce
defer    unix - - n - 0 bounce
trace    unix - - n - 0 bounce
verify   unix - - n - 1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp     unix - - n - - smtp
error    unix - - n - - error
retry    unix - - n - - error
discard  unix - - n - - discard
local    unix - n n - - local
virtual  unix - n n - - virtual
lmtp     unix - - n - - lmtp
tlsmgr   unix - - n 1000? 1 tlsmgr
anvil    unix - - n - 1 anvil
scache   unix - - n - 1 scache
showq    unix n - n - - showq
postlog  unix-dgram n - n - 1 postlogd
bouncing unix - n n - 5 pipe
  flags=R user={owner} argv=/bin/sh -c {{echo nobody of that name is here; exit 67}}
slow     unix - n n - 5 pipe
  flags=R user={owner} argv=/bin/sh -c {{exit 75}}
pbem     unix - n n - 5 pipe
  flags=DRXhu user={owner} null_sender=
  argv={python} -I {spool} --home {home} ${{sender}} ${{original_recipient}}
"""

DOVECOT = """base_dir=%(folder)s/dv/run
state_dir=%(folder)s/dv/state
instance_name=pbem-%(imap)s
log_path=%(folder)s/dovecot.log
protocols=imap lmtp
listen=127.0.0.1
ssl=yes
ssl_cert=<%(certificate)s
ssl_key=<%(certificate)s
disable_plaintext_auth=no
default_internal_user=dovecot
default_login_user=dovenull
mail_location=maildir:%(folder)s/mail/%%d/%%n
first_valid_uid=%(uid)s
recipient_delimiter=+
lmtp_save_to_detail_mailbox=no
lmtp_rcpt_check_quota=no
mail_max_userip_connections=100
passdb {
  driver=static
  args=password=%(password)s
}
userdb {
  driver=static
  args=uid=%(uid)s gid=%(gid)s home=%(folder)s/mail/%%d/%%n allow_all_users=yes
}
service imap-login {
  inet_listener imap {
    address=127.0.0.1
    port=%(imap)s
  }
  inet_listener imaps {
    address=127.0.0.1
    port=%(imaps)s
    ssl=yes
  }
}
service auth {
  unix_listener %(folder)s/dv/auth {
    mode=0666
  }
}
service lmtp {
  unix_listener %(folder)s/dv/lmtp {
    mode=0666
  }
}
service stats {
  unix_listener stats-writer {
    mode=0666
  }
}
namespace inbox {
  inbox=yes
}
"""

TOKENS = """auth_mechanisms=plain login oauthbearer xoauth2
auth_failure_delay=0
service anvil {
  unix_listener anvil-auth-penalty {
    mode=0
  }
}
passdb {
  driver=oauth2
  mechanisms=oauthbearer xoauth2
  args=%(folder)s/dv/oauth2
}
"""

OAUTH2 = """introspection_mode=post
introspection_url=%s
force_introspection=yes
username_attribute=username
active_attribute=active
active_value=true
"""


if __name__ == "__main__":
    sys.exit(missing() or 0)
