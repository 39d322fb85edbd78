"""The commands that tests disturb: what the home is before, what they do, and how a reader sees it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from unittest import mock

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.status import Status, status_of
from pbem.host.run.batch import run
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.verify import VerifyResult, verify
from pbem.play.submissions.receipts import LodgingResult
from tests.edge.faults import Image, Recorder, Step, command, committed, differences, image_of, kill_self, on
from tests.homes import NOW, SEED, TWO, a_game, a_home, orders_path, orders_text, send, submit, top, undo

JOURNAL: Final = "mail/mail.db"


@dataclass(frozen=True, slots=True)
class Case:
    """A command that is disturbed.

    Attributes:
        name: For the test id.
        prepare: Makes the home before the command.
        act: The command.
        verb: Its command line, but for the home.
        least: It takes at least so many steps, or the tests would show nothing.
        again: It may be given again when it is done, and then changes nothing.
    """

    name: str
    prepare: Callable[[Home], object]
    act: Callable[[Home], object]
    verb: tuple[str, ...]
    least: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """An undisturbed command: its steps, and the home before and after it, and what a reader is told."""

    journal: tuple[Step, ...]
    before: Image
    after: Image
    old: Mapping[str, tuple[Status, VerifyResult]]
    new: Mapping[str, tuple[Status, VerifyResult]]

    @property
    def files(self) -> Image:
        """The home after it, with the journal as before: what SQLite writes by itself is no step."""
        rest = {name: entry for name, entry in self.after.items() if name != JOURNAL}
        return rest | ({JOURNAL: self.before[JOURNAL]} if JOURNAL in self.before else {})

    def is_new(self, image: Image) -> bool:
        """Return whether an image holds the new turn; it must be that or the old one, to the byte.

        What a run notes behind its commit may still be missing.
        """
        found, done = committed(image), (committed(self.after), committed(self.files))
        assert found in done or found == committed(self.before), differences(found, done[0])
        return found in done


def reading(home: Home) -> dict[str, tuple[Status, VerifyResult]]:
    """Return where every game of a home stands, and what its verification finds."""
    return {game: (status_of(home, game), verify(home, game)) for game in home.games()}


@cache
def record(case: Case) -> Recorded:
    """Run a command undisturbed."""
    with tempfile.TemporaryDirectory() as folder:
        home = a_home(Path(folder))
        case.prepare(home)
        before, old = image_of(top(home)), reading(home)
        disk = Recorder(top(home))
        case.act(on(disk, home))
        return Recorded(tuple(disk.journal), before, image_of(top(home)), old, reading(home))


_NEVER: Json = {"crown": "A1"}
_DRAW: Json = {"draw": True}


def _lodge_both(home: Home) -> None:
    """Red has played; both seats lodge lines of which some must be left over."""
    a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-9", "do": _DRAW}])
    _run(home)
    alas: Json = {"at": "red-2", "when": {"crown": "F2"}, "do": {"play": "E1"}}
    late: Json = {"at": "red-9", "when": _NEVER, "do": _DRAW}
    send(home, "rose-1", "red", [alas, {"at": "red-2", "do": _DRAW}, late])
    play: Json = {"at": "white-1", "do": {"play": "SE1"}}
    then: Json = {"at": "white-2", "when": {"crown": {"not": "A1"}}, "do": _DRAW}
    send(home, "rose-1", "white", [play, then, {"at": "white-9", "when": _NEVER, "do": _DRAW}])


def _run_twice(home: Home) -> None:
    _lodge_both(home)
    _run(home)


def _run_and_take_back(home: Home) -> None:
    _run_twice(home)
    _undo(home)


def _run_taken_back_and_run(home: Home) -> None:
    _run_and_take_back(home)
    _run(home)
    shutil.rmtree(top(home) / "mail")  # with its journal, in which undo would note itself


def _crashed_run(home: Home) -> None:
    _lodge_both(home)
    trace = (top(home) / "games") / "rose-1" / "turns" / ".0003.tmp"
    (trace / "reports" / "red").mkdir(parents=True)
    (trace / "reports" / "red" / "report.txt").write_text("Half a rep", encoding="utf-8")
    (trace / "state.json").write_text("", encoding="utf-8")
    (trace / "reports" / "red" / "map.svg").write_text("<svg>", encoding="utf-8")


def _with_a_first_submission(home: Home) -> None:
    a_game(home)
    _write_orders(home, {"at": "red-1", "do": {"play": "N2"}})


def _with_a_replacing_submission(home: Home) -> None:
    _lodge_both(home)
    _write_orders(home, {"at": "red-3", "do": {"play": "E1"}}, {"at": "red-4", "do": _DRAW})


def _crashed_submission(home: Home) -> None:
    _with_a_replacing_submission(home)
    trace = orders_path(home, "rose-1", RED).with_name(".red.yaml.tmp")
    trace.write_text("game: rose-1 and more than the new file has\n" * 99, encoding="utf-8")


def _write_orders(home: Home, *lines: Json) -> None:
    (top(home) / "mine.yaml").write_text(orders_text("rose-1", "red", [*lines]), encoding="utf-8")


def _with_press_alone(home: Home) -> None:
    _lodge_both(home)
    text = "game: rose-1\nseat: red\npress:\n- {to: all, say: Peace}\n"
    (top(home) / "mine.yaml").write_text(text, encoding="utf-8")
    trace = orders_path(home, "rose-1", RED).with_name(".red.yaml.tmp")
    trace.write_text("game: rose-1 and what else was being written", encoding="utf-8")


def _with_a_file_of_players(home: Home) -> None:
    a_game(home)
    (top(home) / "players.yaml").write_text(TWO, encoding="utf-8")


def _crashed_new(home: Home) -> None:
    _with_a_file_of_players(home)
    trace = (top(home) / "games") / ".rose-2.tmp" / "turns" / "0000"
    trace.mkdir(parents=True)
    (trace / "map.svg").write_text("<svg>", encoding="utf-8")


def _run(home: Home) -> object:
    return run(home, "rose-1", now=NOW)


def _submit(home: Home) -> None:
    assert isinstance(submit(home, top(home) / "mine.yaml"), LodgingResult)


def _undo(home: Home) -> object:
    return undo(home, "rose-1")


def _new(home: Home) -> object:
    with mock.patch("secrets.token_bytes", bytes):
        players = top(home) / "players.yaml"
        return new_game(home, "rose-king", "rose-2", players, {}, now=NOW, seed=SEED)


RED = Seat("red")

_RUN = ("run", "rose-1", "--now", NOW.isoformat())
_SUBMIT = ("submit", "{home}/mine.yaml")
_UNDO = ("undo", "rose-1")

RUN = Case("run", _lodge_both, _run, _RUN, 50, again=True)
SUBMIT = Case("submit", _with_a_replacing_submission, _submit, _SUBMIT, 6)
UNDO = Case("undo", _run_twice, _undo, _UNDO, 5)
MAIN = (RUN, SUBMIT, UNDO)
RUN_OVER_TRACE = Case("run over the trace of a crash", _crashed_run, _run, _RUN, 55, again=True)
SUBMIT_OVER_TRACE = Case("submit over the trace of a crash", _crashed_submission, _submit, _SUBMIT, 6)
COMMANDS = (
    *MAIN,
    RUN_OVER_TRACE,
    Case("run of a turn taken back", _run_and_take_back, _run, _RUN, 50, again=True),
    SUBMIT_OVER_TRACE,
    Case("submit for the first time", _with_a_first_submission, _submit, _SUBMIT, 8),
    Case("submit of press alone", _with_press_alone, _submit, _SUBMIT, 8, again=True),
    Case("undo of a turn undone before", _run_taken_back_and_run, _undo, _UNDO, 4),
    Case("undo of one more turn", _run_and_take_back, _undo, (*_UNDO, "--turn", "2"), 4),
)
NEW = Case("new", _with_a_file_of_players, _new, (), 40)
NEW_OVER_TRACE = Case("new over the trace of a crash", _crashed_new, _new, (), 43)


def serve() -> None:
    """Fork a warm command line for every [at, arguments] on standard input; answer how each ended."""
    record(RUN)  # everything is loaded once
    with Path(os.devnull).open("w") as nowhere:
        for line in sys.stdin:
            at, arguments = json.loads(line)
            child = os.fork()
            if child == 0:
                os.dup2(nowhere.fileno(), 1)
                os._exit(command(kill_self, at, arguments))
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
