"""Cards, counts, orders and facts in words, and orders that fit a position as examples for the form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import Wording, sentence_list
from pbem.rules.kit.tables import as_list
from pbem.rules.kit.words import count, in_turn
from pbem.rules.web_of_power_cards.conditions import conditions
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import ANY, COLOURS, MINUS, RETURN, THREE, Card, Law
from pbem.rules.web_of_power_cards.view import ON_TABLE, View


def show(facts: Facts, card: Card) -> str:
    """Return a card with what it shows: "Fr2 (1 cross, ship)", "Ka3 (2 crosses)"."""
    return f"{card} ({marks(facts, card)})"


def marks(facts: Facts, card: Card) -> str:
    """Return what a card shows besides its country: "1 cross, ship"."""
    land = facts.lands[card]
    parts = [count(land.symbols, land.symbol) if land.symbol else "no symbol"]
    if land.route is not None:
        parts.append(land.route)
    return ", ".join(parts)


def quoted(facts: Facts, law: Law) -> str:
    """Return a law card's name as a sentence has it, in quotation marks: some begin with a number."""
    return f'"{facts.law_names[law]}"'


def effect(facts: Facts, law: Law) -> str:
    """Return what a law card does, in a few words."""
    effects: dict[Law, str] = {
        RETURN: "one of your stones that are out of the game comes back to your reserve",
        THREE: f"up to {facts.limit_with_law} circle symbols in this turn",
        COLOURS: "cards of different countries in this turn",
        MINUS: f"{facts.penalty} points less at the end, for who holds it",
    }
    return effects[law]


FACT_WORDS: Final[Mapping[str, str]] = {
    "to_move": "the seat on turn",
    "left": "the number of cards on the table",
    "ends": "the cards at the ends of the rows",
    "can_take": "the cards that you could take first",
    "laws": "your law cards",
    "lost": "the cards under your stones that others have taken",
    "lost_claim": "another seat has taken a card under a stone of yours since your last turn",
    "cards.*.holder": "the holder of {0}",
    "cards.*.depth": "the number of cards before {0}",
    "cards.*.stone": "the stone on {0}",
    "cards.*.law": "a law card lies on {0}",
    "players.*.points": "the points of {0}",
    "players.*.cards": "the cards of {0}",
    "players.*.lands.*": "the number of cards that {0} has of {1}",
    "players.*.routes.*": "the number of cards that {0} has with a {1}",
    "players.*.stones": "the cards with stones of {0}",
    "players.*.reserve": "the number of stones before {0}",
    "players.*.laws": "the number of law cards before {0}",
    "players.*.removed": "the number of stones out of the game of {0}",
}


def wording(facts: Facts) -> Wording:
    """Return how this game says orders, facts and names."""
    return Wording(
        FACT_WORDS, facts.titles, partial(order_words, facts), partial(name_words, facts), conditions(facts)
    )


def thing(facts: Facts, path: str) -> str:
    """Return what a path of a condition means: "the holder of Fr3"."""
    return Wording(FACT_WORDS, name=partial(name_words, facts)).thing(path)


def order_words(facts: Facts, order: Json) -> str:
    """Return an order as a sentence has it: "take Fr3, then Fr5; put a stone on Ba1"."""
    move = facts.read(order)
    if not move.take:
        return "take nothing"
    parts = [f"take {', then '.join(_else(facts, entry) for entry in move.take)}"]
    if move.also:
        parts.append(
            f"take too, as far as possible, {sentence_list(name_words(facts, one) for one in move.also)}"
        )
    laws = [*(quoted(facts, law) for law in move.use), *(f'"{name}"' for _, name in move.strange)]
    if laws:
        parts.append(f"play the law card {sentence_list(laws)} if it helps")
    if move.pay and ANY not in move.pay:
        parts.append(f"pay, if need be, with the stone on {_else(facts, move.pay)}")
    elif move.pay or any(name not in facts.lands for names in move.take for name in names):
        parts.append("pay a stone if need be")
    if move.claim:
        parts.append(f"put a stone on {_else(facts, move.claim)}")
    if move.lift:
        parts.append(f"if you can place no more, move the one on {_else(facts, move.lift)}")
    return "; ".join(parts)


def name_words(facts: Facts, name: str) -> str:
    """Return a name as reports write it: a country's, a law card's, a seat's with a capital letter."""
    if name == ANY:
        return "any card"
    if name == ON_TABLE:
        return "the table"
    return facts.titles.get(name) or (name.capitalize() if name.islower() else name)


def draft(facts: Facts, view: View, choices: Choices) -> Draft:
    """Return an order for now, and a card to take at a later turn if it still lies at an end."""
    if view.me is None:
        return Draft()
    now = next(choices.whole(), None)
    keep: Json = {"take": [ANY]}
    stop: Mapping[str, Json] = {"lost_claim": True}
    taken = as_list(now.get("take")) if isinstance(now, dict) else []
    wanted = next((card for card in view.ends if card not in taken), None)
    if wanted is None:
        return Draft(now, keep=keep, stop_if=stop)
    return Draft(now, {"ends": {"has": wanted}}, {"take": [wanted]}, keep, stop)


def _else(facts: Facts, names: Iterable[str]) -> str:
    """Return names in the order of preference: "Fr3, else any card"."""
    return in_turn(name_words(facts, name) for name in names)
