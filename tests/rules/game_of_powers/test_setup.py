"""The start: what is laid out and dealt, where ships are placed, and who begins."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.rules.game_of_powers import SYSTEM, events
from pbem.rules.game_of_powers.facts import plus, total
from pbem.rules.game_of_powers.scoring import final_points
from pbem.rules.game_of_powers.state import SEATS

from .table import WHITE, after, asked, deal, do, game, kinds, view_of, wrong


@pytest.mark.paragraph("players", "setup-cards", "setup-hands", "setup-tokens", "setup-tasks")
@pytest.mark.parametrize("seats", SYSTEM.seats)
def test_everything_is_laid_out_and_dealt(seats: int) -> None:
    facts, state = game().facts, deal("start", seats)

    assert all(len(state.fields[section]) == count for section, count in facts.sections.items())
    assert all(total(state.stock[city]) == facts.per_field for city in facts.ring)
    assert all(len(player.hand) == 2 and total(player.tokens) == 0 for player in state.players.values())
    assert len(state.pile) == 52 - 16 - 2 * seats
    assert total(state.pool) == 60 - 48
    everything = state.pool
    for field in state.stock.values():
        everything = plus(everything, field)
    assert set(everything.values()) == {15}
    assert state.tasks == {name: task.values for name, task in facts.tasks.items()}


@pytest.mark.paragraph("simplified")
def test_the_simplified_variant_has_no_task_tokens() -> None:
    state = deal("simple", tasks=False)
    place: Json = {"place": "wolin", "facing": "clockwise"}
    state = after(state, place, place, place)

    assert state.tasks == {}
    order: Json = {"sail": 1, "take_tokens": ["any", "any"], "claim": "four_sites"}
    assert "this game is played without tasks" in wrong(state, order)[0]


@pytest.mark.paragraph("setup-first")
def test_the_first_player_is_drawn_and_turns_go_round_from_there() -> None:
    firsts = {deal(f"first {number}").order for number in range(30)}

    assert firsts == {SEATS[:3], (*SEATS[1:3], *SEATS[:1]), (*SEATS[2:3], *SEATS[:2])}


@pytest.mark.paragraph("setup-ships", "ruling-start", "rounds")
def test_ships_are_placed_in_turn_order_and_may_share_a_city() -> None:
    state = deal("ships")
    first, second, third = state.order
    ask = game().ask(state)
    assert isinstance(ask, Ask)
    assert (ask.kind, ask.label, asked(state)) == ("start city", f"{first}-1", first)

    state, told = do(state, {"place": "Sorte Muld", "facing": "clockwise"})
    assert told == (
        events.ShipPlaced(
            seat=first, city=game().facts.ring[4], direction="clockwise", name="Sorte Muld", to="all"
        ),
    )
    state = after(
        state, {"place": "sorte_muld", "facing": "uppakra"}, {"place": "wolin", "facing": "anticlockwise"}
    )

    assert {seat: state.players[seat].direction for seat in state.order} == {
        first: "clockwise",
        second: "anticlockwise",
        third: "anticlockwise",
    }
    assert view_of(state).cities[game().facts.ring[4]].ships == (first, second)
    ask = game().ask(state)
    assert isinstance(ask, Ask)
    assert (ask.kind, ask.label) == ("move", f"{first}-2")


def test_the_seats_are_the_colours_of_the_ships() -> None:
    with pytest.raises(ValueError, match="expected the seats white, black, got red, blue"):
        game().setup((Seat("red"), Seat("blue")), {}, {}, Dice(b"", 0))
    assert not {str(seat) for seat in SEATS} & set(game().facts.sections)


def test_nothing_else_happens_when_a_ship_is_placed() -> None:
    _, told = do(deal("quiet"), {"place": "owidz", "facing": "clockwise"})

    assert kinds(told) == ["ShipPlaced"]


@pytest.mark.parametrize(
    ("seats", "points"), [(2, (0, 2)), (3, (0, 1, 2)), (4, (0, 1, 1, 2)), (5, (0, 1, 1, 2, 2))]
)
def test_start_points_rise_from_the_first_player_to_the_last(seats: int, points: tuple[int, ...]) -> None:
    state = deal("late", seats, start_points=True)
    sides = view_of(state, WHITE).players

    assert tuple(state.players[seat].start_points for seat in state.order) == points
    assert tuple(sides[seat].points for seat in state.order) == points
    assert tuple(final_points(game().facts, state)[seat]["start"] for seat in state.order) == points
    assert all(one.start_points == 0 for one in deal("late", seats).players.values())


def test_a_saved_game_of_before_has_no_start_points() -> None:
    old: dict[str, Json] = {"players": {"white": {"asks": 3}, "black": {"asks": 2}}, "may_trade": True}

    (upgrade,) = game().upgrades

    assert upgrade(dict(old)) == {
        "players": {"white": {"asks": 3, "start_points": 0}, "black": {"asks": 2, "start_points": 0}},
        "may_trade": True,
    }
