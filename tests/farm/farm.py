"""The farm: a database, three workers, two doors, Postfix before them, and the network between."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.farm.games import DOMAINS
from tests.farm.machines import Machine
from tests.farm.network import Network, free_port
from tests.mail.stack import Stack, a_stack
from tests.mail.stack import missing as no_mail_server
from tests.store.pgserver import Server, programs

WORKERS: Final = 3
DOORS: Final = 2


def missing() -> str:
    """Say why there can be no farm here; "" if there can."""
    if programs() is None:
        return "PostgreSQL is not installed. On Debian: apt install postgresql"
    return no_mail_server()


@dataclass
class Farm:
    """Everything that runs.

    Attributes:
        folder: Where the machines are started, and where their logs are.
        server: The database server.
        stack: The mail server.
        network: The lines.
        url: The home, as nobody can cut it.
        mail_port: Where workers reach the mail server.
        workers: The workers.
        doors: The doors.
        lines: The names of all lines.
    """

    folder: Path
    server: Server
    stack: Stack
    network: Network
    url: str
    mail_port: int
    workers: list[Machine]
    doors: list[Machine]
    lines: list[str]
    database_lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def machines(self) -> list[Machine]:
        """All workers and doors."""
        return [*self.workers, *self.doors]

    def start(self) -> None:
        """Start all workers and doors."""
        for machine in self.machines:
            machine.start()


@contextlib.contextmanager
def a_farm(folder: Path) -> Iterator[Farm]:
    """Lay a farm out, with its database empty and its machines not started; stop everything for sure.

    Args:
        folder: Where the machines are started.
    """
    with contextlib.ExitStack() as held:
        server = Server(free_port(), is_durable=True)
        held.callback(server.close)
        url = server.database()
        names = {f"worker-{n}": free_port() for n in range(1, WORKERS + 1)}
        names |= {f"door-{n}": free_port() for n in range(1, DOORS + 1)}
        own = {name: free_port() for name in names if name.startswith("door")}
        reached = {name: free_port() for name in own}
        stack = held.enter_context(a_stack(doors=list(reached.values()), domains=DOMAINS))
        held.callback(_keep_logs, stack, folder)
        mail_port = free_port()
        listeners = [(f"{name} database", port, server.port) for name, port in names.items()]
        listeners += [(f"{name} mail", reached[name], port) for name, port in own.items()]
        listeners.append(("* mail", mail_port, stack.smtp))
        network = Network(listeners)
        held.callback(network.close)

        path = os.pathsep.join(
            [str(_without_pictures(folder)), *filter(None, [os.environ.get("PYTHONPATH")])]
        )

        def machine(name: str, words: list[str]) -> Machine:
            found = Machine(name, words, folder, network.own, {"PYTHONPATH": path})
            held.callback(found.kill)
            return found

        def home_of(name: str) -> str:
            return url.replace(f":{server.port}/", f":{names[name]}/")

        work = ["-m", "pbem", "worker", "--home"]
        workers = [machine(name, [*work, home_of(name)]) for name in names if name not in own]
        listen = ["-m", "pbem", "lmtp", "--host", "127.0.0.1"]
        doors = [
            machine(name, [*listen, "--home", home_of(name), "--port", str(port)])
            for name, port in own.items()
        ]
        lines = [f"{name} {where}" for name in names for where in ("database", "mail")]
        yield Farm(folder, server, stack, network, url, mail_port, workers, doors, lines)


def _without_pictures(folder: Path) -> Path:
    """Return a folder that hides the package that draws pictures: they would take most of the time."""
    hiding = folder / "hiding"
    hiding.mkdir(exist_ok=True)
    (hiding / "resvg_py.py").write_text('raise ImportError("not on this machine")\n', encoding="utf-8")
    return hiding


def _keep_logs(stack: Stack, folder: Path) -> None:
    """Keep what the mail server has said."""
    for log in ("postfix.log", "dovecot.log"):
        with contextlib.suppress(OSError):
            shutil.copy(stack.folder / log, folder)


if __name__ == "__main__":
    sys.exit(missing() or 0)
