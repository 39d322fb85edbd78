"""What players can make their orders wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.interface import Json
from pbem.core.predicates import Bound, Predicate, Predicates, by_name
from pbem.rules.kit.conditions import one_of, other_player, player
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import target
from pbem.rules.rose_king.state import EMPTY, SEATS, opponent
from pbem.rules.rose_king.view import View


def conditions(facts: Facts) -> Predicates:
    """Return the conditions of this game, the most useful first."""
    squares = len(facts.squares)
    square, card = one_of("square", facts.squares), one_of("card", facts.deck)
    who, other = player(SEATS, str.capitalize), other_player(SEATS, str.capitalize)
    return by_name(
        (
            Predicate("crown", "the crown is on {square}", {"crown": "{square}"}, (square,)),
            Predicate("square_free", "{square} is empty", {"board.{square}": EMPTY}, (square,)),
            Predicate(
                "token",
                "{player} [hold/holds] the square {square}",
                {"board.{square}": "{player}"},
                (square, who),
            ),
            Predicate(
                "has_card",
                "{player} [hold/holds] the card {card}",
                {"{player}.hand": {"has": "{card}"}},
                (card, who),
            ),
            Predicate(
                "lost_token",
                "the last turn of your opponent turned over a token of yours",
                {"lost_token": True},
            ),
            Predicate(
                "heroes",
                "{player} [have/has] {number} [hero|heroes]",
                {"{player}.heroes": "{number}"},
                (who,),
                Bound(0, facts.heroes),
            ),
            Predicate(
                "ahead_of",
                "you are ahead of {player} by {number} [point|points]",
                {"difference": ["{me}.points", "{player}.points", "{number}"]},
                (other,),
                Bound(None, None, {"at_least": 1}),
            ),
            Predicate(
                "points",
                "{player} [have/has] {number} [point|points]",
                {"{player}.points": "{number}"},
                (who,),
                Bound(0),
            ),
            Predicate(
                "territory",
                "{player} [have/has] a territory of {number} [square|squares]",
                {"{player}.largest": "{number}"},
                (who,),
                Bound(0, squares),
            ),
            Predicate(
                "pile",
                "the pile has {number} [card|cards]",
                {"pile": "{number}"},
                (),
                Bound(0, len(facts.deck)),
            ),
        )
    )


def conditions_in(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions that matter in a position, the most useful first."""
    if view.me is None:
        return
    foe, mine = opponent(view.me), view.side(view.me)
    other = foe.capitalize()
    theirs = [target(facts, view.crown, card) for card in view.side(foe).hand]
    reached = [one for one in theirs if one is not None and view.board[one] == EMPTY]
    for square in reached[:2]:
        yield {"crown": square}
    for square in reached[-1:]:
        yield {"token": {"square": square, "player": other}}
    yield {"lost_token": True}
    held = [square for square, seat in view.board.items() if seat == foe]
    for square in held[:1]:
        yield {"token": square}
    for card in [one for one in facts.deck if one not in mine.hand][:1]:
        yield {"has_card": card}
    yield {"heroes": {"player": other, "at_most": max(view.side(foe).heroes - 1, 0)}}
    yield {"ahead_of": {"player": other, "at_least": 5}}
    yield {"pile": {"at_most": max(view.pile // 2, 1)}}
