"""Votes: counted for one turn, told as the game says, and coming true."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.people.votes import Voted, vote
from pbem.host.run.batch import run
from pbem.play.config.registry import find_rules
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


SYSTEMS = {
    "rose-king": 2,
    "web-of-intrigue": 3,
    "web-of-power": 3,
    "web-of-power-cards": 3,
    "game-of-powers": 3,
}


@pytest.mark.parametrize("rules", SYSTEMS)
@pytest.mark.parametrize("deal", [True, False], ids=["dealt", "before the deal"])
def test_every_game_can_be_ended_and_its_reports_say_how(tmp_path: Path, rules: str, deal: bool) -> None:
    home = a_home(tmp_path)
    system = find_rules(rules).system
    assert system is not None
    seats = system.seat_names(SYSTEMS[rules])
    rows = "".join(f"  {seat}: {{player: Player {seat}}}\n" for seat in seats)
    a_game(home, rules=rules, table=f"seats:\n{rows}", deal=deal)

    for seat in seats:
        vote(home, "rose-1", seat, "draw", NOW + MINUTE)
    ran = run(home, "rose-1", now=NOW + HOUR)

    assert ran.outcome is not None
    for reader in (*seats, "spectator"):
        for name in ("report.txt", "report.html"):
            told = " ".join(report(home, "rose-1", reader, name=name).split())
            assert "ORDERS FORM" not in told
    assert verify(home, "rose-1").findings == ()


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


@pytest.mark.parametrize("votes", ["public", "secret"])
def test_news_tells_no_vote_that_was_taken_back_and_of_one_that_did_not_carry_that_it_is_over(
    tmp_path: Path, votes: str
) -> None:
    home = a_club(tmp_path, votes=votes)
    cast(home, "1", "end")
    cast(home, "1", "end", yes=False)
    cast(home, "1 2", "draw")
    cast(home, "2", "draw", yes=False)
    cast(home, "1 2", "extension")
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)

    facts: list[tuple[str, ...]] = [
        ("1", "3"),
        ("turn-1", "Wednesday 25 November 2026, 20:00 EET (Europe/Helsinki)"),
    ]
    if votes == "public":
        facts[:1] = [("Ann (1)", "1", "3"), ("Ann (1)", "1", "2"), ("Bob (2)", "2", "2")]
    assert each_tells(news_of(home, 2), *facts)
    assert ("Ann" in "".join(news_of(home, 2))) == (votes == "public")
    assert verify(home, GAME).findings == ()
    stay(home, "1", "2", "3", label="turn-2")
    run(home, GAME, now=MADE + HOUR)
    assert news_of(home, 3) == []


def news_of(home: Home, turn: int) -> list[str]:
    """Return the acts that a report tells, without whose they were."""
    told = read_json(turn_folder(game_folder(home, GAME), turn) / "reports/1/report.json")["events"]
    assert isinstance(told, list)
    words = [str(one["text"]) for one in told if isinstance(one, dict) and one["event"] == "ModeratorActed"]
    return [one.removeprefix("The players: ").removeprefix("The host: ") for one in words]


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
