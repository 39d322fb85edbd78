"""What a seat may know: the table and its own hand, but neither the other hands nor the pile."""

from __future__ import annotations

from .table import GREEN, RED, YELLOW, cards, position, web_of_power


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
