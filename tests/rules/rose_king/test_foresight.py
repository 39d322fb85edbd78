"""Lines for later turns of The Rose King: what can never be played is refused, with reason and place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.core.interface import Json
from pbem.play.home import Home
from pbem.play.receipts import Receipt
from pbem.text.verdicts import in_words
from tests.homes import a_game, a_home, check_file, orders_text

FIRST = "{at: red-1, do: {play: N2}}"
"""Red begins on E5 with N2 E1 SW2 W2 W3 in its hand; White holds NE1 SE1 SE2 SE3 NW1. N2 leads to E3."""

# The lines after the first, of which the last one is bad; what is said of it.
BAD: list[tuple[list[str], str]] = [
    (["{at: red-2, do: {play: N2}}"], "N2 is played before then, and you draw no card until then"),
    (["{at: red-2, do: {play: E1}}", "{at: red-3, do: {play: E1}}"], "E1 is played before then"),
    (["{at: red-2, do: {play: NE1}}"], "NE1 is not in your hand, and you draw no card until then"),
    (["{at: red-2, do: {play: SW3}}"], "SW3 is not in your hand, and you draw no card until then"),
    (["{at: red-2, when: {crown: A1}, do: {draw: true}}"], "the crown cannot be on A1 then"),
    (["{at: red-2, when: {crown: [A1, I9]}, do: {draw: true}}"], "the crown cannot be on A1 or I9 then"),
    (
        ["{at: red-2, when: {crown: Z1}, do: {draw: true}}"],
        "the square of the crown is never Z1. It can be A1 to I9.",
    ),
    (
        ["{at: red-2, when: {discards: {has: Q99}}, do: {draw: true}}"],
        "Q99 is never among the discards. It can be N1, N2, N3, or one of 21 others.",
    ),
    (["{at: red-3, when: {crown: I9}, do: {play: E1}}"], "E1 leads from I9 off the board"),
    (["{at: red-2, when: {crwn: F2}, do: {draw: true}}"], "your view has no 'crwn'"),
    (
        ["{at: red-2, when: {board.E3: blue}, do: {draw: true}}"],
        "what stands on E3 is never blue. It can be empty, Red, White.",
    ),
    (["{at: red-2, when: {board.E3: empty}, do: {draw: true}}"], "the crown cannot be on a square that fits"),
    (
        ["{at: red-2, when: {red.heroes: 9}, do: {draw: true}}"],
        "the number of heroes of Red is never 9. It is from 0 to 4.",
    ),
    (
        ["{at: red-2, when: {pile: {at_least: 60}}, do: {draw: true}}"],
        "the number of cards in the pile is never as much as 60",
    ),
    (
        ["{at: red-2, when: {to_move: blue}, do: {draw: true}}"],
        "the seat on turn is never blue. It can be Red, White.",
    ),
    (["{at: red-2, when: {red.hand: {has: N2}}, do: {draw: true}}"], "N2 is played before then"),
    (["{at: red-2, when: {crown: F2}, do: {play: E1, hero: true}}"], "a hero only turns over a token"),
    (["{at: red-2, when: {crown: F4}, do: {play: W1}}"], "W1 is not in your hand"),
    (["{at: white-1, do: {draw: true}}"], "white-1 is White's label"),
    (["{at: red-1.trade, do: {draw: true}}"], "no label of this game ends in .trade"),
    (["{at: red-1, do: {draw: true}}"], "order 1 is played wherever this line could be"),
    (
        ["{at: red-2, do: {draw: true}}", "{at: red-2, when: {crown: F2}, do: {play: E1}}"],
        "order 2 is played wherever this line could be",
    ),
    (
        ["{at: red-2, do: {draw: true}}", "{at: red-3, do: {draw: true}}"],
        "you hold 5 cards then, the most there is",
    ),
]

# The same; none of these can be called impossible.
OPEN: list[list[str]] = [
    ["{at: red-2, do: {draw: true}}"],
    ["{at: red-2, when: {crown: F2}, do: {play: E1}}"],
    ["{at: red-2, when: {crown: [A1, F2]}, do: {play: E1}}"],
    ["{at: red-2, when: {board.E3: red, crown: G5}, do: {play: W3}}"],
    ["{at: red-2, do: {draw: true}}", "{at: red-3, when: {red.hand: {has: S1}}, do: {play: S1}}"],
    ["{at: red-3, when: {board.E3: white}, do: {draw: true}}"],
    ["{at: red-2, do: {draw: true}}", "{at: red-3, do: {play: S1}}"],
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with a new game."""
    made = a_home(tmp_path_factory.mktemp("rose"))
    a_game(made)
    return made


def checked(home: Home, folder: Path, lines: list[str]) -> Any:
    """Return what `pbem check` finds of the first line and those after it."""
    path = folder / "orders.yaml"
    path.write_text(orders_text("rose-1", "red", [yaml.safe_load(one) for one in (FIRST, *lines)]), "utf-8")
    return check_file(home, path)


@pytest.mark.parametrize(("lines", "reason"), BAD)
def test_what_can_never_be_played_is_refused_with_its_reason_and_its_place(
    lines: list[str], reason: str, home: Home, tmp_path: Path
) -> None:
    found = checked(home, tmp_path, lines)

    assert isinstance(found, list), found
    assert [fault.part for fault in found] == [str(len(lines) + 1)]
    assert reason in f"{found[0].text}. {found[0].hint}"
    assert found[0].line > 3 + len(lines)


@pytest.mark.parametrize("lines", OPEN)
def test_what_may_be_played_is_not_refused(lines: list[str], home: Home, tmp_path: Path) -> None:
    assert not isinstance(checked(home, tmp_path, lines), list | Receipt)


def test_where_a_card_may_not_be_played_the_square_is_named_with_the_reason(
    home: Home, tmp_path: Path
) -> None:
    lines: list[Json] = [{"at": "red-1", "do": {"play": "E1"}}, {"at": "red-2", "do": {"play": "SW2"}}]
    path = tmp_path / "orders.yaml"
    path.write_text(orders_text("rose-1", "red", lines), "utf-8")

    found = check_file(home, path)

    assert not isinstance(found, list)
    (told,) = [one for one in in_words(found.verdict) if one.startswith("  later: ")]
    assert told.endswith("would be played if the crown is not on I8 (SW2 leads from I8 off the board)")
