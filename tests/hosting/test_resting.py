"""Games that rest: a night job that opens only what changed or is due does what one does that opens all."""

from __future__ import annotations

import datetime
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from pbem.core.interface import Json
from pbem.host.run.night import rests_until
from pbem.host.run.notes import read_notes
from pbem.host.time.pausing import pause
from pbem.mail.outgoing import delivery
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.store import rests
from tests.edge.faults import committed, image_of
from tests.facts import each_tells, tells
from tests.homes import a_game, game_folder, home_at, made_once, orders_path, orders_text, top
from tests.hosting.games import (
    DAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    MODERATOR,
    SCHEDULE,
    SECOND,
    TUESDAY,
    a_club,
    night,
    pbem,
    queued,
    stay,
)

Moment = datetime.datetime

MAIL = "CASE WHEN rcpt = ? THEN '' ELSE message_id END"


@pytest.fixture(autouse=True)
def settled() -> Iterator[None]:
    """Let games rest of which a file was changed just now."""
    with mock.patch.object(rests, "SETTLED", 0):
        yield


@dataclass(frozen=True)
class Twins:
    """A home, and its copy in which no game ever rests.

    Attributes:
        home: The home.
        awake: Its copy.
        capsys: Catches what both say.
    """

    home: Home
    awake: Home
    capsys: pytest.CaptureFixture[str]

    def both(self, change: Callable[[Home], object]) -> None:
        """Do the same to both."""
        assert change(self.home) == change(self.awake)
        self.capsys.readouterr()

    def night(self, now: Moment) -> set[str]:
        """Give the command of the night job in both, and compare; return the games that were looked at.

        Of a game that rests the other night job must have found nothing to do.
        """
        with self.awake.journal() as db:
            db.wake_all()
        ended, whole, all_errors = ran(self.awake, now, self.capsys)
        as_ended, looked, errors = ran(self.home, now, self.capsys)
        left = [row for row in whole if row not in looked]
        more = [line for line in errors if line not in all_errors]
        assert (as_ended, [row for row in looked if row not in whole]) == (ended, [])
        assert all("set_aside" not in row and row["turn"] is None for row in left), left
        assert [line for line in all_errors if line not in errors] == []
        assert each_tells(more, *([[len(left)]] if left else []))
        assert standing(self.home) == standing(self.awake)
        return {row["game"] for row in looked}


def ran(
    home: Home, now: Moment, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[dict[str, Any]], list[str]]:
    """Run the night job in a home; return its exit code, a row of each game, and its errors."""
    capsys.readouterr()
    code = night(home, now, "--json")
    out, err = (text.replace(str(top(home)), "") for text in capsys.readouterr())
    return code, json.loads(out), err.splitlines()


def twins(home: Home, capsys: pytest.CaptureFixture[str]) -> Twins:
    """Return a home and its copy."""
    awake = top(home).with_name("awake")
    shutil.copytree(top(home), awake)
    capsys.readouterr()
    return Twins(home, home_at(awake), capsys)


def standing(home: Home) -> tuple[object, ...]:
    """Return all that a night job can have changed.

    What the moderator is told may name the folder of the home, and so may the number of such a mail.
    """
    files = {
        name: (one.data or b"").replace(os.fsencode(top(home)), b"")
        for name, one in committed(image_of(top(home))).items()
        if not name.startswith("mail/")
    }
    with home.journal() as db:
        rows = [
            *db.rows("SELECT at, who, game, act, detail, public FROM acts ORDER BY id"),
            *db.rows("SELECT game, key, value FROM game_notes WHERE game != '' ORDER BY game, key"),
            *db.rows(
                f"SELECT game, turn, seat, kind, rcpt, {MAIL}, state FROM outbox ORDER BY id", MODERATOR
            ),
            *db.rows("SELECT game, turn, seat, kind, address, title, at, written FROM tellings ORDER BY id"),
            *db.rows("SELECT state, verdict, game, seat, receipt FROM intake ORDER BY id"),
        ]
    return files, rows


def looked_at(home: Home, now: Moment, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Run the night job in a home; return the games that were looked at."""
    return {row["game"] for row in ran(home, now, capsys)[1]}


def let_rest(home: Home, at: Moment, capsys: pytest.CaptureFixture[str]) -> None:
    """Run the night job until all games rest: what it notes wakes a game once more, not ever."""
    assert any(looked_at(home, at + minutes * MINUTE, capsys) == set() for minutes in range(5))


# --- what changes


def edited(name: str, old: str, new: str, *, secretly: bool = False) -> Callable[[Home], None]:
    """Return an edit of a file by hand, in its place; `secretly` also the time is put back."""

    def edit(home: Home) -> None:
        path = top(home) / name
        before = path.stat()
        text = path.read_text(encoding="utf-8")
        assert old in text
        with path.open("r+", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
            file.truncate()
        assert path.stat().st_ino == before.st_ino
        if secretly:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    return edit


def given(*words: str) -> Callable[[Home], object]:
    """Return a command, which must be taken."""

    def give(home: Home) -> None:
        assert pbem(home, *words, now=MADE + 2 * HOUR) == 0

    return give


def press_alone(home: Home) -> None:
    path = top(home) / "press.yaml"
    path.write_text(f"game: {GAME}\nseat: 1\npress:\n- {{to: ['2'], say: Hello}}\n", encoding="utf-8")
    assert pbem(home, "submit", str(path)) == 0
    path.unlink()


def all_orders(home: Home) -> None:
    stay(home, "1", "2", "3")


def placed_by_hand(home: Home) -> None:
    path = orders_path(home, GAME, "2")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(orders_text(GAME, "2", [{"at": "turn-1", "do": {"move": "stay"}}]), encoding="utf-8")


def run_by_name(home: Home) -> None:
    stay(home, "1", "2", "3")
    assert pbem(home, "run", GAME, now=MADE + 2 * HOUR) == 0


def cut_off(home: Home) -> None:
    """Leave a change that was written down and not begun."""
    from pbem.store.folder import Intent, _encode_intent
    from pbem.store.interface import Change
    from pbem.store.records import Note

    text = (game_folder(home, GAME) / "game.yaml").read_bytes()
    change = Change({"words": "x"}, {f"games/{GAME}/game.yaml": text}, rows=(Note(GAME, "a", "b"),))
    home.store.lodge(f"games/{GAME}/intent.json", _encode_intent(Intent(change, 0)))


def opened_to_all(home: Home) -> None:
    (game_folder(home, GAME) / "secret.json").chmod(0o644)


ORDERS = f"orders/{GAME}/1.yaml"
CHANGES: dict[str, Callable[[Home], object]] = {
    "orders edited in place, and their time put back": edited(ORDERS, "stay", "hide", secretly=True),
    "orders of all": all_orders,
    "orders placed by hand": placed_by_hand,
    "orders removed": lambda home: orders_path(home, GAME, "1").unlink(),
    "press alone": press_alone,
    "press edited": edited(f"orders/{GAME}/press/2.1.yaml", "Hello", "Howdy"),
    "a new deadline in game.yaml": edited(
        f"games/{GAME}/game.yaml", "seats:", "deadline: 2026-11-20T13:30:00+00:00\nseats:"
    ),
    "an address in game.yaml": edited(f"games/{GAME}/game.yaml", "bob@", "b0b@"),
    "home.yaml": edited("home.yaml", "gate:", "zone: UTC\ngate:"),
    "the secret is damaged": edited(f"games/{GAME}/secret.json", "seed", "sead"),
    "the secret can be read": opened_to_all,
    "another player": given("replace", GAME, "2", "--player", "Fred", "--address", "fred@example.test"),
    "a vote": given("vote", GAME, "1", "draw"),
    "a pause": given("pause", GAME),
    "a deadline that has passed": given("extend", GAME, "--to", "2026-11-20T14:00:01+00:00"),
    "a run by name": run_by_name,
    "a turn taken back": given("undo", GAME),
    "a change that was cut off": cut_off,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_game_in_which_anything_changed_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    shutil.copytree(made_once("resting-club", a_club_at_night), tmp_path, dirs_exist_ok=True)
    home = home_at(tmp_path / "home")
    let_rest(home, MADE + HOUR, capsys)

    CHANGES[name](home)

    assert looked_at(home, MADE + 2 * HOUR + MINUTE, capsys) == {GAME}


def a_club_at_night(folder: Path) -> None:
    """Make a club whose reports are out, with orders and press."""
    home = a_club(folder, by_mail=True, gate={"down": "90d"})
    stay(home, "1")
    path = top(home) / f"orders/{GAME}/press/2.1.yaml"
    path.parent.mkdir()
    path.write_text(f"game: {GAME}\nseat: 2\npress:\n- {{to: ['1'], say: Hello}}\n", encoding="utf-8")
    night(home, MADE + HOUR)


# --- what comes by itself


def away_until_the_day_of_the_deadline(home: Home) -> None:
    assert pbem(home, "away", GAME, "1", "--to", "2026-11-23") == 0


def nothing(home: Home) -> None:
    """Do nothing."""


MOMENTS: dict[str, tuple[dict[str, Json], Callable[[Home], object], Moment]] = {
    "the reminder": ({}, nothing, TUESDAY - DAY),
    "a player is back in time for it": (
        {},
        away_until_the_day_of_the_deadline,
        TUESDAY.replace(hour=0) - 2 * HOUR,
    ),
    "the deadline": ({}, nothing, TUESDAY),
    "the end of the grace": ({"grace": "6h"}, nothing, TUESDAY + 6 * HOUR),
    "the earliest run": ({"early": "30h"}, all_orders, MADE + 30 * HOUR),
    "a run that is never early": ({"early": "never"}, all_orders, TUESDAY),
}
"""What the schedule says besides, what is done before, and the moment."""


@pytest.mark.parametrize("name", MOMENTS)
def test_a_game_is_looked_at_when_its_moment_has_come_and_not_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    more, prepare, moment = MOMENTS[name]
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"}, schedule={**SCHEDULE, **more})
    prepare(home)
    let_rest(home, moment - HOUR, capsys)

    assert looked_at(home, moment - SECOND, capsys) == set()
    assert looked_at(home, moment, capsys) == {GAME}


def test_the_looks_at_games_in_which_nothing_happens_are_spread_over_half_a_day(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={})
    saved = SavedGame(home, GAME)
    with home.journal() as db:
        notes = read_notes(db, home, GAME)

    found = []
    for number in range(200):
        saved.name = f"game-{number}"
        found.append((rests_until(saved, notes, MADE) - MADE) / HOUR)

    assert 18 <= min(found) < 19
    assert 29 < max(found) <= 30


# --- what does not rest


def test_a_game_that_was_set_aside_or_got_a_turn_does_not_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"})
    placed_by_hand(home)
    edited(f"orders/{GAME}/2.yaml", "stay", "hide")(home)

    for minutes in range(3):
        assert looked_at(home, MADE + HOUR + minutes * MINUTE, capsys) == {GAME}
    orders_path(home, GAME, "2").unlink()
    all_orders(home)
    for minutes in range(2):
        assert looked_at(home, MADE + 2 * HOUR + minutes * MINUTE, capsys) == {GAME}


def test_a_game_whose_reports_are_not_queued_does_not_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"})

    def fail(*_: object) -> int:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(delivery, "queue_reports", fail)
        for minutes in range(4):
            night(home, MADE + HOUR + minutes * MINUTE)
            assert tells(capsys.readouterr().out, GAME)
    assert queued(home, "report") == []

    night(home, MADE + 2 * HOUR)

    assert len(queued(home, "report")) == 3


@pytest.mark.parametrize(
    "change",
    [lambda home: pause(home, GAME, MADE + HOUR), lambda home: stay(home, "1"), opened_to_all],
    ids=["a pause", "orders", "the secret can be read"],
)
def test_a_game_that_is_changed_while_the_night_job_looks_at_it_does_not_rest(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Home], object],
) -> None:
    home = a_club(tmp_path)

    def then_changed(*about: Any) -> Moment:
        until = rests_until(*about)
        change(home)
        return until

    with monkeypatch.context() as patched:
        patched.setattr("pbem.host.run.night.rests_until", then_changed)
        night(home, MADE + HOUR)
    capsys.readouterr()
    night(home, MADE + HOUR + MINUTE)

    assert capsys.readouterr().out.startswith(f"{GAME}: ")


def test_what_was_changed_just_now_does_not_rest_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rests, "SETTLED", 3600 * 10**9)
    home = a_club(tmp_path)

    for minutes in range(4):
        night(home, MADE + HOUR + minutes * MINUTE)
        assert tells(capsys.readouterr().out, GAME)


# --- what is said


def test_games_that_rest_are_counted_and_not_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"})
    a_game(home)
    let_rest(home, MADE + HOUR, capsys)

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a game was opened")

    with monkeypatch.context() as patched:
        patched.setattr(SavedGame, "__init__", opened)
        assert night(home, MADE + 2 * HOUR) == 0

    out, err = capsys.readouterr()
    assert (tells(out, "2"), err) == (True, "")


# --- whole games


def test_whole_games_come_to_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game with a schedule by chance, and what people do by chance, night after night."""
    chance = random.Random(0)
    schedule: dict[str, Json] = {
        "days": chance.sample(["mon", "tue", "wed", "thu", "fri", "sat", "sun"], chance.randint(2, 6)),
        "at": f"{chance.randint(0, 23)}:00",
        "zone": chance.choice(["Europe/Helsinki", "America/New_York", "UTC"]),
        "early": chance.choice(["always", "never", "12h", "2d"]),
        "remind": chance.choice(["never", "6h", "1d"]),
        **chance.choice([{}, {"grace": "3h"}, {"grace": "1d"}]),
    }
    more: dict[str, Any] = {
        "silent": chance.choice(["hold", "random", "wait"]),
        "absent": chance.choice(["excuse", "wait"]),
    }
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"}, schedule=schedule, **more)
    both, now, rested = twins(home, capsys), MADE, 0
    for _ in range(24):
        now += chance.choice([MINUTE, 20 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR])
        if chance.random() < 0.5:
            act(both, chance, now)
        rested += both.night(now) == set()
    assert rested > 5
    assert verify(both.home, GAME).findings == ()


def submitted(home: Home, orders: str, now: Moment) -> int:
    """Submit orders; return what the command ends with."""
    path = top(home) / "sent.yaml"
    path.write_text(orders, encoding="utf-8")
    ended = pbem(home, "submit", str(path), now=now)
    path.unlink()
    return ended


def act(both: Twins, chance: random.Random, now: Moment) -> None:
    """Do something by chance in both homes, whether or not it is allowed."""
    seat, label = chance.choice("123"), f"turn-{SavedGame(both.home, GAME).turn}"
    orders = orders_text(GAME, seat, [{"at": label, "do": {"move": "stay"}}], wait=chance.random() < 0.2)
    given: list[tuple[str, ...]] = [
        ("vote", GAME, seat, chance.choice(["pause", "extension", "draw"])),
        ("away", GAME, seat, "--to", f"{now + chance.randint(0, 5) * DAY:%Y-%m-%d}"),
        ("hold", GAME, seat),
        ("hold", GAME, seat, "--release"),
        ("pause", GAME),
        ("resume", GAME),
        ("resume", GAME),
        ("extend", GAME, "--by", "1d"),
        ("undo", GAME),
        ("run", GAME),
    ]
    if chance.random() < 0.6:
        both.both(lambda home: submitted(home, orders, now))
    else:
        words = chance.choice(given)
        both.both(lambda home: pbem(home, *words, now=now))
