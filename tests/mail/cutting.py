"""A line to a server that a test can cut, or speak into."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Wire:
    """Passes on what is said between clients and a server.

    Attributes:
        port: Where clients connect.
        target: The server's port.
        heard: All that clients have said.
        is_down: New clients are sent away.
        lines: Those that were opened.
        refused: Who was sent away.
        threads: What passes on.
    """

    port: int
    target: int
    heard: bytearray = field(default_factory=bytearray)
    is_down: bool = False
    lines: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)
    refused: list[object] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def cut(self) -> None:
        """Cut all lines that are open now."""
        while self.lines:
            for end in self.lines.pop():
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def say(self, words: bytes) -> None:
        """Say something to all clients, as if the server did."""
        for client, _ in self.lines:
            with contextlib.suppress(OSError):
                client.sendall(words)

    def take(self, client: socket.socket) -> None:
        """Connect a client with the server."""
        if self.is_down:
            self.refused.append(client.getpeername())
            client.close()
            return
        server = socket.create_connection(("127.0.0.1", self.target))
        self.lines.append((client, server))
        for source, goal in ((client, server), (server, client)):
            one = threading.Thread(target=self._pass_on, args=(source, goal, source is client))
            self.threads.append(one)
            one.start()

    def _pass_on(self, source: socket.socket, goal: socket.socket, is_client: bool) -> None:
        with source, contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_client:
                    self.heard += data
                goal.sendall(data)
        for end in (source, goal):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def a_wire(target: int) -> Iterator[Wire]:
    """Lay a line to a server of this machine, and take it away for sure."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        wire = Wire(door.getsockname()[1], target)

        def open_door() -> None:
            with contextlib.suppress(OSError):
                while True:
                    wire.take(door.accept()[0])

        thread = threading.Thread(target=open_door)
        thread.start()
        try:
            yield wire
        finally:
            wire.is_down = True
            wire.cut()
            with contextlib.suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)
            for one in (thread, *wire.threads):
                one.join()
