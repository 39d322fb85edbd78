"""The network between machines: TCP proxies that can be cut and mended, in a process of their own.

Each line has a name, such as `worker-1 database`. A line is cut in one of two ways: "refused" resets what is
open and refuses what is new, "silent" carries nothing, tells nobody, and goes on when it is mended.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

Cut: TypeAlias = Literal["refused", "silent"]
PROJECT: Final = Path(__file__).parents[2]
_HOST: Final = "127.0.0.1"
_CHUNK: Final = 1 << 16
_RESET: Final = struct.pack("ii", 1, 0)
"""A socket that lingers for no time is closed with a reset."""


def free_port() -> int:
    """Return a port that is free, and that the system gives to no connection that goes out."""
    while True:
        port = random.randrange(15000, 32000)
        with socket.socket() as found, contextlib.suppress(OSError):
            found.bind((_HOST, port))
            return port


@dataclass
class Line:
    """A line between two machines.

    Attributes:
        cut: How it is cut, or "".
        mended: Set while it carries.
        ends: The sockets of what is open.
    """

    cut: Cut | Literal[""] = ""
    mended: asyncio.Event = field(default_factory=asyncio.Event)
    ends: set[asyncio.StreamWriter] = field(default_factory=set)

    def set_cut(self, how: Cut) -> None:
        """Cut it."""
        self.cut = how
        self.mended.clear()
        if how == "refused":
            self.reset()

    def mend(self, *, reset: bool) -> None:
        """Let it carry again.

        Args:
            reset: What was open is gone; else it goes on as if nothing had been.
        """
        self.cut = ""
        if reset:
            self.reset()
        self.mended.set()

    def reset(self) -> None:
        """Reset what is open."""
        for end in [*self.ends]:
            _drop(end)
        self.ends.clear()


def _drop(end: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    end.transport.abort()


@dataclass
class Exchange:
    """The proxies of all lines.

    Attributes:
        lines: The lines, by name.
        owners: The process group of each machine that shares a port with others, by its name.
    """

    lines: dict[str, Line] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    going: set[asyncio.Task[None]] = field(default_factory=set)

    async def listen(self, name: str, port: int, target: int) -> None:
        """Carry what comes to a port to another; a name with `*` is a port that machines share.

        Which of them has made a connection, the system tells: so each has a line of its own.
        """

        async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None, "a connection is a task"
            self.going.add(task)
            try:
                line = self._line_of(name, writer)
                if line is None:
                    _drop(writer)
                else:
                    await _carry(line, reader, writer, target)
            finally:
                self.going.discard(task)

        await asyncio.start_server(come, _HOST, port)

    def _line_of(self, name: str, writer: asyncio.StreamWriter) -> Line | None:
        if "*" in name:
            port, to = (int(writer.get_extra_info(end)[1]) for end in ("peername", "sockname"))
            owner = owner_of(port, to, self.owners)
            if owner is None:
                return None
            name = name.replace("*", owner)
        return self.line(name)

    def line(self, name: str) -> Line:
        """Return a line, mended as long as nobody cuts it."""
        if name not in self.lines:
            self.lines[name] = Line()
            self.lines[name].mended.set()
        return self.lines[name]

    def do(self, word: str, name: str, value: Any) -> None:
        """Carry out an order of the campaign."""
        if word == "cut":
            self.line(name).set_cut(value)
        elif word == "mend":
            self.line(name).mend(reset=bool(value))
        elif value:
            self.owners[name] = int(value)
        else:
            self.owners.pop(name, None)


async def _carry(line: Line, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
    """Carry a connection until one of its ends is closed."""
    line.ends.add(writer)
    there: asyncio.StreamWriter | None = None
    try:
        if line.cut == "refused":
            _drop(writer)
            return
        await line.mended.wait()
        back, there = await asyncio.open_connection(_HOST, target)
        line.ends.add(there)
        await asyncio.gather(_pump(line, reader, there), _pump(line, back, writer))
    except OSError:
        _drop(writer)
        if there is not None:
            _drop(there)
    finally:
        for end in (writer, there):
            if end is not None:
                line.ends.discard(end)
                end.close()


async def _pump(line: Line, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry one direction; its end, too, is told only when the line carries."""
    while True:
        data = await reader.read(_CHUNK)
        await line.mended.wait()
        if not data:
            if writer.can_write_eof():
                writer.write_eof()
            return
        writer.write(data)
        await writer.drain()


def owner_of(port: int, to: int, owners: Mapping[str, int]) -> str | None:
    """Return which machine has a connection from one port to another, as Linux tells; None if it is gone."""
    inode = ""
    for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        words = row.split()
        if (words[1][-5:], words[2][-5:]) == (f":{port:04X}", f":{to:04X}"):
            inode = words[9]
            break
    wanted = f"socket:[{inode}]"
    groups = {group: name for name, group in owners.items()}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                group = int((process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[2])
                if group in groups and any(
                    str(one.readlink()) == wanted for one in (process / "fd").iterdir()
                ):
                    return groups[group]
    return None


async def _serve(listeners: Sequence[tuple[str, int, int]]) -> None:
    """Carry until nobody gives orders any more; then no machine that has told its group is left behind."""
    exchange = Exchange()
    for name, port, target in listeners:
        await exchange.listen(name, port, target)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while row := await orders.readline():
        exchange.do(*json.loads(row))
        print("done", flush=True)
    for group in exchange.owners.values():  # whoever gave the orders was killed
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    os._exit(0)


class Network:
    """The lines, as the campaign cuts and mends them; they end with whoever has started them."""

    def __init__(self, listeners: Sequence[tuple[str, int, int]]) -> None:
        """Start to carry.

        Args:
            listeners: The name of each line, the port where it is reached, and where it leads.
        """
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.farm.network", json.dumps(listeners)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=PROJECT,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n", "the network is there"

    def cut(self, name: str, how: Cut) -> None:
        """Cut a line."""
        self._do("cut", name, how)

    def mend(self, name: str, *, reset: bool = False) -> None:
        """Mend a line; with `reset` what was open on it is gone."""
        self._do("mend", name, reset)

    def own(self, name: str, group: int) -> None:
        """Say which process group a machine is now; 0 for none."""
        self._do("own", name, group)

    def close(self) -> None:
        """Carry nothing any more."""
        self.process.communicate()

    def _do(self, *order: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.lock:
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "done\n", "the network does as it is told"


if __name__ == "__main__":
    asyncio.run(_serve(json.loads(sys.argv[1])))
