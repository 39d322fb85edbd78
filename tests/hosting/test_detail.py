"""How long a seat wants its reports: said with its orders, kept from turn to turn, and said back."""

from __future__ import annotations

from pathlib import Path

from pbem.host.run.batch import run
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import lodge
from tests.hosting.games import GAME, MADE, a_club


def stays(seat: str, turn: int, more: str = "") -> bytes:
    """Return orders to stay."""
    return (
        f"game: {GAME}\nseat: '{seat}'\norders:\n- {{at: turn-{turn}, do: {{move: stay}}}}\n{more}".encode()
    )


def test_a_seat_that_asks_for_it_gets_its_reports_in_full_until_it_ends_that(tmp_path: Path) -> None:
    home = a_club(tmp_path / "home")
    told: list[bool] = []
    for turn, more in enumerate(("detail: full\n", "", "detail: short\n", ""), 1):
        for seat in "123":
            lodge(home, stays(seat, turn, more if seat == "1" else ""))
        run(home, GAME, now=MADE)
        told.append("HOW A TURN WORKS" in report(home, GAME, "1"))
        assert "HOW A TURN WORKS" not in report(home, GAME, "2")

    assert told == [True, True, False, False]
    assert verify(home, GAME).findings == ()
