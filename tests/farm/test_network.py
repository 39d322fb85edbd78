"""The network of the campaign: lines carry, are cut in two ways, and are mended."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.farm.network import Network, free_port

ECHO_SECONDS = 0.3
"""So long a silent line is listened to."""


@pytest.fixture
def echo() -> Iterator[int]:
    """Give the port of a server that says again what it is told."""
    server = socket.create_server(("127.0.0.1", free_port()))

    def answer(line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            while data := line.recv(100):
                line.sendall(data)

    def listen() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=listen, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


@pytest.fixture
def line(echo: int) -> Iterator[tuple[Network, int]]:
    """Give a network with one line, `a database`, and its port."""
    port = free_port()
    network = Network([("a database", port, echo)])
    yield network, port
    network.close()


def said_again(line: socket.socket, word: bytes) -> bytes:
    line.sendall(word)
    return line.recv(100)


def call(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def test_a_line_carries(line: tuple[Network, int]) -> None:
    with call(line[1]) as found:
        assert said_again(found, b"hello") == b"hello"


def test_a_line_that_is_refused_resets_what_is_open_and_what_is_new(line: tuple[Network, int]) -> None:
    network, port = line
    with call(port) as found:
        assert said_again(found, b"hello") == b"hello"
        network.cut("a database", "refused")
        with pytest.raises(ConnectionResetError):
            found.recv(100)
    with pytest.raises(ConnectionResetError), call(port) as found:
        found.recv(100)

    network.mend("a database")

    with call(port) as found:
        assert said_again(found, b"again") == b"again"


@pytest.mark.parametrize("reset", [False, True])
def test_a_silent_line_says_nothing_until_it_is_mended(line: tuple[Network, int], reset: bool) -> None:
    network, port = line
    with call(port) as found:
        assert said_again(found, b"hello") == b"hello"
        network.cut("a database", "silent")
        found.settimeout(ECHO_SECONDS)
        with pytest.raises(TimeoutError):
            said_again(found, b"late")
        found.settimeout(10)

        network.mend("a database", reset=reset)

        if reset:
            with pytest.raises(ConnectionResetError):
                found.recv(100)
        else:
            assert found.recv(100) == b"late"


def test_machines_that_share_a_port_have_a_line_each(echo: int) -> None:
    port = free_port()
    network = Network([("* mail", port, echo)])
    try:
        network.own("me", os.getpgid(0))
        with call(port) as found:
            assert said_again(found, b"hello") == b"hello"
            network.cut("me mail", "refused")
            with pytest.raises(ConnectionResetError):
                found.recv(100)
        network.mend("me mail")
        network.own("me", 0)
        with pytest.raises(ConnectionResetError), call(port) as found:
            found.recv(100)
    finally:
        network.own("me", 0)
        network.close()
