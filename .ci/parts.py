"""Run the parts of what a submission must pass: all of them two at a time, or those that are named.

Usage: python3 -I .ci/parts.py [PART...]

A part is one `make` target. Where all run, two of them compute side by side, each with one worker, and a
third waits for servers and downloads; what each one says is shown when it has ended.
The first failure ends everything. Core seconds are the processor time of a part and all that it started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
LOGS: Final = PROJECT / "build" / "ci"

COMPUTING: Final = ("lint", "test", "worlds", "postgres", "browser", "kills")
"""Each of these has work for a core all the time. The longest begin first, and both cores end together."""
WAITING: Final = ("mail", "bare", "shells", "farm")
"""These wait for servers and downloads half of the time; one of them runs beside two of the others."""

MADE_FIRST: Final = (".venv/dev", "node_modules")
"""What several parts need, so that no two of them install it at once."""

ADOPTS_ORPHANS: Final = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): servers that left their parent count to the part that started them."""
CLOSING: Final = re.compile(r"\d+ (passed|failed|error).* in [\d.]+ ?s")
SPENT: Final = re.compile(r"part (\w+): (\d+) s, (\d+) core seconds")
FAILING: Final = re.compile(r"(FAILED|ERROR) (tests|examples)/")
PATIENCE: Final = 30
"""Seconds in which a part that is interrupted can stop its servers."""


def target(part: str) -> str:
    """Return the target of the Makefile that runs a part."""
    return part if part in ("lint", "test") else f"test-{part}"


@dataclass
class Running:
    """A part that was started: its process, which leads a group of its own, and what it says."""

    part: str
    process: subprocess.Popen[bytes]
    log: Path

    def said(self) -> str:
        """Return what it has said."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def end(self) -> None:
        """End the part with all that it started, as Ctrl-C does, or else by force."""
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def run_one(part: str) -> int:
    """Run a part in this process; print its seconds, and return the exit code of make."""
    ctypes.CDLL(None).prctl(ADOPTS_ORPHANS, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    words = os.environ.get("PYTEST_ADDOPTS", "")
    environment = os.environ | {"PYTEST_ADDOPTS": f"{words} --durations=10 --exitfirst"}
    began = time.monotonic()
    make = subprocess.Popen(["make", target(part)], cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL)
    code = None
    while code is None:
        with contextlib.suppress(KeyboardInterrupt):  # make and pytest get it too, and stop their servers
            number, status = os.wait()  # or an orphan's: one that nobody waits for looks as if it still ran
            code = os.waitstatus_to_exitcode(status) if number == make.pid else None
    end_orphans()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, core = time.monotonic() - began, spent.ru_utime + spent.ru_stime
    print(f"part {part}: {wall:.0f} s, {core:.0f} core seconds, exit code {code}", flush=True)
    return code


def end_orphans() -> None:
    """End what a part has left running, and wait for it, so that its time is counted."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while left := children.read_text(encoding="ascii").split():
        for number in left:
            os.kill(int(number), signal.SIGKILL)
            os.waitpid(int(number), 0)


def start(part: str) -> Running:
    """Start a part beside others."""
    print(f"part {part} begins", flush=True)
    log = LOGS / f"{part}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-I", __file__, part],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=os.environ | {"WORKERS": "1"},
        )
    return Running(part, process, log)


def run_all() -> int:
    """Run all parts in three lanes; stop at the first failure, and name it."""
    LOGS.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    computing = list(COMPUTING)
    lanes = [computing, computing, list(WAITING)]
    running: dict[int, Running] = {}
    ended: list[Running] = []
    try:
        while any(lanes) or running:
            for number, lane in enumerate(lanes):
                if number not in running and lane:
                    running[number] = start(lane.pop(0))
                elif number in running and running[number].process.poll() is not None:
                    ended.append(running.pop(number))
                    print(f"\n===== {ended[-1].part} =====\n{ended[-1].said()}", flush=True)
                    if ended[-1].process.returncode:
                        return 1
            time.sleep(0.2)
    finally:
        for one in running.values():
            print(f"part {one.part} is stopped", flush=True)
            one.end()
        tell(ended, time.monotonic() - began)
    return 0


def tell(ended: list[Running], wall: float) -> None:
    """Print the seconds of each part and of all, how each of its pytests closed, and what failed."""
    core = 0
    print("\n===== seconds =====")
    for one in ended:
        said = one.said()
        spent = SPENT.findall(said)[-1:] or [("", "0", "0")]  # it was killed from outside
        core += int(spent[0][2])
        closings = "; ".join(line.strip("= ") for line in said.splitlines() if CLOSING.search(line))
        print(f"{one.part:<9} {spent[0][1]:>5} s {spent[0][2]:>6} core seconds  {closings}")
    print(f"{'all':<9} {wall:>5.0f} s {core:>6} core seconds")
    for one in ended:
        if one.process.returncode:
            print(*[line for line in one.said().splitlines() if FAILING.match(line)][:10], sep="\n")
            print(f"FAILED: part {one.part}; repeat it with: make ci-part PART={one.part}")


def main(parts: list[str]) -> int:
    """Run the parts that are named, one after the other, or all of them."""
    unknown = [part for part in parts if part not in COMPUTING + WAITING]
    if unknown:
        print(f"There is no part {unknown[0]}. There are: {', '.join(COMPUTING + WAITING)}", file=sys.stderr)
        return 2
    made = subprocess.run(
        ["make", "--silent", *MADE_FIRST], cwd=PROJECT, stdin=subprocess.DEVNULL, check=False
    )
    if made.returncode:
        print("FAILED: what all parts need cannot be installed")
        return 1
    if not parts:
        return run_all()
    return next((1 for part in parts if run_one(part)), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
