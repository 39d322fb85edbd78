"""Orders of a known sender: whose they must be, and a second try after the first was interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.submissions import lodging
from pbem.play.submissions.lodging import Plan, Receipt, Sender, lodge
from tests.facts import each_tells
from tests.homes import NOW, a_game, a_home, orders_path, orders_text, top, tree

RED = Seat("red")
FIRST: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": {"draw": True}}]
OTHER: list[Json] = [{"at": "red-1", "do": {"play": "E1"}}]


class Killed(Exception):
    """Stands for a kill."""


def red(lines: list[Json]) -> bytes:
    return orders_text("rose-1", "red", lines).encode()


def sender(plan: Plan | int | None = None, noted: list[Plan] | None = None) -> Sender:
    """Return red, who may have tried before and noted a plan, or at least a number."""
    before = Plan(plan) if isinstance(plan, int) else plan
    return Sender("rose-1", RED, before, (noted if noted is not None else []).append)


def lodged(home: Home, data: bytes, by: Sender | None = None) -> Receipt:
    answer = lodge(home, data, by)
    assert isinstance(answer, Receipt), answer
    return answer


def test_the_number_is_noted_before_anything_is_stored(home: Home) -> None:
    before = tree(top(home))

    def note(plan: Plan) -> None:
        assert (plan.number, tree(top(home))) == (1, before)
        raise Killed

    with pytest.raises(Killed):
        lodge(home, red(FIRST), Sender("rose-1", RED, None, note))

    assert tree(top(home)) == before


@pytest.mark.parametrize(("game", "seat"), [("rose-2", "red"), ("rose-1", "white")])
def test_orders_of_another_game_or_seat_than_the_senders_are_refused(
    home: Home, game: str, seat: str
) -> None:
    a_game(home, "rose-2")
    before = tree(top(home))

    lodge(home, orders_text(game, seat, FIRST).encode(), sender())

    assert tree(top(home)) == before


def test_a_second_try_does_not_store_again_what_the_first_had_stored(home: Home) -> None:
    lodged(home, red(OTHER))
    noted: list[Plan] = []
    first = lodged(home, red(FIRST), sender(None, noted))
    before = tree(top(home))

    again = lodged(home, red(FIRST), sender(noted[0]))

    assert (again.number, again.proof, again.orders) == (first.number, first.proof, first.orders)
    assert (again.replaced, again.forecast) == (first.replaced, first.forecast)
    assert "E1" in again.replaced
    assert tree(top(home)) == before


def test_a_second_try_knows_orders_again_whose_slips_were_mended(home: Home) -> None:
    written = b"game: rose-1\nseat: red\norders:\n- at: next\n  do: play: N2\n"
    noted: list[Plan] = []
    first = lodged(home, written, sender(None, noted))
    run(home, "rose-1", now=NOW)
    before = tree(top(home))

    again = lodged(home, written, sender(noted[0]))  # by now `next` would be another label

    assert "at: red-1\n  do: {play: N2}" in noted[0].text
    assert (again.number, again.proof, again.orders, again.taken) == (1, first.proof, first.orders, True)
    assert again.judged.notes == first.judged.notes != ()
    assert tree(top(home)) == before


@pytest.mark.parametrize(
    "after",
    ["nothing", "newer orders", "newer orders and a run", "a run", "a run and orders for the next turn"],
)
def test_a_second_try_does_not_take_the_place_of_newer_orders(home: Home, after: str) -> None:
    first = lodged(home, red(FIRST), sender())
    if "newer" in after:
        lodged(home, red(OTHER))
    if "run" in after:
        run(home, "rose-1", now=NOW)
    if "next" in after:
        lodged(home, red([{"at": "red-2", "do": {"draw": True}}]))
    before = tree(top(home))

    again = lodged(home, red(FIRST), sender(1))

    assert (again.number, again.proof) == (1, first.proof)
    assert again.taken == after.startswith("a run")
    assert tree(top(home)) == before


def test_a_number_that_went_to_other_orders_meanwhile_is_not_taken_for_ones_own(home: Home) -> None:
    lodged(home, red(OTHER))
    noted: list[Plan] = []

    again = lodged(home, red(FIRST), sender(1, noted))

    assert (again.number, [plan.number for plan in noted]) == (2, [2])
    assert b"N2" in orders_path(home, "rose-1", RED).read_bytes()


def test_names_of_lines_for_after_the_deal_are_told_with_their_place_before_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    table = "seats: {white: {player: Ann}, black: {player: Bob}}"
    a_game(home, "rose-1", rules="game-of-powers", table=table, deal=False)
    bad = b"""game: rose-1
seat: white
orders:
- {at: start, do: {luck: rain}}
- at: white-1
  do: {place: Palangaa, facing: clockwise}
- {at: white-2, do: {sail: Aarhus, take_tokens: [militry, any]}}
"""

    for answer in (lodging.checked(home, bad), lodge(home, bad)):
        assert isinstance(answer, list)
        assert each_tells([str(fault) for fault in answer], ("6:15", "Palanga"), ("7:50",))
    good = bad.replace(b"Palangaa", b"Palanga").replace(b"militry", b"military")
    assert isinstance(lodge(home, good), Receipt)
