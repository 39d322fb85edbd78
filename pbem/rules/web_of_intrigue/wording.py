"""Orders and facts in words, and orders that fit a position as examples for the form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import Wording
from pbem.rules.kit.words import count
from pbem.rules.web_of_intrigue.check import check_move
from pbem.rules.web_of_intrigue.choices import likeliest
from pbem.rules.web_of_intrigue.conditions import conditions
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.helps import BONUSES
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS, Bid
from pbem.rules.web_of_intrigue.orders import STAY, read_move, spell_subjects
from pbem.rules.web_of_intrigue.state import TileId
from pbem.rules.web_of_intrigue.view import View

FACT_WORDS: Final[Mapping[str, str]] = {
    "turn": "the turn",
    "own.square": "the square where you stand",
    "own.action_points": "the number of your action points",
    "own.total": "the number of your victory points",
    "own.objects": "the number of your points from objects",
    "own.bonus": "the number of your points from guesses",
    "web.*": "the tile on {0}",
    "objects.*.faces": "the number of faces of the die that win {0}",
    "objects.*.needed": "the roll needed for {0}",
    "objects.*.controller": "who controls {0}",
    "owners.*.controller": "who controls {0}",
    "spotted.*": "where you saw {0}",
    "players.*.points": "the points of {0}",
    "players.*.income": "the income of {0}",
    "can_be.*": "the Houses that {0} can have",
}

_BID: Final = 6
"""Action points of the bid in the example."""


def wording(facts: Facts) -> Wording:
    """Return how this game says orders, facts and names."""
    order, name = partial(order_words, facts), partial(name_words, facts)
    return Wording(FACT_WORDS, facts.titles, order, name, conditions(facts))


def order_words(facts: Facts, order: Json) -> str:
    """Return orders as a sentence has them: "bid 17 for France; guess that player 7 is Leo; move to d5"."""
    move = read_move(facts, order)
    parts = []
    for action in move.actions.values():
        points, name = count(action.points, "point"), facts.name(action.tile)
        if isinstance(action, Bid):
            parts.append(f"bid {points} for {name}")
        else:
            on = f" ({subjects})" if (subjects := spell_subjects(action)) else ""
            parts.append(f"enact {name}{on} with {points}")
    if move.guess is not None:
        parts.append(f"guess that player {move.guess.player} is {facts.name(move.guess.house)}")
    parts.append("stay where you are" if move.goal is None else f"move to {move.goal}")
    return "; ".join(parts)


def name_words(facts: Facts, name: str) -> str:
    """Return the name of a tile or a House; a player's number as "player 7"; anything else as it is."""
    return f"player {name}" if name.isdecimal() else facts.name(name)


def draft(facts: Facts, view: View, choices: Choices) -> Draft:
    """Return a bid, a special and a guess for now, and a bid for the next turn if the seat stays."""
    if view.own is None or view.over:
        return Draft()
    now: dict[str, Json] = {}
    free = [tile for tile in likeliest(view) if tile not in view.held]
    wanted: list[dict[str, Json]] = [{"for": tile, "points": _BID} for tile in free]
    helped = view.objects[free[0]].helped if free else {}

    def use(special: TileId) -> tuple[int, bool]:
        return helped.get(facts.name(special), 0), facts.specials[special].effect.kind not in BONUSES

    if plain := [name for name, special in view.specials.items() if not special.subject]:
        now[SPECIALS[0]] = {"enact": max(plain, key=use), "points": 1}
    if wanted:
        now[BIDS[0]] = wanted[0]
    doubts = [seat for seat in view.can_be if seat not in (view.me, *view.own.known)]
    # A right guess brings a part of what the other's objects bring.
    doubt = max(doubts, key=lambda seat: view.players[seat].income / len(view.can_be[seat]), default=None)
    if doubt is not None:
        now["guess"] = {"player": int(doubt) if doubt.isdecimal() else doubt, "house": view.can_be[doubt][0]}
    now["move"] = STAY
    for part in (SPECIALS[0], BIDS[0], "guess"):  # what does not fit after all is no example
        if any(problem.path[:1] == (part,) for problem in check_move(facts, view, read_move(facts, now))):
            del now[part]
    then: dict[str, Json] = {"move": STAY}
    if wanted:
        then = {BIDS[0]: wanted[:2][-1], **then}
    few: Json = {"at_most": 10}
    return Draft(now, {"own.square": view.own.square}, then, {"move": STAY}, {"own.action_points": few})
