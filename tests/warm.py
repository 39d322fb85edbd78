"""A `pbem` that is loaded once; shells find it in place of the program, and each command is a fork of it.

Folder, environment, input, output and exit code are those of whoever calls it. Programs that start from
nothing are seen elsewhere: those of `README.md`, and those of `tests/edge/test_kills.py`.
"""

from __future__ import annotations

import array
import ast
import atexit
import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from pbem.cli import make_tolerant_stream, run_command
from tests.homes import SHARED, made_once

PROJECT = Path(__file__).parents[1]
LONGEST = 1 << 17
NO_ANSWER = 70
DEMO = "demo-by-command"
CLIENT = """#!{python} -IS
import os, sys, _socket
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
server.connect({door!r})
asked = repr((sys.argv[1:], os.getcwd(), dict(os.environ))).encode()
files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([asked], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
os._exit(int(server.recv(16) or {no_answer}))
"""


def demo_by_command() -> Path:
    """Return what `pbem demo` makes, once for all processes of a test session; copy what you change."""
    warm_program()
    return Path(os.environ[SHARED]) / DEMO / "demo"


@cache
def warm_program() -> Path:
    """Return a folder to be first in $PATH, where `pbem` asks the server; this process starts it once."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-warm-"))
    door, program = str(folder / "door"), folder / "pbem"
    program.write_text(CLIENT.format(python=sys.executable, door=door, no_answer=NO_ANSWER), encoding="utf-8")
    program.chmod(0o755)
    found = {"PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path])}
    words = [sys.executable, "-c", "import sys; from tests.warm import serve; serve(sys.argv[1])", door]
    pipe = subprocess.PIPE
    server = subprocess.Popen(words, stdin=pipe, stdout=pipe, env=os.environ | found)
    atexit.register(_end, server, folder)
    assert server.stdout
    assert server.stdout.readline() == b"ready\n"
    return folder


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    """Let the server end, with all that it forked."""
    assert server.stdin
    assert server.stdout
    server.stdin.close()
    server.wait()
    server.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)


def serve(door: str) -> None:
    """Answer each caller with a fork, until standard input ends."""
    loaded: list[int] = []

    def make(folder: Path) -> None:
        loaded.append(run_command(["demo", f"{folder}/demo"]))

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
        made_once(DEMO, make)
        if not loaded:  # by the server of another process
            make(Path(folder))
    assert loaded == [0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(door)
        listening.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([sys.stdin, listening], [], [])[0]:
            caller, _ = listening.accept()
            if os.fork() == 0:
                _answer(caller)
            caller.close()
            _bury(os.WNOHANG)
    _bury()


def _bury(how: int = 0) -> None:
    """Wait for the forks that have ended, or for all."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, how)[0]:
            pass


def _answer(caller: socket.socket) -> None:
    """Do what a caller asks, as if a program of its own did."""
    code = NO_ANSWER
    try:
        files = array.array("i")
        asked, given, _, _ = caller.recvmsg(LONGEST, socket.CMSG_LEN(3 * files.itemsize))
        files.frombytes(given[0][2])
        for own, one in enumerate(files):
            os.dup2(one, own)
            os.close(one)
        arguments, folder, surroundings = ast.literal_eval(asked.decode())
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(surroundings)
        sys.stdin = open(0)  # noqa: SIM115
        sys.stdout, sys.stderr = (make_tolerant_stream(open(one, "w", closefd=False), one) for one in (1, 2))  # noqa: SIM115
        code = run_command(arguments)
        for file in (sys.stdout, sys.stderr):
            if file is not None:
                file.flush()
    finally:
        caller.send(str(code).encode())
        os._exit(code)
