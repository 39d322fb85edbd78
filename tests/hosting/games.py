"""Games with schedules for tests: three seats of Web of Intrigue, orders due on Tuesdays and Fridays."""

from __future__ import annotations

import datetime
import hashlib
import shutil
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.notices.queue import act_words
from pbem.host.run.batch import run
from pbem.host.run.notes import Notes, notes_of
from pbem.host.time.deadlines import deadline_in_force
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.running import RunOutcome
from pbem.store.mailout import QueuedMail
from pbem.text.strictyaml import dump
from tests.homes import SEED, a_home, home_at, made_once, named, send, top
from tests.mail.homes import letters_written

GAME = "club"
SCHEDULE: dict[str, Json] = {"days": ["tue", "fri"], "at": "20:00", "zone": "Europe/Helsinki"}

MADE = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
"""A Friday noon: the first deadline is on Tuesday, for the same evening is too near."""

TUESDAY = datetime.datetime(2026, 11, 24, 18, 0, tzinfo=datetime.UTC)
FRIDAY = datetime.datetime(2026, 11, 27, 18, 0, tzinfo=datetime.UTC)

SECOND = datetime.timedelta(seconds=1)
MINUTE = datetime.timedelta(minutes=1)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)

MODERATOR = "mary@example.test"


def club_table(seats: int = 3, **more: Json) -> dict[str, Json]:
    """Return the file of players of a club: Ann, Bob, Cleo and others."""
    names = ["Ann", "Bob", "Cleo", "Dora", "Eve", "Fay"]
    rows: dict[str, Json] = {
        str(number): {"player": name, "address": f"{name.lower()}@example.test"}
        for number, name in enumerate(names[:seats], 1)
    }
    return {"seats": rows, "silent": "hold", "schedule": SCHEDULE, **more}


def a_club(
    path: Path, *, seats: int = 3, deal: bool = True, by_mail: bool = False, gate: Json = None, **more: Json
) -> Home:
    """Return a home with the game of a club, dealt at `MADE` unless said otherwise.

    Such a home is made once and copied after that: a new game takes ten times as long as its copy.
    """
    table = dump(club_table(seats, **more))
    settings: dict[str, Json] = {"gate": gate} if gate else {}
    if by_mail:
        settings["mail"] = {"address": "host@pbem.test", "moderator": MODERATOR, "sendmail": "/bin/true"}
    shutil.copytree(_club(dump(settings) if settings else "", table, deal), path / "home")
    return home_at(path / "home")


def _club(settings: str, table: str, deal: bool) -> Path:
    """Return a home to copy."""

    def make(folder: Path) -> None:
        home = a_home(folder)
        if settings:
            (top(home) / "home.yaml").write_text(settings, encoding="utf-8")
        players = top(home) / "players.yaml"
        players.write_text(table, encoding="utf-8")
        new_game(home, "web-of-intrigue", GAME, players, {}, now=MADE, seed=SEED)
        players.unlink()
        if deal:
            run(home, GAME, now=MADE, deal=True)

    asked = hashlib.sha256(repr((settings, table, deal)).encode()).hexdigest()
    return made_once(f"club-{asked}", make) / "home"


def stay(home: Home, *seats: str, label: str = "turn-1", **more: Json) -> None:
    """Lodge an order that does nothing for some seats."""
    for seat in seats:
        send(home, GAME, seat, [{"at": label, "do": {"move": "stay"}}], **more)


def a_move(home: Home) -> Json:
    """Return where the first seat may move now: the last that is offered, as the first is to stay."""
    asked = SavedGame(home, GAME)
    view = asked.opening.view(asked.position.game, asked.start.seats[0])
    menus = asked.opening.choices(view).menus
    *_, last = (item.order for menu in menus for item in menu.items if menu.paths == ("move",))
    return last


def spoil_report(turn: Path, left: str = "{}") -> None:
    """Damage the report of the first seat in a folder of a turn, so that the record does not miss it."""
    (turn / "reports/1/report.json").write_text(left, encoding="utf-8")
    record = turn / "turn.json"
    record.write_text(
        record.read_text(encoding="utf-8").replace("reports/1/", "reports/x/"), encoding="utf-8"
    )


def night(home: Home, now: datetime.datetime, *more: str) -> int:
    """Give the command of the night job."""
    return run_command(["run", "--due", "--now", now.isoformat(), "--home", str(top(home)), *more])


def pbem(home: Home, *words: str, now: datetime.datetime = MADE + HOUR) -> int:
    """Give a command at a moment."""
    return run_command([*words, "--now", now.isoformat(), "--home", named(home)])


def printed(home: Home, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints that knows no moment."""
    capsys.readouterr()
    assert run_command([*words, "--home", str(top(home))]) == 0
    return capsys.readouterr().out


def due(
    home: Home, now: datetime.datetime, *, attended: bool = True, overrides: tuple[str, ...] = ()
) -> RunOutcome:
    """Run the game as `--due` does."""
    return run(home, GAME, now=now, due=True, attended=attended, overrides=overrides)


def in_force(home: Home) -> datetime.datetime | None:
    """Return the deadline that is in force."""
    return deadline_in_force(SavedGame(home, GAME), noted(home))


def noted(home: Home) -> Notes:
    """Return what is noted of the game."""
    return notes_of(home, GAME)


def queued(home: Home, kind: str = "") -> list[QueuedMail]:
    """Return the mails of the outbox, whatever became of them, of one kind if asked."""
    letters_written(home)
    with home.journal() as db:
        found = [db.queued(row[0]) for row in db.rows("SELECT id FROM outbox ORDER BY id")]
    return [one for one in found if kind in ("", one.kind)]


def notices(home: Home, told: str) -> list[QueuedMail]:
    """Return the mails that tell something, a kind of `store.records`."""
    head = f"\r\nX-PBEM-Kind: {told}\r\n".encode()
    return [one for one in queued(home) if head in one.raw]


def public_acts(home: Home) -> list[str]:
    """Return what all may read of what was done to the game."""
    return [act_words(home, act, SavedGame(home, GAME).table) for act in noted(home).acts]
