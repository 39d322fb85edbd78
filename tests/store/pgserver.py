"""A PostgreSQL server for tests, on a port of its own: started for a session, gone with it."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import psycopg

USER: Final = "pbem"
PROGRAMS: Final = Path("/usr/lib/postgresql")


def programs() -> Path | None:
    """Return the folder with the server's programs; None if it is not installed."""
    found = sorted(PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """A server with a data folder of its own.

    Attributes:
        url: Where it listens, without a database.
    """

    def __init__(self, port: int = 0, *, is_durable: bool = False) -> None:
        """Start it; the programs refuse to be run by root, which gives them to the user postgres.

        Args:
            port: Where it listens; 0 for a port that is free.
            is_durable: What it says to have written is on the disk, which takes its time.
        """
        found = programs()
        assert found is not None, "the server is installed"
        self._programs = found
        self._folder = Path(tempfile.mkdtemp(prefix="pbem-postgres-"))
        self._data = self._folder / "data"
        self._is_durable = is_durable
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", port))
            self.port = taken.getsockname()[1]
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
        made = ["-D", str(self._data), "-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        self._do("initdb", *made)
        self.start()
        self.url = f"postgresql://{USER}@127.0.0.1:{self.port}"
        self._numbers = itertools.count()

    def start(self) -> None:
        """Start the server, and wait until it listens."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1"
        options += " -c max_connections=400"  # stores of tests that are over keep theirs for a while
        options += "" if self._is_durable else " -c fsync=off"
        log = str(self._folder / "log")
        self._do("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", options, "start")

    @property
    def folder(self) -> Path:
        """The folder with its data, its log, and the socket at which it listens."""
        return self._folder

    def include(self, settings: Path, entry: Path) -> None:
        """Start the server anew with files of settings, and with another table of who may come in."""
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as kept:
            kept.write(f"include_dir = '{settings}'\nhba_file = '{entry}'\n")
        self.kill()
        self.start()

    def kill(self) -> None:
        """Stop the server at once, as if it had been killed."""
        self._do("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def database(self) -> str:
        """Make an empty database, and return its address."""
        return self._made("")

    def copy(self, url: str) -> str:
        """Copy a database, which loses all its connections, and return the address of the copy."""
        name = url.rpartition("/")[2]
        return self._made(f"TEMPLATE {name} STRATEGY file_copy", name)

    def _made(self, how: str, left: str = "") -> str:
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(f"{self.url}/postgres", autocommit=True) as server:
            leave = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
            server.execute(leave, (left,))
            server.execute(f"CREATE DATABASE {name} {how}".encode())
        return f"{self.url}/{name}"

    def close(self) -> None:
        """Stop the server and forget its data."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _do(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder)


@cache
def server() -> Server:
    """Return the server of this process of tests."""
    import atexit

    found = Server()
    atexit.register(found.close)
    return found


def main() -> None:
    """Say what is missing, and fail, where no server can be started."""
    if programs() is None:
        print("PostgreSQL is not installed. On Debian: apt install postgresql", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
