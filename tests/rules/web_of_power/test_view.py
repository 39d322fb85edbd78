"""What a seat may know: the table and its own hand, but neither the other hands nor the pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.core.conditions import holds
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power.state import State

from .table import GREEN, RED, YELLOW, cards, deal, playout, position, web_of_power


def test_the_map_shows_owners_free_sites_room_and_leads() -> None:
    view = web_of_power().view(
        position(taken="red: mainz corvey; green: bamberg", sent="franken: green 1"), YELLOW
    )
    assert (view.sites["mainz"], view.sites["york"]) == (RED, "free")  # type: ignore[index]
    franken = next(country for country in view.free if country == "franken")
    assert (view.free[franken], view.room[franken], view.leads[franken]) == (4, 1, (RED,))
    assert view.cloisters[franken] == {YELLOW: 0, RED: 2, GREEN: 1}
    assert view.advisors[franken] == {YELLOW: 0, RED: 0, GREEN: 1}
    assert view.worth[franken] == {YELLOW: 0, RED: 3, GREEN: 2}
    assert view.players[RED].cloisters == 18


def test_a_seat_sees_its_own_hand_and_counts_of_the_others() -> None:
    rules, state = web_of_power(), position(hands={YELLOW: "fa fa fr"})
    mine, yours, nobodys = (rules.view(state, seat) for seat in (YELLOW, RED, None))
    assert (mine.hand, mine.held["franken_aragon"]) == (cards("fa fa fr"), 2)  # type: ignore[index]
    assert (yours.hand, nobodys.hand) == (cards("fa bb li"), ())
    assert [one.cards for one in nobodys.players.values()] == [3, 3, 3]
    assert sum(mine.unseen.values()) == mine.pile + 6
    assert sum(nobodys.unseen.values()) == nobodys.pile + 9


def test_groups_tell_chains_and_where_they_grow() -> None:
    view = web_of_power().view(
        position(taken="yellow: york st_albans winchester canterbury; red: glastonbury"), YELLOW
    )
    (group,) = view.groups
    assert (group.chain, group.grows) == (3, ())
    assert group.sites == ("york", "st_albans", "canterbury", "winchester")
    assert web_of_power().view(position(taken="yellow: york"), RED).groups == ()


CONDITIONS: list[Json] = [
    {"hand": {"has": "frankreich"}},
    {"held.franken_aragon": {"at_least": 2}},
    {"face_up": {"has": ["england_schwaben"]}},
    {"pile": {"at_least": 1}, "half": 1, "closing": False},
    {"sites.mainz": "red", "sites.york": "free"},
    {"free.franken": {"at_most": 6}, "room.franken": 1},
    {"leads.franken": {"has": "red"}, "leads.england": {"not": {"has": "red"}}},
    {"cloisters.franken.red": 1, "advisors.franken.red": {"at_most": 0}},
    {"worth.franken.red": 1, "players.red.now": {"at_least": 1}, "players.red.points": 0},
    {"lost_lead": False, "lost": {"not": {"has": "franken"}}, "news": {"not": {"has": "bayern"}}},
    {"discards.frankreich": 0, "unseen.frankreich": {"at_least": 1}, "players.red.chain": 1},
    {"players.red.cloisters": 19, "players.red.advisors": 8},
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_conditions_that_the_guide_names_hold_on_a_view(condition: dict[str, Json]) -> None:
    view = web_of_power().view(position(hands={YELLOW: "fa fa fr"}, taken="red: mainz"), YELLOW)
    assert holds(condition, view)


@pytest.mark.parametrize("seats", [3, 5])
def test_other_worlds_look_the_same_and_hold_the_same_cards(seats: int) -> None:
    rules, changed = web_of_power(), Counter[str]()
    for step, (state, _, _) in enumerate(playout("worlds", ("greedy", "random"), seats)):
        for seat in (*state.seats, None):
            other = rules.redeal(state, seat, Dice(b"other world", step))
            assert rules.view(other, seat) == rules.view(state, seat)
            assert Counter(hidden(other)) == Counter(hidden(state))
            changed["pile"] += other.pile != state.pile
            changed["hands"] += other.players != state.players
    assert min(changed["pile"], changed["hands"]) > 50


def hidden(state: State) -> Iterator[str]:
    yield from state.pile
    for player in state.players.values():
        yield from player.hand
        assert Counter(player.known) <= Counter(player.hand)


def test_advice_is_the_same_in_every_world() -> None:
    rules = web_of_power()
    for step, (state, _, _) in enumerate(playout("advice", ("random",), 3)):
        seat = state.to_move
        view = rules.view(state, seat)
        twin = rules.view(rules.redeal(state, seat, Dice(b"twin", step)), seat)
        dice = Dice(b"bot", step)
        assert rules.choices(view) == rules.choices(twin)
        for skill in ("random", "greedy"):
            order = rules.suggest(view, dice, skill)
            assert order == rules.suggest(twin, dice, skill)


def test_all_that_a_state_holds_but_hidden_cards_shows_to_everybody() -> None:
    rules, state = web_of_power(), deal("shows", 3)
    yellow = state.players[YELLOW]
    others = [
        replace(state, to_move=RED),
        replace(state, starter=RED),
        replace(state, half=2),
        replace(state, closing=True),
        replace(state, ended="over"),
        replace(state, alliances="sea"),
        replace(state, next_in_turn=True),
        replace(state, face_up=()),
        replace(state, pile=state.pile[1:]),
        replace(state, discards={state.pile[0]: 1}),
        replace(state, cloisters=position(taken="red: york").cloisters),
        replace(state, advisors=position(sent="england: red 1").advisors),
        *(
            replace(state, players={**state.players, YELLOW: player})
            for player in (
                replace(yellow, hand=yellow.hand[1:]),
                replace(yellow, known=yellow.hand[:1]),
                replace(yellow, points=3),
                replace(yellow, asks=1),
                replace(yellow, led=tuple(rules.facts.lands)[:1]),
                replace(yellow, news=tuple(rules.facts.lands)[:1]),
            )
        ),
    ]
    assert rules.constants == {}
    for other in others:
        for seat in (*state.seats, None):
            assert rules.view(other, seat) != rules.view(state, seat)
