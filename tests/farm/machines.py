"""Machines as processes: workers and doors that are started, killed and started again."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

GONE: Final = b"pbem: the database refused"
"""What a program says that is started while the database is gone; whoever watches over it starts it again."""

_LAST: Final = 1000


@dataclass
class Machine:
    """A process that stands for a machine.

    Attributes:
        name: Its name.
        words: What it runs, after the interpreter.
        folder: Where it is started; what it says goes to a file there.
        tell: Told the process group whenever it is started, and 0 when it is not there any more.
        environment: What its environment has besides.
        process: The process, or None.
        wants: Whether it should be running.
        in_vain: How often it was started while the database was gone, said so and ended.
        failures: Exit codes with which it has ended by itself otherwise.
    """

    name: str
    words: list[str]
    folder: Path
    tell: Callable[[str, int], None] = lambda _name, _group: None
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    wants: bool = False
    in_vain: int = 0
    failures: list[int] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def log(self) -> Path:
        """What it has said."""
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        """Start it, unless it runs."""
        with self.lock:
            if not self.has_ended:
                return
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, *self.words],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    env={**os.environ, **self.environment},
                    start_new_session=True,
                )
            self.wants = True
            self.tell(self.name, self.process.pid)

    def kill(self) -> bool:
        """Kill it and what it has started; tell whether it was running."""
        with self.lock:
            self.wants = False
            return self._end(signal.SIGKILL)

    def end(self) -> bool:
        """Tell it to end; tell whether it was running."""
        with self.lock:
            self.wants = False
            if self.has_ended:
                return False
            assert self.process is not None, "it runs"
            self.process.send_signal(signal.SIGTERM)
            return True

    @property
    def has_ended(self) -> bool:
        """Tell whether it does not run."""
        return self.process is None or self.process.poll() is not None

    def look(self) -> bool:
        """Start it again if it has ended by itself; tell whether it had."""
        with self.lock:
            if not self.wants or self.process is None or not self.has_ended:
                return False
            if self.process.returncode == 1 and GONE in self.log.read_bytes()[-_LAST:]:
                self.in_vain += 1
            else:
                self.failures.append(self.process.returncode)
            self.start()
            return True

    def _end(self, number: signal.Signals) -> bool:
        if self.process is None:
            return False
        was_running = not self.has_ended
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()
        self.tell(self.name, 0)
        return was_running
