"""Votes: counted for one turn, told as the game says, and coming true."""

from __future__ import annotations

from pathlib import Path

from pbem.core.events import Seat
from pbem.host.people.votes import Voted, vote
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saves import read_json
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.records import Note
from pbem.text.codec import dumps
from tests.edge.test_verify import forge
from tests.facts import each_tells, tells
from tests.homes import NOW, a_game, a_home, game_folder, turn_folder
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    MINUTE,
    a_club,
    night,
    noted,
    public_acts,
    queued,
    stay,
)


def cast(home: Home, seats: str, kind: str, *, yes: bool = True, game: str = GAME) -> Voted:
    """Let seats vote one after the other; return what the last one is told."""
    for number, seat in enumerate(seats.split(), 1):
        told = vote(home, game, Seat(seat), kind, MADE + number * MINUTE, yes=yes)
    return told


def test_a_pause_that_votes_of_an_older_version_carry_comes_with_the_next_vote(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    home.store.note([Note(GAME, f"vote:1:pause:{seat}", "yes") for seat in "12"])
    assert noted(home).rest_at(MADE + HOUR) is None

    cast(home, "1", "pause")

    assert noted(home).rest_at(MADE + HOUR) is not None


def test_a_forged_end_is_noticed_by_playing_again(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    cast(home, "red white", "draw", game="rose-1")
    run(home, "rose-1", now=NOW + HOUR)

    path = turn_folder(game_folder(home, "rose-1"), 2) / "state.json"
    save = read_json(path)
    save["outcome"]["winners"] = ["red"]  # type: ignore[index, call-overload]
    path.write_text(dumps(save), encoding="utf-8")
    forge(home, 2)

    found = verify(home, "rose-1").findings
    assert [one.place for one in found] == ["turns/0002/state.json"]


def test_where_votes_are_public_all_learn_who_voted_for_what(tmp_path: Path) -> None:
    home = a_club(tmp_path, votes="public", by_mail=True)

    cast(home, "1 2", "draw")

    assert each_tells(public_acts(home), ("Ann (1)", "1", "3"), ("Bob (2)", "2", "3"))
    others = [mail for mail in queued(home, "vote") if mail.seat != "1"]
    assert others and all(b"Ann (1) proposes a draw" in mail.raw for mail in others)
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)
    told = " ".join(report(home, GAME, "3").split())
    assert tells(told, "Ann (1)", "1", "3")
    assert tells(told, "Bob (2)", "2", "3")
    assert "The moderator:" not in told
    assert verify(home, GAME).findings == ()


def test_where_they_are_secret_all_learn_that_somebody_did_and_never_who(tmp_path: Path) -> None:
    home = a_club(tmp_path, votes="secret", by_mail=True, gate={"down": "60d"})

    cast(home, "2 3", "draw")
    stay(home, "1", "2", "3")
    night(home, MADE + HOUR)

    assert each_tells(public_acts(home), ("1", "3"))
    told = [report(home, GAME, reader) for reader in ("1", "2", "3", "spectator")]
    told += [mail.raw.decode() for mail in queued(home) if mail.rcpt != "mary@example.test"]
    for text in told:
        assert "Bob (2)" not in text
        assert "votes for" not in text
    assert any("Somebody proposes a draw" in text for text in told)
