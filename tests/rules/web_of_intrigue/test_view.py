"""What a seat may know, and the worlds it cannot tell apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json
from pbem.rules.web_of_intrigue.events import TilesSighted
from pbem.rules.web_of_intrigue.helps import BONUSES
from pbem.rules.web_of_intrigue.redealt import may_be
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Square, TileId
from pbem.rules.web_of_intrigue.words import spell_roll

from .table import A, B, C, D, all_play, change, deal, do, of, playout, position, woi


@pytest.mark.paragraph("tiles-diamond", "bid-known")
def test_a_seat_sees_its_diamond_row_by_row_and_what_bids_would_need() -> None:
    view = woi().view(position(tiles={"d5": "rick_blacken", "e5": "inflation"}, squares={A: "d5"}), A)
    assert list(view.web) == [
        "d2", "c3", "d3", "e3", "b4", "c4", "d4", "e4", "f4", "a5", "b5", "c5", "d5", "e5", "f5", "g5",
        "b6", "c6", "d6", "e6", "f6", "c7", "d7", "e7", "d8",
    ]  # fmt: skip
    offer = view.objects[TileId("rick_blacken")]
    assert (offer.square, offer.modifier, offer.needed, offer.faces) == ("d5", 0, 5, 2)
    spot = view.specials[TileId("inflation")]
    assert (spot.square, spot.effect, spot.subject) == ("e5", "+1 to bids for any country, this turn", "")


@pytest.mark.paragraph("bid-known", "example-4")
def test_a_seat_is_told_part_by_part_what_a_bid_would_come_to() -> None:
    state = position(
        tiles={"e5": "rick_blacken"}, squares={A: "d5"}, houses={A: "taurus"}, owners={"rick_blacken": B}
    )
    offer = woi().view(state, A).objects[TileId("rick_blacken")]
    assert offer.parts == {"House": 3, "distance": -1, "control": -3}
    assert (offer.distance, offer.controller, offer.modifier, offer.needed, offer.faces) == (1, B, -1, 6, 1)


@pytest.mark.paragraph("tiles-diamond", "intro-web")
def test_a_diamond_at_the_corner_wraps_round() -> None:
    view = woi().view(position(squares={A: "a1"}), A)
    assert {"h1", "d1", "a8", "a4", "j10", "i10", "b2"} <= set(view.web)
    assert len(view.web) == 25


@pytest.mark.paragraph("bid-public")
def test_the_spectator_sees_what_is_public_only() -> None:
    view = woi().view(position(owners={"france": B}), None)
    assert (view.me, view.own, view.web, view.objects, view.specials, view.memory) == (
        None,
        None,
        {},
        {},
        {},
        {},
    )
    assert view.owners[TileId("france")].controller == B
    assert view.players[B].income == 9


@pytest.mark.paragraph("tiles-memory")
def test_a_seat_remembers_what_it_saw_with_the_turn() -> None:
    state = position(squares={A: "a1"})
    state, _ = do(state, {A: {"move": "d1"}})
    state, _ = do(state, {A: {"move": "g1"}})
    memory = woi().view(state, A).memory
    assert memory[Square("b1")].turn == 1
    assert Square("e1") not in memory
    assert memory[Square("b1")].tile == state.web[Square("b1")]


@pytest.mark.paragraph("tiles-kinds", "guess-secret", "victory-mean")
def test_redeals_reach_everything_that_is_hidden() -> None:
    rules = woi()
    state = [position for position, _, _ in playout("hidden", all_play("random", 4))][7]
    worlds = [rules.redeal(state, A, Dice(b"hidden", number)) for number in range(60)]

    def varies(what: str) -> bool:
        return any(
            len({str(getattr(world.players[seat], what)) for world in worlds}) > 1 for seat in (B, C, D)
        )

    for name in ("house", "square", "suggestion", "bonus", "transfers", "guesses", "memory"):
        assert varies(name), name
    unseen = [square for square in rules.facts.grid.squares if square not in rules.view(state, A).web]
    assert len({str([world.web[square] for square in unseen]) for world in worlds}) > 10
    for name in ("objects", "bids", "proven", "gained", "reach"):
        assert not varies(name), name


def test_what_a_seat_knows_of_houses_is_kept() -> None:
    facts, state = woi().facts, deal(4)
    guesses = (
        Guess(1, B, state.players[B].house, right=True, free=False),
        Guess(1, C, HouseId("leo"), right=False, free=False),
    )
    state = replace(change(state, A, guesses=guesses, house=HouseId("aries")), turn=3)
    state = change(state, C, proven={"entity": 3})
    assert may_be(facts, state, A, B) == (state.players[B].house,)
    assert set(may_be(facts, state, A, C)) == {"cancer", "scorpio", "pisces"}
    assert set(may_be(facts, state, A, D)) == set(facts.houses) - {"aries"}
    assert set(may_be(facts, state, None, D)) == set(facts.houses)


def test_whether_a_guessed_player_guessed_back_is_kept_for_the_bonus_shows_it() -> None:
    rules, state = woi(), position(owners={"usa": B})
    state, _ = do(
        state,
        {A: {"guess": {"player": 2, "house": "pisces"}}, B: {"guess": {"player": 1, "house": "capricorn"}}},
    )
    for number in range(30):
        other = rules.redeal(state, A, Dice(b"back", number))
        assert A in other.players[B].known
        assert rules.view(other, A).own == rules.view(state, A).own


def test_what_specials_would_add_is_what_they_add() -> None:
    rules, seen = woi(), set[str]()
    for state, ask, _ in playout("helps", all_play("greedy", 12), turns=6):
        for seat in state.players if isinstance(ask, Ask) else ():
            view = rules.view(state, seat)
            for name, offer in view.objects.items():
                for special, gain in offer.helped.items():
                    order: Json = {
                        "special_1": {"enact": special, "points": 1},
                        "bid_1": {"for": name, "points": 1},
                    }
                    lines = rules.forecast(view, rules.read(order)).lines
                    assert spell_roll(rules.facts, offer.needed - gain) in lines[1]
                    seen.add(rules.facts.specials[TileId(rules.facts.find_tile(special))].effect.kind)
                assert offer.at_best == offer.needed - sum(sorted(offer.helped.values())[-3:])
                assert not (offer.controller == seat and offer.helped)
            for spot in view.specials.values():
                assert not spot.barred or spot.name not in {
                    name for offer in view.objects.values() for name in offer.helped
                }
    assert seen == set(BONUSES)


def test_what_a_seat_is_told_to_have_sighted_stands_in_its_next_view() -> None:
    rules = woi()
    for state, _, told in playout("sighted", all_play("random", 6)):
        for event in of(told, TilesSighted):
            web = rules.view(state, event.seat).web
            assert event.tiles == {square: rules.facts.name(web[square]) for square in event.tiles}
