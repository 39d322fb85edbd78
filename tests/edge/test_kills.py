"""A turn runs once or not at all: real programs die of real SIGKILLs, and two never work on one game."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from pbem.play.homes.home import Home
from tests.edge.disturbed import COMMANDS, RUN, SUBMIT, Case, reading, record
from tests.edge.faults import differences, image_of, lay_out
from tests.homes import top

pytestmark = pytest.mark.kills

PROJECT = Path(__file__).parents[2]
FAULTS = ("-c", "from tests.edge.faults import main; main()")
SERVER = ("-c", "from tests.edge.disturbed import serve; serve()")
VERIFY = ("verify", "rose-1")
KILLED = -signal.SIGKILL
NEVER = -1
KILLED_COMMANDS = [case for case in COMMANDS if case is RUN or not case.again]

Shell: TypeAlias = Callable[[Home, tuple[str, ...], int], int]
Program: TypeAlias = "subprocess.Popen[str]"


def start(home: Path, *words: str) -> Program:
    """Start Python as a moderator of this home would: in any folder, with $PBEM_HOME."""
    found = {"PBEM_HOME": str(home), "PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path])}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *words], env=os.environ | found, text=True, stdin=pipe, stdout=pipe, stderr=pipe
    )


def words(case: Case, home: Home) -> tuple[str, ...]:
    """Return the command line of a command."""
    return tuple(word.format(home=top(home)) for word in case.verb)


def place(case: Case, at: int) -> str:
    """Return the number of a step, counted from 0, or from -1 for the last."""
    return str(at % len(record(case).journal))


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """Return what gives commands to forks of a warm program, kills them at a step, and tells the code."""
    server = start(tmp_path_factory.getbasetemp(), *SERVER)

    def give(home: Home, verb: tuple[str, ...], at: int) -> int:
        assert server.stdin and server.stdout
        server.stdin.write(json.dumps([at, [*verb, "--home", str(top(home))]]) + "\n")
        server.stdin.flush()
        return int(server.stdout.readline())

    yield give
    server.communicate()


def heard(program: Program) -> str:
    """Return the next line that a program says."""
    assert program.stdout
    return program.stdout.readline().strip()


def kill_after(seconds: float, home: Home, *words: str) -> int:
    """Kill a program from outside unless it is done before, and return its exit code."""
    program = start(top(home), *words)
    try:
        program.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()
    return program.returncode


def check_killed(case: Case, home: Home, shell: Shell) -> None:
    """Look at a home after a kill: no lock, the old turn or the new one, and all is well when tried again."""
    recorded = record(case)
    with home.held("rose-1"):
        done = recorded.is_new(image_of(top(home)))
    assert reading(home) == (recorded.new if done else recorded.old)
    if case.again or not done:
        assert shell(home, words(case, home), NEVER) == 0
    assert differences(image_of(top(home)), recorded.after) == []


@pytest.mark.parametrize("case", KILLED_COMMANDS, ids=lambda case: case.name)
def test_a_kill_at_any_step_leaves_the_old_turn_or_the_new_one(
    case: Case, tmp_path: Path, shell: Shell
) -> None:
    recorded = record(case)
    kills = 0
    for at in range(len(recorded.journal)):
        home = lay_out(recorded.before, tmp_path / "home")

        assert shell(home, words(case, home), at) == KILLED

        kills += 1
        check_killed(case, home, shell)

    home = lay_out(recorded.before, tmp_path / "home")
    assert shell(home, words(case, home), len(recorded.journal)) == 0
    assert kills >= case.least


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kills_at_random_moments_one_after_the_other_do_no_harm(
    seed: int, tmp_path: Path, shell: Shell
) -> None:
    recorded, moments = record(RUN), random.Random(seed)
    home = lay_out(recorded.before, tmp_path / "home")
    since = time.monotonic()
    start(top(home), "-m", "pbem", *words(RUN, home)).communicate()
    whole = time.monotonic() - since
    ends = []
    for part in range(8):
        if recorded.is_new(image_of(top(home))):
            lay_out(recorded.before, top(home))

        ends.append(kill_after((part + moments.random()) / 8 * whole, home, "-m", "pbem", *words(RUN, home)))

        recorded.is_new(image_of(top(home)))
        assert shell(home, VERIFY, NEVER) == 0

    assert KILLED in ends
    assert {*ends} <= {0, KILLED}
    check_killed(RUN, home, shell)


@pytest.mark.parametrize("at", [0, 30, -2, -1], ids=lambda at: f"before step {at}")
def test_a_second_run_is_refused_while_the_first_is_at_work(at: int, tmp_path: Path) -> None:
    recorded = record(RUN)
    home = lay_out(recorded.before, tmp_path / "home")
    with start(top(home), *FAULTS, "pause", place(RUN, at), *words(RUN, home)) as first:
        assert heard(first) == "paused"
        before = image_of(top(home))

        second = start(top(home), "-m", "pbem", *words(RUN, home))
        _, talk = second.communicate()

        assert second.returncode == 3
        assert "rose-1: another pbem is at work on it" in talk
        assert differences(image_of(top(home)), before) == []
        first.communicate("\n")
    assert first.returncode == 0
    assert differences(image_of(top(home)), recorded.after) == []


@pytest.mark.parametrize("at", [0, -2, -1], ids=lambda at: f"before step {at}")
def test_a_submission_waits_for_a_run_and_is_lodged_for_the_next_turn(at: int, tmp_path: Path) -> None:
    before = record(SUBMIT).before
    one_by_one = lay_out(before, tmp_path / "one by one")
    RUN.act(one_by_one)
    SUBMIT.act(one_by_one)
    home = lay_out(before, tmp_path / "home")
    with start(top(home), *FAULTS, "pause", place(RUN, at), *words(RUN, home)) as run:
        assert heard(run) == "paused"
        paused = image_of(top(home))

        with start(top(home), *FAULTS, "wait", str(NEVER), *words(SUBMIT, home)) as submit:
            assert heard(submit) == "waiting"
            assert differences(image_of(top(home)), paused) == []
            run.communicate("\n")
            receipt, _ = submit.communicate()

    assert (run.returncode, submit.returncode) == (0, 0)
    assert "lodged for red in rose-1, receipt 3." in receipt
    assert differences(image_of(top(home)), image_of(top(one_by_one))) == []


def test_of_four_runs_at_once_one_makes_the_turn(tmp_path: Path) -> None:
    recorded = record(RUN)
    home = lay_out(recorded.before, tmp_path / "home")

    programs = [start(top(home), "-m", "pbem", *words(RUN, home)) for _ in range(4)]
    said = [program.communicate()[0] for program in programs]

    assert {program.returncode for program in programs} <= {0, 3}
    assert sum("rose-1: turn 3" in text for text in said) == 1
    assert differences(image_of(top(home)), recorded.after) == []
