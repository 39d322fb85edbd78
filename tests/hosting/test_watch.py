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
from pbem.core.events import Seat
from pbem.host.notices.wording import act_words
from pbem.host.office import watch
from pbem.host.office.status import status_of
from pbem.host.office.watch import Uptime, beat
from pbem.host.run.batch import SetAside, run, run_games
from pbem.host.run.losses import lost_findings
from pbem.host.run.night import Night
from pbem.host.run.notes import notes_of
from pbem.host.run.undo import take_back
from pbem.host.time.extensions import announce_absence
from pbem.mail.arrivals.intake import Arrival, take_in
from pbem.play.config.gamefile import Absence
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.turn.running import Ran
from pbem.store.errors import GateClosedError, WrongInput
from pbem.store.mailout import Outbound
from pbem.store.records import Kind, kind_of, read_facts
from tests.facts import tells
from tests.homes import top, tree
from tests.hosting.games import (
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    MODERATOR,
    TUESDAY,
    a_club,
    due,
    night,
    notices,
    pbem,
    queued,
    stay,
)


def told(home: Home) -> None:
    """Note that the reports of turn 1 were queued."""
    with home.journal() as db:
        db.set_note(GAME, "reported:1", "0")


def beats(home: Home, *hours: float, boot: str = "", up: float | None = None) -> None:
    """Note heartbeats so many hours after the deadline; `up` is the other clock at the last one."""
    told(home)
    with home.journal() as db:
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
        db.take_in(
            key="1",
            source="spool",
            received=TUESDAY - HOUR,
            envelope_from="",
            recipient="x",
            sha256="",
            raw="x",
        )


def spooled(home: Home) -> None:
    at_work(home)
    folder = top(home) / "mail/spool/new"
    folder.mkdir(parents=True)
    (folder / "1.mail").write_text("", encoding="utf-8")


def unsent(home: Home) -> None:
    at_work(home)
    with home.journal() as db:
        db.put(Outbound(GAME, 1, "2", "report", 0, "bob@example.test", "", "<1@pbem.test>", b""), MADE)


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
    ("down", "never seen", lambda home: None),
    ("down", "not since three hours before", lambda home: beats(home, -4, -3)),
    ("clock", "set forwards over it", jumped),
    ("unread", "a mail taken in", took_in),
    ("unread", "a mail in the spool", spooled),
    ("unsent", "a report not sent", unsent),
    ("unsent", "a report that its server refused", failed),
    ("unsent", "reports that could not be made", unmade),
    ("lost", "a turn that was mailed and is gone", lost),
]


@pytest.mark.parametrize(
    ("name", "happened"),
    [(row[0], row[2]) for row in REASON_ROWS],
    ids=[f"{row[0]}: {row[1]}" for row in REASON_ROWS],
)
def test_a_run_that_would_answer_for_the_silent_is_refused_by_name_and_can_be_overridden(
    tmp_path: Path, name: str, happened: Callable[[Home], None]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    stay(home, "1", "2")
    happened(home)

    assert refused(home) == [name]
    ran = due(home, TUESDAY, overrides=(name,))

    assert (ran.turn, ran.missed, ran.overrides) == (2, ("3",), (name,))
    assert SavedGame(home, GAME).record["overrides"] == [name]
    assert verify(home, GAME).findings == ()


@pytest.mark.parametrize("hours", [(-1, 0), (-2, 0), (-3, -1.5, 0), (-1,)])
def test_a_host_that_was_at_work_runs(tmp_path: Path, hours: tuple[float, ...]) -> None:
    home = a_club(tmp_path, by_mail=True)
    stay(home, "1", "2")
    beats(home, *hours)

    assert due(home, TUESDAY).turn == 2


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
            row = Outbound(GAME, 1, seat, kind, revision, "x@example.test", "", f"<{seat}@pbem.test>", b"")
            db.put(row, MADE)
        db.run("UPDATE outbox SET state = 'sent'")

    if is_refused:
        assert refused(home) == is_refused
    else:
        assert due(home, TUESDAY).turn == 2


@pytest.mark.parametrize(
    ("seats", "sent", "away", "is_refused"),
    [
        (3, ("1", "2"), (), False),
        (3, ("1",), (), True),
        (4, ("1", "2"), (), False),
        (4, ("1",), (), True),
        (5, ("1", "2"), (), True),
        (5, ("1", "2"), ("3",), False),
        (2, (), (), False),
    ],
)
def test_most_seats_are_silent_when_more_than_half_of_three_or_more_are(
    tmp_path: Path, seats: int, sent: tuple[str, ...], away: tuple[str, ...], is_refused: bool
) -> None:
    home = a_club(tmp_path, by_mail=True, seats=seats)
    stay(home, *sent)
    for seat in away:
        announce_absence(home, GAME, Seat(seat), Absence(MADE, FRIDAY), MADE)
    at_work(home)

    assert status_of(home, GAME, MADE).stands == ()
    if is_refused:
        assert refused(home) == ["silent"]
        (why,) = status_of(home, GAME, TUESDAY).stands
        assert why.startswith("silent: ")
        assert tells(status_of(home, GAME, TUESDAY).text(), why)
        assert due(home, TUESDAY, overrides=("silent",)).turn == 2
    else:
        assert due(home, TUESDAY).turn == 2


def test_bots_do_not_count_among_those_who_are_heard(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, seats=4)
    file = (top(home) / "games") / GAME / "game.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("player: Dora,", "player: Dora, bot: greedy,"), encoding="utf-8")
    stay(home, "1")
    at_work(home)

    assert refused(home) == ["silent"]


def test_a_full_disk_keeps_every_run_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_club(tmp_path, gate={"disk": 70})
    stay(home, "1", "2", "3")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=69_000_000))

    with pytest.raises(GateClosedError, match=r"(?s)69 MB.*70 MB"):
        run(home, GAME, now=MADE + HOUR)

    assert run(home, GAME, now=MADE + HOUR, overrides=("disk",)).turn == 2


def test_a_run_with_nothing_to_resolve_is_never_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path, by_mail=True)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    took_in(home)

    assert due(home, TUESDAY - HOUR).turn is None


def test_the_moderator_is_told_by_mail_once_for_each_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    told(home)
    stay(home, "1", "2")

    codes = [night(home, TUESDAY + n * MINUTE) for n in range(3)]
    said = capsys.readouterr().err
    mails = [mail for mail in queued(home) if mail.rcpt == "mary@example.test"]

    assert codes == [3, 3, 3]
    assert tells(said, GAME, "--due --override")
    assert [mail.kind for mail in mails] == ["notice"]
    text = mails[0].raw.decode()
    assert "pbem run club --due --override down" in text


EACH: dict[str, Callable[[Home], None]] = {
    **{name: happened for name, _, happened in REASON_ROWS if happened is not unmade},
    "disk": at_work,
    "silent": at_work,
}


@pytest.mark.parametrize("name", sorted(EACH))
def test_each_reason_is_told_to_the_moderator_by_mail_and_its_override_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    home = a_club(tmp_path, by_mail=True)
    stay(home, *("1", "2")[: 1 if name == "silent" else 2])
    EACH[name](home)
    if name == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    for verb in ("_receive", "_send"):  # which would mend what was unread or not sent
        monkeypatch.setattr(Night, verb, lambda night, *games: None)

    for overrides in ((), (name,)):
        results: list[Ran | SetAside] = []
        terms: dict[str, Any] = {"due": True, "overrides": overrides, "deal": False, "attended": False}
        run_games(home, [GAME], now=TUESDAY, done=results.append, **terms)
        Night(home, TUESDAY, print).end(results, [GAME])

    notices = [mail.raw.decode() for mail in queued(home, "notice") if mail.rcpt == MODERATOR]
    assert f"pbem run club --due --override {name}" in " ".join(notices[0].split())
    with home.journal() as db:
        acts = [read_facts(act.facts) for act in db.acts(GAME) if not act.public]
    assert acts == [{"kind": "gate-overridden", "turn": 2, "reasons": acts[0]["reasons"]}]


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


def test_a_lost_turn_is_made_again_only_when_the_moderator_says_so_and_counts_from_then_on(
    tmp_path: Path,
) -> None:
    home = with_turns(tmp_path, 4, by_mail=False)
    note = top(home) / "games" / GAME / "newest.json"
    before = note.read_bytes()
    assert pbem(home, "run", GAME, now=MADE + 5 * HOUR) == 3
    assert note.read_bytes() == before

    assert pbem(home, "run", GAME, "--override", "lost", now=MADE + 5 * HOUR) == 0

    assert verify(home, GAME).findings == ()
    assert list(lost_findings(home, GAME)) == []
    assert pbem(home, "undo", GAME, now=MADE + 6 * HOUR) == 0
    assert list(lost_findings(home, GAME)) == [], "it was taken back, and is not lost"
    assert pbem(home, "run", GAME, now=MADE + 7 * HOUR) == 0
    shutil.rmtree(top(home) / "games" / GAME / "turns" / "0004")
    assert [one.place for one in lost_findings(home, GAME)] == ["turns/0004"]
    rows = dict(status_of(home, GAME, MADE + 8 * HOUR).rows())
    assert "rests" not in rows and tells(rows["DAMAGED"], "turns/0004")
    with pytest.raises(WrongInput):
        take_back(home, GAME, MADE + 8 * HOUR)


KILLED_AT_LETTER = """
import sys
from pbem.cli import run_command
from pbem.host.notices import reports
from tests.edge.faults import kill_self
reports.tell_remade = lambda *_: kill_self()
run_command(sys.argv[1:])
"""


@pytest.mark.kills
def test_a_run_killed_behind_a_turn_made_again_is_told_of_by_the_next_run_once(tmp_path: Path) -> None:
    home = with_turns(tmp_path, 4)
    words = [
        "run",
        GAME,
        "--override",
        "lost",
        "--now",
        (MADE + 5 * HOUR).isoformat(),
        "--home",
        str(top(home)),
    ]

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


def test_a_run_by_name_tells_of_a_lost_turn_also_where_nothing_waits(tmp_path: Path) -> None:
    home = with_turns(tmp_path, 3, 4, by_mail=False)

    with pytest.raises(GateClosedError):
        run(home, GAME, now=MADE + 5 * HOUR)

    assert run(home, GAME, now=MADE + 5 * HOUR, overrides=("lost",)).turn is None


def take_questions(home: Home, count: int = 3) -> None:
    """Take mails in that are no orders."""
    with home.journal() as db:
        for number in range(count):
            mail = b"Subject: A question\r\n\r\nWhen do we begin? %d\r\n" % number
            take_in(home, db, Arrival("stdin", MADE, "ann@example.test", "host@pbem.test", mail))


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


@pytest.mark.parametrize("how", [(), ("--due",)], ids=["by hand", "as the night job"])
def test_a_game_run_in_spite_of_a_lost_journal_goes_on_by_itself(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_questions(home)
    stay(home, "1", "2", "3")
    lose_journal(home)
    later = MADE + 2 * HOUR + MINUTE / 100_000

    assert pbem(home, "run", GAME, *how, "--override", "journal", "--override", "unsent", now=later) == 0
    stay(home, "1", "2", "3", label="turn-2")

    assert pbem(home, "run", GAME, *how, now=later + HOUR) == 0
    assert SavedGame(home, GAME).turn == 3


def test_mails_that_are_kept_and_not_noted_yet_are_no_lost_journal(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_questions(home)
    for number in range(2):  # a kill came before their rows
        (top(home) / f"mail/raw/{number:064}.eml").write_bytes(b"Subject: Hello\r\n\r\n")
    stay(home, "1", "2", "3")

    assert pbem(home, "run", GAME, "--override", "unread", now=MADE + HOUR) == 0


@pytest.mark.parametrize("damage", ["", "x", '{"turn": null, "revision": 0}'])
def test_a_note_that_lags_or_cannot_be_read_keeps_no_game_back(tmp_path: Path, damage: str) -> None:
    home = with_turns(tmp_path, by_mail=False)
    note = top(home) / "games" / GAME / "newest.json"
    before = note.read_bytes()
    note.write_text(damage, encoding="utf-8") if damage else note.unlink()

    assert pbem(home, "run", GAME, now=MADE + 5 * HOUR) == 0

    assert note.read_bytes() == before


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


def test_no_other_turn_is_taken_back_in_place_of_one_that_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_turns(tmp_path, 4)

    assert pbem(home, "undo", GAME, now=MADE + 5 * HOUR) == 1

    told = " ".join(capsys.readouterr().err.split())
    assert tells(told, "club/turns/0004")
    assert "pbem undo club --turn 3" in told
    assert pbem(home, "undo", GAME, "--turn", "3", now=MADE + 5 * HOUR) == 0


def test_a_turn_that_is_missing_in_the_middle_is_not_sought_by_taking_others_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_turns(tmp_path, 3, by_mail=False)
    before = tree(top(home) / "games")

    assert pbem(home, "undo", GAME, now=MADE + 5 * HOUR) == 1

    told = " ".join(capsys.readouterr().err.split())
    assert tells(told, "club/turns/0003")
    assert tells(told, "--override")
    assert "pbem undo club --turn" not in told, "the turn before it is the missing one"
    assert pbem(home, "undo", GAME, "--turn", "4", now=MADE + 5 * HOUR) == 1
    assert tree(top(home) / "games") == before
