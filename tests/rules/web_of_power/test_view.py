"""What a seat may know: the table and its own hand, but neither the other hands nor the pile."""

from __future__ import annotations

from dataclasses import replace

from .table import GREEN, RED, YELLOW, cards, deal, position, web_of_power


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
