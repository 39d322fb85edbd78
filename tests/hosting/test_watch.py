"""The watch over the host: each reason by name, told once, overridden and written down."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.cli.moderation.turns import REASONS
from pbem.host.notices.queue import act_words
from pbem.host.office import watch
from pbem.host.office.watch import Uptime, beat
from pbem.host.run.batch import SkippedGame, run, run_games
from pbem.host.run.night import Night
from pbem.host.run.notes import notes_of
from pbem.mail.arrivals.intake import Arrival, store_arrival
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.turn.running import RunOutcome
from pbem.store.errors import GateClosedError
from pbem.store.mailout import OutboundMail
from pbem.store.records import Kind, kind_of, read_facts
from tests.facts import tells
from tests.homes import came_in, top, tree
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    MINUTE,
    TUESDAY,
    a_club,
    due,
    night,
    notices,
    pbem,
    queued,
    stay,
)


def beats(home: Home, *hours: float, boot: str = "", up: float | None = None) -> None:
    """Note heartbeats so many hours after the deadline, and that the reports of turn 1 were queued.

    `up` is the other clock at the last one.
    """
    with home.journal() as db:
        db.set_note(GAME, "reported:1", "0")
        for hour in hours:
            uptime = None if up is None else Uptime(boot or "a", 3600 * (up + hour - hours[-1]))
            beat(db, TUESDAY + hour * HOUR, uptime)


def refused(home: Home) -> list[str]:
    """Return the names of the reasons for which a run is refused; nothing is changed then."""
    before = tree(top(home) / "games")
    with pytest.raises(GateClosedError) as closed:
        due(home, TUESDAY)
    assert tree(top(home) / "games") == before
    return [reason.name for reason in closed.value.reasons]


def at_work(home: Home) -> None:
    beats(home, -1, 0)


def took_in(home: Home) -> None:
    at_work(home)
    with home.journal() as db:
        came_in(db, "1", TUESDAY - HOUR)


def spooled(home: Home) -> None:
    at_work(home)
    folder = top(home) / "mail/spool/new"
    folder.mkdir(parents=True)
    (folder / "1.mail").write_text("", encoding="utf-8")


def unsent(home: Home) -> None:
    at_work(home)
    with home.journal() as db:
        db.put(OutboundMail(GAME, 1, "2", "report", 0, "bob@example.test", "", "<1@pbem.test>", b""), MADE)


def failed(home: Home) -> None:
    unsent(home)
    with home.journal() as db:
        db.mark(db.outbox("queued")[0].id, "failed", MADE, why="550 no such user")


def unmade(home: Home) -> None:
    at_work(home)
    with home.journal() as db:
        db.set_note(GAME, "reported:1", None)


def lost(home: Home) -> None:
    at_work(home)
    with home.journal() as db:
        db.set_note(GAME, "reported:2", "0")


def jumped(home: Home) -> None:
    beats(home, -5, -4, boot="a", up=10)
    with home.journal() as db:
        beat(db, TUESDAY, Uptime("a", 3600 * 10.1))


REASON_ROWS = [
    ("down", "not since three hours before", lambda home: beats(home, -4, -3)),
    ("clock", "set forwards over it", jumped),
    ("unread", "a mail taken in", took_in),
    ("unread", "a mail in the spool", spooled),
    ("unsent", "a report not sent", unsent),
    ("unsent", "a report that its server refused", failed),
    ("unsent", "reports that could not be made", unmade),
    ("lost", "a turn that was mailed and is gone", lost),
    ("disk", "full", at_work),
]


@pytest.mark.parametrize(
    ("name", "happened"),
    [(row[0], row[2]) for row in REASON_ROWS],
    ids=[f"{row[0]}: {row[1]}" for row in REASON_ROWS],
)
def test_a_run_that_would_answer_for_the_silent_is_refused_by_name_and_can_be_overridden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, happened: Callable[[Home], None]
) -> None:
    """The moderator is told by mail how, and that it was overridden is written down."""
    home = a_club(tmp_path, by_mail=True)
    stay(home, "1", "2")
    happened(home)
    if name == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    for verb in ("_receive", "_send"):  # which would mend what was unread or not sent
        monkeypatch.setattr(Night, verb, lambda night, *games: None)
    assert refused(home) == [name]

    ran: list[RunOutcome | SkippedGame] = []
    for overrides in ((), (name,)):
        terms: dict[str, Any] = {"due": True, "overrides": overrides, "deal": False, "attended": False}
        run_games(home, [GAME], now=TUESDAY, done=ran.append, **terms)
        Night(home, TUESDAY, print).end(ran[-1:], [GAME])

    assert isinstance(ran[1], RunOutcome)
    assert (ran[1].turn, ran[1].missed, ran[1].overrides) == (2, ("3",), (name,))
    assert SavedGame(home, GAME).record["overrides"] == [name]
    assert verify(home, GAME).findings == ()
    (told,) = notices(home, "run-refused")
    assert f"pbem run club --due --override {name}" in " ".join(told.raw.decode().split())
    with home.journal() as db:
        acts = [read_facts(act.facts) for act in db.acts(GAME) if not act.public]
    assert acts == [{"kind": "gate-overridden", "turn": 2, "reasons": acts[0]["reasons"]}]


@pytest.mark.parametrize("happened", [lambda home: None, jumped, unsent], ids=["down", "clock", "unsent"])
def test_a_game_without_mail_has_fewer_reasons(tmp_path: Path, happened: Callable[[Home], None]) -> None:
    home = a_club(tmp_path)
    happened(home)

    if happened is jumped:
        assert refused(home) == ["clock"]
    else:
        assert due(home, TUESDAY).turn == 2


@pytest.mark.parametrize(
    ("revision", "kind", "is_refused"),
    [(0, "report", []), (0, "notice", ["unsent"]), (1, "report", ["unsent"])],
    ids=["its report", "another mail", "a report of a turn that was run otherwise"],
)
def test_a_seat_was_told_of_a_turn_if_its_very_report_went_out(
    tmp_path: Path, revision: int, kind: Kind, is_refused: list[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    stay(home, "1", "2")
    unmade(home)
    with home.journal() as db:
        for seat in ("1", "2", "3"):
            row = OutboundMail(
                GAME, 1, seat, kind, revision, "x@example.test", "", f"<{seat}@pbem.test>", b""
            )
            db.put(row, MADE)
        db.run("UPDATE outbox SET state = 'sent'")

    if is_refused:
        assert refused(home) == is_refused
    else:
        assert due(home, TUESDAY).turn == 2


def test_a_full_disk_keeps_every_run_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_club(tmp_path, gate={"disk": 70})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=69_000_000))
    assert due(home, TUESDAY - HOUR).turn is None, "a run with nothing to resolve is never refused"
    stay(home, "1", "2", "3")

    with pytest.raises(GateClosedError, match=r"(?s)69 MB.*70 MB"):
        run(home, GAME, now=MADE + HOUR)

    assert run(home, GAME, now=MADE + HOUR, overrides=("disk",)).turn == 2


def test_every_reason_of_the_watch_can_be_overridden_at_the_command_line() -> None:
    assert set(watch.NAMES) <= set(REASONS)
    assert list(REASONS) == sorted(REASONS)


def with_turns(path: Path, *gone: int, by_mail: bool = True) -> Home:
    """Return a home whose game stood at turn 4 and was mailed, if it is by mail, and has lost some turns."""
    home = a_club(path, by_mail=by_mail, gate={"disk": 0})
    for number in (1, 2, 3):
        stay(home, "1", "2", "3", label=f"turn-{number}")
        assert pbem(home, "run", GAME, now=MADE + number * HOUR) == 0
    assert not by_mail or pbem(home, "send", now=MADE + 4 * HOUR) == 0
    for turn in gone:
        shutil.rmtree(top(home) / "games" / GAME / "turns" / f"{turn:04d}")
    return home


@pytest.mark.parametrize(("gone", "by_mail"), [((2, 3), True), ((4,), False)], ids=["two", "the newest"])
def test_each_turn_that_is_gone_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gone: tuple[int, ...], by_mail: bool
) -> None:
    home = with_turns(tmp_path, *gone, by_mail=by_mail)
    for verb, codes in {"run": (1, 3), "verify": (1, 3), "doctor": (1, 3), "status": (0,)}.items():
        words = [verb] if verb == "doctor" else [verb, GAME]
        capsys.readouterr()

        code = run_command([*words, "--home", str(top(home))])

        said = capsys.readouterr()
        told = " ".join(said.out.split() + said.err.split())
        for turn in gone:
            assert f"turns/{turn:04d}: " in told or tells(told, GAME, str(turn))
        assert code in codes, verb


KILLED_AT_LETTER = """
import sys
from pbem.cli import run_command
from pbem.host.notices import reports
from tests.edge.faults import kill_self
reports.remake_news = lambda *_: kill_self()
run_command(sys.argv[1:])
"""


@pytest.mark.kills
def test_a_run_killed_behind_a_turn_made_again_is_told_of_by_the_next_run_once(tmp_path: Path) -> None:
    home = with_turns(tmp_path, 4)
    words = f"run {GAME} --override lost --now {(MADE + 5 * HOUR).isoformat()} --home {top(home)}".split()

    killed = subprocess.run([sys.executable, "-c", KILLED_AT_LETTER, *words], check=False)

    assert (killed.returncode, SavedGame(home, GAME).turn) == (-signal.SIGKILL, 4)
    stay(home, "1", "2", "3", label="turn-4")
    for hour in (6, 7):
        assert pbem(home, "run", GAME, now=MADE + hour * HOUR) == 0
        assert pbem(home, "send", now=MADE + hour * HOUR) == 0
        told = [mail.seat for mail in queued(home, "notice") if b"Turn 4 is made again" in mail.raw]
        assert told == ["1", "2", "3"]
    (act,) = [one for one in notes_of(home, GAME).acts if kind_of(one.facts) == "turn-remade"]
    assert act_words(home, act, None) not in report(home, GAME, "1", 5)


def take_questions(home: Home, count: int = 3) -> None:
    """Take mails in that are no orders."""
    with home.journal() as db:
        for number in range(count):
            mail = b"Subject: A question\r\n\r\nWhen do we begin? %d\r\n" % number
            store_arrival(home, db, Arrival("stdin", MADE, "ann@example.test", "host@pbem.test", mail))


def lose_journal(home: Home) -> None:
    """Delete the journal of a home."""
    for path in (top(home) / "mail").glob("mail.db*"):
        path.unlink()


@pytest.mark.parametrize("between", [(), ("hold", GAME, "1")], ids=["at once", "after an act"])
def test_after_a_lost_journal_no_turn_is_made_before_the_moderator_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], between: tuple[str, ...]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_questions(home)
    night(home, MADE + HOUR)
    stay(home, "1", "2", "3")
    lose_journal(home)
    if between:
        pbem(home, *between, now=MADE + 2 * HOUR)
        pbem(home, *between, "--release", now=MADE + 2 * HOUR)
    capsys.readouterr()

    assert pbem(home, "run", GAME, now=MADE + 2 * HOUR) == 3
    for minutes in range(2):
        assert pbem(home, "run", "--due", now=MADE + 2 * HOUR + minutes * MINUTE) == 3

    told = capsys.readouterr().err
    assert tells(told, "--override")
    assert SavedGame(home, GAME).turn == 1
    assert len(notices(home, "run-refused")) == 1
    assert pbem(home, "run", GAME, "--override", "journal", now=MADE + 3 * HOUR) == 0
    stay(home, "1", "2", "3", label="turn-2")
    assert pbem(home, "run", "--due", now=MADE + 4 * HOUR) == 0
    assert SavedGame(home, GAME).turn == 3


def test_a_game_run_in_spite_of_a_lost_journal_goes_on_by_itself(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_questions(home)
    stay(home, "1", "2", "3")
    lose_journal(home)
    later = MADE + 2 * HOUR + MINUTE / 100_000

    assert pbem(home, "run", GAME, "--due", "--override", "journal", "--override", "unsent", now=later) == 0
    stay(home, "1", "2", "3", label="turn-2")

    assert pbem(home, "run", GAME, "--due", now=later + HOUR) == 0
    assert SavedGame(home, GAME).turn == 3


def test_mails_that_are_kept_and_not_noted_yet_are_no_lost_journal(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_questions(home)
    for number in range(2):  # a kill came before their rows
        (top(home) / f"mail/raw/{number:064}.eml").write_bytes(b"Subject: Hello\r\n\r\n")
    stay(home, "1", "2", "3")

    assert pbem(home, "run", GAME, "--override", "unread", now=MADE + HOUR) == 0


def test_verify_plays_turns_again_where_the_journal_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_turns(tmp_path)
    (top(home) / "mail" / "mail.db").write_bytes(b"x" * 9000)
    for left in ("mail.db-wal", "mail.db-shm"):
        (top(home) / "mail" / left).unlink(missing_ok=True)

    assert run_command(["verify", GAME, "--home", str(top(home))]) == 0

    told = " ".join(capsys.readouterr().out.split())
    assert "5 turns intact, 5 recomputed." in told
