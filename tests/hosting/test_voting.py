"""An end by vote is noticed if it is forged, and a secret vote is told to nobody."""

from __future__ import annotations

from pathlib import Path

from pbem.core.events import Seat
from pbem.host.people.votes import vote
from pbem.host.run.batch import run
from pbem.play.homes.saves import read_json
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.text.codec import dumps
from tests.edge.test_verify import forge
from tests.facts import each_tells
from tests.homes import NOW, a_game, a_home, game_folder, turn_folder
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    a_club,
    night,
    public_acts,
    queued,
    stay,
)


def test_a_forged_end_is_noticed_by_playing_again(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    for seat in ("red", "white"):
        vote(home, "rose-1", Seat(seat), "draw", MADE)
    run(home, "rose-1", now=NOW + HOUR)

    path = turn_folder(game_folder(home, "rose-1"), 2) / "state.json"
    save = read_json(path)
    save["outcome"]["winners"] = ["red"]  # type: ignore[index, call-overload]
    path.write_text(dumps(save), encoding="utf-8")
    forge(home, 2)

    found = verify(home, "rose-1").findings
    assert [one.place for one in found] == ["turns/0002/state.json"]


def test_where_they_are_secret_all_learn_that_somebody_did_and_never_who(tmp_path: Path) -> None:
    home = a_club(tmp_path, votes="secret", by_mail=True, gate={"down": "60d"})

    for seat in ("2", "3"):
        vote(home, GAME, Seat(seat), "draw", MADE)
    stay(home, "1", "2", "3")
    night(home, MADE + HOUR)

    assert each_tells(public_acts(home), ("1", "3"))
    told = [report(home, GAME, reader) for reader in ("1", "2", "3", "spectator")]
    told += [mail.raw.decode() for mail in queued(home) if mail.rcpt != "mary@example.test"]
    for text in told:
        assert "Bob (2)" not in text
        assert "votes for" not in text
    assert any("Somebody proposes a draw" in text for text in told)
