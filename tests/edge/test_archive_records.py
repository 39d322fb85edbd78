"""Records and tables by rules, from rows of finished games."""

from __future__ import annotations

from pbem.archive.profiles import FromSeat, Span, records_of
from pbem.archive.results import Result, Seated, Stint

RED, WHITE = "Red", "White"


def result(name: str, at: str, turn: int, red: int | None, white: int | None, *, over: bool = True) -> Result:
    points = {RED: red, WHITE: white}
    best = max((one for one in points.values() if one is not None), default=None)
    seats = tuple(
        Seated(seat.lower(), seat, "", one, one is not None and one == best) for seat, one in points.items()
    )
    ann = Stint("red", "Ann", 1, None, whole=True, with_bot=False, known=True, person=1)
    begun = "2026-01-01T00:00:00+00:00"
    return Result(
        name, "rose-king", "The Rose King", begun, f"{at}T00:00:00+00:00", turn, over, seats, (ann,)
    )


GAMES = [
    result("a", "2026-01-11", 40, 30, 20),
    result("b", "2026-01-31", 50, 25, 35),
    result("c", "2026-01-21", 30, 22, 22),
    result("stopped", "2026-03-01", 90, None, None),
    result("runs", "2026-05-01", 99, None, None, over=False),
]


def test_lengths_and_records_are_of_finished_games_with_a_result() -> None:
    found = records_of(GAMES)

    assert (found.games, found.stopped) == (4, 1)
    assert found.turns == Span(30, 40, 50)
    assert found.days == Span(10, 20, 30)


def test_a_shared_win_counts_for_each_seat() -> None:
    assert records_of(GAMES).seats == (
        FromSeat(2, "Red", 3, 2, (30 + 25 + 22) / 3),
        FromSeat(2, "White", 3, 2, (20 + 35 + 22) / 3),
    )
    assert [one.share for one in records_of(GAMES).seats] == [67, 67]


def test_who_reaches_a_record_again_does_not_take_it() -> None:
    again = [*GAMES, result("later", "2026-02-20", 50, 35, 1)]

    assert [one.game for one in records_of(again).held if one.what in ("most points", "most turns")] == [
        "b",
        "b",
    ]


def test_games_without_a_result_make_no_tables() -> None:
    found = records_of([GAMES[3], GAMES[4]])

    assert (found.games, found.stopped, found.turns, found.held, found.seats) == (1, 1, None, (), ())
