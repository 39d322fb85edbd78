"""Names of players and seats, and addresses: which are fine, which are refused, and what they mean."""

from __future__ import annotations

import pytest

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.text.names import (
    LONGEST_SEAT,
    NamedSeats,
    is_plain_address,
    seats_named,
    unambiguous_seat_text,
    why_no_name,
    why_unfit,
)
from tests.facts import tells

SEATS = tuple(map(Seat, ("1", "2", "3", "12")))
COLOURS = tuple(map(Seat, ("red", "white")))
OTHERS = ("Ann Lee", "Bob", "Иван")


@pytest.mark.parametrize(
    "name", ["Cleo", "Player 2", "2", "Ann Day", "Ann Lee Jr.", "O'Neil", "Иванка", "Player 4"]
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
    assert seats_named(text, SEATS, NAMED) == NamedSeats(frozenset(map(Seat, to)))


@pytest.mark.parametrize(
    ("text", "several"),
    [("Player 1", {"1", "2"}), ("3, 12", {"3", "12"}), ("Ann", {"1", "12"}), ("2 and PLAYER 1", {"1", "2"})],
)
def test_a_word_that_means_a_seat_and_anothers_name_means_neither(text: str, several: set[str]) -> None:
    found = seats_named(text, SEATS, NAMED)

    assert [*found.unclear.values()] == [several]
    assert found.to <= {"2"}


@pytest.mark.parametrize("seat", SEATS)
def test_each_seat_can_be_written_so_that_nobody_else_is_meant(seat: Seat) -> None:
    names = {**NAMED, Seat("3"): "1", Seat("12"): "Seat 12"}

    assert seats_named(unambiguous_seat_text(seat, SEATS, names), SEATS, names) == NamedSeats(
        frozenset([seat])
    )


@pytest.mark.parametrize(("one", "other"), [("Bem", "Bern"), ("Amie", "Arnie"), ("Carmen", "Carrnen")])
def test_a_plain_letter_looks_like_no_two_others(one: str, other: str) -> None:
    assert why_no_name(one, Seat("2"), SEATS, [other]) == ""
    assert why_no_name(one, Seat("2"), SEATS, [one.replace("e", "\u0435")])


# Seats


@pytest.mark.parametrize(
    "name",
    [
        "red",
        "1",
        "Å" * LONGEST_SEAT,
        "\U0001f451" * LONGEST_SEAT,
        "שלום",
        "100%",
        "New_York,_N.Y.",
        "=?utf-8?q?x",
    ],
)
def test_a_name_of_one_printed_word_is_fine(name: str) -> None:
    assert why_unfit([Seat(name)]) == ""


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([""], ()),
        (["x" * 41], ("x" * 40, "41", "40")),
        (["New York"], ("York",)),
        (["a\nb"], ()),
        (["a\u202eb"], ("'a\\u202eb'",)),
        (["\ud800"], ("'\\ud800'",)),
        (["a/b"], ("'a/b'",)),
        ([".."], ()),
        (["all"], ()),
        (["Moderator"], ()),
        (["spectator"], ()),
        (["turn"], ()),
        (["red", "Red"], ("'Red'", "'red'")),
        (["\u00c5", "A\u030a"], ()),
    ],
)
def test_a_name_that_something_cannot_hold_is_refused_with_the_reason(
    names: list[str], told: tuple[str, ...]
) -> None:
    assert tells(why_unfit([Seat("blue"), *map(Seat, names)]), *told)


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.org",
        "Mary.Anne.O'Hara@Example.ORG",
        "ann+pbem@example.org",
        "_@x.de",
        "!#$%&'*+-/?=^_`{|}~@example.org",
        "ann@localhost",
        "x" * 64 + "@example.org",
        "a@" + ".".join(["x" * 63] * 3) + ".example.org",
    ],
)
def test_an_address_that_needs_no_quotes_is_plain(address: str) -> None:
    assert is_plain_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "@example.org",
        "ann@",
        ".ann@example.org",
        "an..n@example.org",
        '"an n"@example.org',
        "ann@example..org",
        "ann@example.org.",
        "ann@-example.org",
        "ann@[127.0.0.1]",
        "ann@bob@example.org",
        "dörte@example.org",
        "ann@example.org\r\nBcc: x@y",
        "a nn@example.org",
        "=?utf-8?q?ann?=@example.org",
        "x" * 65 + "@example.org",
        "a@" + ".".join(["x" * 60] * 5),
    ],
)
def test_what_a_mail_server_would_not_take_unquoted_is_no_plain_address(address: str) -> None:
    assert not is_plain_address(address)


def test_a_long_text_is_judged_in_one_pass() -> None:
    for text in ("a" * 100_000, "a." * 50_000, "a@" + "b." * 50_000, "=" * 100_000):
        assert not is_plain_address(text)
