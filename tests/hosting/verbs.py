"""Verbs that change something, and homes to give them in, for tests that stop them or fill the disk."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.mail import spool
from pbem.mail.modsecret import renew
from pbem.play.closing import close
from pbem.play.home import Home
from tests.edge.faults import Image, committed, image_of
from tests.homes import a_game, a_home, orders_text, top
from tests.hosting.games import DAY, GAME, HOUR, MADE, MODERATOR, a_club, pbem, stay
from tests.mail.homes import TWO_BY_MAIL, write_settings
from tests.mail.host import Host, read

NOW = MADE + 2 * HOUR
ANN, CLEO = "ann@example.test", "cleo@example.test"
TABLE = "seats:\n  '1': {player: Ann, address: ann@example.test}\n  '2': {}\n"


@cache
def a_running_club() -> Image:
    """Return a club whose second turn was run and mailed."""
    with TemporaryDirectory() as folder:
        home = a_club(Path(folder), by_mail=True, gate={"disk": 0})
        stay(home, "1", "2", "3")
        pbem(home, "run", GAME, now=MADE + HOUR)
        assert pbem(home, "send", now=MADE + HOUR) == 0
        return image_of(top(home))


@cache
def a_club_before_the_deal() -> Image:
    """Return a home with a game that somebody can join."""
    with TemporaryDirectory() as folder:
        home = a_home(Path(folder))
        write_settings(home, moderator=MODERATOR, sendmail="/bin/true")
        a_game(home, GAME, rules="web-of-intrigue", table=TABLE + "open: true\n", deal=False)
        assert pbem(home, "send", now=MADE + HOUR) == 0
        return image_of(top(home))


@dataclass(frozen=True)
class Case:
    """A command to disturb.

    Attributes:
        words: The command.
        prepare: What is done in the home before it.
        before: The home.
        least: So many steps it takes at least, or the test would show nothing.
        done: How it ends when it is given again after all was done.
        every: It is stopped before every so many steps.
        alone: It changes the journal alone: all of it or nothing.
    """

    words: tuple[str, ...]
    prepare: Callable[[Home], object] = lambda home: None
    before: Callable[[], Image] = a_running_club
    least: int = 4
    done: int = 1
    every: int = 1
    alone: bool = False


def words(case: Case, home: Home) -> list[str]:
    """Return the command line of a command."""
    given = [one.format(home=top(home)) for one in case.words]
    if given[0] == "init":
        return given
    if given[0] not in ("submit", "archive", "home"):
        given += ["--now", NOW.isoformat()]
    return [*given, "--home", str(top(home))]


_OTHER = re.compile("mail/|site/archive.json$")
"""Files that tell moments of the clock on the wall, and the journal, of which the rows count."""


_RECEIPT = re.compile(rb"# pbem receipt .*\n$")
"""Files that are submitted again get another number."""


def state_of(home: Home) -> tuple[object, list[object]]:
    """Return all that a command can have changed: files that count, and rows but for what counts tries."""
    files = {
        name: (_RECEIPT.sub(b"", one.data or b""), one.private)
        for name, one in committed(image_of(top(home))).items()
        if not _OTHER.match(name)
    }
    with home.journal() as db:
        rows: list[object] = [
            *db.rows("SELECT who, game, act, detail, public, facts FROM acts ORDER BY id"),
            *db.rows("SELECT game, key, value FROM game_notes WHERE game != '' ORDER BY game, key"),
            *db.rows(
                "SELECT game, turn, seat, kind, rcpt, message_id, state FROM outbox ORDER BY message_id"
            ),
            *db.rows("SELECT state, verdict, game, seat, receipt FROM intake ORDER BY id"),
        ]
    return files, rows


def _paused(home: Home) -> None:
    pbem(home, "pause", GAME)


def _cancelled(home: Home) -> None:
    pbem(home, "cancel", GAME, "--why", "a quarrel")


def _held(home: Home) -> None:
    pbem(home, "hold", GAME, "1")


def _orders_of_all(home: Home) -> None:
    for seat in ("1", "2", "3"):
        text = orders_text(GAME, seat, [{"at": "turn-2", "do": {"move": "stay"}}])
        (top(home) / f"{seat}.yaml").write_text(text, encoding="utf-8")


def _lodged(home: Home) -> None:
    stay(home, "1", "2", "3", label="turn-2")


def _a_table(home: Home) -> None:
    (top(home) / "players.yaml").write_text(TABLE.replace("{}", "{player: Bob}"), encoding="utf-8")


def _announced(home: Home) -> None:
    pbem(home, "announce", GAME, "Welcome, all.")


def _another_game(home: Home) -> None:
    a_game(home, "rose-1", table=TWO_BY_MAIL)


def _a_question(home: Home) -> None:
    host = Host(home, now=NOW)
    assert (
        host.gets(host.a_mail("Whose turn is it?", ANN), host.address("1", GAME), ANN).verdict == "question"
    )


def _damaged(home: Home) -> None:
    folder = top(home) / "mail"
    with home.journal() as db:
        db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = (folder / "mail.db").read_bytes()
    (top(home) / "damaged.db").write_bytes(whole[:-4096] + b"x" * 4096)
    for path in folder.glob("mail.db*"):
        path.unlink()


def _damaged_turn(home: Home) -> None:
    turn = top(home) / "games" / GAME / "turns" / "0001"
    for name in ("state.json", "events.jsonl", "reports/2/report.txt"):
        (turn / name).write_bytes(b"{}")
    (turn / "reports" / "3" / "report.json").unlink()


def _closed(home: Home) -> None:
    close(home, "it moved", NOW)


def _spooled(home: Home, raw: bytes, recipient: str, sender: str = ANN) -> None:
    at = int(NOW.timestamp() * 1e9)
    spool.keep(str(top(home)), sender, recipient, io.BytesIO(raw).read, at)


def _orders_by_mail(home: Home) -> None:
    host = Host(home)
    text = orders_text(GAME, "1", [{"at": "turn-2", "do": {"move": "stay"}}])
    _spooled(home, host.a_mail(text, ANN), host.address("1", GAME))


def _press_by_mail(home: Home) -> None:
    host = Host(home)
    _spooled(home, host.a_mail("Peace.", ANN, "to: all"), host.press_address("1", GAME))


def _wish_to_join(home: Home) -> None:
    raw = Host(home).a_mail("I would like to play.", CLEO, "Join")
    _spooled(home, raw, f"host+{GAME}-join@pbem.test", CLEO)


def _confirmed_wish(home: Home) -> None:
    host = Host(home)
    host.gets(host.a_mail("I would like to play.", CLEO, "Join"), f"host+{GAME}-join@pbem.test", CLEO)
    asked = read(next(row.raw for row in host.outbox("notice") if row.rcpt == CLEO))
    _spooled(home, host.a_mail("Yes.", CLEO), str(asked["Reply-To"]), CLEO)


def _acts_by_mail(home: Home) -> None:
    to = renew(home, NOW)
    text = "extend club by 2d\nhold club 1 why a quarrel\nseat club 2 name Bobby"
    _spooled(home, Host(home).a_mail(text, MODERATOR), to, MODERATOR)


def _a_yes_by_mail(home: Home) -> None:
    host = Host(home)
    host.gets(host.a_mail("undo club", MODERATOR), renew(home, NOW), MODERATOR)
    (asked,) = host.answers()
    _spooled(home, host.a_mail("Yes.", MODERATOR), str(asked["Reply-To"]), MODERATOR)


def _a_run_by_mail(home: Home) -> None:
    _lodged(home)
    _spooled(home, Host(home).a_mail("run club", MODERATOR), renew(home, NOW), MODERATOR)


ALONE = 3
"""Of verbs that change the journal alone, in one transaction, every third step is enough."""

CASES = {
    "undo": Case(("undo", GAME), least=8),
    "undo with a deadline": Case(("undo", GAME, "--to", (NOW + 9 * DAY).isoformat()), least=8),
    "extend": Case(("extend", GAME, "--to", (NOW + 9 * DAY).isoformat()), done=0, every=ALONE, alone=True),
    "extend --by": Case(("extend", GAME, "--by", "1d"), done=0, every=ALONE, alone=True),
    "pause": Case(("pause", GAME), every=ALONE, alone=True),
    "resume": Case(("resume", GAME), _paused, every=ALONE, alone=True),
    "pause ahead": Case(
        ("pause", GAME, "--from", "tomorrow", "--to", "in 9 days"), every=ALONE, alone=True
    ),
    "resume later": Case(("resume", GAME, "--at", "+9d"), _paused, done=0, every=ALONE, alone=True),
    "cancel": Case(("cancel", GAME, "--why", "a quarrel")),
    "cancel --undo": Case(("cancel", GAME, "--undo"), _cancelled),
    "away": Case(("away", GAME, "1", "--to", "2026-11-30"), done=0, every=ALONE, alone=True),
    "vote": Case(("vote", GAME, "1", "pause"), done=0, every=ALONE, alone=True),
    "hold": Case(("hold", GAME, "1", "--why", "a quarrel"), every=ALONE, alone=True),
    "release": Case(("hold", GAME, "1", "--release"), _held, every=ALONE, alone=True),
    "announce": Case(("announce", GAME, "Welcome, all."), done=0, every=ALONE, alone=True),
    "announce --all": Case(
        ("announce", "--all", "Welcome, all."), _another_game, done=0, every=ALONE, alone=True
    ),
    "answer": Case(("answer", "1", "--text", "Yours."), _a_question, done=0, every=ALONE, alone=True),
    "home secret": Case(("home", "secret"), done=0, every=ALONE, alone=True),
    "seat --new-secret": Case(("seat", GAME, "1", "--new-secret"), done=0),
    "seat --resend": Case(("seat", GAME, "1", "--resend"), done=0, every=ALONE, alone=True),
    "seat": Case(("seat", GAME, "1", "--address", "zoe@example.test")),
    "seat --name": Case(("seat", GAME, "1", "--name", "Anna")),
    "replace": Case(("replace", GAME, "1", "--player", "Zoe", "--address", "zoe@example.test")),
    "free": Case(("replace", GAME, "1", "--free"), before=a_club_before_the_deal),
    "run": Case(("run", GAME), _lodged, least=50, done=0, every=11),
    "submit": Case(("submit", *(f"{{home}}/{n}.yaml" for n in (1, 2, 3))), _orders_of_all, done=0, every=2),
    "init": Case(("init", "{home}/other"), done=0),
    "new": Case(
        ("new", "web-of-intrigue", "second", "--players", "{home}/players.yaml"), _a_table, least=20, every=7
    ),
    "salvage": Case(("home", "salvage", "{home}/damaged.db"), _damaged, alone=True),
    "mend": Case(("home", "mend", GAME), _damaged_turn),
    "close": Case(("home", "close", "--why", "it moved")),
    "reopen": Case(("home", "close", "--reopen"), _closed, least=1),
    "archive": Case(("archive", "{home}/site"), least=20, done=0, every=9),
}  # fmt: skip

BY_MAIL = {
    "send": Case(("send",), _announced),
    "receive orders": Case(("receive",), _orders_by_mail),
    "receive press": Case(("receive",), _press_by_mail),
    "receive a wish to join": Case(("receive",), _wish_to_join, a_club_before_the_deal),
    "receive acts": Case(("receive",), _acts_by_mail, every=2),
    "receive a yes": Case(("receive",), _a_yes_by_mail),
    "receive a run": Case(("receive",), _a_run_by_mail, every=11),
    "receive a sign-up": Case(("receive",), _confirmed_wish, a_club_before_the_deal),
}
"""These are killed in tests/mail/test_kills.py besides, with a look at each mail."""
