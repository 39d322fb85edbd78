"""What goes wrong: machines are killed, lines cut, the database stopped; each is mended after a while."""

from __future__ import annotations

import heapq
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.farm.farm import Farm
from tests.farm.machines import Machine
from tests.farm.network import Cut

WEIGHTS: Final = {"worker": 60, "door": 20, "database": 12, "cut": 50, "end": 5}
"""How often each kind of disturbance comes, beside the others."""

KILLS: Final = ("worker", "door", "database")
LONG_CUT: Final = 0.15
"""So many of the cuts are so long that a machine is given up by the others while it still runs."""

GRACE_SECONDS: Final = 60.0
"""So long a machine that is told to end may finish the job at hand."""

CATCH_UP: Final = 0.7
"""The most seconds between two disturbances when there were fewer than the play has come to."""


@dataclass
class Disturber:
    """Disturbs a farm, in a thread of its own, as the play goes on.

    Attributes:
        farm: The farm.
        kills: How many kills there will be.
        progress: Tells how much is played: 0 to 1.
        luck: What decides.
        tell: Told of each disturbance.
        done: How often each kind has come.
        moments: When each began, when it was over, in seconds of the clock.
    """

    farm: Farm
    kills: int
    progress: Callable[[], float]
    luck: random.Random
    tell: Callable[[str], None]
    done: Counter[str] = field(default_factory=Counter)
    moments: list[tuple[float, float]] = field(default_factory=list)
    _later: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _ended: threading.Event = field(default_factory=threading.Event)
    _busy: set[str] = field(default_factory=set)
    wrong: BaseException | None = None

    @property
    def killed(self) -> int:
        """How many kills there were."""
        return sum(self.done[kind] for kind in KILLS)

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Mend everything, and end."""
        self._ended.set()
        self._thread.join()
        if self.wrong is not None:
            raise self.wrong

    def _go_on(self) -> None:
        try:
            while not self._ended.is_set():
                self._mend(time.monotonic())
                for machine in self.farm.machines:
                    if machine.look():
                        self.tell(f"{machine.name} had ended by itself, and is started again")
                if self.killed < self.kills and self.killed <= self.kills * self.progress():
                    self._disturb()
                    self._ended.wait(self.luck.uniform(0.05, 2 * CATCH_UP))
                else:
                    self._ended.wait(0.1)
            while self._later:
                self._mend(self._later[0][0])
        except BaseException as wrong:  # raised again by who stops it
            self.wrong = wrong

    def _mend(self, until: float) -> None:
        while self._later and self._later[0][0] <= until:
            heapq.heappop(self._later)[2]()

    def _disturb(self) -> None:
        kind = self.luck.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        if kind == "cut":
            self._cut()
        elif kind == "database":
            self._stop_database()
        elif kind == "end":
            self._stop_machine(kind, self.luck.choice(self.farm.workers))
        else:
            choices = self.farm.workers if kind == "worker" else self.farm.doors
            self._stop_machine(kind, self.luck.choice(choices))

    def _stop_machine(self, kind: str, machine: Machine) -> None:
        if machine.name in self._busy:
            return
        if kind == "end" and machine.end():
            self._note(kind, machine.name)
            until = time.monotonic() + GRACE_SECONDS
            self._afterwards(0.5, machine.name, lambda: self._await_end(machine, until))
        elif kind != "end" and machine.kill():
            self._note(kind, machine.name)
            self._afterwards(self.luck.choice((0.0, self.luck.uniform(0, 6))), machine.name, machine.start)

    def _await_end(self, machine: Machine, until: float) -> None:
        """Start a machine again that was told to end, when it has."""
        if not machine.has_ended and time.monotonic() < until:
            self._afterwards(0.5, machine.name, lambda: self._await_end(machine, until))
            return
        if machine.kill():
            self.done["did not end when told to"] += 1
            self.tell(f"{machine.name} did not end when it was told to")
        machine.start()

    def _stop_database(self) -> None:
        if "database" in self._busy:
            return
        self.farm.server.kill()
        self._note("database", "the database")
        self._afterwards(self.luck.uniform(0, 5), "database", self.farm.server.start)

    def _cut(self) -> None:
        line = self.luck.choice(self.farm.lines)
        if line in self._busy:
            return
        how: Cut = self.luck.choice(("refused", "silent"))
        seconds = self.luck.uniform(30, 45) if self.luck.random() < LONG_CUT else self.luck.uniform(0.2, 10)
        reset = self.luck.random() < 0.5
        self.farm.network.cut(line, how)
        self._note("cut", f"{line}, {how}, {seconds:.1f} s", seconds)
        self._afterwards(seconds, line, lambda: self.farm.network.mend(line, reset=reset))

    def _note(self, kind: str, what: str, seconds: float = 0.0) -> None:
        self.done[kind] += 1
        self.moments.append((time.time(), time.time() + seconds))
        self.tell(f"{kind}: {what}")

    def _afterwards(self, seconds: float, what: str, mend: Callable[[], None]) -> None:
        self._busy.add(what)

        def finish() -> None:
            self._busy.discard(what)
            mend()

        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), finish))
