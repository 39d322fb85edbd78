"""Names of players: none is a word that others write for somebody else, and such a word reaches nobody."""

from __future__ import annotations

import pytest

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.text.names import Meant, meant, why_no_name, written

SEATS = tuple(map(Seat, ("1", "2", "3", "12")))
COLOURS = tuple(map(Seat, ("red", "white")))
OTHERS = ("Ann Lee", "Bob", "Иван")


@pytest.mark.parametrize(
    "name",
    [
        "Cleo",
        "Player 2",
        "2",
        "Ann Day",
        "Ann Lee Jr.",
        "Änn Lee",
        "O'Neil",
        "J. R.",
        "Иванка",
        "Rob",
        "Player 4",
    ],
)
def test_a_name_that_stands_for_nobody_else_is_fine(name: str) -> None:
    assert why_no_name(name, Seat("2"), SEATS, OTHERS) == ""


@pytest.mark.parametrize(
    "name",
    [
        "Player 1", "player  1", "PLAYER 12", "Seat 3", "1", "3, 12", "3 12", "players 1 and 3", "3; 1",
        "3/1", "Cleo, Day", "Cleo\uff0c Day", "all", "Everybody", "All players", "Moderator", "Host", "GM",
        "BOB", "ann lee", "Ann  Lee", "Bob and Ann Lee", "Bob & 3", "player", "and", "...", "", " ", "Bo\nb",
        "\u0412ob", "Bo\u200bb", "Bоb", "\uff22\uff4f\uff42", "𝐁ob", "Аnn Lee", "Ann\u00a0Lee", "Ивaн",
        "Player I", "P1ayer l", "Рlayer 1", "l", "\u3164Bob",
    ],
)  # fmt: skip
def test_a_name_that_others_would_take_for_somebody_else_is_refused(name: str) -> None:
    assert why_no_name(name, Seat("2"), SEATS, OTHERS)


@pytest.mark.parametrize("name", ["Red", "RED", "Rеd", "seat red", "Player Red", "red & white", "ＲＥＤ"])
def test_a_colour_of_another_seat_is_no_name(name: str) -> None:
    assert why_no_name(name, Seat("white"), COLOURS, ["Ann"])
    assert why_no_name(name, None, COLOURS, ["Ann"])


@pytest.mark.parametrize("name", ["Red", "Player red"])
def test_a_player_may_be_called_as_their_own_seat_is(name: str) -> None:
    assert why_no_name(name, Seat("red"), COLOURS, ["Ann"]) == ""


HOLDERS = {"1": "Ann Lee", "2": "Player 1", "3": "3, 12", "12": "Ann and Bob"}
NAMED = {Seat(seat): name for seat, name in HOLDERS.items()}


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("1", {"1"}),
        ("seat 1", {"1"}),
        ("Ann Lee, 2", {"1", "2"}),
        ("players 1 and 12", {"1", "12"}),
        ("3 / 12", {"3", "12"}),
        ("everybody", {ALL}),
        ("gm, 3", {MODERATOR, "3"}),
    ],
)
def test_what_a_seat_is_called_means_the_seat(text: str, to: set[str]) -> None:
    assert meant(text, SEATS, NAMED) == Meant(frozenset(map(Seat, to)))


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Player 1", {"1", "2"}),
        ("3, 12", {"3", "12"}),
        ("Ann", {"1", "12"}),
        ("2 and PLAYER 1", {"1", "2"}),
    ],
)
def test_a_word_that_means_a_seat_and_anothers_name_means_neither(text: str, several: set[str]) -> None:
    found = meant(text, SEATS, NAMED)

    assert [*found.unclear.values()] == [several]
    assert found.to <= {"2"}


@pytest.mark.parametrize("seat", SEATS)
def test_each_seat_can_be_written_so_that_nobody_else_is_meant(seat: Seat) -> None:
    names = {**NAMED, Seat("3"): "1", Seat("12"): "Seat 12"}

    assert meant(written(seat, SEATS, names), SEATS, names) == Meant(frozenset([seat]))


@pytest.mark.parametrize(("one", "other"), [("Bem", "Bern"), ("Amie", "Arnie"), ("Carmen", "Carrnen")])
def test_a_plain_letter_looks_like_no_two_others(one: str, other: str) -> None:
    assert why_no_name(one, Seat("2"), SEATS, [other]) == ""
    assert why_no_name(one, Seat("2"), SEATS, [one.replace("e", "\u0435")])
