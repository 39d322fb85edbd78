"""Verbs that change something, and homes to give them in, for tests that stop them or fill the disk."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.mail.arrivals import spool
from pbem.mail.conversation.acts import renew_secret
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.tenures import TENURES
from pbem.play.homes.upkeep import close_home
from tests.edge.faults import Image, committed, image_of
from tests.homes import a_game, a_home, named, orders_text, top
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
        words: The command; {beside} is where the moderator's own files lie, and {new} a place for a home.
        prepare: What is done in the home before it, be it in a folder or in a database.
        before: The home.
        least: So many steps it takes at least in a folder, or the test would show nothing.
        done: How it ends when it is given again after all was done.
        every: It is stopped before every so many steps.
        alone: It changes the journal alone: all of it or nothing.
        adds: It adds to what was done before, and so takes `--again`.
        in_folder: Why it is given in a home in a folder alone; "" if it is not.
    """

    words: tuple[str, ...]
    prepare: Callable[[Home], object] = lambda home: None
    before: Callable[[], Image] = a_running_club
    least: int = 4
    done: int = 1
    every: int = 1
    alone: bool = False
    adds: bool = False
    in_folder: str = ""


def words(case: Case, home: Home, new: str = "") -> list[str]:
    """Return the command line of a command.

    Args:
        case: The command.
        home: The home to give it in.
        new: A place where a home can be made; "" for a folder beside.
    """
    beside = home.store.beside.resolve()
    given = [one.format(beside=beside, new=new or f"{beside}/other") for one in case.words]
    if given[0] == "init":
        return given
    if given[0] not in _TIMELESS and given[:2] not in _TIMELESS_OF_HOME:
        given += ["--now", NOW.isoformat()]
    return [*given, "--home", named(home)]


_TIMELESS = ("archive",)
_TIMELESS_OF_HOME = [["home", "salvage"], ["home", "mend"], ["home", "put"]]
"""Commands that know no moment."""


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
    return files, rows_of(home)


_ROWS = (
    "SELECT at, who, game, act, detail, public, facts FROM acts ORDER BY id",
    "SELECT name, game, turn, seat, kind, address, reader, is_theirs, title, words, at, written, facts "
    "FROM tellings ORDER BY name",
    f"SELECT game, key, value FROM game_notes WHERE key <> '{TENURES}' ORDER BY game, key",
    "SELECT game, turn, seat, kind, revision, rcpt, envelope_from, message_id, state "
    "FROM outbox ORDER BY message_id",
    "SELECT source, envelope_from, recipient, message_id, state, verdict, rule, game, seat, receipt "
    "FROM intake ORDER BY id",
)
"""The journal, but for numbers of rows, what counts tries, and moments of the clock on the wall."""


def rows_of(home: Home) -> list[object]:
    """Return the rows of the journal of a home, in a folder or in a database, as far as they count.

    Who plays counts as it is known, noted or not: the next command that does something notes it.
    """
    tenures = [SavedGame(home, game).tenures.noted() for game in home.store.games()]
    with home.journal() as db:
        return [*tenures, *(row for sql in _ROWS for row in db.rows(sql))]


def _given(*words: str) -> Callable[[Home], object]:
    """Return what gives a command before."""
    return lambda home: pbem(home, *words)


_PAUSED = _given("pause", GAME)
_ONE_VOTE = _given("vote", GAME, "2", "extension")
_AWAY = _given("away", GAME, "1", "--to", "2026-11-30")
_STAYS = orders_text(GAME, "1", [{"at": "turn-2", "do": {"move": "stay"}}])
_THREE_ACTS = "extend club by 2d\nhold club 1 why a quarrel\nseat club 2 name Bobby"


def _lodged(home: Home) -> None:
    stay(home, "1", "2", "3", label="turn-2")


def _orders_of_all(home: Home) -> None:
    for seat in ("1", "2", "3"):
        text = orders_text(GAME, seat, [{"at": "turn-2", "do": {"move": "stay"}}])
        (home.store.beside / f"{seat}.yaml").write_text(text, encoding="utf-8")


def _press(home: Home) -> None:
    text = f"game: {GAME}\nseat: '1'\npress:\n- {{to: all, say: Peace?}}\n"
    (home.store.beside / "press.yaml").write_text(text, encoding="utf-8")


def _standbys(home: Home) -> None:
    table = home.store.read(f"games/{GAME}/game.yaml")
    rows = "".join(f"- {{player: {name}, address: {name.lower()}@example.test}}\n" for name in ("Gil", "Hal"))
    home.store.lodge(f"games/{GAME}/game.yaml", table + f"standby:\n{rows}".encode())


def _failed(home: Home) -> None:
    with home.journal() as db:
        for mail in db.outbox("sent"):
            if mail.seat == "1":
                db.mark(mail.id, "failed", MADE + HOUR, why="550 no such user")


def _settings(home: Home) -> None:
    (home.store.beside / "settings.yaml").write_bytes(home.store.read("home.yaml") + b"zone: Europe/Oslo\n")


def _a_table(home: Home) -> None:
    (home.store.beside / "players.yaml").write_text(TABLE.replace("{}", "{player: Bob}"), encoding="utf-8")


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
    turn = f"games/{GAME}/turns/0001"
    for name in ("state.json", "events.jsonl", "reports/2/report.txt"):
        home.store.lodge(f"{turn}/{name}", b"{}")
    home.store.remove(f"{turn}/reports/3/report.json")


def _comes_in(home: Home, raw: bytes, recipient: str, sender: str = ANN) -> None:
    """Let a mail wait: in the spool, which homes in folders have, or in the home."""
    if not home.store.is_folder:
        Host(home, NOW).put(raw, recipient, sender)
        return
    at = int(NOW.timestamp() * 1e9)
    spool.keep(str(top(home)), sender, recipient, io.BytesIO(raw).read, at)


def _by_mail(
    text: str, subject: str = "", *, press: bool = False, before: Callable[[Home], object] = lambda home: None
) -> Callable[[Home], None]:
    """Return what lets a mail of Ann's wait."""

    def wait(home: Home) -> None:
        before(home)
        host = Host(home)
        to = host.press_address("1", GAME) if press else host.address("1", GAME)
        _comes_in(home, host.a_mail(text, ANN, subject), to)

    return wait


def _acts_by_mail(text: str, before: Callable[[Home], object] = lambda home: None) -> Callable[[Home], None]:
    """Return what lets a mail of the moderator's wait."""

    def wait(home: Home) -> None:
        before(home)
        _comes_in(home, Host(home).a_mail(text, MODERATOR), renew_secret(home, NOW), MODERATOR)

    return wait


def _wish_to_join(home: Home) -> None:
    raw = Host(home).a_mail("I would like to play.", CLEO, "Join")
    _comes_in(home, raw, f"host+{GAME}-join@pbem.test", CLEO)


def _confirmed_wish(home: Home) -> None:
    host = Host(home)
    host.gets(host.a_mail("I would like to play.", CLEO, "Join"), f"host+{GAME}-join@pbem.test", CLEO)
    asked = read(next(row.raw for row in host.outbox("notice") if row.rcpt == CLEO))
    _comes_in(home, host.a_mail("Yes.", CLEO), str(asked["Reply-To"]), CLEO)


def _a_yes_by_mail(home: Home) -> None:
    host = Host(home)
    host.gets(host.a_mail("undo club", MODERATOR), renew_secret(home, NOW), MODERATOR)
    (asked,) = host.answers()
    _comes_in(home, host.a_mail("Yes.", MODERATOR), str(asked["Reply-To"]), MODERATOR)


ALONE = 3
"""Of verbs that change the journal alone, in one transaction, every third step is enough."""

CASES = {
    "undo": Case(("undo", GAME), least=8),
    "undo with a deadline": Case(("undo", GAME, "--to", (NOW + 9 * DAY).isoformat()), least=8),
    "extend": Case(("extend", GAME, "--to", (NOW + 9 * DAY).isoformat()), done=0, every=ALONE, alone=True),
    "extend a day": Case(("extend", GAME), done=0, adds=True, every=ALONE, alone=True),
    "extend --by": Case(("extend", GAME, "--by", "1d"), done=0, adds=True, every=ALONE, alone=True),
    "pause": Case(("pause", GAME), every=ALONE, alone=True),
    "resume": Case(("resume", GAME), _PAUSED, every=ALONE, alone=True),
    "pause ahead": Case(
        ("pause", GAME, "--from", "tomorrow", "--to", "in 9 days"), every=ALONE, alone=True
    ),
    "resume later": Case(
        ("resume", GAME, "--at", "+9d"), _PAUSED, done=0, adds=True, every=ALONE, alone=True
    ),
    "cancel": Case(("cancel", GAME, "--why", "a quarrel")),
    "cancel --undo": Case(("cancel", GAME, "--undo"), _given("cancel", GAME, "--why", "a quarrel")),
    "away": Case(("away", GAME, "1", "--to", "2026-11-30"), done=0, adds=True, every=ALONE, alone=True),
    "away --cancel": Case(("away", GAME, "1", "--cancel"), _AWAY, done=0, adds=True, every=ALONE, alone=True),
    "vote": Case(("vote", GAME, "1", "pause"), done=0, every=ALONE, alone=True),
    "vote that carries": Case(
        ("vote", GAME, "1", "extension"), _ONE_VOTE, done=0, adds=True, every=ALONE, alone=True
    ),
    "vote --withdraw": Case(
        ("vote", GAME, "1", "pause", "--withdraw"), _given("vote", GAME, "1", "pause"),
        done=0, every=ALONE, alone=True,
    ),
    "hold": Case(("hold", GAME, "1", "--why", "a quarrel"), every=ALONE, alone=True),
    "release": Case(("hold", GAME, "1", "--release"), _given("hold", GAME, "1"), every=ALONE, alone=True),
    "announce": Case(("announce", GAME, "Welcome, all."), done=0, adds=True, every=ALONE, alone=True),
    "announce --all": Case(
        ("announce", "--all", "Welcome, all."), _another_game, done=0, adds=True, every=ALONE
    ),
    "answer": Case(
        ("answer", "1", "--text", "Yours."), _a_question, done=0, adds=True, every=ALONE, alone=True
    ),
    "answer --aside": Case(("answer", "1", "--aside"), _a_question, least=2, every=ALONE, alone=True),
    "home secret": Case(("home", "secret"), done=0, adds=True, every=ALONE, alone=True),
    "home secret --off": Case(
        ("home", "secret", "--off"), lambda home: renew_secret(home, MADE + HOUR),
        done=0, adds=True, every=ALONE, alone=True,
    ),
    "home put": Case(("home", "put", "home.yaml", "{beside}/settings.yaml"), _settings, done=0, every=2),
    "remind": Case(
        ("remind", GAME), _given("extend", GAME, "--to", (NOW + HOUR / 2).isoformat()), done=0, every=2
    ),
    "seat --new-secret": Case(("seat", GAME, "1", "--new-secret"), done=0, adds=True),
    "seat --resend": Case(("seat", GAME, "1", "--resend"), done=0, adds=True, every=ALONE, alone=True),
    "seat": Case(("seat", GAME, "1", "--address", "zoe@example.test"), _failed),
    "seat --name": Case(("seat", GAME, "1", "--name", "Anna")),
    "replace": Case(("replace", GAME, "1", "--player", "Zoe", "--address", "zoe@example.test")),
    "replace --standby": Case(("replace", GAME, "1", "--standby"), _standbys, done=0, adds=True, every=2),
    "replace --bot": Case(("replace", GAME, "1", "--bot", "greedy"), every=3),
    "free": Case(("replace", GAME, "1", "--free"), before=a_club_before_the_deal),
    "run": Case(("run", GAME), _lodged, least=50, done=0, every=11),
    "submit": Case(("submit", *(f"{{beside}}/{n}.yaml" for n in (1, 2, 3))), _orders_of_all, done=0, every=2),
    "submit --for-moderator": Case(
        ("submit", "{beside}/1.yaml", "--for-moderator"), _orders_of_all, done=0, every=2
    ),
    "submit press --for-moderator": Case(
        ("submit", "{beside}/press.yaml", "--for-moderator"), _press, done=0, every=2
    ),
    "init": Case(("init", "{new}"), done=0),
    "new": Case(
        ("new", "web-of-intrigue", "second", "--players", "{beside}/players.yaml"),
        _a_table, least=20, every=7,
    ),
    "salvage": Case(
        ("home", "salvage", "{beside}/damaged.db"), _damaged, alone=True, in_folder="a database is no file"
    ),
    "mend": Case(("home", "mend", GAME), _damaged_turn),
    "close": Case(("home", "close", "--why", "it moved")),
    "reopen": Case(("home", "close", "--reopen"), lambda home: close_home(home, "it moved", NOW), least=1),
    "archive": Case(
        ("archive", "{beside}/site"), least=20, done=0, every=9, in_folder="it writes files alone"
    ),
}  # fmt: skip

BY_MAIL = {
    "send": Case(("send",), _given("announce", GAME, "Welcome, all.")),
    "receive orders": Case(("receive",), _by_mail(_STAYS, "Orders")),
    "receive press": Case(("receive",), _by_mail("Peace.", "to: all", press=True)),
    "receive a vote": Case(("receive",), _by_mail("vote extension", before=_ONE_VOTE), every=2),
    "receive an absence": Case(("receive",), _by_mail("absent 30 Nov"), every=2),
    "receive a return": Case(("receive",), _by_mail("absent back", before=_AWAY), every=2),
    "receive a wish to join": Case(("receive",), _wish_to_join, a_club_before_the_deal),
    "receive acts": Case(("receive",), _acts_by_mail(_THREE_ACTS), every=2),
    "receive a yes": Case(("receive",), _a_yes_by_mail, every=2),
    "receive a run": Case(("receive",), _acts_by_mail("run club", _lodged), every=11),
    "receive a sign-up": Case(("receive",), _confirmed_wish, a_club_before_the_deal),
}

_LOOKS = "it changes nothing in a home"
_FILES = "it writes the same files, each whole or not at all"

NEEDS_NONE = {
    **dict.fromkeys(("book", "rules", "check", "status", "report", "show", "acts", "verify"), _LOOKS),
    **dict.fromkeys(("proof", "simulate", "help", "home check", "home get"), _LOOKS),
    **dict.fromkeys(("mailbox status",), _LOOKS),
    **dict.fromkeys(("form", "service install"), _FILES),
    **dict.fromkeys(("service remove",), "what is removed stays so"),
    "doctor": f"{_LOOKS}; with --mail it sends a mail to the host",
    "digest": "what it has printed counts as told; printed again it does no harm",
    "demo": "tests/hosting/test_samples.py cuts it off",
    "luck": "tests/hosting/test_cut_off.py cuts it off",
    "home copy": "tests/store/test_copies.py cuts it off at any step",
    "home upgrade": "it is one transaction, after which nothing is left to do: tests/store/test_upgrading.py",
    "mailbox login": "the new login takes the place of the old",
    "mailbox logout": "who is logged out stays so",
    "mailbox watch": "it receives and sends: tests/mail/test_mailbox_watch.py",
    "lmtp": "what is delivered again counts once: tests/mail/test_lmtp.py",
    "worker": "tests/farm kills it",
}
"""The other verbs, each with why it is not stopped here."""
